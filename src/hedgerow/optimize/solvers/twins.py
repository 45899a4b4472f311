"""Rules between which nothing but the score can decide: of such twins, one is enough."""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.optimize.problem import PartitionProblem


def best_of_twins(problem: PartitionProblem) -> tuple[IntArray, IntArray]:
    """Return the columns to keep, and for each column the best-scored one with the same coverage and extra entries."""
    return best_of_each(problem.twins, problem.scores, problem.preference)


def best_of_each(twins: IntArray, scores: FloatArray, preference: FloatArray | None) -> tuple[IntArray, IntArray]:
    """Return the best-scored column of each number, and for each column the one with its number."""
    everything = np.arange(len(scores))
    preference = everything if preference is None else preference
    highest = np.full(int(twins.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(highest, twins, scores)
    # Sums of the same numbers in a different order differ in the last digits.
    is_best = scores >= (highest - 1e-12 * np.abs(highest))[twins]
    order = np.lexsort((everything, preference, ~is_best, twins))
    numbers, first = np.unique(twins[order], return_index=True)
    best = np.empty(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    best[numbers] = order[first]
    return np.sort(best[numbers]), best[twins]
