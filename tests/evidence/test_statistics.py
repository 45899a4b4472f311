"""Intervals and tests give what other implementations give, and hold their level where rows are few."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, chi2_contingency, fisher_exact, ttest_ind

from hedgerow import InvalidParameterError
from hedgerow.evidence.statistics import (
    Group,
    check_level,
    effective_number,
    group_of,
    holm,
    mean_test,
    same_distribution_test,
    share_test,
    wilson,
)


def coverage(n, rates):
    """Return how often the interval for a share of n rows contains the rate, exactly, for each rate."""
    ends = np.array([wilson(k / n, n) for k in range(n + 1)])
    inside = (ends[:, :1] <= rates) & (rates <= ends[:, 1:])
    return (binom.pmf(np.arange(n + 1)[:, None], n, rates) * inside).sum(axis=0)


@pytest.mark.parametrize(("share", "n", "level"), [(0.5, 10, 0.95), (0.0, 3, 0.9), (1.0, 3, 0.95), (0.9, 1000, 0.99)])
def test_the_interval_of_a_share_is_that_of_scipy(share, n, level):
    theirs = binomtest(round(share * n), n).proportion_ci(level, method="wilson")
    assert wilson(share, n, level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("n", [10, 20, 50, 200])
def test_the_interval_of_a_share_covers_as_often_as_it_says_averaged_over_rates(n):
    assert coverage(n, np.linspace(0.5, 0.98, 501)).mean() == pytest.approx(0.95, abs=0.015)


def test_without_rows_a_share_may_be_anything():
    assert wilson(float("nan"), 0) == (0.0, 1.0)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_counts_are_compared_by_fishers_exact_test(n, m, data):
    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    theirs = fisher_exact([[a, n - a], [b, m - b]]).pvalue
    assert share_test(Group(n, a / n), Group(m, b / m)) == pytest.approx(theirs)


def test_many_rows_are_compared_by_the_chi_squared_test():
    theirs = chi2_contingency([[5200, 4800], [5100, 4900]], correction=False).pvalue
    assert share_test(Group(10_000, 0.52), Group(10_000, 0.51)) == pytest.approx(theirs, rel=1e-3)


def test_means_are_compared_by_welchs_test_and_weights_of_one_change_nothing():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=12), rng.normal(0.5, 2, size=30)
    groups = [group_of(values, np.ones(len(values))) for values in (a, b)]
    assert mean_test(*groups) == pytest.approx(ttest_ind(a, b, equal_var=False).pvalue)
    assert mean_test(Group(5, 1.0, 0.0), Group(5, 1.0, 0.0)) == 1
    assert mean_test(Group(5, 1.0, 0.0), Group(5, 2.0, 0.0)) == 0
    assert np.isnan(mean_test(Group(1, 1.0), groups[0]))


def test_a_row_of_weight_two_is_not_two_rows():
    assert effective_number(4.0, 6.0) == pytest.approx(16 / 6)  # weights 1, 1, 2
    assert effective_number(0.0, 0.0) == 0


def test_several_counts_are_compared_by_the_chi_squared_test_and_empty_columns_do_not_count():
    theirs = chi2_contingency([[30, 50, 20], [40, 40, 20]]).pvalue
    assert same_distribution_test([30, 50, 20, 0], [40, 40, 20, 0]) == pytest.approx(theirs)
    assert same_distribution_test([3, 0], [5, 0]) == 1
    assert np.isnan(same_distribution_test([3, 1], [0, 0]))


def test_a_test_that_could_not_be_made_does_not_count():
    assert holm([[0.02, np.nan], [0.03, np.nan]]) == pytest.approx(
        np.array([[0.04, np.nan], [0.04, np.nan]]), nan_ok=True
    )


@pytest.mark.parametrize("level", [0.3, 1, "0.9", None, True])
def test_a_level_that_is_not_a_share_is_refused(level):
    with pytest.raises(InvalidParameterError, match=r"level must be a number from 0\.5"):
        check_level(level)


def test_holm_by_hand():
    # 0.01 · 3, then 0.03 · 2, then 0.04 · 1, which may not be smaller than the one before.
    assert holm([0.03, 0.01, 0.04]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_its_definition_rejects(p_values):
    # Holm 1979: go up the sorted p-values while p_(k) < α / (m − k + 1).
    alpha, m = 0.05, len(p_values)
    rejected, order = np.zeros(m, dtype=bool), np.argsort(p_values, kind="stable")
    for k, i in enumerate(order):
        if not p_values[i] * (m - k) < alpha:
            break
        rejected[i] = True
    assert ((holm(p_values) < alpha) == rejected).all()
