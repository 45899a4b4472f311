"""Columns of categories: each value becomes its position among the known categories."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.json_field import Field
from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError, warn
from hedgerow.features.cell_tests import CellTest, NumberTest, ValueTest
from hedgerow.features.columns import ColumnFeature
from hedgerow.features.feature import TableColumn
from hedgerow.features.form_entry import FormEntry, Recipe
from hedgerow.features.frames import column_of, is_frame, is_present
from hedgerow.features.number_sets import NumberSet
from hedgerow.features.spelled import spelling_of

#: In so many rows, it is unlikely that every value is new.
_MANY_ROWS = 10


@dataclass(frozen=True)
class Category(ColumnFeature):
    """A column of categories, as the position of each value in ``categories``.

    A missing value becomes NaN. So does a value that is not among the categories,
    unless ``other`` is set: then it gets a code of its own, one more than the last.
    Values in ``blanks`` stand for missing ones. If all categories are booleans or all
    are numbers, strings are read as such.

    >>> colors = np.array([["red"], ["blue"], ["green"], [None]], dtype=object)
    >>> Category(0, "color", ("blue", "red")).compute(colors)
    array([ 1.,  0., nan, nan])
    >>> Category(0, "color", ("blue", "red"), other=True).compute(colors)
    array([ 1.,  0.,  2., nan])
    >>> Category(0, "paid", (False, True)).compute(np.array([["True"], ["false"]]))
    array([1., 0.])
    """

    categories: tuple[Any, ...]
    other: bool = False
    has_missing: bool = field(default=False, compare=False)
    blanks: tuple[Any, ...] = ()

    @property
    def levels(self) -> tuple[Any, ...]:
        return self.categories

    @property
    def n_codes(self) -> int:
        return len(self.categories) + self.other

    @property
    def table_columns(self) -> tuple[TableColumn, ...]:
        kinds = {type(category) for category in self.categories}
        types = (({str}, str), ({bool}, bool), ({int, float}, float))
        holds = next((holds for possible, holds in types if kinds and kinds <= possible), None)
        return (TableColumn(self.index, holds, self.categories[0] if self.categories else 0.0),)

    @property
    def form_entry(self) -> FormEntry:
        unseen = float(len(self.categories)) if self.other else math.nan
        return FormEntry(self.index, Recipe("choice"), self.categories, unseen)

    def cell_test(self, passing: NumberSet, missing: bool) -> CellTest:
        is_in, is_out = self._partition(passing)
        if not self.other:  # unknown values count as missing
            return ValueTest(self.index, is_in, is_out, missing, missing)
        is_in, is_out = (is_in + self.blanks, is_out) if missing else (is_in, is_out + self.blanks)
        return ValueTest(self.index, is_in, is_out, len(self.categories) in passing, missing)

    def _partition(self, passing: NumberSet) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        known = [(value, code in passing) for code, value in enumerate(self.categories) if is_present(value)]
        return tuple(value for value, passes in known if passes), tuple(value for value, passes in known if not passes)

    @classmethod
    def from_record(cls, record: Field) -> Self:
        feature = super().from_record(record)
        known = feature.categories
        if len(set(known)) < len(known):
            raise InvalidDataError(f"{record.path}.categories contains a category twice.")
        if len({float if type(one) is int else type(one) for one in known}) > 1:
            raise InvalidDataError(f"{record.path}.categories must be all strings, all numbers or all booleans.")
        return feature

    def compute(self, X: Any) -> FloatArray:
        column = column_of(X, self.index)
        if hasattr(column, "cat"):  # pandas: each category is looked up once; the code of missing values is -1
            levels = self._codes(np.asarray(column.cat.categories))
            return np.append(levels, np.nan)[column.cat.codes.to_numpy()]
        return self._codes(np.asarray(column))

    def warn_if_unseen(self, X: Any, codes: AnyArray) -> None:
        """Warn if no value in the column is known, as if it was read in another way than for training."""
        if not self.categories or (codes < len(self.categories)).any():
            return
        values = [value for value in np.asarray(column_of(X, self.index)) if is_present(value)]
        values = [value for value in values if value not in self.blanks]
        kinds = set(map(_kind, self.categories))
        if len(values) >= _MANY_ROWS or any(_kind(value) not in kinds for value in values):
            warn(
                f"The rules know no value in the column {self.name!r} of X, such as {_shown(values[0])}. They know: "
                f"{some(map(_shown, self.categories))}. Read the column as it was read for training."
            )

    def _codes(self, values: AnyArray) -> FloatArray:
        spelling = None if values.dtype.kind in "biuf" else spelling_of(self.categories)
        if spelling is not None:
            values = np.array([spelling(value) for value in values] + [None], dtype=object)[:-1]
        are_numbers = all(len(known) and known.dtype.kind in "biuf" for known in (values, np.array(self.categories)))
        values = values.astype(np.float64 if are_numbers else object)
        if are_numbers:
            codes = self._codes_of_numbers(values)
        else:
            code_of = {value: code for code, value in enumerate(self.categories) if value is None or is_present(value)}
            codes = np.array([code_of.get(value, np.nan) for value in values], dtype=np.float64)
        if self.other:
            unknown = np.flatnonzero(np.isnan(codes))
            is_other = np.array([is_present(v) and v not in self.blanks for v in values[unknown]], dtype=bool)
            codes[unknown[is_other]] = len(self.categories)
        return codes

    def _codes_of_numbers(self, values: FloatArray) -> FloatArray:
        known = np.array(self.categories, dtype=np.float64)
        order = np.argsort(known)
        places = order[np.minimum(np.searchsorted(known[order], values), len(known) - 1)]
        return np.where(known[places] == values, places, np.nan)


@dataclass(frozen=True)
class NumberedCategory(Category):
    """A column of categories that a data frame holds as values and an array of numbers as codes.

    >>> NumberedCategory(0, "color", ("blue", "red")).compute(np.array([[1.0], [0.0], [2.0], [-1.0]]))
    array([ 1.,  0., nan, nan])
    """

    def compute(self, X: Any) -> AnyArray:
        numbered = np.asarray(column_of(X, self.index)).dtype.kind in "biuf"
        has_numbers_as_names = all(isinstance(name, (int, float)) for name in self.categories)
        if not numbered or (is_frame(X) and has_numbers_as_names):
            return super().compute(X)
        codes = np.trunc(self.numbers(X))
        return np.where((codes >= 0) & (codes < len(self.categories)), np.abs(codes), np.nan)


@dataclass(frozen=True)
class WholeCategory(Category):
    """A column of categories that are integers, in increasing order; values are truncated to integers.

    >>> WholeCategory(0, "store", (3, 7), other=True).compute(np.array([[7.0], [3.9], [5.0], [np.nan]]))
    array([ 1.,  0.,  2., nan])
    """

    @property
    def table_columns(self) -> tuple[TableColumn, ...]:
        return (replace(super().table_columns[0], holds=float),)

    def cell_test(self, passing: NumberSet, missing: bool) -> CellTest:
        is_in, is_out = (NumberSet.of(*map(_truncating_to, part)) for part in self._partition(passing))
        others = len(self.categories) in passing if self.other else missing
        return NumberTest(self.index, ~is_out if others else is_in, missing)

    @classmethod
    def from_record(cls, record: Field) -> Self:
        feature = super().from_record(record)
        known = feature.categories
        if not known or any(type(one) is not int for one in known) or sorted(known) != list(known):
            raise InvalidDataError(f"{record.path}.categories must be a list of integers in increasing order.")
        return feature

    def compute(self, X: Any) -> FloatArray:
        values = np.trunc(self.numbers(X))
        codes = self._codes_of_numbers(values)
        is_other = np.isnan(codes) & ~np.isnan(values) & self.other
        return np.where(is_other, len(self.categories), codes)


@dataclass(frozen=True)
class CodedCategory(Category):
    """A column of categories that an array of numbers holds as codes and a data frame as values; others are refused.

    With ``other``, the categories have no names: numbers are codes in a data frame as well, pandas categories count
    by their position, and any other code becomes the last one. Without it, a value that is not among the categories
    is an error. Codes are truncated to integers.

    >>> CodedCategory(0, "color", ("blue", "red")).compute(np.array([[1.0], [0.0], [np.nan]]))
    array([ 1.,  0., nan])
    >>> CodedCategory(0, "color", (0, 1), other=True).compute(np.array([[1.5], [7.0], [-1.0]]))
    array([1., 2., 2.])
    """

    @property
    def form_entry(self) -> FormEntry:
        entry = super().form_entry
        return entry if self.other else replace(entry, unseen=None)

    def cell_test(self, passing: NumberSet, missing: bool) -> CellTest:
        if not self.other:
            return ValueTest(self.index, *self._partition(passing), missing=missing)
        n_known = len(self.categories)
        codes = (code for code in range(n_known) if code in passing)
        numbers = NumberSet.of(*((float(code), math.nextafter(code + 1, 0)) for code in codes))
        if n_known in passing:
            numbers |= ~NumberSet.of((0.0, math.nextafter(n_known, -math.inf)))
        return NumberTest(self.index, numbers, missing)

    def refused_cells(self, is_complete: bool) -> CellTest | None:
        if self.other:
            return super().refused_cells(is_complete)
        return ValueTest(self.index, (), self.categories, others=True, missing=is_complete)

    def compute(self, X: Any) -> FloatArray:
        n_known = len(self.categories)
        if is_frame(X) and not self.other:
            codes = Category(self.index, self.name, self.categories, other=True).compute(X)
        else:
            numbers = self.numbers(X)
            codes = np.where((numbers >= 0) & (numbers < n_known), np.trunc(numbers), n_known)
            codes = np.where(np.isnan(numbers), np.nan, codes)
        if not self.other and (codes == n_known).any():
            raise InvalidDataError(
                f"{self.name} contains a value that is not among the categories the ensemble was trained on: "
                f"{some(self.categories)}. Replace it by one of them, or by a missing value."
            )
        return codes

    def numbers(self, X: Any) -> FloatArray:
        column = column_of(X, self.index)
        if hasattr(column, "cat"):
            codes = column.cat.codes.to_numpy(dtype=np.float64)
            return np.where(codes < 0, np.nan, codes)
        try:
            return super().numbers(X)
        except (TypeError, ValueError):
            raise InvalidDataError(
                f"The ensemble was trained on integer codes for the categories of {self.name}; "
                "X contains other values there."
            ) from None


def _kind(value: Any) -> type:
    kinds = ((str, str), ((int, float, np.number, np.bool_), float))
    return next((kind for known, kind in kinds if isinstance(value, known)), type(value))


def _shown(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)


def _truncating_to(whole: int) -> tuple[float, float]:
    """Return the interval of the numbers that become this integer when they are truncated."""
    below = float(whole) if whole > 0 else math.nextafter(whole - 1, math.inf)
    return below, float(whole) if whole < 0 else math.nextafter(whole + 1, -math.inf)
