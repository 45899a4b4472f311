"""Statistics of intervals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from small_series import planted

from hedgerow import InvalidDataError
from hedgerow.features import IntervalStatistic


def test_statistics_are_equal_if_they_compute_the_same():
    assert IntervalStatistic(0, 1, 3, "mean") == IntervalStatistic(0, 1, 3, "mean", name="m")
    assert IntervalStatistic(0, 1, 3, "mean") != IntervalStatistic(0, 1, 3, "std")
    assert IntervalStatistic(0, 1, 3, "mean") != IntervalStatistic(1, 1, 3, "mean")


def test_statistics_name_themselves():
    assert IntervalStatistic(0, 1, 3, "mean").name == "mean(x[1:3])"
    assert IntervalStatistic(2, 1, 3, "slope").name == "slope(x2[1:3])"


def test_variance_is_the_square_of_the_standard_deviation():
    X, _ = planted()
    variance, std = (IntervalStatistic(0, 3, 9, kind).compute(X) for kind in ("variance", "std"))
    assert_allclose(variance, std**2)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: IntervalStatistic(0, 1, 3, "median"), "one of mean, std, variance, slope; got 'median'"),
        (lambda: IntervalStatistic(0, 1, 3, "mean", "sideways"), "'sideways'"),
        (lambda: IntervalStatistic(0, 3, 3, "mean"), "before its end; got 3:3"),
    ],
)
def test_statistics_that_do_not_exist_are_refused(make, why):
    with pytest.raises(InvalidDataError, match=why):
        make()


def test_an_interval_beyond_the_series_is_refused():
    with pytest.raises(InvalidDataError, match="needs series of at least 50 steps; got 20"):
        IntervalStatistic(0, 5, 50, "mean").compute(np.zeros((2, 20)))


def test_a_sketch_is_the_line_that_the_statistic_stands_for():
    series = np.array([9.0, 1.0, 3.0, 5.0, 9.0])
    slope = IntervalStatistic(0, 1, 4, "slope").sketch(series, value=2.0)
    assert (slope.start, slope.found.tolist(), slope.spread, slope.is_interval) == (1, [1.0, 3.0, 5.0], 0.0, True)
    spread = IntervalStatistic(0, 1, 4, "std").sketch(series, value=1.6)
    assert spread.found.tolist() == [3.0, 3.0, 3.0]
    assert_allclose(spread.spread, np.sqrt(8 / 3))
