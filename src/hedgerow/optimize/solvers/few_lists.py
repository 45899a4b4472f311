"""All lists of some rules, one rule after the other, where a bound leaves few.

A relaxation tells what a list loses by each rule, at least. What a list may lose in all is the gap between the bound
and the best list, so a list that has lost that much goes no further. Take the sample that the fewest rules cover that
can still follow, and try each of them, the one by which the least is lost first. Rules are bits of integers, in this
order, so a step takes some ten microseconds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.optimize.solvers.bits import among, as_integers

#: A step costs as much as to look at so many samples, and as many for each rule that can follow; and to offer a list.
_STEP, _FOLLOWER, _OFFER = 20, 3, 1000


def every_list(
    covers: BoolArray,
    pairs: BoolArray,
    regrets: FloatArray,
    slack: Callable[[], float],
    offer: Callable[[IntArray], object],
    most: int | None,
    effort: int,
) -> bool:
    """Offer the lists of some rules that may be better than the best; return whether those were all.

    Parameters
    ----------
    covers : bool array of shape (n_samples, n_columns)
    pairs : bool array of shape (n_columns, n_columns)
        Which columns exclude each other.
    regrets : float array of shape (n_columns,)
        What a list loses by each column, at least; none is negative.
    slack : callable
        Returns how much a list may lose in all; each list that is offered may lower that.
    offer : callable
        Takes the columns of a list.
    most : int or None
        The most columns of a list.
    effort : int
        How many samples may be looked at.
    """
    order = np.argsort(regrets, kind="stable")
    lost = regrets[order].tolist()
    closed = [bits | 1 << k for k, bits in enumerate(as_integers(among(pairs, order)))]
    samples = sorted(set(as_integers(covers[:, order])), key=int.bit_count)
    stack: list[tuple[list[int], int, float, tuple[int, ...]]] = [(samples, (1 << len(lost)) - 1, 0.0, ())]
    allowed = slack()
    while stack:
        rows, left, before, chosen = stack.pop()
        if before > allowed:
            continue
        if chosen:
            bit = 1 << chosen[-1]
            rows = [row for row in rows if not row & bit]
        if not rows:
            offer(order[list(chosen)])
            allowed, effort = slack(), effort - _OFFER
            continue
        if len(chosen) == most:
            continue
        left &= (1 << bisect_right(lost, allowed - before)) - 1
        followers = _fewest(rows, left)
        effort -= len(rows) + _STEP + _FOLLOWER * followers.bit_count()
        if effort < 0:
            return False
        while followers:  # what is put on the stack last comes next
            k = followers.bit_length() - 1
            followers ^= 1 << k
            stack.append((rows, left & ~closed[k], before + lost[k], (*chosen, k)))
    return True


def _fewest(rows: list[int], left: int) -> int:
    """Return the rules that are left of the row with the fewest."""
    found, n_found = left, left.bit_count() + 1
    for row in rows:
        mine = row & left
        n_mine = mine.bit_count()
        if n_mine < n_found:
            found, n_found = mine, n_mine
            if n_mine < 2:
                break
    return found
