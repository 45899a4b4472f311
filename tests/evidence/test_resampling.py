"""Tests of means hold for skewed values, too, and are those of Welch for normal values and for many rows."""

import numpy as np
import pytest
from scipy.stats import kurtosis, permutation_test, skew, ttest_ind

from hedgerow.evidence.resampling import drawn_test, shape_of, shuffled_tests
from hedgerow.evidence.statistics import Group, group_of, mean_test


def shape(values):
    return shape_of(values, np.ones(len(values)), np.zeros(len(values), dtype=int))


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


def test_a_mean_beside_a_summary_is_tested_as_welch_does_if_the_values_are_normal():
    rng = np.random.default_rng(0)
    other, values = Group(500, 0.3, 1.0), rng.normal(size=60)
    welch = mean_test(group_of(values, np.ones(60)), other)
    found = drawn_test(values, np.ones(60), other, shape(rng.normal(size=1000)))
    assert welch <= found == pytest.approx(welch, abs=0.01)
    assert np.isnan(drawn_test(values[:1], np.ones(1), other, values))


@pytest.mark.parametrize("n", [8, 120])
def test_of_skewed_groups_with_equal_means_few_are_said_to_differ(n):
    rng = np.random.default_rng(1)
    all_rows, found, welch = shape(rng.exponential(size=300)), [], []
    for _ in range(250):
        values, trained = rng.exponential(size=n), rng.exponential(size=10 * n)
        other = Group(10 * n, trained.mean(), trained.std(ddof=1))
        found.append(drawn_test(values, np.ones(n), other, all_rows))
        welch.append(mean_test(group_of(values, np.ones(n)), other))
    assert np.mean(np.array(found) < 0.01) <= 0.02
    assert n > 8 or np.mean(np.array(welch) < 0.01) > 0.025


@pytest.mark.parametrize("n", [30, 1500])
def test_a_large_difference_has_a_p_value_far_below_the_number_of_draws(n):
    values = np.random.default_rng(0).normal(size=n)
    other = Group(5000, values.mean() + 7 * values.std(ddof=1) / np.sqrt(n), 1.0)
    welch = mean_test(group_of(values, np.ones(n)), other)
    found = drawn_test(values, np.ones(n), other, shape(values))
    assert welch < 1e-5
    assert welch <= found <= 30 * welch


def test_groups_of_values_that_are_drawn_alike_but_for_their_scale_have_their_common_shape():
    rng = np.random.default_rng(0)
    values = [10 + rng.exponential(size=4000), -100 * rng.exponential(size=3000), np.full(500, 0.1)]
    which = np.repeat([0, 1, 3], [4000, 3000, 500])
    values[1] *= -1
    common = shape_of(np.concatenate(values), np.ones(7500), which)
    assert len(common.values) == 7000
    assert (common.values.mean(), common.values.std()) == pytest.approx((0, 1))
    assert common.skewness == pytest.approx(skew(common.values)) == pytest.approx(2, abs=0.3)
    assert common.spread**2 == pytest.approx(kurtosis(common.values, fisher=False) - 1)
    assert len(shape(values[2]).values) == 0


def test_rows_count_by_their_weight_also_where_means_are_drawn():
    rng = np.random.default_rng(0)
    values, other, common = rng.normal(size=50), Group(400, 0.5, 1.0), shape(rng.normal(size=500))
    weight = np.where(np.arange(50) < 12, 1.0, 1e-9)
    found = drawn_test(values, weight, other, common)
    assert found == pytest.approx(drawn_test(values[:12], np.ones(12), other, common), rel=0.3, abs=0.02)


@pytest.mark.parametrize("unit", [1e-100, 1e140])
def test_a_p_value_does_not_depend_on_the_unit(unit):
    values, other = np.random.default_rng(0).exponential(size=9), Group(400, 2.0, 1.0)
    found = drawn_test(values, np.ones(9), other, shape(values))
    assert 0 < found < 1
    other = Group(400, 2.0 * unit, unit)
    assert drawn_test(values * unit, np.ones(9), other, shape(values)) == pytest.approx(found, rel=1e-6)
