"""Features as data that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

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


def to_record(feature: Feature) -> dict[str, Any]:
    """Return a feature as data; infinity and NaN, which JSON does not have, as text."""
    kind = type(feature).__name__
    if kind not in _KINDS:
        raise InvalidDataError(
            f"{feature.name} is a {kind}, which needs the model it came from and cannot be written as JSON."
        )
    record: dict[str, Any] = asdict(feature)  # type: ignore[call-overload]
    for name, value in record.items():
        if isinstance(value, float) and not math.isfinite(value):
            record[name] = str(value)
    return {"kind": kind} | record


def from_record(record: Mapping[str, Any]) -> Feature:
    """Return the feature that :func:`to_record` wrote."""
    kind, given = record.get("kind"), {name: value for name, value in record.items() if name != "kind"}
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InvalidDataError(f"There is no feature of the kind {kind!r}; there are {', '.join(_KINDS)}.")
    for one in fields(_KINDS[kind]):
        if one.type == "float" and one.name in given:
            given[one.name] = float(given[one.name])
        if one.type.startswith("tuple") and not isinstance(given.get(one.name, []), list):
            raise InvalidDataError(f"{one.name} of a {kind} is a list; got {given[one.name]!r}.")
    try:
        feature: Feature = _KINDS[kind](
            **{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        )
    except TypeError as error:
        raise InvalidDataError(f"A {kind} is not complete: {error}.") from None
    return feature


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
    if isinstance(inputs, SeriesInputs):
        record["series"] = {"n_dimensions": inputs.n_dimensions, "length": inputs.length}
    return record


def inputs_from_record(record: Mapping[str, Any]) -> Inputs:
    """Return the inputs that :func:`inputs_to_record` wrote; refuse features that look where nothing is."""
    if record["dtype"] not in ("float32", "float64"):
        raise InvalidDataError(f"dtype is float32 or float64; got {record['dtype']!r}.")
    features = tuple(from_record(feature) for feature in record["features"])
    columns, series = record["columns"], record.get("series")
    n_columns = series["n_dimensions"] if series else len(features if columns is None else columns)
    for feature in features:
        index: Any = getattr(feature, "dimension" if series else "index", None)
        if type(index) is not int or not 0 <= index < n_columns or type(feature.name) is not str:
            raise InvalidDataError(f"The feature {feature.name!r} looks at column {index!r}, of {n_columns}.")
    common: dict[str, Any] = {
        "features": features,
        "dtype": np.dtype(record["dtype"]).type,
        "allows_missing": bool(record["allows_missing"]),
        "allows_infinity": bool(record["allows_infinity"]),
        "has_names": bool(record["has_names"]),
        "complete": frozenset(features[i] for i in record["complete"]),
        "columns": None if columns is None else tuple(str(name) for name in columns),
    }
    if series:
        return SeriesInputs(**common, n_dimensions=int(series["n_dimensions"]), length=int(series["length"]))
    return Inputs(**common)
