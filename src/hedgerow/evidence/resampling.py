"""Intervals and tests of means that resample the rows: what Student's t promises for normal values, for skewed ones.

The random numbers are the same in every call, so the same rows have the same intervals and p-values.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import t

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.evidence.statistics import LEVEL, Estimate, Group, effective_number, group_of, mean_test

#: Means of more rows than this are nearly normal, whatever the values are.
_MOST_ROWS = 2_000
#: The number of resamples, and how many values are drawn at once or, for an interval or a test, at most.
_RESAMPLES, _MOST_DRAWN, _AT_ONCE = 4_999, 2_000_000, 500_000
#: Statistics that differ by less than this share are equal but for rounding.
_SAME = 1e-9


def mean_interval(values: FloatArray, weight: FloatArray, level: float = LEVEL) -> Estimate:
    """Return the mean with its interval: bootstrap-t for up to 2,000 rows, Student's t for more.

    The bootstrap's own quantiles of Student's t make up for skewed values, which Student's do not: for ten rows of
    exponential values, the coverage is close to the level.
    """
    group = group_of(values, weight)
    if not group.n > 1 or not group.spread > 0:
        reach = 0.0 if group.spread == 0 else math.inf
        return Estimate(group.mean, group.mean - reach, group.mean + reach)
    q = float(t.ppf((1 + level) / 2, group.n - 1))
    if len(values) > _MOST_ROWS:
        return group.between(-q, q)
    statistic = _bootstrapped(values - group.mean, weight)
    ends = np.quantile(statistic, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    # Where many resamples consist of one value, their statistic is infinite and says nothing.
    low, high = (float(end) if math.isfinite(end) else q * side for end, side in zip(ends, (-1, 1), strict=True))
    return group.between(-high, -low)


def bootstrap_test(values: FloatArray, weight: FloatArray, other: Group) -> float:
    """Return the two-sided p-value that the mean is that of another group, of which only the summary is known.

    The distribution of Welch's statistic is that of resampled rows, for up to 2,000 of them; for more, it is Welch's.
    """
    group = group_of(values, weight)
    welch = mean_test(group, other)
    if math.isnan(welch) or len(values) > _MOST_ROWS or not group.spread > 0:
        return welch
    squared = other.spread**2 / other.n
    apart = (group.mean - other.mean) / math.sqrt(group.spread**2 / group.n + squared)
    statistic = _bootstrapped(values - group.mean, weight, squared)
    tail = min(int((statistic >= apart).sum()), int((statistic <= apart).sum()))
    # Few rows have few different resamples; then the larger of the two says less than it seems to.
    return max(welch, min(1.0, 2 * (1 + tail) / (1 + len(statistic))))


def _bootstrapped(apart: FloatArray, weight: FloatArray, squared: float = 0.0) -> FloatArray:
    """Return Student's t of resamples of the rows, given how far each is from their mean.

    ``squared`` is the square of the standard error of another group's mean, which is subtracted.
    """
    n_resamples = min(_RESAMPLES, _MOST_DRAWN // len(apart))
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(apart), size=(n_resamples, len(apart)))
    x, w = apart[drawn], weight[drawn]
    mean, error = _means(w.sum(axis=1), (w**2).sum(axis=1), (w * x).sum(axis=1), (w * x**2).sum(axis=1))
    of_other = math.sqrt(squared) * rng.standard_normal(n_resamples)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = (mean + of_other) / np.sqrt(error + squared)
    return np.nan_to_num(statistic, posinf=np.inf, neginf=-np.inf)


def shuffled_tests(values: FloatArray, weight: FloatArray, group_of_row: IntArray, n_groups: int) -> FloatArray:
    """Return for each group the p-value that the mean of its rows is that of all others.

    The statistic is Welch's; its distribution is that of shuffled values, so that the level holds for any values. With
    many rows it is Welch's test, but for small groups, whose values are drawn from all of them. NaN for groups of fewer
    than two rows, or with fewer than two others.
    """
    if not len(values):
        return np.full(n_groups, np.nan)
    order = np.argsort(group_of_row, kind="stable")
    y, w = values[order] - values.mean(), weight[order]
    sizes = np.bincount(group_of_row, minlength=n_groups)
    found = np.full(n_groups, np.nan)
    if len(y) <= _MOST_ROWS:
        testable = np.flatnonzero((sizes > 1) & (len(y) - sizes > 1))
        if len(testable):
            found[testable] = _shuffled(y, w, sizes)[testable]
        return found
    for i in np.flatnonzero((sizes > 1) & (len(y) - sizes > 1)):
        inside = group_of_row[order] == i
        found[i] = _drawn(y, w, inside) if sizes[i] <= _MOST_ROWS // 2 else _welch(y, w, inside)
    return found


def _welch(y: FloatArray, w: FloatArray, inside: BoolArray) -> float:
    return mean_test(group_of(y[inside], w[inside]), group_of(y[~inside], w[~inside]))


def _shuffled(y: FloatArray, w: FloatArray, sizes: AnyArray) -> FloatArray:
    """Return the p-values for groups of so many rows in a row, from shuffles of all values."""
    filled = np.flatnonzero(sizes)
    starts = np.concatenate([[0], np.cumsum(sizes[filled])[:-1]]).astype(np.intp)
    rng = np.random.default_rng(0)
    actual = _against_rest(y[None], w, starts)[0]
    exceeding, done, block = np.zeros(len(starts)), 0, max(1, _AT_ONCE // len(y))
    while done < _RESAMPLES:
        n = min(block, _RESAMPLES - done)
        shuffled = rng.permuted(np.broadcast_to(y, (n, len(y))), axis=1)
        exceeding += (_against_rest(shuffled, w, starts) >= actual * (1 - _SAME)).sum(axis=0)
        done += n
    found = np.full(len(sizes), np.nan)
    found[filled] = (1 + exceeding) / (1 + _RESAMPLES)
    return found


def _against_rest(x: FloatArray, w: FloatArray, starts: AnyArray) -> FloatArray:
    """Return Welch's t, without its sign, of each group against the rest; one row per row of values."""
    amounts = (w, w**2, w * x, w * x**2)
    inside = [np.add.reduceat(one, starts, axis=-1) for one in amounts]
    outside = [one.sum(axis=-1, keepdims=True) - part for one, part in zip(amounts, inside, strict=True)]
    return _welch_t(_means(*inside), _means(*outside))


