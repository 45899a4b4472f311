"""Tests of a single cell of a table: the form in which conditions are handed to exporters.

Programs such as SQL queries see a row of a table: numbers, strings, booleans and
empty cells. A condition on a column becomes a test of one such cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hedgerow.features.dates import DateReading
from hedgerow.features.frames import is_present
from hedgerow.features.number_sets import ALL, NumberSet
from hedgerow.features.spelled import spelling_of


@dataclass(frozen=True)
class NumberTest:
    """Whether a number is in a set.

    Attributes
    ----------
    column : int
        The position of the cell.
    numbers : NumberSet
        The numbers that pass.
    missing : bool or None
        Whether a missing value passes; None if missing values are refused beforehand.
    date : DateReading or None
        How the number follows from a date in the cell; None if the cell contains the number itself.
    """

    column: int
    numbers: NumberSet
    missing: bool | None = False
    date: DateReading | None = None

    @property
    def is_certain(self) -> bool:
        """Whether everything passes."""
        return self.numbers == ALL and self.missing is not False

    @property
    def is_impossible(self) -> bool:
        """Whether nothing passes."""
        return not self.numbers.parts and not self.missing

    def passes(self, value: Any) -> bool:
        """Return whether a value passes."""
        number = math.nan if not is_present(value) else float(value) if self.date is None else self.date.number(value)
        return bool(self.missing) if math.isnan(number) else number in self.numbers


@dataclass(frozen=True)
class ValueTest:
    """Whether a value is among some values, or is not among them.

    Attributes
    ----------
    column : int
        The position of the cell.
    passing, failing : tuple
        Values that pass, and values that do not.
    others : bool
        Whether any other value passes.
    missing : bool or None
        Whether a missing value passes; None if missing values are refused beforehand.
    as_text : bool
        Whether integers are compared as strings of their digits.
    """

    column: int
    passing: tuple[Any, ...]
    failing: tuple[Any, ...]
    others: bool = False
    missing: bool | None = False
    as_text: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether everything passes."""
        return self.others and not self.failing and self.missing is not False

    @property
    def is_impossible(self) -> bool:
        """Whether nothing passes."""
        return not self.others and not self.passing and not self.missing

    def passes(self, value: Any) -> bool:
        """Return whether a value passes."""
        spelling = spelling_of((*self.passing, *self.failing)) if isinstance(value, str) else None
        value = value if spelling is None else spelling(value)
        if not is_present(value):
            return bool(self.missing)
        value = str(int(value)) if self.as_text and isinstance(value, (bool, int)) else value
        return value in self.passing or (self.others and value not in self.failing)

    def as_numbers(self) -> NumberTest | None:
        """Return the same test for a column of numbers, or None if some values are not numbers."""
        values = (*self.passing, *self.failing)
        if not values or not all(isinstance(value, (bool, int, float)) for value in values):
            return None
        listed = NumberSet.of(*((float(v), float(v)) for v in (self.failing if self.others else self.passing)))
        return NumberTest(self.column, ~listed if self.others else listed, self.missing)


CellTest = NumberTest | ValueTest
