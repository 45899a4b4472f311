"""What the conditions of a rule list ask of the cells of a table: the form that programs elsewhere are made of.

A program sees a row of a table: numbers, texts, truth values, and nothing at all. Every condition on a column or a
category becomes a test of one such cell. To teach the exporters another kind of feature, add a function to ``_TESTS``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.exceptions import InvalidDataError
from hedgerow.exporters.number_sets import ALL, NumberSet, at_most, rounding_to
from hedgerow.features import (
    Category,
    CodedCategory,
    Column,
    ColumnOfNonzeros,
    ColumnWithBlank,
    ColumnWithGap,
    Feature,
    HashedCategory,
    NumberedCategory,
    WholeCategory,
    is_present,
)
from hedgerow.rules.rule import Condition, Rule
from hedgerow.rules.rule_list import RuleList


@dataclass(frozen=True)
class NumberTest:
    """Whether a number is one of a set.

    Attributes
    ----------
    column : int
        Where the cell is.
    numbers : NumberSet
        What passes.
    missing : bool or None
        Whether a missing value passes; None if none comes here.
    """

    column: int
    numbers: NumberSet
    missing: bool | None = False

    @property
    def is_certain(self) -> bool:
        """Whether everything passes."""
        return self.numbers == ALL and self.missing is not False

    @property
    def is_impossible(self) -> bool:
        """Whether nothing passes."""
        return not self.numbers.parts and not self.missing

    def passes(self, value: Any) -> bool:
        """Say whether a value passes."""
        return float(value) in self.numbers if is_present(value) and value == value else bool(self.missing)


@dataclass(frozen=True)
class ValueTest:
    """Whether a value is one of some, or is not one of some.

    Attributes
    ----------
    column : int
        Where the cell is.
    passing, failing : tuple
        Values that pass, and values that do not.
    others : bool
        Whether a value passes that is in neither.
    missing : bool or None
        Whether a missing value passes; None if none comes here.
    as_text : bool
        Whether numbers are compared as the text of their digits.
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
        """Say whether a value passes."""
        if not is_present(value):
            return bool(self.missing)
        value = str(int(value)) if self.as_text and isinstance(value, (bool, int)) else value
        return value in self.passing or (self.others and value not in self.failing)

    def as_numbers(self) -> NumberTest | None:
        """Return the same as a test of numbers, None if there are values that are none."""
        values = (*self.passing, *self.failing)
        if not values or not all(isinstance(value, (bool, int, float)) for value in values):
            return None
        passing, failing = (
            NumberSet.of(*((float(v), float(v)) for v in part)) for part in (self.passing, self.failing)
        )
        return NumberTest(self.column, ~failing if self.others else passing, self.missing)


Test = NumberTest | ValueTest


