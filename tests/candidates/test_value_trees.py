"""Trees on the values of features split on the features themselves."""

import numpy as np
import pytest
from rule_lists import KINDS, TABLE_KINDS
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeRegressor

from hedgerow import read_forest
from hedgerow.candidates.pool import make_pool
from hedgerow.candidates.value_trees import grow_trees
from hedgerow.features import Category, Column, Inputs


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_the_forest_on_the_features_predicts_what_its_trees_were_fitted_to(kind):
    model, X, _ = KINDS[kind]()
    inputs, rng = read_forest(model).inputs, np.random.default_rng(0)
    values = inputs.matrix(X)
    y = rng.integers(0, 3, len(values))
    # Deep trees without bootstrap samples have pure leaves: the forest predicts what it was fitted to.
    trees = RandomForestClassifier(2, bootstrap=False, random_state=0)
    deep = grow_trees(trees, inputs, values, y)
    assert deep.inputs is inputs
    if not any(feature.n_codes for feature in inputs.features):
        # Not so in older releases of scikit-learn, which do not part missing values from numbers that are all equal.
        y = clone(trees).fit(values, y).predict(values)
    _, same = np.unique(values, axis=0, return_inverse=True)
    alone = np.bincount(same.ravel())[same.ravel()] == 1
    assert alone.any()
    np.testing.assert_array_equal(deep.labels(X)[alone], y[alone])


def test_a_category_is_parted_into_one_value_and_all_others_or_missing_ones():
    inputs = Inputs((Category(0, "color", ("blue", "green", "red"), has_missing=True),), allows_missing=True)
    X = np.array([["red"], ["blue"], ["green"], [None]] * 5, dtype=object)
    values = inputs.matrix(X)

    def said(y):
        forest = grow_trees(DecisionTreeRegressor(max_depth=1), inputs, values, y.astype(float))
        np.testing.assert_allclose(forest.answer(X), y)
        pool = make_pool(forest)
        return {pool.rule(i).describe() for i in range(len(pool))}

    assert said(X[:, 0] == "red") == {"color is red", "(color in {blue, green} or missing)"}
    assert said(np.array([value is None for value in X[:, 0]])) == {"color is missing", "color is not missing"}


def test_infinity_and_rare_values_are_taken():
    inputs = Inputs(
        (Column(0, "x"), Category(1, "code", tuple(range(100)))), np.float64, allows_missing=True, allows_infinity=True
    )
    X = np.column_stack([[np.inf, -np.inf, np.nan, 1.0] * 25, np.arange(100)])
    y = X[:, 0] > 0
    forest = grow_trees(RandomForestClassifier(3, bootstrap=False, random_state=0), inputs, inputs.matrix(X), y)
    np.testing.assert_array_equal(forest.labels(X), y)
