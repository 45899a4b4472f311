"""What may be given as series."""

import numpy as np
import pandas as pd
import pytest
from aeon.classification.interval_based import TimeSeriesForestClassifier
from numpy.testing import assert_array_equal
from sklearn.frozen import FrozenEstimator
from small_series import planted

from hedgerow import Forest, InvalidDataError, RuleListClassifier, read_forest
from hedgerow.features import IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.features.series import check_series


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
def test_series_that_are_not_arrays_of_numbers_are_refused(X, said):
    with pytest.raises(InvalidDataError, match=said):
        check_series(X)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: SeriesInputs((IntervalStatistic(0, 1, 9, "mean"),), length=8), "series longer than 8"),
        (lambda: SeriesInputs((ShapeletDistance(0, (1.0,) * 9),), length=8), "series longer than 8"),
    ],
)
def test_series_must_be_as_long_as_their_features_need(make, why):
    with pytest.raises(InvalidDataError, match=why):
        make()
