"""Which doubles pass a test: a union of intervals.

Exported programs compare doubles. A comparison in single precision equals one of doubles with another threshold: the
largest double that rounds to a passing number of single precision. The same holds for a number that counts as missing,
a category that is an integer, and so on: every test on a numeric column is a set of doubles.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.rounding import round_down

#: Where the number of single precision after the largest one would be.
_PAST_SINGLE = 2.0**128
#: The middle of two neighbours in single precision has one bit more than they have.
_BITS_OF_MIDDLE = 25


@dataclass(frozen=True)
class NumberSet:
    """Closed intervals of doubles, in increasing order and with gaps between them.

    >>> NumberSet.at_most(3.0) & NumberSet.of((2.0, 5.0))
    NumberSet(parts=((2.0, 3.0),))
    >>> ~NumberSet.at_most(0.0)
    NumberSet(parts=((5e-324, inf),))
    """

    parts: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, *parts: tuple[float, float]) -> NumberSet:
        """Return the union of intervals; one whose lower end is above its upper end is empty."""
        joined: list[tuple[float, float]] = []
        for lower, upper in sorted(part for part in parts if part[0] <= part[1]):
            if joined and lower <= _after(joined[-1][1]):
                joined[-1] = (joined[-1][0], max(joined[-1][1], upper))
            else:
                joined.append((lower, upper))
        # Minus zero equals zero in every comparison, but it would look odd in the exported program.
        return cls(tuple((lower + 0.0, upper + 0.0) for lower, upper in joined))

    @classmethod
    def at_most(cls, threshold: float) -> NumberSet:
        """Return all numbers up to the threshold."""
        return cls.of((-math.inf, threshold))

    def __or__(self, other: NumberSet) -> NumberSet:
        return NumberSet.of(*self.parts, *other.parts)

    def __and__(self, other: NumberSet) -> NumberSet:
        return ~(~self | ~other)

    def __invert__(self) -> NumberSet:
        gaps, start = [], -math.inf
        for lower, upper in self.parts:
            if lower > -math.inf:
                gaps.append((start, _before(lower)))
            if upper == math.inf:
                return NumberSet.of(*gaps)
            start = _after(upper)
        return NumberSet.of(*gaps, (start, math.inf))

    def __contains__(self, number: float) -> bool:
        at = bisect_right(self.parts, (number, math.inf)) - 1
        return at >= 0 and self.parts[at][0] <= number <= self.parts[at][1]

    @property
    def points(self) -> tuple[float, ...] | None:
        """The numbers of a set of isolated points; None if some interval has more than one number."""
        return tuple(lower for lower, _ in self.parts) if all(lower == upper for lower, upper in self.parts) else None


#: Every number, including infinity but not NaN.
ALL = NumberSet.of((-math.inf, math.inf))


def at_most(threshold: float, dtype: type[np.floating[Any]]) -> NumberSet:
    """Return the doubles that are at most the threshold after rounding to ``dtype``.

    >>> 0.1 in at_most(0.1, np.float32), 0.1 in at_most(0.1, np.float64)
    (False, True)
    """
    if dtype is not np.float32 or threshold == math.inf:
        return NumberSet.at_most(threshold)
    single = round_down(np.float64(threshold), np.float32)
    with np.errstate(over="ignore"):  # after the largest number comes infinity
        here, next_one = max(float(single), -_PAST_SINGLE), float(np.nextafter(single, np.float32(np.inf)))
        middle = (here + min(next_one, _PAST_SINGLE)) / 2  # it rounds to the even one of the two
        return NumberSet.at_most(middle if np.float32(middle) <= single else _before(middle))


def rounding_to(number: float, dtype: type[np.floating[Any]]) -> NumberSet:
    """Return the doubles that equal this number after rounding both to ``dtype``."""
    with np.errstate(over="ignore"):
        rounded = dtype(number)
        before = float(np.nextafter(rounded, dtype(-np.inf)))
    upto = at_most(float(rounded), dtype)
    return upto if rounded == -np.inf else upto & ~at_most(before, dtype)


def ends(part: tuple[float, float]) -> tuple[tuple[float, bool] | None, tuple[float, bool] | None]:
    """Return the two ends of an interval as people write them: a number, and whether it is included; None if infinite.

    Of ``x <= 2.9999999999999996`` and ``x < 3.0`` the shorter is taken; and the middle of two neighbours in single
    precision rather than the double next to it.

    >>> ends((5e-324, 2.9999999999999996))
    ((0.0, False), (3.0, False))
    """
    lower, upper = part
    below = None if lower == -math.inf else _rounder(lower, _before(lower))
    return below, None if upper == math.inf else _rounder(upper, _after(upper))


def _rounder(within: float, outside: float) -> tuple[float, bool]:
    is_rounder = math.isfinite(outside) and _roundness(outside) < _roundness(within)
    return (outside + 0.0, False) if is_rounder else (within, True)


def _roundness(number: float) -> tuple[bool, int]:
    above, below = number.as_integer_ratio() if math.isfinite(number) else (0, 1)
    return (above if below > 1 else above // (above & -above or 1)).bit_length() > _BITS_OF_MIDDLE, len(repr(number))


def _after(number: float) -> float:
    return math.nextafter(number, math.inf)


def _before(number: float) -> float:
    return math.nextafter(number, -math.inf)
