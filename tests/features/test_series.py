"""Distances, statistics of intervals, and what may be given as series."""

import sys

import numpy as np
import pandas as pd
import pytest
from aeon.classification.interval_based import TimeSeriesForestClassifier
from aeon.utils.numba.stats import row_mean, row_slope, row_std
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.frozen import FrozenEstimator
from sktime.utils.slope_and_trend import _slope
from small_series import drawn_series, planted, quick

from hedgerow import Forest, InvalidDataError, RuleListClassifier, read_forest
from hedgerow.features import IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.features.series import check_series

METRICS = ("euclidean", "scaled_euclidean")
needs_wildboar = pytest.mark.skipif(sys.version_info < (3, 12), reason="wildboar's releases for 3.11 are too old")


def cubes(X):
    return X if X.ndim == 3 else X[:, None]


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


def test_other_distances_without_wildboar(monkeypatch):
    monkeypatch.setitem(sys.modules, "wildboar.distance", None)
    X, _ = planted(n=4)
    with pytest.raises(ImportError, match=r"'dtw' is computed by wildboar: pip install wildboar\. .* euclidean"):
        ShapeletDistance(0, (1.0, 2.0), "dtw").compute(X)
    for metric in METRICS:
        assert np.isfinite(ShapeletDistance(0, (1.0, 2.0), metric).compute(X)).all()


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


def test_variance_is_the_square_of_the_standard_deviation():
    X, _ = planted()
    variance, std = (IntervalStatistic(0, 3, 9, kind).compute(X) for kind in ("variance", "std"))
    assert_allclose(variance, std**2)


def test_features_are_equal_if_they_compute_the_same():
    assert IntervalStatistic(0, 1, 3, "mean") == IntervalStatistic(0, 1, 3, "mean", name="m")
    assert IntervalStatistic(0, 1, 3, "mean") != IntervalStatistic(0, 1, 3, "std")
    assert IntervalStatistic(0, 1, 3, "mean") != IntervalStatistic(1, 1, 3, "mean")
    assert ShapeletDistance(0, (1.0, 2.0)) == ShapeletDistance(0, (1.0, 2.0), name="d")
    assert ShapeletDistance(0, (1.0, 2.0)) != ShapeletDistance(0, (1.0, 2.0), "scaled_euclidean")
    one, same, other = (
        ShapeletDistance(0, (1.0, 2.0), "adtw", metric_params=parameters)
        for parameters in ((("r", 1), ("p", 0.5)), (("p", 0.5), ("r", 1.0)), (("p", 0.5),))
    )
    assert one == same != other
    assert hash(one) == hash(same)


def test_features_name_themselves():
    assert IntervalStatistic(0, 1, 3, "mean").name == "mean(x[1:3])"
    assert IntervalStatistic(2, 1, 3, "slope").name == "slope(x2[1:3])"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: IntervalStatistic(0, 1, 3, "median"), "one of mean, std, variance, slope; got 'median'"),
        (lambda: IntervalStatistic(0, 1, 3, "mean", "sideways"), "'sideways'"),
        (lambda: IntervalStatistic(0, 3, 3, "mean"), "before its end; got 3:3"),
        (lambda: ShapeletDistance(0, (1.0,), "scaled_dtw"), "different distances"),
        (lambda: ShapeletDistance(0, (1.0,), "dwt"), "one of euclidean, .*scaled_msm.*; got 'dwt'"),
        (lambda: ShapeletDistance(0, (1.0,), metric_params=(("p", 3.0),)), "'euclidean' has no parameters; got 'p'"),
        (lambda: ShapeletDistance(0, (1.0,), "adtw", metric_params=(("q", 3.0),)), "the parameters p, r; got 'q'"),
        (lambda: ShapeletDistance(0, (1.0,), "dtw", metric_params=(("r", np.nan),)), "finite number; got nan"),
        (lambda: ShapeletDistance(0, (1.0,), "dtw", metric_params=(("r", "wide"),)), "finite number; got 'wide'"),
        (lambda: ShapeletDistance(0, (1.0,), "dtw", metric_params=(("r", 0.1), ("r", 0.2))), "given twice"),
        (lambda: ShapeletDistance(0, ()), "at least one number"),
        (lambda: ShapeletDistance(0, (np.nan,)), "none of them NaN"),
        (lambda: SeriesInputs((IntervalStatistic(0, 1, 9, "mean"),), length=8), "series longer than 8"),
        (lambda: SeriesInputs((ShapeletDistance(0, (1.0,) * 9),), length=8), "series longer than 8"),
    ],
)
def test_features_that_mean_nothing(make, why):
    with pytest.raises(InvalidDataError, match=why):
        make()


def test_a_shapelet_longer_than_the_series():
    with pytest.raises(InvalidDataError, match="length 3, longer than the series of 2"):
        ShapeletDistance(0, (1.0, 2.0, 3.0)).compute(np.zeros((1, 2)))


@pytest.fixture(scope="module")
def fitted():
    X, y = planted()
    model = TimeSeriesForestClassifier(n_estimators=5, random_state=0)
    return RuleListClassifier(model, max_rules=4, candidates="nodes").fit(X, y)


