"""The best pruning of each tree: partitions that need no integer program.

Any tree, cut back to any of its nodes, parts the samples. The best cut with at
most so many leaves is a small dynamic program over the tree's ends from left to
right, run for all trees at once.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.coverage import Coverage

_NONE, _SKIP = -2, -1


def best_prunings(coverage: Coverage, scores: FloatArray, max_rules: int | None) -> Iterator[IntArray]:
    """Yield the best partition within each group that has one, highest score first.

    ``value[k, r, m]`` is the best score of m rules of group k that cover just
    its ends before r; a rule from end a to end b goes from ``value[k, a, m]`` to
    ``value[k, b, m + 1]``, and an end that no sample reaches costs nothing.
    """
    ends = coverage.ends
    n_groups, n_ends = len(ends.n_ranks), int(ends.n_ranks.max(initial=0))
    counted = max_rules is not None and max_rules < n_ends
    step, n_counts = (1, int(max_rules or 0) + 1) if counted else (0, 1)
    value = np.full((n_groups, n_ends + 1, n_counts), -np.inf)
    came_by = np.full(value.shape, _NONE, dtype=np.int32)
    value[:, 0, 0] = 0.0
    rules = _best_of_each_range(coverage, scores)
    starts = np.searchsorted(coverage.first[rules], np.arange(n_ends + 1))
    empty = np.zeros((n_groups, n_ends), dtype=bool)
    empty[np.arange(n_ends) < ends.n_ranks[:, None]] = ends.counts == 0
    for r in range(n_ends):
        skips = np.flatnonzero(empty[:, r])
        _improve(value, came_by, skips, r + 1, 0, value[skips, r], np.full(len(skips), _SKIP))
        here = rules[starts[r] : starts[r + 1]]
        groups = coverage.group[here]
        reach = value[groups, r, : n_counts - step] + scores[here, None]
        _improve(value, came_by, groups, coverage.last[here], step, reach, here)
    whole = value[np.arange(n_groups), ends.n_ranks]
    best = whole.max(axis=1)
    for k in np.argsort(-best, kind="stable"):
        if best[k] == -np.inf:
            return
        yield _trace(coverage, came_by[k], int(ends.n_ranks[k]), int(np.argmax(whole[k])), step)


def _best_of_each_range(coverage: Coverage, scores: FloatArray) -> IntArray:
    """Return the rules ordered by their first end, the best-scored one of equal ranges only."""
    order = np.lexsort((-scores, coverage.last, coverage.group, coverage.first))
    keys = np.column_stack([coverage.first, coverage.group, coverage.last])[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    return order[new]


def _improve(
    value: FloatArray,
    came_by: IntArray,
    groups: IntArray,
    ends: IntArray | int,
    step: int,
    reach: FloatArray,
    by: IntArray,
) -> None:
    """Take the new values where they are better; (group, end) pairs must differ."""
    old = value[groups, ends, step:]
    better = reach > old
    value[groups, ends, step:] = np.where(better, reach, old)
    came_by[groups, ends, step:] = np.where(better, by[:, None], came_by[groups, ends, step:])


def _trace(coverage: Coverage, came_by: IntArray, end: int, count: int, step: int) -> IntArray:
    chosen = []
    while end > 0:
        j = int(came_by[end, count])
        if j == _SKIP:
            end -= 1
        else:
            chosen.append(j)
            end, count = int(coverage.first[j]), count - step
    return np.array(chosen[::-1], dtype=np.int64)
