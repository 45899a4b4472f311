"""Features as data that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from hedgerow.exceptions import InvalidDataError
from hedgerow.features.categories import Category, CodedCategory, HashedCategory, NumberedCategory, WholeCategory
from hedgerow.features.columns import Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap
from hedgerow.features.feature import Feature

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
