"""Columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow.features.feature import Gap
from hedgerow.features.tables import column_of


@dataclass(frozen=True)
class Column:
    """A column of numbers, taken as it is.

    >>> Column(1, "age").compute(np.array([[1.0, 30.0], [2.0, 40.0]]))
    array([30., 40.])
    """

    index: int
    name: str
    has_missing: bool = field(default=False, compare=False)

    absence: ClassVar[str] = "missing"

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values."""
        column = column_of(X, self.index)
        if hasattr(column, "to_numpy"):  # pandas: its own missing values become NaN
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(column, dtype=np.float64)


@dataclass(frozen=True)
class ColumnOfNonzeros(Column):
    """A column of numbers in which zero stands for a missing value.

    >>> ColumnOfNonzeros(0, "visits").compute(np.array([[0.0], [3.0]]))
    array([nan,  3.])
    """

    absence: ClassVar[str] = "zero or missing"

    #: What is not farther from zero than this is zero.
    nearly_zero: ClassVar[float] = float(np.float32(1e-35))

    gap: ClassVar[Gap] = Gap(-nearly_zero, nearly_zero, "zero")

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values, NaN for zeros."""
        values = super().compute(X)
        return np.where(np.abs(values) <= self.nearly_zero, np.nan, values)


@dataclass(frozen=True)
class ColumnWithBlank(Column):
    """A column of numbers in which one number, in single precision, stands for a missing value.

    >>> ColumnWithBlank(0, "age", blank=-999.0).compute(np.array([[-999.0], [30.0]]))
    array([nan, 30.])
    """

    blank: float = np.nan

    @property
    def gap(self) -> Gap:
        """The number that counts as missing."""
        single = float(np.float32(self.blank))
        return Gap(single, single, f"{self.blank:g}" if self.blank else "zero")

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values, NaN for the blank."""
        values = super().compute(X)
        with np.errstate(over="ignore"):
            return np.where(values.astype(np.float32) == np.float32(self.blank), np.nan, values)


@dataclass(frozen=True)
class ColumnWithGap:
    """A column of numbers in which those from ``lowest`` to ``highest`` stand for a missing value.

    With ``fill`` a value that really is missing counts as that number.

    >>> ColumnWithGap(0, "glucose", lowest=0, highest=0).compute(np.array([[0.0], [95.0]]))
    array([nan, 95.])
    """

    index: int
    name: str
    lowest: float
    highest: float
    fill: float | None = None
    has_missing: bool = field(default=False, compare=False)

    @property
    def gap(self) -> Gap:
        """The numbers that count as missing."""
        name = f"{self.highest:g}" if self.highest else "zero"
        if self.lowest < self.highest:
            name = f"at most {self.highest:g}"
            if self.lowest > -math.inf:
                name = f"between {self.lowest:g} and {self.highest:g}"
        return Gap(self.lowest, self.highest, name)

    @property
    def absence(self) -> str:
        """What to call a value in the gap, or none at all."""
        return f"{self.gap.name} or missing" if self.fill is None else self.gap.name

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values, NaN for those in the gap."""
        values = Column(self.index, self.name).compute(X)
        if self.fill is not None:
            values = np.where(np.isnan(values), self.fill, values)
        return np.where((values >= self.lowest) & (values <= self.highest), np.nan, values)


def make_columns(n_features: int, names: Sequence[str] | None) -> tuple[Column, ...]:
    """One :class:`Column` each, called ``x0``, ``x1``, ... where there are no names."""
    names = [f"x{i}" for i in range(n_features)] if names is None else names
    return tuple(Column(i, str(name)) for i, name in enumerate(names))
