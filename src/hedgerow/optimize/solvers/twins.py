"""Rules between which nothing but the score can decide: of such twins, one is enough."""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow.optimize.problem import PartitionProblem


def best_of_twins(problem: PartitionProblem) -> tuple[IntArray, IntArray]:
    """Return the columns to keep, and for each column the best-scored one with the same coverage and extra entries."""
    return best_of_each(problem.twins, problem.scores, problem.preference)


def best_of_each(twins: IntArray, scores: FloatArray, preference: FloatArray | None) -> tuple[IntArray, IntArray]:
    """Return the best-scored column of each number, and for each column the one with its number.

    Numbers are the places of the first columns that have them.
    """
    everything = np.arange(len(scores))
    order_of: AnyArray = everything if preference is None else preference
    best = everything.copy()
    some = np.flatnonzero(np.bincount(twins, minlength=len(twins))[twins] > 1)
    if len(some):
        mine, score = twins[some], scores[some]
        highest = np.full(len(twins), -np.inf)
        np.maximum.at(highest, mine, score)
        # Sums of the same numbers in a different order differ in the last digits.
        is_best = score >= (highest - 1e-12 * np.abs(highest))[mine]
        order = np.lexsort((some, order_of[some], ~is_best, mine))
        first = np.flatnonzero(np.diff(mine[order], prepend=-1))
        best[mine[order[first]]] = some[order[first]]
    return np.sort(best[twins == everything]), best[twins]
