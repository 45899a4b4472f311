"""The spread of a column is the distance between two quantiles, unless these are equal."""

import math

import numpy as np

from hedgerow.evidence.spreads import Spread


def test_the_spread_is_between_the_quantiles_of_5_and_95_percent():
    values = np.random.default_rng(0).normal(size=500)
    low, high = np.quantile(values, [0.05, 0.95])
    assert Spread.of(values).unit == high - low
    assert not Spread.of(values).is_whole


def test_a_column_that_is_nearly_always_zero_has_the_range_as_its_spread():
    values = np.array([0.0] * 98 + [3.0, 8.0])
    assert Spread.of(values) == Spread(8.0, 0.0, True, True)


def test_missing_and_infinite_values_do_not_count_and_equal_ones_have_no_spread():
    assert Spread.of(np.array([1.0, np.nan, 2.0, np.inf, 3.0])) == Spread.of(np.array([1.0, 2.0, 3.0]))
    assert math.isnan(Spread.of(np.array([2.0, 2.0])).unit)
    assert Spread.of(np.array([2.0, 2.0])).is_known
    assert not Spread.of(np.array([np.nan])).is_known
