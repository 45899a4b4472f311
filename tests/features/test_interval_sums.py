"""Each order of summation gives the digits of its library."""

import numpy as np
from aeon.utils.numba.stats import row_mean, row_slope, row_std
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sktime.utils.slope_and_trend import _slope
from small_series import cubes, drawn_series, quick

from hedgerow.features import IntervalStatistic


@given(drawn_series(), st.integers(0, 5), st.integers(2, 8))
@quick
def test_statistics_are_those_of_the_libraries(data, start, length):
    X = cubes(data[0])
    part = X[:, 0, start : start + length]
    size = 1e-6 * np.abs(part).max()
    own = {
        ("mean", "pairwise"): part.mean(axis=1),
        ("std", "pairwise"): part.std(axis=1),
        ("slope", "pairwise"): _slope(part, axis=1),
        ("mean", "parallel"): row_mean(part),
        ("std", "parallel"): row_std(part),
        ("slope", "parallel"): row_slope(part),
    }
    for (statistic, order), expected in own.items():
        feature = IntervalStatistic(0, start, min(start + length, X.shape[2]), statistic, order)
        assert_array_equal(feature.compute(X), expected)
        one_by_one = IntervalStatistic(0, start, min(start + length, X.shape[2]), statistic, "sequential")
        assert_allclose(one_by_one.compute(X), expected, rtol=1e-6, atol=size)


def test_a_slope_is_a_slope():
    X = np.array([[0.0, 1.0, 3.0, 5.0, 0.0], [0.0, 2.0, 2.0, 2.0, 0.0]])
    for order in ("pairwise", "sequential", "parallel"):
        assert_allclose(IntervalStatistic(0, 1, 4, "slope", order).compute(X), [2, 0])
        assert_array_equal(IntervalStatistic(0, 1, 2, "slope", order).compute(X), [0, 0])
