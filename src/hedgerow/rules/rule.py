"""Split, condition, rule: what a path through a tree says.

A condition is a set of allowed values of one feature: an interval open below
and closed above, or a set of category codes, and whether a missing value
satisfies it. Two conditions on one feature therefore merge into one.
Conditions are values, never strings; text is made only by :meth:`describe`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray
from hedgerow._support.rounding import round_down
from hedgerow.features import ColumnOfNonzeros, Feature

#: A number smaller than its inputs by this factor is a rounding error.
ROUNDING = 1e-12

#: The numbers of digits with which a bound is written, in turn, until the text is true of a value beside it.
MORE_DIGITS: tuple[int | None, ...] = (6, 9, 12, None)

#: A library that splits here separates missing values from all others.
_LARGEST = float(np.finfo(np.float32).max)


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
        return Condition(
            self.feature,
            max(self.lower, other.lower),
            min(self.upper, other.upper),
            allowed,
            self.missing and other.missing,
        )

    def holds(self, values: AnyArray) -> BoolArray:
        """Return a mask of the values that pass."""
        if self.categories is not None:
            passes: BoolArray = np.isin(values, list(self.categories))
        else:
            # NaN compares false on both sides, so that only `missing` decides for it.
            dtype = values.dtype.type
            if self.lower > -math.inf:
                passes = values > round_down(np.float64(self.lower), dtype)
                if self.upper < math.inf:
                    passes &= values <= round_down(np.float64(self.upper), dtype)
            elif self.upper < math.inf:
                passes = values <= round_down(np.float64(self.upper), dtype)
            else:
                passes = ~np.isnan(values)
        return passes | np.isnan(values) if self.missing else passes

    def describe(self, digits: int | None = 4, show_missing: bool = False) -> str:
        """Write the condition for a person, numbers with at least this many digits; None: as they are compared.

        That a missing value passes is only mentioned if training had missing values here, or if asked for.
        """
        name, missing = printable(self.feature.name), self.missing and (self.feature.has_missing or show_missing)
        absence, (lower, upper) = self.feature.absence, self._bounds
        if lower == math.inf or upper == -math.inf or self.categories == frozenset():
            return f"{name} is {absence}" if self.missing else f"{name} is nothing"
        if self.missing and self.is_whole:
            return f"{name} is anything"
        own = self.feature.phrase(self.lower, self.upper)
        if own is not None:
            text = printable(own)
        elif self.categories is not None:
            text = self._describe_categories(name)
        elif self.is_whole:
            return f"{name} is not {absence}"
        else:
            text = self._describe_interval(name, digits)
        if missing:
            return f"({text} or {absence})"
        seen = self.feature.has_missing or show_missing
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
            if _is_next_to_zero(-self.lower):
                lower, least = "0", not self._skips_zero
            ends_at_zero = self.upper == 0 or _is_next_to_zero(self.upper)
            if _is_next_to_zero(-self.upper) or (self._skips_zero and ends_at_zero):
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
        lower, upper = (math.copysign(math.inf, b) if abs(b) == _LARGEST else b for b in (self.lower, self.upper))
        return lower, upper

    def _describe_categories(self, name: str) -> str:
        assert self.categories is not None
        known = self.feature.levels or ()
        listed, without = sorted(self.categories), sorted(set(range(len(known))) - self.categories)
        # If values that training never saw pass, only the others can be named.
        open_ended = len(known) in self.categories
        if self.is_whole:
            return f"{name} is not {self.feature.absence}"
        named = [code for code in listed if code < len(known)]
        negated = open_ended or (0 < len(without) < len(known) // 2)
        if open_ended and 0 < len(named) < len(without):
            return f"({_among(name, named, known)} or unseen)"
        return _among(name, without if negated else listed, known, negated)

    def __str__(self) -> str:
        return self.describe()


@dataclass(frozen=True)
class Rule:
    """The ordered conditions from the root of a tree to a node, and what is predicted where they hold.

    Attributes
    ----------
    conditions : tuple of Condition
        The path as the tree has it. :attr:`simplified` is the same for reading.
    prediction : object
        Label of the most frequent class, or mean of the covered targets; or what ``kind`` says.
    coverage : int
        Training samples that satisfy the rule.
    share : float
        Their share of all training samples (of the total weight, if weighted).
    distribution : tuple of float or None
        Share of each class among the covered samples, smoothed if the estimator smooths; None for regression. A
        teacher's synthetic rows count for small rules.
    class_share : float or None
        That of the predicted class; if not given, the largest.
    spread : float or None
        Standard deviation of the covered targets; for a small rule with a teacher, the root mean square of their
        distances from its prediction. None for classification.
    kind : str
        What the prediction is, if not the usual one: "median", "90 % quantile", "least cost".
    tree, node : int
        Where in the forest the rule comes from.
    """

    conditions: tuple[Condition, ...]
    prediction: Any = None
    coverage: int = 0
    share: float = 0.0
    distribution: tuple[float, ...] | None = None
    spread: float | None = None
    tree: int = -1
    node: int = -1
    class_share: float | None = None
    kind: str = ""

    def __post_init__(self) -> None:
        if self.distribution is not None and self.class_share is None:
            object.__setattr__(self, "class_share", max(self.distribution))

    @property
    def simplified(self) -> tuple[Condition, ...]:
        """One condition per feature, in the order in which the path first names them."""
        merged: dict[Feature, Condition] = {}
        for condition in self.conditions:
            known = merged.get(condition.feature)
            merged[condition.feature] = condition if known is None else known & condition
        return tuple(merged.values())

    def holds(self, values_of: Callable[[Feature], AnyArray], n_samples: int) -> BoolArray:
        """Return a mask of the samples that satisfy every condition."""
        passes = np.ones(n_samples, dtype=bool)
        for condition in self.simplified:
            passes &= condition.holds(values_of(condition.feature))
        return passes

    def describe(self, digits: int = 4) -> str:
        """Write the conditions for a person, merged and joined by "and"."""
        return " and ".join(c.describe(digits) for c in self.simplified) or "always"

    @property
    def _predicts_nothing(self) -> bool:
        """Whether the prediction is a mean that only rounding keeps from 0."""
        return self.spread is not None and 0 < abs(self.prediction) < ROUNDING * self.spread

    def describe_prediction(self, digits: int = 4) -> str:
        """Write the prediction with the share of its class, or the spread of the targets about their mean."""
        text = "0" if self._predicts_nothing else format_value(self.prediction, digits)
        if self.class_share is not None:
            return f"{text} ({100 * self.class_share:.0f} %{f', {self.kind}' if self.kind else ''})"
        if self.kind:
            return f"{self.kind} {text}"
        return text if self.spread is None else f"{text} ± {format_number(self.spread, digits)}"

    def sentence(self, digits: int = 4) -> str:
        """Write conditions and prediction. JSON documents contain it, so another wording needs another version."""
        return f"if {self.describe(digits)} then {self.describe_prediction()}"

    def __str__(self) -> str:
        return self.describe() if self.prediction is None else self.sentence()


def _among(name: str, codes: list[int], known: tuple[Any, ...], negated: bool = False) -> str:
    """Write that a value is, or is not, one of some categories, in quotes if they do not read as one word."""
    shown = []
    for code in codes:
        text = format_value(known[code])
        shown.append(repr(text) if text != text.strip() or not text or set(text) & set(",{}") else text)
    if len(shown) == 1:
        return f"{name} is {'not ' * negated}{shown[0]}"
    return f"{name} {'not ' * negated}in {{{', '.join(shown)}}}"


def printable(text: str) -> str:
    """Write line breaks and other control characters as escapes, so that a name stays in its line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def format_number(x: float, digits: int = 4) -> str:
    """Write a number with ``digits`` significant digits, but never round its whole part.

    >>> format_number(2.4500000476837158), format_number(1058.75), format_number(123456.5), format_number(5.0)
    ('2.45', '1058.8', '123456.5', '5')
    >>> format_number(1.5e-07), format_number(3e20), format_number(-0.0)
    ('1.5e-07', '3e+20', '0')
    """
    if x == 0 or _is_next_to_zero(x):
        return "0"
    if not math.isfinite(x):
        return str(x)
    whole = max(0, math.floor(math.log10(abs(x))) + 1)
    return f"{x:.{max(digits, whole + 1) if whole <= 15 else digits}g}"


