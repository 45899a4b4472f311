"""Split and condition: what a node of a tree compares, and which values pass.

A condition is a set of allowed values of one feature: an interval open below
and closed above, or a set of category codes, and whether a missing value
satisfies it. Two conditions on one feature therefore merge into one.
Conditions are values, never strings; text is made only by :meth:`describe`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray
from hedgerow._support.rounding import round_down
from hedgerow.features import ColumnOfNonzeros, Feature
from hedgerow.rules.wording import format_bound, format_value, is_next_to_zero, printable

#: What a category that is called so must not be mistaken for.
_RESERVED = ("missing", "unseen", "anything", "nothing", "none", "nan", "na", "n/a", "null", "nat", "<na>")
#: A library that splits here separates missing values from all others.
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Split:
    """What a branch node compares, without the side: a threshold or a set of codes."""

    feature: Feature
    threshold: float = math.nan
    categories: frozenset[int] | None = None

    def sides(self, missing_left: bool = False) -> tuple[Condition, Condition]:
        """Return the two conditions of the split: go left, go right."""
        if self.categories is None:
            return (
                Condition(self.feature, upper=self.threshold, missing=missing_left),
                Condition(self.feature, lower=self.threshold, missing=not missing_left),
            )
        others = frozenset(range(self.feature.n_codes)) - self.categories
        return (
            Condition(self.feature, categories=self.categories, missing=missing_left),
            Condition(self.feature, categories=others, missing=not missing_left),
        )


class WrittenBounds(NamedTuple):
    """The bounds of a condition as they are written: ``lower < x <= upper``; a missing bound is infinite.

    With ``least`` it is ``lower <= x``, with ``excluded`` it is ``x < upper``.
    """

    lower: str
    least: bool
    upper: str
    excluded: bool

    def hold(self, value: float) -> bool:
        """Say whether a value lies between the bounds as they are written."""
        lower, upper = float(self.lower), float(self.upper)
        is_above = value >= lower if self.least else value > lower
        return is_above and (value < upper if self.excluded else value <= upper)


@dataclass(frozen=True)
class Condition:
    """The values of one feature that pass: ``lower < x <= upper``, or a set of codes.

    >>> from hedgerow.features import Column
    >>> age = Column(0, "age")
    >>> print(Condition(age, upper=10) & Condition(age, upper=5))
    age <= 5
    >>> print(Condition(age, lower=2) & Condition(age, upper=5))
    2 < age <= 5
    """

    feature: Feature
    lower: float = -math.inf
    upper: float = math.inf
    categories: frozenset[int] | None = None
    missing: bool = False

    def __and__(self, other: Condition) -> Condition:
        """Return the condition that holds where both hold."""
        if self.feature != other.feature:
            raise ValueError(f"Cannot merge conditions on {self.feature.name} and {other.feature.name}.")
        allowed = self.categories
        if other.categories is not None:
            allowed = other.categories if allowed is None else allowed & other.categories
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        return Condition(self.feature, lower, upper, allowed, self.missing and other.missing)

    @property
    def sides(self) -> tuple[Condition, ...]:
        """The condition as one or two that compare with a single bound each; it holds where all of them hold."""
        if self.categories is not None or self.lower == -math.inf or self.upper == math.inf:
            return (self,)
        return replace(self, upper=math.inf), replace(self, lower=-math.inf)

    def holds(self, values: AnyArray) -> BoolArray:
        """Return a mask of the values that pass."""
        return self.test(values.dtype.type)(values)

    def test(self, dtype: Any) -> Callable[[AnyArray], BoolArray]:
        """Return the function that :meth:`holds` calls for values of a dtype, for callers with many blocks of them."""
        passes = self._test_of_categories() if self.categories is not None else self._test_of_bounds(dtype)
        if self.missing and self.categories is None:
            return self._test_with_missing(dtype, passes)
        return (lambda values: passes(values) | np.isnan(values)) if self.missing else passes

    def _test_with_missing(
        self, dtype: Any, passes: Callable[[AnyArray], BoolArray]
    ) -> Callable[[AnyArray], BoolArray]:
        # NaN compares false on both sides, so what is not beyond the bound is below it or missing.
        lower, upper = (round_down(np.float64(bound), dtype) for bound in (self.lower, self.upper))
        if self.lower == -math.inf:
            return lambda values: ~(values > upper)
        if self.upper == math.inf:
            return lambda values: ~(values <= lower)
        return lambda values: passes(values) | np.isnan(values)

    def _test_of_categories(self) -> Callable[[AnyArray], BoolArray]:
        listed = list(self.categories or ())
        return lambda values: np.isin(values, listed)

    def _test_of_bounds(self, dtype: Any) -> Callable[[AnyArray], BoolArray]:
        # NaN compares false on both sides, so that only `missing` decides for it.
        lower, upper = (round_down(np.float64(bound), dtype) for bound in (self.lower, self.upper))
        if self.lower > -math.inf:
            if self.upper < math.inf:
                return lambda values: np.logical_and(values > lower, values <= upper)
            return lambda values: values > lower
        if self.upper < math.inf:
            return lambda values: values <= upper
        return lambda values: ~np.isnan(values)

    def describe(self, digits: int | None = 4, show_missing: bool = False) -> str:
        """Write the condition for a person, numbers with at least this many digits; None: as they are compared.

        That a missing value passes is only mentioned if training had missing values here, or if asked for.
        """
        name, seen = printable(self.feature.name), self.feature.has_missing or show_missing
        absence, (lower, upper) = self.feature.absence, self._bounds
        if not lower < upper or self.categories == frozenset():
            return f"{name} is {absence}" if self.missing else f"{name} is nothing"
        if self.missing and self.is_whole:
            return f"{name} is anything"
        own = self.feature.phrase(self.lower, self.upper)
        if own is None and self.is_whole:
            return f"{name} is not {absence}"
        if own is None and self.categories is not None:
            return self._describe_categories(name, seen)
        text = self._describe_interval(name, digits) if own is None else printable(own)
        if self.missing and seen:
            return f"({text} or {absence})"
        return f"({text} but not {left_out})" if seen and own is None and (left_out := self._left_out) else text

    @property
    def is_whole(self) -> bool:
        """Whether every value that is not missing passes."""
        if self.categories is None:
            return self._bounds == (-math.inf, math.inf)
        return len(self.categories) == self.feature.n_codes

    def written(self, digits: int | None = 4) -> WrittenBounds:
        """Return the bounds as :meth:`describe` writes them: rounded, so that a value next to one may be beyond it.

        >>> from hedgerow.features import Column
        >>> Condition(Column(0, "age"), upper=2.00016).written()
        WrittenBounds(lower='-inf', least=False, upper='2', excluded=False)
        """
        (lower, least), (upper, excluded) = (format_bound(bound, digits) for bound in self._bounds)
        if digits is not None:
            # Just below zero is what a person calls less than zero.
            if is_next_to_zero(-self.lower):
                lower, least = "0", not self._skips_zero
            ends_at_zero = self.upper == 0 or is_next_to_zero(self.upper)
            if is_next_to_zero(-self.upper) or (self._skips_zero and ends_at_zero):
                upper, excluded = "0", True
        return WrittenBounds(lower, least, upper, excluded)

    def _describe_interval(self, name: str, digits: int | None) -> str:
        written = self.written(digits)
        lower, least, upper, excluded = written
        below = "<" if excluded else "<="
        if written == ("0", True, "0", False):
            return f"{name} is 0"
        if self._bounds[0] == -math.inf:
            return f"{name} {below} {upper}"
        if self._bounds[1] == math.inf:
            return f"{name} {'>=' if least else '>'} {lower}"
        return f"{lower} {'<=' if least else '<'} {name} {below} {upper}"

    @property
    def _skips_zero(self) -> bool:
        gap = self.feature.gap
        return gap is not None and max(-gap.lowest, gap.highest) <= ColumnOfNonzeros.nearly_zero

    @property
    def _left_out(self) -> str | None:
        """What does not pass although it lies between the bounds: numbers that stand for missing values."""
        gap = self.feature.gap
        if gap is None or self.missing:
            return None
        end = 2 * ColumnOfNonzeros.nearly_zero
        if self._skips_zero:  # what is next to zero is written as less or more than zero
            lies_between = self.lower < -end and self.upper > end
        else:
            lies_between = self.lower < gap.highest and gap.lowest <= self.upper
        return gap.name if lies_between else None

    @property
    def _bounds(self) -> tuple[float, float]:
        """The bounds as a person reads them: the largest number is no bound."""
        lower, upper = (math.copysign(math.inf, b) if abs(b) == LARGEST else b for b in (self.lower, self.upper))
        return lower, upper

    def _describe_categories(self, name: str, seen: bool) -> str:
        """Write which categories pass, and whether missing values do if some were seen."""
        assert self.categories is not None
        known, missing = self.feature.levels or (), self.missing and seen
        listed, without = sorted(self.categories), sorted(set(range(len(known))) - self.categories)
        # If values that training never saw pass, only the others can be named.
        open_ended = len(known) in self.categories
        named = [_quoted(known[code]) for code in listed if code < len(known)]
        others = [_quoted(known[code]) for code in without]
        if open_ended and 0 < len(named) < len(others):
            return f"({name} {_among(named)}{', unseen' if missing else ''} or {'missing' if missing else 'unseen'})"
        if not open_ended and not 0 < len(others) < len(known) // 2:
            return f"({name} {_among(named)} or missing)" if missing else f"{name} {_among(named)}"
        if missing:
            return f"({name} is missing or not {_among(others).removeprefix('is ')})"
        if seen:
            others.append("missing")
        return f"{name} is not {others[0]}" if len(others) == 1 else f"{name} not {_among(others)}"

    def __str__(self) -> str:
        return self.describe()


def _among(shown: list[str]) -> str:
    """Write that a value is one of some categories."""
    return f"is {shown[0]}" if len(shown) == 1 else f"in {{{', '.join(shown)}}}"


def _quoted(category: Any) -> str:
    """Write a category, in quotes if it does not read as one word or reads as something else."""
    text = format_value(category)
    is_odd = text != text.strip() or not text or set(text) & set(",{}")
    is_taken = isinstance(category, str) and text.lower() in _RESERVED
    return repr(text) if is_odd or is_taken or text.lower().startswith("not ") else text
