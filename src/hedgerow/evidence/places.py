"""What may change in a row on its own, and the cells into which the conditions of a list divide it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from hedgerow.features import Feature
from hedgerow.features.columns import NumberColumn
from hedgerow.features.date_parts import DatePart
from hedgerow.rules.condition import Condition

#: What the distance of two values is measured in: spreads of the column, thresholds between them, or any change is 1.
Measure = Literal["spreads", "thresholds", "any"]


@dataclass(frozen=True)
class Place:
    """What may change on its own: a column, with the features that look at it; or a feature that is computed.

    Attributes
    ----------
    name : str
    column : int or None
        The position of the column; None for a feature that does not come from a single one.
    features : tuple of Feature
    conditions : tuple of Condition
        Those of the list on these features.
    """

    name: str
    column: int | None
    features: tuple[Feature, ...]
    conditions: tuple[Condition, ...]

    @property
    def kind(self) -> Literal["number", "date", "category"]:
        """What the place holds."""
        if any(isinstance(feature, DatePart) for feature in self.features):
            return "date"
        return "number" if any(feature.levels is None for feature in self.features) else "category"

    @property
    def date_format(self) -> str:
        """How dates are written in strings."""
        return next(feature.format for feature in self.features if isinstance(feature, DatePart))


def number_feature_of(place: Place) -> NumberColumn:
    """Return what reads the numbers in the column of a place."""
    columns = (feature for feature in place.features if isinstance(feature, NumberColumn))
    return next(columns, NumberColumn(place.column or 0, place.name))


@dataclass(frozen=True)
class PlaceCells:
    """The cells of a place: that of the row first, the others by increasing cost.

    Attributes
    ----------
    place : Place
    values : tuple
        A value of each cell, the row's own first.
    costs : tuple of float
    passing : dict
        For each condition, the cells that pass, as bits.
    measure : Measure
        What costs are measured in.
    texts : tuple of str
        The values in words.
    """

    place: Place
    values: tuple[Any, ...]
    costs: tuple[float, ...]
    passing: dict[Condition, int]
    measure: Measure
    texts: tuple[str, ...]
