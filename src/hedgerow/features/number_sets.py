"""Which numbers of double precision pass a test: a union of intervals.

Programs elsewhere compare doubles. A comparison in single precision is the same as one of doubles with another
threshold: the largest double that rounds to a single number that passes. So is a number that counts as missing, a
category that is a whole number, and so on: every test of a column of numbers is a set of doubles.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.rounding import round_down

#: Where the next number of single precision after the largest would be.
_PAST_SINGLE = 2.0**128
#: What lies half-way between two numbers of single precision has one bit more than they.
_BITS_OF_MIDDLE = 25


@dataclass(frozen=True)
class NumberSet:
    """Intervals of doubles, both ends within, in increasing order, with other numbers between them.

    >>> NumberSet.at_most(3.0) & NumberSet.of((2.0, 5.0))
    NumberSet(parts=((2.0, 3.0),))
    >>> ~NumberSet.at_most(0.0)
    NumberSet(parts=((5e-324, inf),))
    """

    parts: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, *parts: tuple[float, float]) -> NumberSet:
        """Return the union of intervals; those with the ends the wrong way round are empty."""
        joined: list[tuple[float, float]] = []
        for lower, upper in sorted(part for part in parts if part[0] <= part[1]):
            if joined and lower <= _after(joined[-1][1]):
                joined[-1] = (joined[-1][0], max(joined[-1][1], upper))
            else:
                joined.append((lower, upper))
        # Minus zero is zero to every comparison, but not to everyone who reads it.
        return cls(tuple((lower + 0.0, upper + 0.0) for lower, upper in joined))

    @classmethod
    def at_most(cls, threshold: float) -> NumberSet:
        """Return all numbers that are not above the threshold."""
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
        """The numbers, if they are few and apart; None if there is an interval."""
        return tuple(lower for lower, _ in self.parts) if all(lower == upper for lower, upper in self.parts) else None


#: Every number, infinity too; NaN is none.
ALL = NumberSet.of((-math.inf, math.inf))


def at_most(threshold: float, dtype: Any) -> NumberSet:
    """Return the doubles that are at most the threshold after they were rounded to ``dtype``.

    >>> 0.1 in at_most(0.1, np.float32), 0.1 in at_most(0.1, np.float64)
    (False, True)
    """
    if dtype is not np.float32 or threshold == math.inf:
        return NumberSet.at_most(threshold)
    single = round_down(np.float64(threshold), np.float32)
    with np.errstate(over="ignore"):  # infinity is what comes after the largest
        here, next_one = max(float(single), -_PAST_SINGLE), float(np.nextafter(single, np.float32(np.inf)))
        middle = (here + min(next_one, _PAST_SINGLE)) / 2  # which rounds to the even one of the two
        return NumberSet.at_most(middle if np.float32(middle) <= single else _before(middle))


def rounding_to(number: float, dtype: Any) -> NumberSet:
    """Return the doubles that become the same as this number when they are rounded to ``dtype``."""
    with np.errstate(over="ignore"):
        rounded = dtype(number)
        before = float(np.nextafter(rounded, dtype(-np.inf)))
    upto = at_most(float(rounded), dtype)
    return upto if rounded == -np.inf else upto & ~at_most(before, dtype)


def ends(part: tuple[float, float]) -> tuple[tuple[float, bool] | None, tuple[float, bool] | None]:
    """Return the two ends of an interval as people write them: a number, and whether it is within; None if open.

    Of ``x <= 2.9999999999999996`` and ``x < 3.0`` the shorter is taken, and the middle of two numbers of single
    precision rather than the double beside it.

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
