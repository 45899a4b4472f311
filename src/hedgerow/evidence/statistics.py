"""Intervals and tests for shares and means, and the correction for many tests: shared by all evidence.

A group of rows is summarized by its number, its mean and its spread; a share is the mean of zeros and ones. Weighted
rows count as their effective number, (Σw)² / Σw² (Kish).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2, chi2_contingency, fisher_exact, norm, ttest_ind_from_stats

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.checks import is_number
from hedgerow.exceptions import InvalidParameterError

#: The level of intervals, and 1 - the level of tests, unless another one is asked for.
LEVEL = 0.95
#: If no cell of a table is expected to hold fewer, the chi-squared test is as good as Fisher's, which takes longer.
_MANY = 200.0
#: How far a count may be from an integer, and a share from 0 or 1.
_NEARLY, _TINY = 1e-6, 1e-12


@dataclass(frozen=True)
class Estimate:
    """A share or a mean with the ends of its interval; without rows, the value is NaN."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Group:
    """Some rows: their effective number, the mean of what is measured, and its standard deviation."""

    n: float
    mean: float
    spread: float = math.nan

    def share(self, level: float = LEVEL) -> Estimate:
        """Return the mean of zeros and ones with its interval."""
        return Estimate(self.mean, *wilson(self.mean, self.n, level))

    def between(self, lower: float, upper: float) -> Estimate:
        """Return the mean with an interval that reaches from so many to so many standard errors beyond it."""
        error = self.spread / math.sqrt(self.n)
        return Estimate(self.mean, self.mean + lower * error, self.mean + upper * error)


def check_level(level: Any) -> float:
    """Return the level of intervals; refuse what is not a share between one half and 1."""
    if not is_number(level) or not 0.5 <= level < 1:
        raise InvalidParameterError(
            f"level must be a number from 0.5 to less than 1, such as 0.95; got {level!r}.", parameter="level"
        )
    return float(level)


def effective_number(total: Any, squares: Any) -> Any:
    """Return the effective number of rows from the sums of their weights and of the squares of these; 0 for none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.asarray(squares) > 0, np.square(total) / squares, 0.0)


def wilson(share: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Return Wilson's interval for a share of n rows, which does not shrink to nothing at 0 and 1.

    Of the usual intervals, it is the one whose coverage is closest to its level for few rows, averaged over rates
    (``python -m benchmarks.evidence``).

    >>> [round(end, 3) for end in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    if not n > 0:
        return 0.0, 1.0
    z = float(norm.ppf((1 + level) / 2))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(max(share * (1 - share), 0.0) / n + z * z / (4 * n * n))
    low, high = middle - reach, middle + reach
    # At 0 and 1 an end of the interval is exactly there, but for rounding.
    return (low if low > _TINY else 0.0), (high if high < 1 - _TINY else 1.0)


def share_test(a: Group, b: Group) -> float:
    """Return the two-sided p-value for two equal shares; NaN if a group is empty.

    Fisher's exact test for counts. For many rows, and for weighted ones, the chi-squared test with the factor
    (n - 1) / n, which holds its level for few rows as well.

    >>> round(share_test(Group(10, 0.9), Group(10, 0.2)), 4)
    0.0055
    """
    if not (a.n > 0 and b.n > 0):
        return math.nan
    total = a.n + b.n
    pooled = min(1.0, max(0.0, (a.n * a.mean + b.n * b.mean) / total))
    if min(a.n, b.n) * min(pooled, 1 - pooled) < _MANY and _is_count(a) and _is_count(b):
        hits = [round(group.n * group.mean) for group in (a, b)]
        table = [[hit, round(group.n) - hit] for hit, group in zip(hits, (a, b), strict=True)]
        return float(fisher_exact(table).pvalue)
    variance = pooled * (1 - pooled) * (1 / a.n + 1 / b.n)
    if variance <= 0:
        return 1.0
    return float(chi2.sf((a.mean - b.mean) ** 2 / variance * (total - 1) / total, 1))


def group_of(values: FloatArray, weight: FloatArray) -> Group:
    """Return the effective number, the mean and the spread of weighted values."""
    total = float(weight.sum())
    if not total > 0:
        return Group(0.0, math.nan)
    n = float(effective_number(total, float((weight**2).sum())))
    mean = float(weight @ values / total)
    spread = math.sqrt(float(weight @ (values - mean) ** 2) / total * n / (n - 1)) if n > 1 else math.nan
    return Group(n, mean, spread)


def mean_test(a: Group, b: Group) -> float:
    """Return the two-sided p-value for two equal means, from Welch's t test; NaN with fewer than two rows in a group.

    >>> round(mean_test(Group(10, 5.0, 1.0), Group(20, 6.0, 2.0)), 4)
    0.0786
    """
    if not (a.n > 1 and b.n > 1) or math.isnan(a.spread) or math.isnan(b.spread):
        return math.nan
    if a.spread <= 0 and b.spread <= 0:
        return 1.0 if math.isclose(a.mean, b.mean, rel_tol=_NEARLY) else 0.0
    unit = max(a.spread, b.spread)  # so that the squares of squares of very large or small numbers are numbers
    (mean_a, spread_a), (mean_b, spread_b) = ((one.mean / unit, one.spread / unit) for one in (a, b))
    return float(ttest_ind_from_stats(mean_a, spread_a, a.n, mean_b, spread_b, b.n, equal_var=False).pvalue)


def same_distribution_test(a: AnyArray, b: AnyArray) -> float:
    """Return the p-value of the chi-squared test that two rows of counts come from one distribution; NaN if empty."""
    table = np.array([a, b], dtype=np.float64)
    table = table[:, table.sum(axis=0) > 0]
    if not table.sum(axis=1).all():
        return math.nan
    if table.shape[1] < 2:
        return 1.0
    if table.shape[1] == 2:
        n = table.sum(axis=1)
        return share_test(*(Group(float(n[i]), float(table[i, 0] / n[i])) for i in (0, 1)))
    return float(chi2_contingency(table, correction=False).pvalue)


def holm(p_values: Any) -> FloatArray:
    """Return p-values corrected for their number by Holm's step-down procedure.

    The k-th smallest of m is multiplied by m − k + 1; none becomes smaller than an earlier one, or larger than 1. NaN
    stands for a test that could not be made: it stays, and does not count.
    """
    shape = np.shape(p_values)
    p = np.ravel(np.asarray(p_values, dtype=float))
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    stepped = np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1))
    corrected = np.full(p.shape, np.nan)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected.reshape(shape)


def _is_count(group: Group) -> bool:
    return all(abs(value - round(value)) < _NEARLY for value in (group.n, group.n * group.mean))