def bad_series():
    X, _ = planted(n=4)
    with_nan, with_infinity = X.copy(), X.copy()
    with_nan[2, 3], with_infinity[1, 0] = np.nan, np.inf
    nested = pd.DataFrame({"dim_0": [pd.Series(row) for row in X]})
    return [
        pytest.param(X[:, :10], "length 10, but the ensemble was trained on .* of length 24", id="short"),
        pytest.param(np.stack([X, X], axis=1), "2 dimension", id="two dimensions"),
        pytest.param(X[0], r"For a single series, pass X\[None\]", id="a vector"),
        pytest.param(X[None, None], "has the shape", id="four axes"),
        pytest.param(X[:0], "0 samples", id="empty"),
        pytest.param(X[:, :0], "has the shape", id="no numbers"),
        pytest.param(with_nan, "NaN.* in 1 series, the first of them at index 2", id="NaN"),
        pytest.param(with_infinity, "infinity.* in 1 series, the first of them at index 1", id="infinity"),
        pytest.param(X * 1e160, r"beyond 1e\+150 in 4 series", id="too large"),
        pytest.param([[1.0, 2.0], [1.0]], "same length", id="ragged list"),
        pytest.param([X[0], X[0, :5]], "same length", id="ragged arrays"),
        pytest.param(np.full((4, 24), "a"), "not an array of numbers", id="text"),
        pytest.param(X + 1j, "not an array of numbers", id="complex"),
        pytest.param(nested, "nested or hierarchical frame", id="nested frame"),
        pytest.param(None, "not an array of numbers|has the shape", id="None"),
    ]


@pytest.mark.parametrize(("X", "why"), bad_series())
def test_the_estimator_refuses(fitted, X, why):
    with pytest.raises(InvalidDataError, match=why) as error:
        fitted.predict(X)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize(("X", "why"), bad_series()[2:])
def test_fit_refuses(X, why):
    with pytest.raises(InvalidDataError, match=why):
        RuleListClassifier(TimeSeriesForestClassifier(n_estimators=5)).fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("what", ["forest", "list"])
def test_forest_and_list_refuse_ragged_series_and_other_lengths(fitted, what):
    ask = fitted.forest_.apply if what == "forest" else fitted.rule_list_.predict
    with pytest.raises(InvalidDataError, match="same length"):
        ask([[1.0, 2.0], [1.0]])
    with pytest.raises(InvalidDataError, match="of length 24"):
        ask(np.zeros((2, 23)))


def test_lists_and_frames_and_other_orders_in_memory_are_the_same_series(fitted):
    X, _ = planted()
    expected = fitted.predict(X)
    for same in (X.tolist(), pd.DataFrame(X), np.asfortranarray(X), X[:, None]):
        assert_array_equal(fitted.predict(same), expected)


def test_what_is_frozen_or_read_is_known_to_take_series(fitted):
    X, y = planted()
    forest = read_forest(fitted.ensemble_)
    for ensemble in (forest, [forest, fitted.ensemble_], FrozenEstimator(fitted.ensemble_)):
        rules = RuleListClassifier(ensemble, max_rules=4, candidates="nodes").fit(X[:, None], y)
        assert rules.score(X, y) > 0.75


def test_a_forest_in_json_that_looks_beyond_the_series_is_refused(fitted):
    text = fitted.forest_.to_json()
    with pytest.raises(InvalidDataError, match="needs series longer than 5"):
        Forest.from_json(text.replace('"length": 24', '"length": 5'))
    with pytest.raises(InvalidDataError, match="'middle'"):
        Forest.from_json(text.replace('"statistic": "mean"', '"statistic": "middle"'))


@pytest.mark.parametrize("metric", ["euclidean", "scaled_euclidean"])
def test_a_series_with_nan_has_no_distance_and_leaves_the_others_theirs(metric):
    X = np.random.default_rng(0).normal(size=(4, 12))
    feature = ShapeletDistance(0, (0.5, -0.2, 0.1), metric)
    expected = feature.compute(X)
    X[[1, 3], 4] = np.nan
    expected[[1, 3]] = np.nan
    assert_array_equal(feature.compute(X), expected)


def test_flat_series_are_looked_at_some_stretches_at_a_time(monkeypatch):
    monkeypatch.setattr("hedgerow.features.shapelet_search._AT_A_TIME", 10)
    X = np.zeros((3, 40))
    X[1, 20] = 1.0
    feature = ShapeletDistance(0, (0.0, 1.0, 0.0, 0.0))
    distances, begin = feature.match(X)
    assert distances.tolist() == [1.0, 0.0, 1.0]
    assert begin.tolist() == [0, 19, 0]


@pytest.mark.parametrize(
    ("X", "said"),
    [
        (np.ma.masked_greater(np.arange(12.0).reshape(2, 6), 8), "contains NaN"),
        (np.arange(12).astype("datetime64[D]").reshape(2, 6), "not an array of numbers"),
        (np.arange(12).astype("timedelta64[D]").reshape(2, 6), "not an array of numbers"),
        (np.arange(12).astype(str).reshape(2, 6), "not an array of numbers"),
        (np.zeros((30, 0)), r"shape \(30, 0\)"),
    ],
)
def test_what_is_no_set_of_numbers_is_refused(X, said):
    with pytest.raises(InvalidDataError, match=said):
        check_series(X)


def test_an_interval_beyond_the_series_is_refused():
    with pytest.raises(InvalidDataError, match="steps up to 50, but the series have 20"):
        IntervalStatistic(0, 5, 50, "mean").compute(np.zeros((2, 20)))


def test_a_shapelet_may_come_as_an_array():
    assert ShapeletDistance(0, np.array([1.0, 2.0])) == ShapeletDistance(0, [1, 2]) == ShapeletDistance(0, (1.0, 2.0))
    assert hash(ShapeletDistance(0, [1, 2])) == hash(ShapeletDistance(0, (1.0, 2.0)))
