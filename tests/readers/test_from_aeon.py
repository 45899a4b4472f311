"""A forest read from aeon routes and answers as the model itself does."""

import numpy as np
import pytest
from aeon.classification.distance_based import KNeighborsTimeSeriesClassifier
from aeon.classification.interval_based import (
    CanonicalIntervalForestClassifier,
    IntervalForestClassifier,
    SupervisedTimeSeriesForest,
    TimeSeriesForestClassifier,
)
from aeon.classification.sklearn import ContinuousIntervalTree
from aeon.regression.interval_based import IntervalForestRegressor, TimeSeriesForestRegressor
from aeon.utils.numba.stats import row_mean, row_median, row_slope
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.tree import DecisionTreeClassifier
from small_series import check_leaves, drawn_series, planted, quick

from hedgerow import (
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    RuleListRegressorCV,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)
from hedgerow.features import interval_sums

# aeon remarks on flat series, which are just what is tested.
pytestmark = pytest.mark.filterwarnings("ignore:Data seen by instance:UserWarning")

SMALL = {"n_estimators": 6, "random_state": 0}


def own_tables(model, X):
    cube = X if X.ndim == 3 else X[:, None]
    return [selectors[0].transform(cube) for selectors in model.intervals_]


def own_leaves(model, X):
    return np.column_stack([t.apply(table) for t, table in zip(model.estimators_, own_tables(model, X), strict=True)])


@given(drawn_series())
@quick
def test_leaves_of_a_classifier_on_drawn_series(data):
    X, y, others = data
    check_leaves(TimeSeriesForestClassifier(**SMALL).fit(X, y), own_leaves, X, others)


@given(drawn_series())
@quick
def test_leaves_of_a_regressor_on_drawn_series(data):
    X, y, others = data
    target = y + np.linspace(0.1, 0.9, len(y))
    check_leaves(TimeSeriesForestRegressor(**SMALL).fit(X, target), own_leaves, X, others)


@pytest.mark.parametrize(
    "model",
    [
        IntervalForestClassifier(**SMALL),
        IntervalForestClassifier(**SMALL, interval_selection_method="supervised"),
        IntervalForestClassifier(**SMALL, interval_features=[row_slope, row_mean], att_subsample_size=1),
        IntervalForestRegressor(**SMALL, n_intervals=4),
        TimeSeriesForestClassifier(DecisionTreeClassifier(max_depth=2), **SMALL),
    ],
    ids=lambda model: type(model).__name__,
)
def test_other_forests_of_the_same_statistics(model):
    X, y = planted(n_dimensions=2)
    others, _ = planted(n_dimensions=2, seed=1)
    check_leaves(model.fit(X, y if hasattr(model, "predict_proba") else y + X[:, 0, 0]), own_leaves, X, others)


def test_single_precision():
    X, y = planted()
    X, others = X.astype(np.float32) + 100, planted(300, seed=1)[0].astype(np.float32) + 100
    check_leaves(TimeSeriesForestClassifier(**SMALL).fit(X, y), own_leaves, X, others)


def test_features_are_those_of_the_library_and_nearly_so_without_it(monkeypatch):
    X, y = planted(n_dimensions=2)
    model = TimeSeriesForestClassifier(**SMALL).fit(X, y)
    forest = read_forest(model)
    for ask in (interval_sums._aeon_functions, dict):
        monkeypatch.setattr(interval_sums, "_aeon_functions", ask)
        matrix = forest.inputs.matrix(X)
        for member, tree, table in zip(model.estimators_, forest.trees, own_tables(model, X), strict=True):
            inner = tree.left >= 0
            own = table[:, member.tree_.feature[inner]]
            assert_allclose(matrix[:, tree.feature[inner]], own, rtol=1e-6, atol=1e-6)
        assert_array_equal(forest.apply(X), own_leaves(model, X))


def test_equal_intervals_of_several_trees_are_one_feature():
    X, y = planted(length=14)
    forest = read_forest(TimeSeriesForestClassifier(n_estimators=40, random_state=0).fit(X, y))
    used = np.concatenate([tree.feature[tree.left >= 0] for tree in forest.trees])
    assert len(set(forest.features)) == len(forest.features) < len(used)


@pytest.mark.parametrize("n_dimensions", [None, 1, 2])
def test_from_series_to_rules(n_dimensions):
    X, y = planted(n_dimensions=n_dimensions)
    labels = np.array(["flat", "bump"])[y]
    rules = RuleListClassifier(TimeSeriesForestClassifier(**SMALL), max_rules=3).fit(X, labels)
    assert rules.solution_.optimal
    assert rules.score(X, labels) > 0.9
    assert rules.forest_.inputs.names == (["x0", "x1"] if n_dimensions == 2 else ["x"])
    chosen = RuleListClassifierCV(TimeSeriesForestClassifier(**SMALL), cv=3, max_rules=[2, 4]).fit(X, labels)
    assert chosen.score(X, labels) > 0.9


@pytest.mark.parametrize("n_dimensions", [None, 2])
def test_from_series_to_rules_of_a_regression(n_dimensions):
    X, y = planted(n_dimensions=n_dimensions)
    target = y + np.linspace(0.1, 0.2, len(y))
    model = TimeSeriesForestRegressor(**SMALL)
    assert RuleListRegressor(model, max_rules=4).fit(X, target).score(X, target) > 0.5
    assert RuleListRegressorCV(model, cv=3, max_rules=[2, 4]).fit(X, target).score(X, target) > 0.5


def test_a_model_that_is_not_fitted():
    with pytest.raises(UnfittedModelError, match="not fitted"):
        read_forest(TimeSeriesForestClassifier())


@pytest.mark.parametrize(
    ("model", "why"),
    [
        pytest.param(
            CanonicalIntervalForestClassifier(**SMALL),
            "uses more than the mean",
            marks=pytest.mark.slow,  # compiles its 22 statistics
        ),
        (IntervalForestClassifier(**SMALL, interval_features=[row_mean, row_median]), "uses more than the mean"),
        (SupervisedTimeSeriesForest(**SMALL), "transforms the series"),
        (TimeSeriesForestClassifier(ContinuousIntervalTree(), **SMALL), "not a decision tree of scikit-learn"),
        (KNeighborsTimeSeriesClassifier(), "Cannot read a KNeighborsTimeSeriesClassifier. These aeon models"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_forest_without_rule_form(model, why):
    with pytest.raises(UnsupportedModelError, match=why):
        read_forest(model.fit(*planted(n=20)))
