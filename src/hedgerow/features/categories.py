"""Columns of categories: each value becomes its position among those that are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.preprocessing import OrdinalEncoder

from hedgerow._support.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.cityhash import city_hash
from hedgerow.features.columns import Column
from hedgerow.features.tables import column_of, is_frame, is_present, some


@dataclass(frozen=True)
class Category:
    """A column of categories, as the position of each value in ``categories``.

    A missing value becomes NaN. A value that is not among the categories does
    too, or with ``other`` gets a code of its own, one more than the last. Values
    in ``blanks`` stand for missing ones.

    >>> colors = np.array([["red"], ["blue"], ["green"], [None]], dtype=object)
    >>> Category(0, "color", ("blue", "red")).compute(colors)
    array([ 1.,  0., nan, nan])
    >>> Category(0, "color", ("blue", "red"), other=True).compute(colors)
    array([ 1.,  0.,  2., nan])
    """

    index: int
    name: str
    categories: tuple[Any, ...]
    other: bool = False
    has_missing: bool = field(default=False, compare=False)
    blanks: tuple[Any, ...] = ()

    absence: ClassVar[str] = "missing"

    @property
    def n_codes(self) -> int:
        """How many codes there are."""
        return len(self.categories) + self.other

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing ones."""
        column = column_of(X, self.index)
        if hasattr(column, "cat"):  # pandas: each of its categories is looked up once; its code of missing values is -1
            levels = self._codes(np.asarray(column.cat.categories))
            return np.append(levels, np.nan)[column.cat.codes.to_numpy()]
        return self._codes(np.asarray(column))

    def _codes(self, values: AnyArray) -> AnyArray:
        if not len(self.categories):  # all that can be said of a value is whether there is one
            return np.where([is_present(value) for value in values], 0.0 if self.other else np.nan, np.nan)
        are_numbers = values.dtype.kind in "biuf" and np.array(self.categories).dtype.kind in "biuf"
        values = values.astype(np.float64 if are_numbers else object)
        codes = self._codes_of_numbers(values) if are_numbers else self._codes_of_objects(values)
        if self.other:
            unknown = np.flatnonzero(np.isnan(codes))
            is_other = np.array([is_present(v) and v not in self.blanks for v in values[unknown]], dtype=bool)
            codes[unknown[is_other]] = len(self.categories)
        return codes

    def _codes_of_numbers(self, values: AnyArray) -> AnyArray:
        known = np.array(self.categories, dtype=np.float64)
        order = np.argsort(known)
        places = order[np.minimum(np.searchsorted(known[order], values), len(known) - 1)]
        return np.where(known[places] == values, places, np.nan)

    def _codes_of_objects(self, values: AnyArray) -> AnyArray:
        if not len(values):
            return np.empty(0)
        known = np.array(self.categories, dtype=object)
        encoder = OrdinalEncoder(
            categories=[known],
            handle_unknown="use_encoded_value",
            unknown_value=np.nan,
            encoded_missing_value=np.nan,
        )
        return encoder.fit(known.reshape(-1, 1)).transform(values.reshape(-1, 1)).ravel()


@dataclass(frozen=True)
class NumberedCategory(Category):
    """A column of categories that a data frame holds by name and an array of numbers by position.

    >>> NumberedCategory(0, "color", ("blue", "red")).compute(np.array([[1.0], [0.0], [2.0], [-1.0]]))
    array([ 1.,  0., nan, nan])
    """

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing and unknown ones."""
        numbered = np.asarray(column_of(X, self.index)).dtype.kind in "biuf"
        has_numbers_as_names = all(isinstance(name, (int, float)) for name in self.categories)
        if not numbered or (is_frame(X) and has_numbers_as_names):
            return super().compute(X)
        codes = np.trunc(Column(self.index, self.name).compute(X))
        return np.where((codes >= 0) & (codes < len(self.categories)), np.abs(codes), np.nan)


@dataclass(frozen=True)
class WholeCategory(Category):
    """A column of categories that are whole numbers, in increasing order; digits after the point do not count.

    >>> WholeCategory(0, "store", (3, 7), other=True).compute(np.array([[7.0], [3.9], [5.0], [np.nan]]))
    array([ 1.,  0.,  2., nan])
    """

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing ones."""
        values = np.trunc(Column(self.index, self.name).compute(X))
        known = np.array(self.categories, dtype=np.float64)
        codes = np.minimum(np.searchsorted(known, values), len(known) - 1)
        unknown = np.where(np.isnan(values) | (not self.other), np.nan, len(known))
        return np.where(known[codes] == values, codes, unknown)


