"""The interval of a mean covers as often as it says, for skewed values and few of them, and is Student's otherwise."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from hedgerow.evidence.skewed_means import mean_interval


def interval(values, level=0.95):
    return mean_interval(values, np.ones(len(values)), level)


@pytest.mark.parametrize(("draw", "true"), [("normal", 0.0), ("exponential", 1.0), ("lognormal", np.exp(0.5))])
@pytest.mark.parametrize("n", [10, 20, 80])
def test_the_interval_of_a_mean_covers_as_often_as_it_says(draw, true, n):
    rng = np.random.default_rng(0)
    found = [interval(getattr(rng, draw)(size=n)) for _ in range(600)]
    assert np.mean([one.low <= true <= one.high for one in found]) == pytest.approx(0.95, abs=0.025)


def test_so_does_that_of_counts_and_of_weighted_values():
    rng = np.random.default_rng(1)
    counts = [interval(rng.poisson(2, size=15)) for _ in range(600)]
    assert np.mean([one.low <= 2 <= one.high for one in counts]) == pytest.approx(0.95, abs=0.03)
    weighted = [mean_interval(rng.exponential(size=15), rng.uniform(0.5, 1.5, size=15)) for _ in range(600)]
    assert np.mean([one.low <= 1 <= one.high for one in weighted]) == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_the_interval_of_symmetric_values_is_that_of_student(level):
    values = np.array([1.0, 2.0, 5.0, 8.0, 9.0])
    student = ttest_1samp(values, 0).confidence_interval(level)
    assert (interval(values, level).low, interval(values, level).high) == pytest.approx(tuple(student))


def test_the_interval_of_many_values_is_nearly_that_of_student():
    values = np.random.default_rng(0).exponential(size=100_000)
    student = ttest_1samp(values, 0).confidence_interval(0.95)
    reach = (student.high - student.low) / 2
    assert interval(values).low == pytest.approx(student.low, abs=0.02 * reach)
    assert interval(values).high == pytest.approx(student.high, abs=0.02 * reach)


def test_the_interval_is_longer_towards_the_long_tail_and_mirrors_with_the_values():
    values = np.random.default_rng(0).exponential(size=12)
    one, other = interval(values), interval(-values)
    assert one.high - one.value > 1.5 * (one.value - one.low)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_a_higher_level_has_a_longer_interval_on_both_sides():
    values = np.array([0.0, 0.0, 0.0, 1.0, 9.0])
    found = [interval(values, level) for level in (0.5, 0.9, 0.99, 0.9999)]
    assert sorted(found, key=lambda one: -one.low) == found == sorted(found, key=lambda one: one.high)


def test_one_value_says_nothing_about_the_mean_and_equal_values_say_all():
    one = interval(np.array([3.0]))
    assert (one.value, one.low, one.high) == (3.0, -np.inf, np.inf)
    same = interval(np.full(5, 3.0))
    assert (same.value, same.low, same.high) == (3.0, 3.0, 3.0)


@pytest.mark.parametrize("weight", [[1.0, 1e-3, 1e-3], [1.0, 1e-12, 1e-15], [1.0, 1e-200, 1e-200]])
def test_if_one_row_has_nearly_all_weight_the_interval_is_hardly_bounded(weight):
    found = mean_interval(np.array([1.0, 2.0, 4.0]), np.array(weight))
    assert found.low <= found.value <= found.high
    assert found.high - found.low > 1e100
