"""Rules as numbers that add up: which few rules cover all samples exactly once, without looking at samples.

Each sample gets a random key of 64 bits. A rule's fingerprint is the sum of the keys of its samples, modulo 2⁶⁴. The
fingerprints of a partition add up to the sum of all keys, and hardly any other rules' do. So the last rule of a
partition can be looked up, and its last two are found in one pass over the pairs of rules.

Equal sums are only a necessary condition: every match must be checked sample by sample.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.candidates.coverage import Coverage

KeyArray = NDArray[np.uint64]

# Keys are summed in parts of so many bits, because floats add up exactly only below 2**53.
_PART_BITS = 22
# A table of the first bits of what is wanted has about so many places per number, and at most 2**26 in all.
_PLACES, _FEWEST_BITS, _MOST_BITS = 32, 12, 26
# How many possible matches are looked up at once.
_LOOKED_UP = 1 << 19


class OutOfTimeError(Exception):
    """The deadline has passed."""


def check_clock(deadline: float | None) -> None:
    """Raise if the deadline has passed."""
    if deadline is not None and time.perf_counter() > deadline:
        raise OutOfTimeError


def sample_keys(n_samples: int) -> KeyArray:
    """Return a random key for each sample; always the same ones."""
    return np.random.default_rng(0).integers(0, 2**64, n_samples, dtype=np.uint64)


def fingerprints(coverage: Coverage) -> tuple[KeyArray, np.uint64]:
    """Return the fingerprint of each rule, and that of all samples."""
    keys = sample_keys(coverage.n_samples)
    shifts = np.arange(0, 64, _PART_BITS, dtype=np.uint64)
    mask = np.uint64(2**_PART_BITS - 1)
    sums = coverage.many_sums([((keys >> shift) & mask).astype(np.float64) for shift in shifts])
    found = (sums.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)
    return found, keys.sum(dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Wanted:
    """Fingerprints to be found among sums, each with the places where it is wanted.

    Attributes
    ----------
    numbers : array of shape (n_numbers,)
        In increasing order, without repetition.
    order, starts : int arrays
        The number ``numbers[k]`` is wanted at ``order[starts[k] : starts[k + 1]]``.
    """

    numbers: KeyArray
    order: IntArray
    starts: IntArray

    @classmethod
    def of(cls, wanted: KeyArray) -> Wanted:
        """Sort the fingerprints that are wanted."""
        order = np.argsort(wanted, kind="stable")
        in_order = wanted[order]
        new = np.flatnonzero(np.concatenate([[True], in_order[1:] != in_order[:-1]])[: len(wanted)])
        return cls(in_order[new], order, np.append(new, len(wanted)))

    @property
    def counts(self) -> IntArray:
        """How often each number is wanted."""
        return np.diff(self.starts)

    def highest(self, scores: FloatArray) -> FloatArray:
        """Return the highest score among the places where each number is wanted."""
        if not len(self.numbers):
            return np.empty(0)
        return np.maximum.reduceat(scores[self.order], self.starts[:-1])

    @cached_property
    def _bits(self) -> int:
        return min(max((_PLACES * len(self.numbers)).bit_length(), _FEWEST_BITS), _MOST_BITS)

    @cached_property
    def _table(self) -> BoolArray:
        table = np.zeros(1 << self._bits, dtype=bool)
        table[self._place(self.numbers)] = True
        return table

    def _place(self, sums: KeyArray) -> IntArray:
        return (sums >> np.uint64(64 - self._bits)).view(np.int64)

    def possible(self, sums: KeyArray) -> IntArray:
        """Return the positions of the sums that may be wanted; most others are sorted out."""
        return np.flatnonzero(self._table.take(self._place(sums)))

    def find(self, sums: KeyArray) -> tuple[IntArray, IntArray]:
        """Return the positions of the sums that are wanted, and which number each is."""
        if not len(self.numbers):
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.numbers, sums), len(self.numbers) - 1)
        found = np.flatnonzero(self.numbers[at] == sums)
        return found, at[found]


def matching_pairs(
    keys: KeyArray, first: IntArray, last: IntArray, wanted: Wanted, deadline: float | None
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Yield all pairs i, j with ``first[i] <= j < last[i]`` whose fingerprints add up to a wanted number, and which.

    A pass over all pairs of 4,000 rules takes a tenth of a second.
    """
    ones, others, n_possible = [], [], 0
    for i in range(len(keys)):
        if first[i] < last[i]:
            possible = wanted.possible(keys[first[i] : last[i]] + keys[i])
            if len(possible):
                ones.append(np.full(len(possible), i))
                others.append(possible + first[i])
                n_possible += len(possible)
        if n_possible > _LOOKED_UP or (ones and i == len(keys) - 1):
            one, other = np.concatenate(ones), np.concatenate(others)
            found, which = wanted.find(keys[one] + keys[other])
            yield one[found], other[found], which
            ones, others, n_possible = [], [], 0
        check_clock(deadline)
