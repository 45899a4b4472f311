"""Features as data that JSON can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, asdict, fields
from typing import Any

import numpy as np

from hedgerow._support.json_field import Field, number_record
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.categories import Category, CodedCategory, HashedCategory, NumberedCategory, WholeCategory
from hedgerow.features.columns import Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap
from hedgerow.features.feature import Feature
from hedgerow.features.inputs import Inputs
from hedgerow.features.series import IntervalStatistic, SeriesInputs, ShapeletDistance

#: The kinds that are data alone.
_KINDS: dict[Any, Any] = {
    kind.__name__: kind
    for kind in (
        Column,
        ColumnOfNonzeros,
        ColumnWithBlank,
        ColumnWithGap,
        Category,
        NumberedCategory,
        WholeCategory,
        CodedCategory,
        HashedCategory,
        ShapeletDistance,
        IntervalStatistic,
    )
}

#: How a feature's member is read, by its type.
_READ: dict[Any, Callable[[Field], Any]] = {
    "int": lambda field: field.whole(),
    "str": lambda field: field.text(),
    "bool": lambda field: field.truth(),
    "float": lambda field: field.number(nan=True),
    "float | None": lambda field: None if field.value is None else field.number(),
    "tuple[int, ...]": lambda field: tuple(one.whole() for one in field),
    "tuple[float, ...]": lambda field: tuple(one.finite() for one in field),
    "tuple[Any, ...]": lambda field: tuple(one.scalar() for one in field),
    "tuple[tuple[str, float], ...]": lambda field: tuple((name, field[name].finite()) for name in field.members()),
}

_INPUTS = ("features", "dtype", "allows_missing", "allows_infinity", "has_names", "columns", "complete", "series")
#: Written only where there is something to say.
_RARE_INPUTS = ("absent", "delicate")


def to_record(feature: Feature) -> dict[str, Any]:
    """Return a feature as data; infinity and NaN, which JSON does not have, as text."""
    kind = type(feature).__name__
    if kind not in _KINDS:
        raise InvalidDataError(
            f"{feature.name} is what a fitted step computes ({kind}), which cannot be written as JSON. Keep it with "
            "pickle or joblib; or run that step before, and train the ensemble on what it makes."
        )
    record: dict[str, Any] = asdict(feature)  # type: ignore[call-overload]
    if isinstance(feature, ShapeletDistance):
        # Of a metric without parameters nothing is said, as in documents from before there were any.
        record |= {"metric_params": dict(feature.metric_params)} if record.pop("metric_params") else {}
    return {"kind": kind} | {
        name: number_record(value) if isinstance(value, float) else value for name, value in record.items()
    }


def from_record(record: Any, path: str = "feature") -> Feature:
    """Return the feature that :func:`to_record` wrote; ``path`` is where it stands, for errors."""
    field = Field(record, path)
    kind = field["kind"].text(_KINDS)
    members = {one.name: one for one in fields(_KINDS[kind])}
    field.only(("kind", *members))
    given = {
        name: _READ[one.type](field[name]) for name, one in members.items() if name in field or one.default is MISSING
    }
    try:
        feature: Feature = _KINDS[kind](**given)
    except InvalidDataError as error:
        raise InvalidDataError(f"{path}: {error}") from None
    if isinstance(feature, Category):
        _check_categories(feature, path)
    return feature


def _sort_of(category: Any) -> type:
    return float if type(category) is int else type(category)


def _check_categories(feature: Category, path: str) -> None:
    known = feature.categories
    if len(set(known)) < len(known):
        raise InvalidDataError(f"{path}.categories has one of them twice.")
    if len({_sort_of(one) for one in known}) > 1:
        raise InvalidDataError(f"{path}.categories are all texts, all numbers, or all truth values.")
    if isinstance(feature, WholeCategory) and (
        not known or any(type(one) is not int for one in known) or sorted(known) != list(known)
    ):
        raise InvalidDataError(f"{path}.categories is a list of whole numbers in increasing order.")
    if isinstance(feature, HashedCategory) and len(feature.hashes) != len(known):
        raise InvalidDataError(f"{path} has {len(feature.hashes)} hashes for {len(known)} categories.")


def inputs_to_record(inputs: Inputs) -> dict[str, Any]:
    """Return inputs as data."""
    record = {
        "features": [to_record(feature) for feature in inputs.features],
        "dtype": np.dtype(inputs.dtype).name,
        "allows_missing": inputs.allows_missing,
        "allows_infinity": inputs.allows_infinity,
        "has_names": inputs.has_names,
        "columns": inputs.columns,
        "complete": [i for i, feature in enumerate(inputs.features) if feature in inputs.complete],
    }
    record |= {name: value for name in _RARE_INPUTS if (value := getattr(inputs, name))}
    if isinstance(inputs, SeriesInputs):
        record["series"] = {"n_dimensions": inputs.n_dimensions, "length": inputs.length}
    return record


def inputs_from_record(record: Any, path: str = "inputs") -> Inputs:
    """Return the inputs that :func:`inputs_to_record` wrote; refuse features that look where nothing is."""
    field = Field(record, path).only((*_INPUTS, *_RARE_INPUTS))
    features = tuple(from_record(one.value, one.path) for one in field["features"])
    columns = None if field["columns"].value is None else tuple(name.text() for name in field["columns"])
    absent, delicate, series = (field.get(name) for name in (*_RARE_INPUTS, "series"))
    common: dict[str, Any] = {
        "features": features,
        "dtype": np.dtype(field["dtype"].text(("float32", "float64"))).type,
        "columns": columns,
        "complete": frozenset(features[one.whole(0, len(features))] for one in field["complete"]),
        "absent": None if absent is None else absent.text(("zero", "missing")),
        "delicate": () if delicate is None else tuple(_delicate(pair) for pair in delicate),
    }
    common |= {name: field[name].truth() for name in ("allows_missing", "allows_infinity", "has_names")}
    if series is None:
        inputs = Inputs(**common)
        _check_places(inputs, len(inputs.names), path)
        return inputs
    shape: dict[str, Any] = {
        name: series.only(("n_dimensions", "length"))[name].whole(1) for name in ("n_dimensions", "length")
    }
    try:
        inputs = SeriesInputs(**common, **shape)
    except InvalidDataError as error:
        raise InvalidDataError(f"{path}.series: {error}") from None
    _check_places(inputs, shape["n_dimensions"], path)
    return inputs


def _delicate(pair: Field) -> tuple[int, str]:
    if not isinstance(pair.value, list) or len(pair.value) != 2:
        raise pair.error("the number of a column, and kinds of dtype")
    number, kinds = pair
    return number.whole(0), kinds.text()


def _check_places(inputs: Inputs, n_columns: int, path: str) -> None:
    """Every feature must look at a column, or a dimension of the series, that is there."""
    what = "dimension" if isinstance(inputs, SeriesInputs) else "column"
    for i, feature in enumerate(inputs.features):
        index: Any = getattr(feature, "dimension" if what == "dimension" else "index", None)
        # Without names of columns the features are the columns, one after the other.
        is_there = index == i if what == "column" and inputs.columns is None else index in range(n_columns)
        if not is_there:
            raise InvalidDataError(f"{path}.features[{i}] is {feature.name!r}, of {what} {index}, which is not there.")
        if what == "column" and inputs.columns is not None and feature.name != inputs.columns[index]:
            raise InvalidDataError(
                f"{path}.features[{i}] is {feature.name!r}, of column {index}, which is {inputs.columns[index]!r}."
            )
    if inputs.columns is not None and len(set(inputs.columns)) < len(inputs.columns):
        raise InvalidDataError(f"{path}.columns has one of its names twice.")
    for number, _ in inputs.delicate:
        if number >= n_columns:
            raise InvalidDataError(f"{path}.delicate has column {number}, of {n_columns}.")
