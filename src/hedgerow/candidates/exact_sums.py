"""Sums of floating-point numbers without rounding errors.

Such sums do not depend on the order of addition: rows can come in any order, in chunks of any size and from several
machines, and the total is the same to the last bit.

A number is cut into limbs of 38 bits: Σ_k limb_k 2^(38 k). The limbs of a block of rows are whole numbers, so floats
add them up exactly, and integers add up the blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray

_BITS = 38
_MASK = (1 << _BITS) - 1
#: The largest number of rows whose limbs floats add up exactly: 15 bits and 38 make 53.
MOST_ROWS = 1 << 15
#: The sums of so many blocks, with a few columns each, fit into 64 bits before limbs must be carried.
_BLOCKS = 64


def limbs(column: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield the limbs of finite numbers that are not all zero: the position k, and one whole number per number.

    >>> [(k, limb.tolist()) for k, limb in limbs(np.array([3.0, 0.5]))]
    [(0, [3.0, 0.0]), (-1, [0.0, 137438953472.0])]
    """
    rest = column
    while True:
        largest = float(np.abs(rest).max(initial=0.0))
        if largest == 0.0:
            return
        k = (math.frexp(largest)[1] - 1) // _BITS
        limb = np.trunc(_shifted(rest, -_BITS * k))
        yield k, limb
        rest = rest - _shifted(limb, _BITS * k)


def _shifted(column: FloatArray, bits: int) -> FloatArray:
    """Return a column times a power of two, which may itself be out of range."""
    half = bits // 2
    return column * math.ldexp(1.0, half) * math.ldexp(1.0, bits - half)


def product(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a product and its rounding error, whose sum is exact (Dekker)."""
    whole = a * b
    (high_a, low_a), (high_b, low_b) = _halves(a), _halves(b)
    return whole, low_a * low_b - (((whole - high_a * high_b) - low_a * high_b) - high_a * low_b)


def _halves(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two numbers of half as many digits that add up to each number."""
    mantissa, exponent = np.frexp(a)
    high = np.ldexp(np.rint(mantissa * 2**26), exponent - 26)
    return high, a - high


class ExactSums:
    """The sums of a column over the rows of each of some bins.

    Parameters
    ----------
    n_bins : int
    """

    def __init__(self, n_bins: int) -> None:
        self.n_bins = n_bins
        self.of_position: dict[int, IntArray] = {}
        self._n_blocks = 0

    def add(self, k: int, bins: slice, sums: AnyArray) -> None:
        """Add the sums of limbs at position k to some bins."""
        if k not in self.of_position:
            self.of_position[k] = np.zeros(self.n_bins, dtype=np.int64)
        self.of_position[k][bins] += sums.astype(np.int64)

    def end_block(self) -> None:
        """Say that all bins have been added to, by a block of at most ``MOST_ROWS`` rows."""
        self._n_blocks += 1
        if self._n_blocks == _BLOCKS:
            self.carry()

    def merge(self, other: ExactSums) -> None:
        """Add the sums of other rows."""
        self.carry()
        other.carry()
        for k, sums in other.of_position.items():
            self.add(k, slice(None), sums)
        self.carry()

    def carry(self) -> None:
        """Bring all limbs but the highest into their range; then equal sums have equal limbs."""
        self.of_position = carried(self.of_position)
        self._n_blocks = 0

    def over(self, first: IntArray, last: IntArray) -> Totals:
        """Return the totals of the bins of each ``range(first, last)``, none of which is empty."""
        self.carry()
        bounds = np.column_stack([first, last]).ravel()
        found = {}
        for k, sums in self.of_position.items():
            # One more bin, so that the end of every range is a valid index.
            found[k] = np.add.reduceat(np.append(sums, 0), bounds)[::2]
        return Totals(carried(found), len(first))


class Totals:
    """Some exact totals.

    Parameters
    ----------
    of_position : dict of int arrays
        Limbs that have been carried.
    n : int
        The number of totals.
    """

    def __init__(self, of_position: dict[int, IntArray], n: int) -> None:
        self.of_position, self.n = of_position, n

    def floats(self) -> FloatArray:
        """Return totals that are not negative as floats; equal totals give equal floats."""
        total = np.zeros(self.n)
        for k in sorted(self.of_position):
            total += np.ldexp(self.of_position[k].astype(np.float64), _BITS * k)
        return total

    @property
    def lowest(self) -> int:
        """The lowest exponent of two that occurs."""
        return _BITS * min(self.of_position, default=0)

    def whole(self, lowest: int) -> AnyArray:
        """Return the totals as integers of any size, in units of ``2**lowest``, which is at most :attr:`lowest`."""
        total = np.zeros(self.n, dtype=object)
        for k, limb in self.of_position.items():
            total += limb.astype(object) << (_BITS * k - lowest)
        return total


def carried(of_position: dict[int, IntArray]) -> dict[int, IntArray]:
    """Return limbs between 0 and 2^38, but for the highest, which has the sign."""
    found: dict[int, IntArray] = {}
    for k in sorted(of_position):
        sums = of_position[k] + found.pop(k, 0)
        found[k], over = sums & _MASK, sums >> _BITS
        if over.any():
            found[k + 1] = over
    return found
