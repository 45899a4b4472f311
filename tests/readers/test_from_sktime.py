"""A forest read from sktime routes and answers as the model itself does."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from sktime.base._panel.forest._tsf import _transform
from sktime.classification.dictionary_based import BOSSEnsemble
from sktime.classification.interval_based import TimeSeriesForestClassifier
from sktime.datatypes import convert
from sktime.regression.interval_based import TimeSeriesForestRegressor
from small_series import check_leaves, drawn_series, planted, quick

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)

SMALL = {"n_estimators": 6, "random_state": 0}


def own_leaves(model, X):
    flat = X if X.ndim == 2 else X[:, 0]
    members = zip(model.estimators_, model.intervals_, strict=True)
    return np.column_stack([tree.apply(_transform(flat, intervals)) for tree, intervals in members])


@given(drawn_series(n_dimensions=(None, 1)))
@quick
def test_leaves_of_a_classifier_on_drawn_series(data):
    X, y, others = data
    check_leaves(TimeSeriesForestClassifier(**SMALL).fit(X, y), own_leaves, X, others)


@given(drawn_series(n_dimensions=(None, 1)))
@quick
def test_leaves_of_a_regressor_on_drawn_series(data):
    X, y, others = data
    check_leaves(
        TimeSeriesForestRegressor(**SMALL, min_interval=2).fit(X, y + np.linspace(0.1, 0.9, len(y))),
        own_leaves,
        X,
        others,
    )


def test_single_precision_is_summed_in_single_precision():
    X, y = planted()
    X, others = X.astype(np.float32) + 100, planted(300, seed=1)[0].astype(np.float32) + 100
    check_leaves(TimeSeriesForestClassifier(**SMALL).fit(X, y), own_leaves, X, others)


def test_labels_and_names():
    X, y = planted()
    model = TimeSeriesForestClassifier(**SMALL).fit(X, np.array(["no", "yes"])[y])
    forest = read_forest(model, ["heart"])
    assert_array_equal(forest.labels(X), model.predict(X))
    assert all("(heart[" in feature.name for feature in forest.features)
    with pytest.raises(InvalidParameterError, match="2 names for series of 1 dimensions"):
        read_forest(model, ["heart", "lung"])


def test_features_are_those_of_the_library():
    X, y = planted()
    model = TimeSeriesForestClassifier(**SMALL).fit(X, y)
    own = {}
    for intervals in model.intervals_:
        table = _transform(X, intervals)
        for j, (start, end) in enumerate(intervals.tolist()):
            own |= {(start, end, kind): table[:, 3 * j + k] for k, kind in enumerate(("mean", "std", "slope"))}
    for feature in read_forest(model).features:
        assert_allclose(feature.compute(X), own[feature.start, feature.end, feature.statistic], rtol=1e-6, atol=1e-6)


def test_equal_intervals_of_several_trees_are_one_feature():
    X, y = planted(length=14)
    forest = read_forest(TimeSeriesForestClassifier(n_estimators=40, random_state=0).fit(X, y))
    used = np.concatenate([tree.feature[tree.left >= 0] for tree in forest.trees])
    assert len(set(forest.features)) == len(forest.features) < len(used)


@pytest.mark.parametrize("shape", [(60, 24), (60, 1, 24)])
def test_from_series_to_rules(shape):
    X, y = planted()
    X = X.reshape(shape)
    rules = RuleListClassifier(TimeSeriesForestClassifier(**SMALL), max_rules=3).fit(X, y)
    assert rules.solution_.optimal
    assert rules.n_features_in_ == 24
    assert rules.score(X, y) > 0.9
    assert "(x[" in rules.explain(X[:1])[0]
    assert_array_equal(rules.predict(X), rules.predict(X.reshape(60, 1, 24)))
    chosen = RuleListClassifierCV(TimeSeriesForestClassifier(**SMALL), cv=3, max_rules=[2, 4]).fit(X, y)
    assert chosen.score(X, y) > 0.9


def test_from_series_to_rules_of_a_regression():
    X, y = planted()
    target = y + X[:, 0]
    rules = RuleListRegressor(TimeSeriesForestRegressor(**SMALL), max_rules=4).fit(X, target)
    assert rules.score(X, target) > 0.5


def test_a_nested_frame_is_refused():
    X, y = planted(n=12)
    rules = RuleListClassifier(TimeSeriesForestClassifier(**SMALL), max_rules=4, candidates="nodes").fit(X, y)
    for kind in ("nested_univ", "pd-multiindex"):
        with pytest.raises(InvalidDataError, match="nested or hierarchical frame"):
            rules.predict(convert(X[:, None], "numpy3D", kind))


def test_a_model_that_is_not_fitted():
    with pytest.raises(UnfittedModelError, match="not fitted"):
        read_forest(TimeSeriesForestClassifier())


def test_a_model_without_trees():
    X, _ = planted(n=8)
    with pytest.warns(UserWarning, match="single label"):
        model = TimeSeriesForestClassifier(**SMALL).fit(X, np.zeros(8))
    with pytest.raises(UnsupportedModelError, match="no trees"):
        read_forest(model)


def test_another_kind_of_model():
    with pytest.raises(UnsupportedModelError, match=r"Cannot read a BOSSEnsemble. These sktime models"):
        read_forest(BOSSEnsemble())
