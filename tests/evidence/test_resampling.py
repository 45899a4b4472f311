"""Intervals and tests of means hold for skewed values, too, and are those of Student and Welch for many rows."""

import numpy as np
import pytest
from scipy.stats import permutation_test, ttest_ind

from hedgerow.evidence.resampling import bootstrap_test, mean_interval, shuffled_tests
from hedgerow.evidence.statistics import Group, group_of, mean_test


def interval(values):
    return mean_interval(values, np.ones(len(values)))


@pytest.mark.parametrize("draw", ["normal", "exponential"])
def test_the_interval_of_a_mean_of_ten_values_covers_as_often_as_it_says(draw):
    rng, true = np.random.default_rng(0), {"normal": 0.0, "exponential": 1.0}[draw]
    found = [interval(getattr(rng, draw)(size=10)) for _ in range(400)]
    assert np.mean([one.low <= true <= one.high for one in found]) == pytest.approx(0.95, abs=0.03)


def test_the_interval_of_a_mean_of_many_values_is_that_of_student():
    values = np.random.default_rng(0).normal(3, 2, size=5000)
    reach = 1.9604 * values.std(ddof=1) / np.sqrt(5000)
    assert interval(values).low == pytest.approx(values.mean() - reach, rel=1e-4)
    few = interval(values[:500])
    assert few.high - few.low == pytest.approx(2 * 1.965 * values[:500].std(ddof=1) / np.sqrt(500), rel=0.06)


def test_one_value_says_nothing_about_the_mean_and_equal_values_say_all():
    one = interval(np.array([3.0]))
    assert (one.value, one.low, one.high) == (3.0, -np.inf, np.inf)
    same = interval(np.full(5, 3.0))
    assert (same.value, same.low, same.high) == (3.0, 3.0, 3.0)


def test_shuffled_means_give_the_p_value_that_scipy_computes_from_all_permutations():
    values = np.array([1.0, 2.5, 4.0, 9.0, 2.0, 7.0, 8.5, 6.0])
    which = np.array([0, 0, 0, 0, 1, 1, 1, 1])

    def distance(a, b):
        return abs(ttest_ind(a, b, equal_var=False).statistic)

    exact = permutation_test((values[:4], values[4:]), distance, alternative="greater", n_resamples=np.inf).pvalue
    found = shuffled_tests(values, np.ones(8), which, 2)
    assert found == pytest.approx([exact, exact], abs=0.02)


def test_groups_of_one_row_and_groups_that_have_all_rows_are_not_tested():
    assert np.isnan(shuffled_tests(np.arange(5.0), np.ones(5), np.array([0, 1, 1, 1, 1]), 3)).all()
    assert np.isnan(shuffled_tests(np.arange(5.0), np.ones(5), np.zeros(5, dtype=int), 1)).all()


@pytest.mark.parametrize("n_own", [300, 1500])
def test_with_many_rows_the_p_value_is_that_of_welch(n_own):
    rng = np.random.default_rng(3)
    values, is_second = rng.normal(size=4000), (np.arange(4000) >= n_own).astype(int)
    values[:n_own] += 0.12
    welch = ttest_ind(values[:n_own], values[n_own:], equal_var=False).pvalue
    assert shuffled_tests(values, np.ones(4000), is_second, 2)[0] == pytest.approx(welch, abs=0.02)


def test_a_mean_beside_a_summary_is_tested_as_welch_does_unless_the_rows_are_skewed():
    rng = np.random.default_rng(0)
    other = Group(500, 0.3, 1.0)
    values = rng.normal(size=60)
    welch = mean_test(group_of(values, np.ones(60)), other)
    assert bootstrap_test(values, np.ones(60), other) == pytest.approx(welch, abs=0.03)
    skewed = rng.exponential(size=8) - 1
    far = Group(500, skewed.mean() + 3 * skewed.std(), 1.0)
    assert bootstrap_test(skewed, np.ones(8), far) >= mean_test(group_of(skewed, np.ones(8)), far)
    assert np.isnan(bootstrap_test(values[:1], np.ones(1), other))
