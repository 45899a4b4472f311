"""Features and inputs as JSON data. To add a kind of feature, add it to ``KINDS``."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.json_field import Field
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.categories import Category, CodedCategory, NumberedCategory, WholeCategory
from hedgerow.features.columns import Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap
from hedgerow.features.date_parts import DatePart
from hedgerow.features.feature import Feature
from hedgerow.features.hashed_category import HashedCategory
from hedgerow.features.inputs import Inputs
from hedgerow.features.interval_statistic import IntervalStatistic
from hedgerow.features.notation import Notation
from hedgerow.features.series import SeriesInputs
from hedgerow.features.shapelet_distance import ShapeletDistance

_COLUMNS = (Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap, DatePart)
_CATEGORIES = (Category, NumberedCategory, WholeCategory, CodedCategory, HashedCategory)
_OF_SERIES = (ShapeletDistance, IntervalStatistic)
#: The kinds that can be written as JSON, by name.
KINDS: dict[str, type[Feature]] = {kind.__name__: kind for kind in (*_COLUMNS, *_CATEGORIES, *_OF_SERIES)}

_INPUTS = ("features", "dtype", "allows_missing", "allows_infinity", "has_names", "columns", "complete", "series")
#: Written only if they are set.
_RARE_INPUTS = ("absent", "delicate")
_NOTATIONS = "notations"
_SHAPE = ("n_dimensions", "length")


def to_record(feature: Feature) -> dict[str, Any]:
    """Return a feature as JSON data."""
    kind = type(feature).__name__
    if KINDS.get(kind) is not type(feature):
        raise InvalidDataError(
            f"{feature.name} cannot be written as JSON: a {kind} depends on fitted code. Save the list with pickle or "
            "joblib; or apply that step beforehand, and train the ensemble on its output."
        )
    return feature.to_record()


def from_record(record: Any, path: str = "feature") -> Feature:
    """Return the feature that :func:`to_record` wrote; ``path`` is its place in the document, for errors."""
    field = Field(record, path)
    return KINDS[field["kind"].text(KINDS)].from_record(field)


def inputs_to_record(inputs: Inputs) -> dict[str, Any]:
    """Return inputs as JSON data."""
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
    if inputs.notations:
        record[_NOTATIONS] = [[index, notation.to_record()] for index, notation in inputs.notations]
    if inputs.of_series:
        record["series"] = dict(zip(_SHAPE, inputs.sample_shape, strict=True))
    return record


def inputs_from_record(record: Any, path: str = "inputs") -> Inputs:
    """Return the inputs that :func:`inputs_to_record` wrote; refuse features of columns that do not exist."""
    field = Field(record, path).only((*_INPUTS, *_RARE_INPUTS, _NOTATIONS))
    features = tuple(from_record(one.value, one.path) for one in field["features"])
    columns = None if field["columns"].value is None else tuple(name.text() for name in field["columns"])
    absent, delicate, notations, series = (field.get(name) for name in (*_RARE_INPUTS, _NOTATIONS, "series"))
    common: dict[str, Any] = {
        "features": features,
        "dtype": np.dtype(field["dtype"].text(("float32", "float64"))).type,
        "columns": columns,
        "complete": frozenset(features[one.whole(0, len(features))] for one in field["complete"]),
        "absent": None if absent is None else absent.text(("zero", "missing")),
        "delicate": () if delicate is None else tuple(_delicate(pair) for pair in delicate),
        _NOTATIONS: () if notations is None else tuple(_notation(pair) for pair in notations),
    }
    common |= {name: field[name].truth() for name in ("allows_missing", "allows_infinity", "has_names")}
    inputs = Inputs(**common)
    if series is not None:
        common |= {name: series.only(_SHAPE)[name].whole(1) for name in _SHAPE}
        try:
            inputs = SeriesInputs(**common)
        except InvalidDataError as error:
            raise InvalidDataError(f"{series.path}: {error}") from None
    _check_places(inputs, path)
    return inputs


def _delicate(pair: Field) -> tuple[int, str]:
    if not isinstance(pair.value, list) or len(pair.value) != 2:
        raise pair.error("the index of a column and kinds of dtype")
    number, kinds = pair
    return number.whole(0), kinds.text()


def _notation(pair: Field) -> tuple[int, Notation]:
    if not isinstance(pair.value, list) or len(pair.value) != 2:
        raise pair.error("the index of a column and its notation")
    number, notation = pair
    return number.whole(0), Notation.from_record(notation)


def _check_places(inputs: Inputs, path: str) -> None:
    """Check that every feature looks at a column, or a dimension of the series, that exists."""
    what, names = "dimension" if inputs.of_series else "column", inputs.names
    if len(set(names)) < len(names) and inputs.columns is not None:
        raise InvalidDataError(f"{path}.columns contains a name twice.")
    for i, feature in enumerate(inputs.features):
        # Without names of columns, the features are the columns, in this order.
        possible = range(i, i + 1) if what == "column" and inputs.columns is None else range(len(names))
        at, places = f"{path}.features[{i}] is {feature.name!r}", inputs.places(feature)
        for place in places or (None,):
            if place not in possible:
                raise InvalidDataError(f"{at}, of {what} {place}, which does not exist.")
        if what == "column" and feature.source in places and feature.name != names[places[0]]:
            raise InvalidDataError(f"{at}, of column {places[0]}, which is {names[places[0]]!r}.")
    for place_of in ("delicate", _NOTATIONS):
        for number, _ in getattr(inputs, place_of):
            if number >= len(names):
                raise InvalidDataError(f"{path}.{place_of} has column {number}, of {len(names)}.")