def _drawn(y: FloatArray, w: FloatArray, inside: BoolArray) -> float:
    """Return the p-value for a small group among many rows: values are drawn from all of them."""
    y1, w1, w2 = y[inside], w[inside], w[~inside]
    rng, n = np.random.default_rng(0), len(y1)
    total, squares = w @ y, w @ y**2

    def distance(x: FloatArray) -> FloatArray:
        sums = (w1 * x).sum(axis=-1), (w1 * x**2).sum(axis=-1)
        own = _means(w1.sum(), (w1**2).sum(), *sums)
        return _welch_t(own, _means(w2.sum(), (w2**2).sum(), total - sums[0], squares - sums[1]))

    actual, exceeding, done, block = distance(y1[None])[0], 0, 0, max(1, _AT_ONCE // n)
    while done < _RESAMPLES:
        more = min(block, _RESAMPLES - done)
        exceeding += int((distance(y[rng.integers(len(y), size=(more, n))]) >= actual * (1 - _SAME)).sum())
        done += more
    return (1 + exceeding) / (1 + _RESAMPLES)


def _means(
    total: FloatArray, squares: FloatArray, first: FloatArray, second: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return means and the squares of their errors, from sums of w, w², w x and w x²."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, n = first / total, effective_number(total, squares)
        return mean, np.maximum(second / total - mean**2, 0.0) / (n - 1)


def _welch_t(one: tuple[FloatArray, FloatArray], other: tuple[FloatArray, FloatArray]) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        distance: FloatArray = np.abs(one[0] - other[0]) / np.sqrt(one[1] + other[1])
    return np.nan_to_num(distance, posinf=np.inf)
