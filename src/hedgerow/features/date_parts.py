"""Columns of dates, of which a part is compared: the year, the month, the weekday or the day."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow.features.cell_tests import NumberTest
from hedgerow.features.columns import ColumnFeature
from hedgerow.features.dates import ISO, DateReading, Part
from hedgerow.features.feature import TableColumn
from hedgerow.features.frames import column_of
from hedgerow.features.number_sets import NumberSet

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: What a part of a date can be called, by its number.
_NAMES = {"month": _MONTHS, "weekday": _WEEKDAYS}


@dataclass(frozen=True)
class DatePart(ColumnFeature):
    """A part of the date in a column, as an integer: :class:`hedgerow.features.dates.DateReading`.

    ``column`` is the name of the column, ``name`` that of the part.

    >>> days = np.array([["2021-12-25"], ["2021-12-27"], [None]], dtype=object)
    >>> DatePart.of(0, "signup", "weekday").compute(days)
    array([ 6.,  1., nan])
    >>> DatePart.of(0, "signup", "weekday").phrase(5.5, np.inf)
    'weekday of signup is Saturday or Sunday'
    >>> DatePart.of(0, "signup", "days", first="2020-12-31").phrase(-np.inf, 31.5)
    'signup <= 2021-01-31'
    """

    column: str
    part: str
    format: str = ISO
    first: str = "1970-01-01"
    has_missing: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        assert self.reading

    @classmethod
    def of(cls, index: int, column: str, part: Part, format: str = ISO, first: str = "1970-01-01") -> Self:
        """Return a part of the dates in a column, named after it."""
        name = f"{column} in days since {first}" if part == "days" else f"{part} of {column}"
        return cls(index, name, column, part, format, first)

    def moved(self, index: int, column: str) -> Self:
        """Return the same part of another column."""
        return type(self).of(index, column, self.reading.part, self.format, self.first)

    @property
    def reading(self) -> DateReading:
        """How a date becomes a number."""
        return DateReading(self.part, self.format, self.first)  # type: ignore[arg-type]

    @property
    def source(self) -> tuple[int, str]:
        return self.index, self.part

    @property
    def table_columns(self) -> tuple[TableColumn, ...]:
        return (TableColumn(self.index, None, None),)

    def compute(self, X: Any) -> FloatArray:
        return self.reading.numbers(np.asarray(column_of(X, self.index)))

    def cell_test(self, passing: NumberSet, missing: bool) -> NumberTest:
        return NumberTest(self.index, passing, missing, self.reading)

    def roundest(self, low: float, high: float, near: float) -> float:
        """Return the threshold that is easiest to read: of days, the end of a year, or else of a month."""
        first, last = math.ceil(low), math.ceil(high) - 1
        if self.part != "days" or first > last:
            return super().roundest(low, high, near)
        return float(min(range(first, last + 1), key=lambda day: (self._roughness(day), abs(day - near), day)))

    def _roughness(self, day: int) -> int:
        """Return 0 for the last day of a year, 1 for that of a month, 2 for others."""
        try:
            after = self.reading.origin + datetime.timedelta(day + 1)
        except OverflowError:
            return 2
        return 0 if (after.month, after.day) == (1, 1) else 1 if after.day == 1 else 2

    def phrase(self, lower: float, upper: float) -> str | None:
        if self.part == "days":
            return self._between_dates(lower, upper)
        least, most = (None if math.isinf(end) else math.floor(end) + more for end, more in ((lower, 1), (upper, 0)))
        names = _NAMES.get(self.part)
        if names is None:
            return _between_numbers(self.name, least, most)
        first, last = max(least or 1, 1), len(names) if most is None else min(most, len(names))
        if first > last or (first, last) == (1, len(names)):
            return None
        if first == last:
            return f"{self.name} is {names[first - 1]}"
        return f"{self.name} is {names[first - 1]} {'or' if last == first + 1 else 'to'} {names[last - 1]}"

    def _between_dates(self, lower: float, upper: float) -> str | None:
        try:
            above, upto = (
                "" if math.isinf(end) else str(self.reading.origin + datetime.timedelta(math.floor(end)))
                for end in (lower, upper)
            )
        except OverflowError:
            return None
        if above and upto:
            return f"{above} < {self.column} <= {upto}"
        return f"{self.column} > {above}" if above else f"{self.column} <= {upto}" if upto else None


def _between_numbers(name: str, least: int | None, most: int | None) -> str | None:
    if least is None or most is None:
        return f"{name} <= {most}" if most is not None else f"{name} >= {least}" if least is not None else None
    if least >= most:
        return f"{name} is {most}" if least == most else None
    return f"{least} <= {name} <= {most}"