@dataclass(frozen=True)
class TableRules:
    """A rule list as tests of the cells of a table.

    Attributes
    ----------
    refused : tuple of Test
        A row that passes any of these is one the list does not answer: ``predict`` raises an error.
    rules : tuple of tuple of Test
        Of each rule the tests that must all pass; a rule that never fires has one that is impossible.
    """

    refused: tuple[Test, ...]
    rules: tuple[tuple[Test, ...], ...]

    @classmethod
    def of(cls, rule_list: RuleList, what: str) -> TableRules:
        """Return the tests of a list; ``what`` is made of them, for errors."""
        used = list(dict.fromkeys(c.feature for rule in rule_list for c in rule.conditions))
        for feature in used:
            _check_kind(feature, what)
        inputs = rule_list.inputs
        complete = {feature for feature in used if not inputs.can_be_missing(feature)}
        dtype = inputs.dtype
        refused = [test for feature in used for test in _refused(feature, feature in complete, dtype)]
        return cls(tuple(refused), tuple(_tests(rule, complete, dtype) for rule in rule_list))

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns that some test looks at, in order."""
        return tuple(sorted({test.column for tests in (self.refused, *self.rules) for test in tests}))


def _tests(rule: Rule, complete: set[Feature], dtype: Any) -> tuple[Test, ...]:
    tests: list[Test] = []
    for condition in rule.simplified:
        test = _test(condition, dtype)
        if _refuses_missing(condition.feature, complete):
            test = replace(test, missing=None)
        if test.is_impossible:
            return (test,)
        if not test.is_certain:
            tests.append(test)
    return tuple(tests)


def _refuses_missing(feature: Feature, complete: set[Feature]) -> bool:
    """Say whether an empty cell is refused, so that none comes to the rules; one that is filled may be answered."""
    if isinstance(feature, ColumnWithGap) and feature.fill is not None:
        return False
    return feature in complete or isinstance(feature, HashedCategory)


def _refused(feature: Feature, is_complete: bool, dtype: Any) -> Iterable[Test]:
    """Return the tests that a value passes which ``predict`` refuses."""
    if isinstance(feature, HashedCategory):
        yield ValueTest(feature.index, (), (), missing=True, as_text=True)
        return
    if isinstance(feature, CodedCategory) and not feature.other:
        yield ValueTest(feature.index, (), feature.categories, others=True, missing=is_complete)
    elif is_complete:
        yield _test(Condition(feature, lower=math.inf, categories=_no_codes(feature), missing=True), dtype)


def _no_codes(feature: Feature) -> frozenset[int] | None:
    return frozenset() if isinstance(feature, Category) else None


def _check_kind(feature: Feature, what: str) -> None:
    if type(feature) not in _TESTS:
        raise InvalidDataError(
            f"The rules look at {feature.name}, which is computed and no column of a table; {what} can only look at "
            "columns. Keep the list with to_json, or compute this before, and train the ensemble on columns of it."
        )


def _test(condition: Condition, dtype: Any) -> Test:
    return _TESTS[type(condition.feature)](condition, condition.feature, dtype)


def _of_column(condition: Condition, column: Column, dtype: Any) -> Test:
    return NumberTest(column.index, _between(condition, dtype), condition.missing)


def _of_nonzeros(condition: Condition, column: ColumnOfNonzeros, dtype: Any) -> Test:
    gap = NumberSet.of((-column.nearly_zero, column.nearly_zero))
    return NumberTest(column.index, _around(gap, condition, dtype), condition.missing)


def _of_blank(condition: Condition, column: ColumnWithBlank, dtype: Any) -> Test:
    gap = NumberSet() if math.isnan(column.blank) else rounding_to(column.blank, np.float32)
    return NumberTest(column.index, _around(gap, condition, dtype), condition.missing)


def _of_gap(condition: Condition, column: ColumnWithGap, dtype: Any) -> Test:
    numbers = _around(NumberSet.of((column.lowest, column.highest)), condition, dtype)
    return NumberTest(column.index, numbers, condition.missing if column.fill is None else column.fill in numbers)


def _between(condition: Condition, dtype: Any) -> NumberSet:
    above = ALL if condition.lower == -math.inf else ~at_most(condition.lower, dtype)
    return above & (ALL if condition.upper == math.inf else at_most(condition.upper, dtype))


def _around(gap: NumberSet, condition: Condition, dtype: Any) -> NumberSet:
    """Return what passes if the numbers in the gap count as missing."""
    numbers = _between(condition, dtype)
    return numbers | gap if condition.missing else numbers & ~gap


def _of_category(condition: Condition, feature: Category, _: Any) -> Test:
    passing, failing = _parted(condition, feature.categories)
    if not feature.other:  # what is not known counts as missing
        return ValueTest(feature.index, passing, failing, condition.missing, condition.missing)
    if condition.missing:
        passing += feature.blanks
    else:
        failing += feature.blanks
    return ValueTest(feature.index, passing, failing, len(feature.categories) in _codes(condition), condition.missing)


def _of_whole(condition: Condition, feature: WholeCategory, _: Any) -> Test:
    passing, failing = (NumberSet.of(*map(_cut_to, part)) for part in _parted(condition, feature.categories))
    others = len(feature.categories) in _codes(condition) if feature.other else condition.missing
    return NumberTest(feature.index, ~failing if others else passing, condition.missing)


def _of_coded(condition: Condition, feature: CodedCategory, _: Any) -> Test:
    if not feature.other:
        return ValueTest(feature.index, *_parted(condition, feature.categories), missing=condition.missing)
    n_known = len(feature.categories)
    numbers = NumberSet.of(*((float(code), math.nextafter(code + 1, 0)) for code in _codes(condition) - {n_known}))
    if n_known in _codes(condition):
        numbers |= ~NumberSet.of((0.0, math.nextafter(n_known, -math.inf)))
    return NumberTest(feature.index, numbers, condition.missing)


def _of_hashed(condition: Condition, feature: HashedCategory, _: Any) -> Test:
    others = len(feature.categories) in _codes(condition)
    codes = set(range(len(feature.categories))) - _codes(condition) if others else _codes(condition)
    texts = tuple(_text(feature, code) for code in sorted(codes))
    passing, failing = ((), texts) if others else (texts, ())
    return ValueTest(feature.index, passing, failing, others, condition.missing, as_text=True)


def _text(feature: HashedCategory, code: int) -> str:
    value = feature.categories[code]
    if value == f"#{feature.hashes[code]:08x}":
        raise InvalidDataError(
            f"Of a category of {feature.name} only the hash is known, {value}, not the value itself: it was not in the "
            "data that the list was fitted on. Fit the list on data in which it occurs."
        )
    return value.decode() if isinstance(value, bytes) else value if isinstance(value, str) else str(int(value))


def _parted(condition: Condition, known: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the categories that pass and those that do not, in the order of the feature."""
    codes = _codes(condition)
    passing = tuple(value for code, value in enumerate(known) if code in codes and is_present(value))
    return passing, tuple(value for code, value in enumerate(known) if code not in codes and is_present(value))


def _codes(condition: Condition) -> frozenset[int]:
    if condition.categories is not None:
        return condition.categories
    feature: Any = condition.feature
    return frozenset(code for code in range(feature.n_codes) if condition.lower < code <= condition.upper)


def _cut_to(whole: int) -> tuple[float, float]:
    """Return the interval of the numbers that are this one if their digits after the point are cut off."""
    below = float(whole) if whole > 0 else math.nextafter(whole - 1, math.inf)
    return below, float(whole) if whole < 0 else math.nextafter(whole + 1, -math.inf)


#: How a condition on a feature of each kind becomes a test.
_TESTS: dict[type, Callable[[Condition, Any, Any], Test]] = {
    Column: _of_column,
    ColumnOfNonzeros: _of_nonzeros,
    ColumnWithBlank: _of_blank,
    ColumnWithGap: _of_gap,
    Category: _of_category,
    NumberedCategory: _of_category,
    WholeCategory: _of_whole,
    CodedCategory: _of_coded,
    HashedCategory: _of_hashed,
}
