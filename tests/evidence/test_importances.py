"""Importances are those that scikit-learn gives for the same trees and samples, and are there for every ensemble."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from rule_lists import KINDS
from sklearn.datasets import load_diabetes, load_iris
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from small_forests import forest, tree

from hedgerow import Forest, read_forest
from hedgerow.evidence.importances import ensemble_importances, sources
from hedgerow.features import Category, Column, ColumnOfNonzeros, ColumnWithGap, Output, ShapeletDistance
from hedgerow.features.outputs import Steps

SMALL = {"n_estimators": 8, "max_depth": 3, "random_state": 0}


@pytest.mark.parametrize(
    ("model", "load"),
    [
        # Trees that saw every sample once, with leaves that answer the mean: each split's part is its decrease.
        (ExtraTreesRegressor(**SMALL), load_diabetes),
        (ExtraTreesClassifier(**SMALL), load_iris),
        (GradientBoostingRegressor(**SMALL), load_diabetes),
    ],
    ids=["mean of regressions", "mean of classes", "sum"],
)
def test_what_the_trees_show_is_the_decrease_in_impurity_of_scikit_learn(model, load):
    X, y = load(return_X_y=True)
    model.fit(X, y)
    again = Forest.from_json(read_forest(model).to_json())
    assert_allclose(list(ensemble_importances(again, X).values()), model.feature_importances_, rtol=1e-6, atol=1e-9)


def test_the_part_of_a_split_by_hand():
    # x0 parts 4 samples into 1 that is answered 5 and 3; x1 parts these into 1 answered 2 and 2 answered 0.
    arrays = {
        "left": [1, -1, 3, -1, -1],
        "right": [2, -1, 4, -1, -1],
        "feature": [0, 0, 1, 0, 0],
        "threshold": [0.5, 0, 0.5, 0, 0],
        "value": [0, 5.0, 0, 2.0, 0.0],
    }
    model = Forest.from_arrays([arrays], ["a", "b", "c"])
    X = [[0, 9, 9], [1, 0, 9], [1, 1, 9], [1, 1, 9]]
    first, second = 1 * 3 / 4 * (5 - 2 / 3) ** 2, 1 * 2 / 3 * (2 - 0) ** 2
    expected = [first / (first + second), second / (first + second), 0]
    assert_allclose(list(ensemble_importances(model, X).values()), expected)
    # Without samples, as if each split halved them: parts of 1 into 1/2 and 1/2, and of 1/2 into 1/4 and 1/4.
    first, second = 1 / 4 * (5 - 1) ** 2, 1 / 8 * (2 - 0) ** 2
    expected = [first / (first + second), second / (first + second), 0]
    assert_allclose(list(ensemble_importances(model).values()), expected)


def test_the_square_of_its_weight_is_what_a_tree_counts_in_a_sum():
    stump = {"left": [1, -1, -1], "right": [2, -1, -1], "threshold": [0.5, 0, 0], "value": [0, -1.0, 1.0]}
    trees = [stump | {"feature": [0, 0, 0]}, stump | {"feature": [1, 0, 0]}]
    for aggregation, expected in (("sum", [0.9, 0.1]), ("mean", [0.75, 0.25])):
        model = Forest.from_arrays(trees, ["a", "b"], tree_weights=[3.0, 1.0], aggregation=aggregation)
        assert_allclose(list(ensemble_importances(model, [[0, 0], [1, 1]]).values()), expected)


def test_the_librarys_own_importances_count_also_inside_a_search_or_a_frozen_model():
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(**SMALL).fit(X, y)
    search = GridSearchCV(RandomForestClassifier(**SMALL), {"max_features": [2]}, cv=2).fit(X, y)
    assert_allclose(list(ensemble_importances(model, X).values()), model.feature_importances_)
    assert_allclose(list(ensemble_importances(FrozenEstimator(model)).values()), model.feature_importances_)
    expected = search.best_estimator_.feature_importances_
    assert_allclose(list(ensemble_importances(search).values()), expected)
    # A bootstrap sample is not the samples themselves.
    assert np.abs(list(ensemble_importances(read_forest(model), X).values()) - model.feature_importances_).max() > 1e-3


def test_a_list_of_ensembles_has_the_mean_of_their_importances():
    X, y = load_iris(return_X_y=True)
    models = [RandomForestClassifier(**SMALL).fit(X, y), ExtraTreesClassifier(**SMALL).fit(X, y)]
    expected = np.mean([model.feature_importances_ for model in models], axis=0)
    assert_allclose(list(ensemble_importances(models).values()), expected)


@pytest.mark.parametrize("kind", ["xgboost", "lightgbm", "catboost"])
def test_boosting_libraries_say_their_own(kind):
    model, X, _ = KINDS[kind]()
    expected = np.array(model.feature_importances_, dtype=float)
    assert_allclose(list(ensemble_importances(model, X).values()), expected / expected.sum())


def test_a_booster_of_xgboost_has_those_of_its_trees():
    model, X, _ = KINDS["xgboost"]()
    booster = model.get_booster()
    assert not hasattr(booster, "feature_importances_")
    found = np.array(list(ensemble_importances(booster, X).values()))
    assert_allclose(found.sum(), 1)
    gain = np.array([booster.get_score(importance_type="total_gain").get(name, 0) for name in booster.feature_names])
    assert found.argsort().tolist() == gain.argsort().tolist()


def test_columns_behind_a_pipeline_count_once_whatever_it_makes_of_them():
    model, X, _ = KINDS["pipeline"]()
    made = model[:-1].transform(X).shape[1]
    found = ensemble_importances(model, X)
    assert made > X.shape[1]
    assert list(found) == [0, 1, 2]
    # Summed over its one-hot columns, a category has about what the forest says of them.
    own = model[-1].feature_importances_
    assert_allclose(list(found.values()), [own[0], own[1], own[2:].sum()], atol=0.1)


def test_columns_that_no_tree_looks_at_count_too_but_not_those_behind_what_a_pipeline_makes():
    X, y = load_diabetes(return_X_y=True)
    model = GradientBoostingRegressor(n_estimators=1, max_depth=1)
    scaled = read_forest(make_pipeline(StandardScaler(), model).fit(X, y))
    assert sources(scaled) == list(range(10))
    with pytest.warns(UserWarning, match="cannot be inverted"):
        turned = read_forest(make_pipeline(PCA(3), model).fit(X, y))
    assert len(sources(turned)) == 1
    assert list(ensemble_importances(turned, X).values()) == [1]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_ensemble_has_importances_that_add_up_to_one(kind):
    model, X, _ = KINDS[kind]()
    for samples in (X, None):
        found = ensemble_importances(read_forest(model), samples)
        assert_allclose(sum(found.values()), 1)
        assert min(found.values()) >= 0


def test_an_ensemble_without_splits_has_no_importances():
    assert set(ensemble_importances(forest(tree(None))).values()) == {0.0}


def test_a_column_is_one_feature_in_whatever_way_it_is_looked_at():
    same = [Column(3, "a"), ColumnOfNonzeros(3, "a"), ColumnWithGap(3, "a", 0, 1), Category(3, "a", ("x",))]
    assert {feature.source for feature in same} == {3}
    output = Output(Steps("key", ()), 1, "pca1")
    assert output.source == Output(Steps("key", ()), 1, "again", nonzero=True).source
    assert output.source != Output(Steps("key", ()), 2, "pca1").source
    shapelet = ShapeletDistance(0, (1.0, 2.0))
    assert shapelet.source == shapelet
