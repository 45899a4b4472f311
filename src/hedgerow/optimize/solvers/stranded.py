"""Rules with which some sample cannot be covered any more: they are in no list.

A rule excludes all rules that share a sample with it. If it excludes every rule that covers some other sample, no list
has it. While few rules are left, because a bound has dropped most or a branch forbids them, many are stranded like
this, and dropping them strands others. Rules are bits of integers, so this takes less time than a linear program.
"""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import BoolArray
from hedgerow.optimize.solvers.bits import among, as_integers, as_rows


def without_stranded(pairs: BoolArray, covers: BoolArray) -> BoolArray:
    """Return which columns are not stranded; none is if a sample cannot be covered at all.

    Parameters
    ----------
    pairs : bool array of shape (n_columns, n_columns)
        Which columns exclude each other.
    covers : bool array of shape (n_samples, n_columns)
    """
    # Those that exclude the fewest come first: what all columns of a sample exclude is then soon nothing.
    order = np.argsort(np.count_nonzero(pairs, axis=1), kind="stable")
    excluded, samples = as_integers(among(pairs, order)), as_integers(covers.take(order, 1))
    left, before = (1 << len(order)) - 1, 0
    while left != before:
        before = left
        for sample in samples:
            left ^= _stranded(sample & left, left, excluded)
    found = np.empty(len(order), dtype=bool)
    found[order] = as_rows([left], len(order))[0]
    return found


def _stranded(mine: int, left: int, excluded: list[int]) -> int:
    """Return the other columns that exclude all those that cover a sample."""
    stranded, rest = left ^ mine, mine
    while rest and stranded:
        lowest = rest & -rest
        stranded &= excluded[lowest.bit_length() - 1]
        rest ^= lowest
    return stranded