def _is_next_to_zero(x: float) -> bool:
    """Whether a number is where zero ends for libraries that take what is nearly zero for zero."""
    return math.isclose(x, ColumnOfNonzeros.nearly_zero, rel_tol=1e-15)


def format_bound(bound: float, digits: int | None = 4) -> tuple[str, bool]:
    """Write an upper bound of ``x <= bound``, and say whether what is written is itself excluded: ``x < text``.

    Without a number of digits it is written as it is: the shortest text that reads as the same number.

    Some libraries split at ``x < 3``, which is ``x <= 2.9999998`` in single precision; others half-way between two
    values. Rounded for a person that would be ``x <= 3`` and wrong for 3 itself. So if the next number of single
    precision is shorter, or where rounding goes up, ``x < 3`` is said.

    >>> format_bound(2.5), format_bound(2.9999997615814209), format_bound(120.36), format_bound(120.34)
    (('2.5', False), ('3', True), ('120.4', True), ('120.3', False))
    """
    if digits is None or not math.isfinite(bound):
        return repr(float(bound)).removesuffix(".0"), False
    plain = format_number(bound, digits)
    with np.errstate(all="ignore"):
        single = np.float32(bound)
        after = np.nextafter(single, np.float32(np.inf))
        text = format_number(float(after), digits)
        is_next = float(single) == bound and math.isfinite(after) and np.float32(text) == after
    if is_next and (text == plain or len(text) < len(plain)):
        return text, True
    return plain, float(plain) > bound


def format_value(value: Any, digits: int = 4) -> str:
    """Write a label or a number for a person, without numpy's type names."""
    if isinstance(value, (float, np.floating)):
        return format_number(float(value), digits)
    return printable(str(value))
