"""Distances from shapelets are what their definitions and their libraries say."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from small_series import cubes, drawn_series, planted, quick

from hedgerow import InvalidDataError
from hedgerow.features import IntervalStatistic, SeriesInputs, ShapeletDistance

METRICS = ("euclidean", "scaled_euclidean")
needs_wildboar = pytest.mark.skipif(sys.version_info < (3, 12), reason="wildboar's releases for 3.11 are too old")


def scaled(stretch):
    return (stretch - stretch.mean()) / (stretch.std() or 1.0)


@pytest.mark.parametrize("metric", METRICS)
def test_distance_is_the_smallest_over_all_stretches(metric):
    X, _ = planted(n=10)
    shapelet = X[3, 5:12]
    prepare = scaled if metric == "scaled_euclidean" else np.asarray
    expected = [[np.linalg.norm(prepare(row[i : i + 7]) - prepare(shapelet)) for i in range(len(row) - 6)] for row in X]
    distances, where = ShapeletDistance(0, tuple(shapelet), metric).match(X)
    assert_allclose(distances, np.min(expected, axis=1), atol=1e-7)
    assert_array_equal(where, np.argmin(expected, axis=1))
    assert where[3] == 5


@pytest.mark.parametrize("metric", METRICS)
@given(data=drawn_series(), start=st.integers(0, 5), length=st.integers(1, 8))
@quick
def test_distance_is_that_of_the_library(metric, data, start, length):
    if sys.version_info < (3, 12):
        pytest.importorskip("wildboar")
    from wildboar.distance import pairwise_subsequence_distance

    X = cubes(data[0])
    shapelet = X[0, -1, start : start + length]
    # Its function takes the deviation of a shapelet otherwise than its trees do, where rounding is all there is to it.
    if metric == "scaled_euclidean" and shapelet.std() < 1e-4 * max(1, np.abs(shapelet).max()):
        return
    own = pairwise_subsequence_distance(shapelet, np.ascontiguousarray(X[:, -1]), metric=metric)
    distances = ShapeletDistance(X.shape[1] - 1, tuple(shapelet), metric).compute(X)
    assert_allclose(distances, own.ravel(), rtol=1e-6, atol=0 if metric == "euclidean" else 1e-6)


def warped(a, b):
    """Return the distance of dynamic time warping, by its definition."""
    cost = np.full((len(a) + 1, len(b) + 1), np.inf)
    cost[0, 0] = 0
    for i, j in np.ndindex(len(a), len(b)):
        cost[i + 1, j + 1] = (a[i] - b[j]) ** 2 + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    return np.sqrt(cost[-1, -1])


DEFINITIONS = {
    ("manhattan", ()): lambda a, b: np.abs(a - b).sum(),
    ("minkowski", (("p", 3.0),)): lambda a, b: (np.abs(a - b) ** 3).sum() ** (1 / 3),
    ("chebyshev", ()): lambda a, b: np.abs(a - b).max(),
    ("cosine", ()): lambda a, b: 1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b),
    ("normalized_euclidean", ()): lambda a, b: np.sqrt(np.var(a - b) / (np.var(a) + np.var(b)) / 2),
    ("mass", ()): lambda a, b: np.linalg.norm(scaled(a) - scaled(b)),
    ("scaled_manhattan", ()): lambda a, b: np.abs(scaled(a) - scaled(b)).sum(),
    ("dtw", ()): warped,
}


@needs_wildboar
@pytest.mark.parametrize("n_dimensions", [None, 2])
@pytest.mark.parametrize(("metric", "definition"), DEFINITIONS.items(), ids=lambda value: str(value)[:20])
def test_other_distances_are_what_their_names_say(metric, definition, n_dimensions):
    X, _ = planted(n=8, n_dimensions=n_dimensions)
    dimension, one = X.ndim - 2, X if X.ndim == 2 else X[:, 1]
    shapelet = one[3, 5:12]
    expected = np.array([[definition(row[i : i + 7], shapelet) for i in range(len(row) - 6)] for row in one])
    distances, where = ShapeletDistance(dimension, tuple(shapelet), metric[0], metric_params=metric[1]).match(X)
    assert_allclose(distances, expected.min(axis=1), atol=1e-4 if metric[0] == "mass" else 1e-7)
    assert_array_equal(where, expected.argmin(axis=1))


@needs_wildboar
def test_distances_together_are_those_one_by_one():
    X, _ = planted(n=8, n_dimensions=2)
    features = (
        *(
            ShapeletDistance(dimension, tuple(X[0, dimension, start : start + length]), metric)
            for dimension in (0, 1)
            for metric in ("dtw", "scaled_msm", "euclidean")
            for start, length in ((2, 5), (4, 5), (1, 9))
        ),
        IntervalStatistic(1, 2, 5, "mean"),
        ShapeletDistance(0, (0.0, 1.0, 2.0), "dtw", metric_params=(("r", 0.5),)),
    )
    inputs = SeriesInputs(features, np.float64, n_dimensions=2, length=24)
    assert_array_equal(inputs.matrix(X), np.column_stack([feature.compute(X) for feature in features]))
    assert_array_equal(inputs.values(X, features[:2])[features[1]], features[1].compute(X))


@needs_wildboar
def test_the_distances_of_no_series_are_none():
    distances, where = ShapeletDistance(0, (1.0, 2.0), "dtw").match(np.empty((0, 5)))
    assert distances.shape == where.shape == (0,)


@needs_wildboar
def test_numbers_too_large_for_a_distance_are_refused():
    feature = ShapeletDistance(0, (1.0, 2.0), "minkowski", metric_params=(("p", 3.0),))
    X = np.full((2, 5), 1e120)
    assert_array_equal(feature.match(X)[1], [0, 0])
    with pytest.raises(InvalidDataError, match="too large"):
        SeriesInputs((feature,), np.float64, length=5).matrix(X)


def test_shapelets_are_equal_if_they_compute_the_same():
    assert ShapeletDistance(0, (1.0, 2.0)) == ShapeletDistance(0, (1.0, 2.0), name="d")
    assert ShapeletDistance(0, (1.0, 2.0)) != ShapeletDistance(0, (1.0, 2.0), "scaled_euclidean")
    one, same, other = (
        ShapeletDistance(0, (1.0, 2.0), "adtw", metric_params=parameters)
        for parameters in ((("r", 1), ("p", 0.5)), (("p", 0.5), ("r", 1.0)), (("p", 0.5),))
    )
    assert one == same != other
    assert hash(one) == hash(same)


def test_a_shapelet_may_come_as_an_array():
    assert ShapeletDistance(0, np.array([1.0, 2.0])) == ShapeletDistance(0, [1, 2]) == ShapeletDistance(0, (1.0, 2.0))
    assert hash(ShapeletDistance(0, [1, 2])) == hash(ShapeletDistance(0, (1.0, 2.0)))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: ShapeletDistance(0, ()), "at least one number"),
        (lambda: ShapeletDistance(0, (np.nan,)), "none of them NaN"),
    ],
)
def test_a_shapelet_is_some_numbers(make, why):
    with pytest.raises(InvalidDataError, match=why):
        make()


def test_a_shapelet_longer_than_the_series():
    with pytest.raises(InvalidDataError, match="needs series of at least 3 steps; got 2"):
        ShapeletDistance(0, (1.0, 2.0, 3.0)).compute(np.zeros((1, 2)))


def test_a_sketch_is_the_shapelet_where_it_matches_best():
    series = np.array([0.0, 0.0, 1.0, 3.0, 1.0, 0.0])
    plain = ShapeletDistance(1, (1.0, 2.0, 1.0)).sketch(series, value=1.0)
    assert (plain.start, plain.found.tolist(), plain.is_interval) == (2, [1.0, 2.0, 1.0], False)
    scaled_to_it = ShapeletDistance(1, (1.0, 2.0, 1.0), "scaled_euclidean").sketch(series, value=0.0)
    assert_allclose(scaled_to_it.found, [1.0, 3.0, 1.0])


def test_another_number_changes_the_name_of_the_shapelet_alone():
    feature = ShapeletDistance(0, (1.0, 2.0), name="dist(x, s3)")
    assert feature.with_number(12).name == "dist(x, s12)"
    assert feature.with_number(12) == feature


def test_a_form_asks_for_the_series_if_the_page_can_compute_the_distance():
    entry = ShapeletDistance(2, (1.0, 3.0), "scaled_euclidean").form_entry
    assert (entry.place, entry.recipe.field_kind, entry.recipe.shapelet) == (2, "series", (-1.0, 1.0))
    entry = ShapeletDistance(2, (1.0, 3.0), "dtw").form_entry
    assert (entry.place, entry.recipe.field_kind) == (None, "number")
