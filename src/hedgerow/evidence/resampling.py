"""Tests of means that draw or shuffle rows: what Welch's test promises for normal values, for skewed ones.

The random numbers are the same in every call, so the same rows have the same p-values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import t

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.evidence.statistics import Group, effective_number, group_of, mean_test

#: Means of more rows than this are nearly normal, whatever the values are.
_MOST_ROWS = 2_000
#: The number of resamples, and how many values are drawn at once.
_RESAMPLES, _AT_ONCE = 4_999, 500_000
#: Up to so many rows are drawn one by one; and how many resamples say how the rest of their tail goes on.
_FEW, _ENOUGH = 100, 20
#: Statistics that differ by less than this share are equal but for rounding.
_SAME = 1e-9
#: By which share of their size values may differ by rounding alone.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Shape:
    """How values lie around their mean, in standard deviations; there are none if they do not vary.

    Attributes
    ----------
    values : array
    skewness, spread : float
        Their third moment, and the standard deviation of their squares.
    """

    values: FloatArray
    skewness: float
    spread: float


def shape_of(values: FloatArray, weight: FloatArray, group_of_row: IntArray) -> Shape:
    """Return the common shape of groups of values, each around its mean; groups of equal values have no say."""
    total = np.bincount(group_of_row, weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = values - (np.bincount(group_of_row, weight * values) / total)[group_of_row]
        spread = np.sqrt(np.bincount(group_of_row, weight * apart**2) / total)[group_of_row]
        found = (apart / spread)[spread > _ROUNDING * np.abs(values)]
    if not len(found) or not found.std() > 0:
        return Shape(np.empty(0), 0.0, 0.0)
    found = (found - found.mean()) / found.std()
    squares = found**2
    return Shape(found, float((squares * found).mean()), float(squares.std()))


def drawn_test(values: FloatArray, weight: FloatArray, other: Group, shape: Shape) -> float:
    """Return the two-sided p-value that the mean is that of another group, of which only the summary is known.

    It is Welch's or, if that is larger, the share of Welch's statistics that are as far away if both groups are drawn
    from values of the given shape. Few rows of a group cannot tell how skewed its values are, but all rows together
    can (:func:`shape_of`).
    """
    group = group_of(values, weight)
    welch = mean_test(group, other)
    if math.isnan(welch) or not len(shape.values) or not group.spread > 0 or not other.spread > 0:
        return welch
    errors = [each.spread / math.sqrt(each.n) for each in (group, other)]
    error = math.hypot(*errors)
    freedom = 1 / sum((own / error) ** 4 / (each.n - 1) for own, each in zip(errors, (group, other), strict=True))
    rng = np.random.default_rng(0)
    one = _drawn_means(shape, weight, group.n, rng)
    two = _drawn_means(shape, np.broadcast_to(1.0, round(other.n)), other.n, rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = np.nan_to_num((one[0] - two[0]) / np.sqrt(one[1] + two[1]), posinf=np.inf, neginf=-np.inf)
    apart = (group.mean - other.mean) / error
    tail = min(_tail(statistic, apart, freedom), _tail(-statistic, -apart, freedom))
    return max(welch, min(1.0, 2 * tail))


def _drawn_means(shape: Shape, weight: FloatArray, n: float, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return means of drawn values and the squares of their errors; those of many are drawn by their moments."""
    if len(weight) <= _FEW:
        x = shape.values[rng.integers(len(shape.values), size=(_RESAMPLES, len(weight)))]
        return _means(weight.sum(), (weight**2).sum(), x @ weight, x**2 @ weight)
    z, other = rng.standard_normal((2, _RESAMPLES))
    mean = (z + shape.skewness / (6 * math.sqrt(n)) * (z**2 - 1)) / math.sqrt(n)
    # The variance of n values has a relative error of this size, and a correlation with their mean.
    error = math.sqrt(math.log1p(shape.spread**2 / n))
    correlation = min(1.0, max(-1.0, shape.skewness / shape.spread)) if shape.spread > 0 else 0.0
    apart = correlation * z + math.sqrt(1 - correlation**2) * other
    return mean, np.exp(error * apart - error**2 / 2) / n


def _tail(statistic: FloatArray, apart: float, freedom: float) -> float:
    """Return which share of the statistics is at least so large, also where that is less than one of them.

    Far from its center, the distribution is that of Student's t, stretched so that it fits where there are enough.
    """
    beyond = int((statistic >= apart).sum())
    edge = float(np.partition(statistic, -_ENOUGH)[-_ENOUGH])
    if beyond >= _ENOUGH or not 0 < edge < math.inf:
        return (1 + beyond) / (1 + len(statistic))
    stretched = apart / edge * float(t.isf(_ENOUGH / len(statistic), freedom))
    return float(t.sf(stretched, freedom))


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
