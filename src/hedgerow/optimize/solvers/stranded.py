"""Rules with which some sample cannot be covered any more: they are in no list.

A rule excludes all rules that share a sample with it. If it excludes every rule that covers some other sample, no list
has it. While few rules are left, because a bound has dropped most or a branch forbids them, many are stranded like
this, and dropping them strands others. Rules are bits of integers, so this takes less time than a linear program.
"""

from __future__ import annotations

from hedgerow._support.arrays import BoolArray
from hedgerow.optimize.solvers.bits import as_integers, as_rows


class Exclusions:
    """Which columns exclude each other.

    Parameters
    ----------
    pairs : bool array of shape (n_columns, n_columns)
    """

    def __init__(self, pairs: BoolArray) -> None:
        self._n_columns = len(pairs)
        self._excluded = as_integers(pairs)

    def without_stranded(self, allowed: BoolArray, samples: list[int]) -> BoolArray:
        """Return the allowed columns without those that are stranded; none if a sample cannot be covered at all.

        Parameters
        ----------
        allowed : bool array of shape (n_columns,)
        samples : list of int
            The columns that cover each sample, as bits.
        """
        left, before = as_integers(allowed[None])[0], 0
        while left != before:
            before = left
            for sample in samples:
                left ^= self._stranded(sample & left, left)
        return as_rows([left], self._n_columns)[0]

    def _stranded(self, mine: int, left: int) -> int:
        """Return the other columns that exclude all those that cover a sample."""
        stranded, rest = left & ~mine, mine
        while rest and stranded:
            lowest = rest & -rest
            stranded &= self._excluded[lowest.bit_length() - 1]
            rest ^= lowest
        return stranded
