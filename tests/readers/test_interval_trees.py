"""Trees of scikit-learn over a table of interval statistics become a forest over the series."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import InvalidParameterError, UnfittedModelError, UnsupportedModelError
from hedgerow.readers.interval_trees import check_trained, dimension_names, interval_name, make_forest

SERIES = np.random.default_rng(0).integers(0, 9, (30, 1, 6)).astype(np.float64)
#: For each tree the intervals of its table; both know the mean of the first three values.
INTERVALS = [[(0, 0, 3, "mean"), (0, 3, 6, "mean")], [(0, 2, 5, "std"), (0, 0, 3, "mean")]]


def tables():
    """The tables of the two trees, by numpy."""
    for columns in INTERVALS:
        yield np.column_stack([getattr(np, kind)(SERIES[:, 0, start:end], axis=1) for _, start, end, kind in columns])


def model_of(kind, targets):
    trees = [kind(max_depth=4, random_state=0).fit(table, targets) for table in tables()]
    return SimpleNamespace(estimators_=trees, classes_=getattr(trees[0], "classes_", None), is_fitted=True)


def forest_of(model):
    return make_forest(model, INTERVALS, ["x"], length=6, order="pairwise")


def test_series_reach_the_leaves_that_their_statistics_reach():
    targets = np.where(SERIES[:, 0].sum(axis=1) > 24, "high", "low")
    model = model_of(DecisionTreeClassifier, targets)
    forest = forest_of(model)
    assert len(forest.features) == 3
    expected = [tree.apply(table) for tree, table in zip(model.estimators_, tables(), strict=True)]
    assert_array_equal(forest.apply(SERIES), np.column_stack(expected))
    assert forest.classes.tolist() == ["high", "low"]


def test_an_interval_that_two_trees_use_is_one_feature():
    forest = forest_of(model_of(DecisionTreeRegressor, SERIES[:, 0, :3].mean(axis=1)))
    names = [feature.name for feature in forest.features]
    assert names.count("mean(x[0:3])") == 1
    roots = [forest.features[tree.feature[0]].name for tree in forest.trees]
    assert roots == ["mean(x[0:3])", "mean(x[0:3])"]
    assert not forest.task.has_labels


def test_names_of_dimensions_and_intervals():
    assert dimension_names(1, None) == ["x"]
    assert dimension_names(2, None) == ["x0", "x1"]
    assert dimension_names(2, ["left", "right"]) == ["left", "right"]
    assert interval_name("left", 2, 5, "slope") == "slope(left[2:5])"
    with pytest.raises(InvalidParameterError, match="1 names for series of 2 dimensions"):
        dimension_names(2, ["left"])


def test_a_model_has_to_be_fitted_and_to_have_trees():
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        check_trained(SimpleNamespace(is_fitted=False))
    with pytest.raises(UnsupportedModelError, match="has no trees"):
        check_trained(SimpleNamespace(is_fitted=True, estimators_=[]))


def test_members_that_are_not_trees_are_refused():
    model = SimpleNamespace(estimators_=[LinearRegression()] * 2, is_fitted=True)
    with pytest.raises(UnsupportedModelError, match="LinearRegression, which is not a decision tree of scikit-learn"):
        forest_of(model)
