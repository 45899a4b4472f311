"""Weighted quantiles of the targets that each rule covers, and the distances of the targets from them.

The targets are sorted once. Rules at the same depth of a tree have no samples in common. So, for each tree and depth,
a stable sort by rule groups the samples of each rule with their targets in order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray, RankArray
from hedgerow.candidates.coverage import Coverage, ranges

#: Weights that differ by less than this share of the total count as equal, because their sums are rounded.
_ROUNDING = 1e-11


def weighted_quantiles(
    y: FloatArray, weight: FloatArray, coverage: Coverage, quantile: float, below: float = 1.0, above: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return the quantile of each rule's targets, and the weighted sum of their distances from it.

    If the quantile is not unique, it is the midpoint of its range: the usual median, and what
    ``numpy.quantile(..., method="averaged_inverted_cdf")`` returns.

    Parameters
    ----------
    y, weight : float arrays of shape (n_samples,)
    coverage : Coverage
    quantile : float
        Between 0 and 1.
    below, above : float
        The factors for distances of targets below and above the quantile.

    Examples
    --------
    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> weighted_quantiles(np.array([1.0, 2.0, 5.0, 8.0]), np.ones(4), coverage, 0.5)
    (array([2. , 6.5]), array([4., 3.]))
    """
    order = np.argsort(y, kind="stable")
    y, weight = y[order], weight[order]
    slack = _ROUNDING * float(weight.sum())
    # Equal weights, the usual case, need not be summed for each tree.
    equal = np.arange(len(y) + 1.0) * weight[0] if np.all(weight == weight[0]) else None
    found, distance = np.zeros(coverage.n_rules), np.zeros(coverage.n_rules)
    for rules, number in _layers(coverage, order):
        stop = np.cumsum(coverage.counts[rules])
        start = stop - coverage.counts[rules]
        here = np.argsort(number, kind="stable")[: stop[-1]]
        mine = y.take(here)
        so_far = equal if equal is not None else np.concatenate([[0.0], np.cumsum(weight.take(here))])
        found[rules] = _middles(mine, so_far, start, stop, quantile, slack)
        apart = mine - np.repeat(found[rules], stop - start)
        cost = np.abs(apart) if below == above == 1 else np.maximum(above * apart, -below * apart)
        cost *= weight[0] if equal is not None else weight.take(here)
        distance[rules] = np.add.reduceat(cost, start)
    return found, distance


def _middles(
    y: FloatArray, so_far: FloatArray, start: IntArray, stop: IntArray, quantile: float, slack: float
) -> FloatArray:
    """Return the quantile of each range of samples; ``so_far`` is the cumulative weight, starting with 0."""
    wanted = so_far[start] + quantile * (so_far[stop] - so_far[start])
    # The samples at which the cumulative weight reaches the wanted weight, and exceeds it.
    lower = np.searchsorted(so_far, wanted - slack, side="left") - 1
    upper = np.searchsorted(so_far, wanted + slack, side="right") - 1
    low, high = y[np.clip(lower, start, stop - 1)], y[np.clip(upper, start, stop - 1)]
    return low + (high - low) / 2


def _layers(coverage: Coverage, order: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield rules without common samples, and for each sample, in the given order, the number of its rule among them.

    Samples in none of the rules get the number after the last. A rule's layer is the number of rules of its tree that
    contain it: those that begin no later, minus those that have ended before. Every rule covers some sample.
    """
    group, first, last = coverage.group.astype(np.int64), coverage.first, coverage.last
    by_start = np.lexsort((-last, first, group))
    begun = np.empty(len(group), dtype=np.int64)
    begun[by_start] = np.arange(len(group))
    width = int(last.max(initial=0)) + 1
    layer = begun - np.searchsorted(np.sort(group * width + last), group * width + first, side="right")
    by_layer = np.lexsort((first, layer, group))
    new = (np.diff(group[by_layer]) != 0) | (np.diff(layer[by_layer]) != 0)
    shown = -1
    rank: RankArray = order
    for rules in np.split(by_layer, np.flatnonzero(new) + 1) if len(by_layer) else ():
        if group[rules[0]] != shown:
            shown = int(group[rules[0]])
            rank = coverage.ends.ranks[:, shown].take(order)
        number = np.full(coverage.ends.n_ranks[shown], len(rules), dtype=np.min_scalar_type(len(rules)))
        number[ranges(first[rules], last[rules])] = np.repeat(np.arange(len(rules)), last[rules] - first[rules])
        yield rules, number.take(rank)
