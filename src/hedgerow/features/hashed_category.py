"""Columns of categories that are known only by their hashes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow._support.json_field import Field
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.categories import Category
from hedgerow.features.cell_tests import CellTest, ValueTest
from hedgerow.features.cityhash import city_hash
from hedgerow.features.feature import Feature, TableColumn
from hedgerow.features.frames import column_of, is_present
from hedgerow.features.number_sets import NumberSet


@dataclass(frozen=True)
class HashedCategory(Category):
    """A column of categories that an ensemble knows only by the hashes of their strings, as CatBoost does.

    An integer is hashed as its digits, True as "1". There are no missing values. ``categories`` is only for reading:
    each is a number sign and the hash, until :meth:`with_values_seen` finds the value behind it.

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

    takes_missing: ClassVar[bool] = False

    @classmethod
    def of(cls, index: int, name: str, hashes: Iterable[int]) -> HashedCategory:
        """Return the feature for hashes given as 32-bit integers, signed or unsigned."""
        unsigned = tuple(h % (1 << 32) for h in hashes)
        return cls(index, name, tuple(f"#{h:08x}" for h in unsigned), hashes=unsigned)

    @property
    def table_columns(self) -> tuple[TableColumn, ...]:
        return (TableColumn(self.index, str, ""),)

    def cell_test(self, passing: NumberSet, missing: bool) -> CellTest:
        """Return the test of the value in the column; refuse if the value behind a hash is not known."""
        others = len(self.categories) in passing
        listed = tuple(self._value(code) for code in range(len(self.categories)) if (code in passing) is not others)
        is_in, is_out = ((), listed) if others else (listed, ())
        return ValueTest(self.index, is_in, is_out, others, missing, as_text=True)

    def _value(self, code: int) -> str:
        value = self.categories[code]
        if value == f"#{self.hashes[code]:08x}":
            raise InvalidDataError(
                f"A category of {self.name} is known only by its hash, {value}: its value did not occur in the data "
                "that the list was fitted on. Fit the list on data in which it occurs."
            )
        return value.decode() if isinstance(value, bytes) else value if isinstance(value, str) else str(int(value))

    def refused_cells(self, is_complete: bool) -> CellTest:
        return ValueTest(self.index, (), (), missing=True, as_text=True)

    def merged(self, features: Sequence[Feature]) -> HashedCategory | None:
        """Return the feature with the hashes of all; each ensemble knows only those its own trees ask for."""
        known = [feature.hashes for feature in features if isinstance(feature, HashedCategory)]
        hashes = dict.fromkeys(one for hashes in known for one in hashes)
        return HashedCategory.of(self.index, self.name, hashes) if len(known) == len(features) else None

    def codes_of(self, merged: Feature) -> list[int]:
        code_of, other = {one: code for code, one in enumerate(self.hashes)}, len(self.hashes)
        hashes = merged.hashes if isinstance(merged, HashedCategory) else self.hashes
        return [*(code_of.get(one, other) for one in hashes), other]

    @classmethod
    def from_record(cls, record: Field) -> Self:
        feature = super().from_record(record)
        if len(feature.hashes) != len(feature.categories):
            raise InvalidDataError(
                f"{record.path} has {len(feature.hashes)} hashes for {len(feature.categories)} categories."
            )
        return feature

    def compute(self, X: Any) -> FloatArray:
        values = np.asarray(column_of(X, self.index)).tolist()
        code_of = self._code_of_each(values)
        return np.array([code_of[value] for value in values], dtype=np.float64)

    def with_values_seen(self, X: Any) -> Self:
        """Return the feature with the values in ``X`` instead of their hashes."""
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
        what = f"{value!r}, which is not an integer" if is_present(value) else "missing values"
        raise InvalidDataError(
            f"The categorical column {self.name} contains {what}. The ensemble takes integers and strings there; "
            "convert the column to strings, as was done for training."
        )
