"""The best match of a shapelet is found, whatever the series hold."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow.features import ShapeletDistance, shapelet_search


@pytest.mark.parametrize("metric", ["euclidean", "scaled_euclidean"])
def test_a_series_with_nan_has_no_distance_and_leaves_the_others_theirs(metric):
    X = np.random.default_rng(0).normal(size=(4, 12))
    feature = ShapeletDistance(0, (0.5, -0.2, 0.1), metric)
    expected = feature.compute(X)
    X[[1, 3], 4] = np.nan
    expected[[1, 3]] = np.nan
    assert_array_equal(feature.compute(X), expected)


def test_flat_series_are_looked_at_some_stretches_at_a_time(monkeypatch):
    monkeypatch.setattr(shapelet_search, "_AT_A_TIME", 10)
    X = np.zeros((3, 40))
    X[1, 20] = 1.0
    feature = ShapeletDistance(0, (0.0, 1.0, 0.0, 0.0))
    distances, begin = feature.match(X)
    assert distances.tolist() == [1.0, 0.0, 1.0]
    assert begin.tolist() == [0, 19, 0]


@pytest.mark.parametrize("search", [shapelet_search.PlainSearch, shapelet_search.ScaledSearch])
def test_a_shapelet_cut_out_of_a_series_is_found_where_it_was(search):
    series = np.random.default_rng(0).normal(size=(3, 30)) + np.array([[0.0], [1e3], [-5.0]])
    for row, begin in ((0, 0), (1, 12), (2, 24)):
        squares, where = search(series).match(series[row, begin : begin + 6])
        assert where[row] == begin
        assert_allclose(squares[row], 0, atol=1e-9)
        assert np.delete(squares, row).min() > 0.1