@dataclass(frozen=True)
class CodedCategory(Category):
    """A column of categories of which an array of numbers holds the codes, and a data frame the values.

    With ``other`` the categories have no names: numbers are codes in a data frame too, categories of pandas count by
    their position, and any other code is taken for the last. Without, a value that is not among the categories is an
    error. A code is cut down to a whole number.

    >>> CodedCategory(0, "color", ("blue", "red")).compute(np.array([[1.0], [0.0], [np.nan]]))
    array([ 1.,  0., nan])
    >>> CodedCategory(0, "color", (0, 1), other=True).compute(np.array([[1.5], [7.0], [-1.0]]))
    array([1., 2., 2.])
    """

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing ones."""
        column, n_known = column_of(X, self.index), len(self.categories)
        if self.other and hasattr(column, "cat"):
            numbers = column.cat.codes.to_numpy(dtype=np.float64)
            numbers[numbers < 0] = np.nan
        elif is_frame(X) and not self.other:
            return self._among_known(Category(self.index, self.name, self.categories, other=True).compute(X))
        else:
            numbers = self._numbers(X)
        codes = np.where((numbers >= 0) & (numbers < n_known), np.trunc(numbers), n_known)
        return self._among_known(np.where(np.isnan(numbers), np.nan, codes))

    def _numbers(self, X: Any) -> AnyArray:
        try:
            return Column(self.index, self.name).compute(X)
        except (TypeError, ValueError):
            raise InvalidDataError(
                f"The ensemble knows {self.name} by whole numbers, the codes of its categories; X has something else."
            ) from None

    def _among_known(self, codes: AnyArray) -> AnyArray:
        if not self.other and (codes == len(self.categories)).any():
            raise InvalidDataError(
                f"{self.name} has a value that is none of the categories the ensemble was trained on: "
                f"{some(self.categories)}. Write it as missing, or as one of them."
            )
        return codes


@dataclass(frozen=True)
class HashedCategory(Category):
    """A column of categories of which an ensemble keeps only the hashes of their texts, as CatBoost does.

    A whole number is hashed as its digits, True as "1". There are no missing values. What is in ``categories`` is
    for reading alone: a number sign and the hash, until :meth:`with_values_seen` finds out which value is behind it.

    >>> colors = np.array([["red"], ["blue"], ["green"]], dtype=object)
    >>> color = HashedCategory.of(0, "color", [-863087293, -1242798403])
    >>> color.compute(colors)
    array([1., 0., 2.])
    >>> color.categories, color.with_values_seen(colors).categories
    (('#cc8e5543', '#b5ec66bd'), ('blue', 'red'))
    """

    categories: tuple[Any, ...] = field(compare=False)
    other: bool = True
    hashes: tuple[int, ...] = ()

    @classmethod
    def of(cls, index: int, name: str, hashes: Iterable[int]) -> HashedCategory:
        """Return the feature for hashes given as integers of 32 bits, with sign or without."""
        unsigned = tuple(h % (1 << 32) for h in hashes)
        return cls(index, name, tuple(f"#{h:08x}" for h in unsigned), hashes=unsigned)

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value."""
        values = np.asarray(column_of(X, self.index)).tolist()
        code_of = self._code_of_each(values)
        return np.array([code_of[value] for value in values], dtype=np.float64)

    def with_values_seen(self, X: Any) -> HashedCategory:
        """Return the same with the values in ``X`` instead of their hashes."""
        code_of = self._code_of_each(np.asarray(column_of(X, self.index)).tolist())
        value_of = {code: value for value, code in code_of.items()}
        return replace(self, categories=tuple(value_of.get(i, c) for i, c in enumerate(self.categories)))

    def _code_of_each(self, values: list[Any]) -> dict[Any, int]:
        code_of = {h: code for code, h in enumerate(self.hashes)}
        return {
            value: code_of.get(city_hash(self._text(value)) % (1 << 32), len(self.hashes))
            for value in dict.fromkeys(values)
        }

    def _text(self, value: Any) -> bytes:
        if isinstance(value, bytes):
            return value
        if isinstance(value, (str, Integral)):
            return (value if isinstance(value, str) else str(int(value))).encode()
        what = f"the number {value!r}, which is not whole" if is_present(value) else "missing values"
        raise InvalidDataError(
            f"The column of categories {self.name} holds {what}. The ensemble takes whole numbers and strings there; "
            "turn the column into strings, as was done when it was trained."
        )
