"""Columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow.features.cell_tests import NumberTest
from hedgerow.features.feature import Feature, Gap, TableColumn
from hedgerow.features.form_entry import FormEntry, Recipe
from hedgerow.features.frames import column_of, is_present
from hedgerow.features.number_sets import NumberSet, rounding_to


@dataclass(frozen=True)
class ColumnFeature(Feature):
    """A feature that looks at one column of a table, of numbers unless a kind says otherwise."""

    index: int
    name: str

    @property
    def source(self) -> Hashable:
        """The column: several features may look at the same one."""
        return self.index

    @property
    def table_columns(self) -> tuple[TableColumn, ...]:
        return (TableColumn(self.index),)

    def numbers(self, X: Any) -> FloatArray:
        """Return the numbers in the column."""
        column = column_of(X, self.index)
        if getattr(column.dtype, "kind", "O") in "mM":  # which numpy would count from 1970
            raise TypeError("dates")
        if hasattr(column, "to_numpy"):  # pandas: its own missing values become NaN
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        column = np.asarray(column)
        if column.dtype == object:  # pandas.NA is not a number
            column = [value if is_present(value) else np.nan for value in column]
        return np.asarray(column, dtype=np.float64)


@dataclass(frozen=True)
class NumberColumn(ColumnFeature):
    """A feature whose value is the number in a column, unless that counts as missing."""

    @property
    def missing_numbers(self) -> NumberSet:
        """The numbers in the column that count as missing."""
        return NumberSet() if self.gap is None else NumberSet.of((self.gap.lowest, self.gap.highest))

    def compute(self, X: Any) -> FloatArray:
        values = self.numbers(X)
        for lowest, highest in self.missing_numbers.parts:
            values = np.where((values >= lowest) & (values <= highest), np.nan, values)
        return values

    @property
    def form_entry(self) -> FormEntry:
        return FormEntry(self.index, super().form_entry.recipe)

    def cell_test(self, passing: NumberSet, missing: bool) -> NumberTest:
        numbers = passing | self.missing_numbers if missing else passing & ~self.missing_numbers
        return NumberTest(self.index, numbers, missing)


@dataclass(frozen=True)
class Column(NumberColumn):
    """A column of numbers, taken as it is.

    >>> Column(1, "age").compute(np.array([[1.0, 30.0], [2.0, 40.0]]))
    array([30., 40.])
    """

    has_missing: bool = field(default=False, compare=False)

    is_linear: ClassVar[bool] = True


@dataclass(frozen=True)
class ColumnOfNonzeros(Column):
    """A column of numbers in which zero stands for a missing value.

    >>> ColumnOfNonzeros(0, "visits").compute(np.array([[0.0], [3.0]]))
    array([nan,  3.])
    """

    #: Numbers no farther from zero than this count as zero.
    nearly_zero: ClassVar[float] = float(np.float32(1e-35))

    gap: ClassVar[Gap] = Gap(-nearly_zero, nearly_zero, "zero")


@dataclass(frozen=True)
class ColumnWithBlank(Column):
    """A column of numbers in which one number, in single precision, stands for a missing value.

    >>> ColumnWithBlank(0, "age", blank=-999.0).compute(np.array([[-999.0], [30.0]]))
    array([nan, 30.])
    """

    blank: float = np.nan

    absence: ClassVar[str] = "missing"

    @property
    def gap(self) -> Gap:
        single = float(np.float32(self.blank))
        return Gap(single, single, f"{self.blank:g}" if self.blank else "zero")

    @property
    def missing_numbers(self) -> NumberSet:
        """The doubles that become the blank in single precision."""
        return NumberSet() if math.isnan(self.blank) else rounding_to(self.blank, np.float32)

    @property
    def form_entry(self) -> FormEntry:
        return FormEntry(self.index, Recipe(blank=None if math.isnan(self.blank) else self.blank))


@dataclass(frozen=True)
class ColumnWithGap(NumberColumn):
    """A column of numbers in which those from ``lowest`` to ``highest`` stand for a missing value.

    With ``fill``, a value that really is missing counts as that number.

    >>> ColumnWithGap(0, "glucose", lowest=0, highest=0).compute(np.array([[0.0], [95.0]]))
    array([nan, 95.])
    """

    lowest: float
    highest: float
    fill: float | None = None
    has_missing: bool = field(default=False, compare=False)

    @property
    def gap(self) -> Gap:
        name = f"{self.highest:g}" if self.highest else "zero"
        if self.lowest < self.highest:
            name = f"at most {self.highest:g}"
            if self.lowest > -math.inf:
                name = f"between {self.lowest:g} and {self.highest:g}"
        return Gap(self.lowest, self.highest, name)

    @property
    def absence(self) -> str:
        return super().absence if self.fill is None else self.gap.name

    @property
    def form_entry(self) -> FormEntry:
        return FormEntry(self.index, Recipe(fill=self.fill, lowest=self.lowest, highest=self.highest))

    def cell_test(self, passing: NumberSet, missing: bool) -> NumberTest:
        """Return the test of the number in the column; an empty cell passes if the number to fill in does."""
        test = super().cell_test(passing, missing)
        return test if self.fill is None else replace(test, missing=self.fill in test.numbers)

    def numbers(self, X: Any) -> FloatArray:
        """Return the numbers in the column, ``fill`` for those that are missing."""
        numbers = super().numbers(X)
        return numbers if self.fill is None else np.where(np.isnan(numbers), self.fill, numbers)


def make_columns(n_features: int, names: Sequence[str] | None) -> tuple[Column, ...]:
    """Return one :class:`Column` per feature, named ``x0``, ``x1``, ... if no names are given."""
    names = [f"x{i}" for i in range(n_features)] if names is None else names
    return tuple(Column(i, str(name)) for i, name in enumerate(names))
