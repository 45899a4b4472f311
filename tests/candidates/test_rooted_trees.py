"""Trees with other first splits: their leaves are those of scikit-learn's trees on either side."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import RuleListClassifier, RuleListRegressor, UnfittedModelError, read_forest
from hedgerow.candidates.rooted_trees import RootedTrees


def with_gaps(X):
    X = X.copy()
    X[::5, 2] = np.nan
    return X


@pytest.mark.parametrize(
    ("tree", "load"), [(DecisionTreeClassifier, load_wine), (DecisionTreeRegressor, load_diabetes)]
)
@pytest.mark.parametrize("change", [with_gaps, np.asarray])
def test_each_tree_predicts_as_the_trees_on_the_sides_of_its_root(tree, load, change):
    X, y = load(return_X_y=True)
    X, weight = change(X), np.random.default_rng(0).random(len(X))
    model = RootedTrees(tree(max_leaf_nodes=12, random_state=0), n_roots=9).fit(X, y, weight)
    forest = read_forest(model)
    assert forest.n_trees == 10
    assert_array_equal(model.apply(X), forest.apply(X))
    single = tree(max_leaf_nodes=12, random_state=0).fit(X, y, weight)
    known = hasattr(single, "predict_proba")
    assert_allclose(one_tree(forest, 0).answer(X), single.predict_proba(X) if known else single.predict(X), atol=1e-7)
    for i, ((column, threshold), (left, right)) in enumerate(zip(model.roots_, model.sides_, strict=True)):
        goes_left = X[:, column].astype(np.float32) <= threshold
        told = one_tree(forest, i + 1)
        found = told.labels(X) if known else told.answer(X)
        assert_allclose(found[goes_left], left.predict(X[goes_left]), atol=1e-7)
        assert_allclose(found[~goes_left], right.predict(X[~goes_left]), atol=1e-7)
        assert forest.trees[i + 1].n_leaves <= 14


def one_tree(forest, i):
    """Return the forest of a single tree."""
    return replace(forest, trees=forest.trees[i : i + 1], tree_weights=np.ones(1))


def test_the_first_splits_are_the_best_of_a_tree():
    X, y = load_wine(return_X_y=True)
    model = RootedTrees(DecisionTreeClassifier(max_leaf_nodes=4), n_roots=3).fit(X, y)
    impurities = []
    for column, threshold in model.roots_:
        left = X[:, column] <= threshold
        impurities.append(sum(gini(part) * len(part) for part in (y[left], y[~left])))
    assert impurities == sorted(impurities)
    greedy = DecisionTreeClassifier(max_depth=1).fit(X, y).tree_
    best = greedy.impurity[1:] @ greedy.weighted_n_node_samples[1:]
    assert best - 1e-9 <= impurities[0] <= 1.1 * best


def gini(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return 1 - (shares**2).sum()


def test_a_list_finds_what_no_greedy_tree_finds():
    X = np.random.default_rng(0).random((600, 6))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    tree = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0)
    rules = RuleListClassifier(RootedTrees(tree, 24), max_rules=4, candidates="nodes", stability_weight=0.0).fit(X, y)
    assert tree.fit(X, y).score(X, y) < 0.8
    assert rules.score(X, y) > 0.9


def test_classes_may_be_missing_on_a_side_and_names_are_kept():
    X = pd.DataFrame({"size": np.arange(60.0), "same": np.ones(60), "empty": np.full(60, np.nan)})
    y = np.repeat(["é", "b", "a"], 20)
    forest = read_forest(RootedTrees(DecisionTreeClassifier(max_leaf_nodes=4), 5).fit(X, y))
    assert forest.inputs.names == ["size", "same", "empty"]
    assert_array_equal(forest.labels(X), y)


def test_without_anything_to_split_there_is_one_leaf():
    trees = RootedTrees(DecisionTreeRegressor(max_leaf_nodes=4))
    rules = RuleListRegressor(trees, max_rules=3).fit(np.ones((20, 2)), np.arange(20.0))
    assert len(rules.rule_list_) == 1


def test_what_is_not_fitted_says_so():
    model = RootedTrees(DecisionTreeClassifier())
    with pytest.raises(UnfittedModelError, match="not fitted"):
        model.to_forest()
    assert clone(model).get_params()["n_roots"] == 40
