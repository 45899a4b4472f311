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
from hedgerow.candidates.rooted_trees import RootedTrees, _best_splits, _each_column_first


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


@pytest.mark.parametrize(
    ("tree", "load"), [(DecisionTreeClassifier, load_wine), (DecisionTreeRegressor, load_diabetes)]
)
@pytest.mark.parametrize("change", [with_gaps, np.asarray])
def test_trees_with_other_second_splits_go_on_on_one_side(tree, load, change):
    X, y = load(return_X_y=True)
    X, weight = change(X), np.random.default_rng(0).random(len(X)) + 0.1
    model = RootedTrees(tree(max_leaf_nodes=8, random_state=0), n_roots=9, n_second=3).fit(X, y, weight)
    forest = read_forest(model)
    assert forest.n_trees == 10 + 6 * 2 * 3
    assert_array_equal(model.apply(X), forest.apply(X))
    starts = {(t.feature[0], t.threshold[0]) for t in forest.trees[10:]}
    assert len(starts) == 6
    assert (model.tree_.tree_.feature[0], model.tree_.tree_.threshold[0]) in starts
    for number, one in enumerate(forest.trees[10:], start=10):
        goes_left = X[:, one.feature[0]].astype(np.float32) <= one.threshold[0]
        ends = {True: one.left[one.left[0]] < 0, False: one.left[one.right[0]] < 0}
        assert sum(ends.values()) == 1  # one side is a leaf
        rows = goes_left == ends[True]
        expected = [np.average(y[rows] == label, weights=weight[rows]) for label in np.unique(y)]
        expected = expected if model.tree_.tree_.n_classes[0] > 1 else np.average(y[rows], weights=weight[rows])
        told = one_tree(forest, number).answer(X)[rows]
        assert_allclose(told, np.broadcast_to(expected, told.shape), atol=1e-7)
        below = one.right[0] if ends[True] else one.left[0]
        assert one.feature[below] >= 0


def test_second_splits_are_of_different_columns_first():
    rng = np.random.default_rng(0)
    X = rng.random((500, 4))
    y = np.where(X[:, 0] > 0.5, 10, 0) + X @ [0, 3, 2, 1]
    tree = DecisionTreeRegressor(max_leaf_nodes=8, random_state=0)
    forest = read_forest(RootedTrees(tree, n_roots=0, n_second=4).fit(X, y))
    seconds = [
        one.feature[max(one.left[0], one.right[0]) if one.left[one.left[0]] < 0 else 1] for one in forest.trees[1:]
    ]
    assert sorted(seconds) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_second_split_that_is_not_greedy_is_found():
    # Beyond the first split, two columns matter only together: no split of one of them is good by itself.
    X = np.random.default_rng(0).random((2000, 3))
    y = np.where(X[:, 0] > 0.5, 2.0, (X[:, 1] > 0.5) ^ (X[:, 2] > 0.5))
    tree = DecisionTreeRegressor(max_leaf_nodes=5, random_state=0)
    few, many = (
        RuleListRegressor(RootedTrees(tree, 0, n), max_rules=5, candidates="nodes", stability_weight=0.0).fit(X, y)
        for n in (0, 8)
    )
    assert 1 - many.score(X, y) < 0.8 * (1 - few.score(X, y))


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


def squared_error(targets, weight):
    middle = np.average(targets, axis=0, weights=weight)
    return weight @ ((targets - middle) ** 2).sum(axis=1)


@pytest.mark.parametrize("n_columns", [1, 3])
def test_of_few_values_the_best_splits_are_those_of_trying_all(n_columns):
    rng = np.random.default_rng(0)
    X, weight = rng.integers(0, 5, (80, 3)).astype(float), rng.random(80) + 0.1
    targets = rng.normal(size=(80, n_columns)) + X[:, [0]] * (X[:, [0]] > 2) + 0.3 * X[:, [1]]
    X[::9, 1] = np.nan
    found = _best_splits(X, targets, weight)
    errors = {}
    for column in range(3):
        for threshold in (0.5, 1.5, 2.5, 3.5):
            left = X[:, column] <= threshold  # a missing value is not
            errors[column, threshold] = sum(squared_error(targets[one], weight[one]) for one in (left, ~left))
    assert len(found) == 12  # each column has four thresholds
    assert found == sorted(errors, key=errors.get)


def test_of_many_values_each_column_has_its_four_best_thresholds():
    X = np.random.default_rng(0).random((500, 2)).astype(np.float32)
    targets = (X[:, [0]] > 0.4).astype(float)
    found = _best_splits(X, targets, np.ones(500))
    assert [sum(column == one for one, _ in found) for column in (0, 1)] == [4, 4]
    column, threshold = found[0]
    assert column == 0
    assert abs(threshold - 0.4) < 1 / 16
    below, above = X[X[:, 0] <= threshold, 0].max(), X[X[:, 0] > threshold, 0].min()
    assert threshold == (float(below) + float(above)) / 2


def test_smaller_trees_have_a_part_of_the_leaves_and_one_more():
    X, y = load_wine(return_X_y=True)
    tree = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0)
    model = RootedTrees(tree, n_roots=4).fit(X, y)
    for left, right in model.sides_:
        assert left.max_leaf_nodes == right.max_leaf_nodes == 12 // 2 + 1
    unlimited = RootedTrees(DecisionTreeClassifier(random_state=0), n_roots=2).fit(X, y)
    assert all(side.max_leaf_nodes is None for sides in unlimited.sides_ for side in sides)


def test_splits_take_turns_by_column():
    splits = [(2, 0.1), (2, 0.2), (0, 0.3), (2, 0.4), (0, 0.5), (1, 0.6)]
    assert _each_column_first(splits) == [(2, 0.1), (0, 0.3), (1, 0.6), (2, 0.2), (0, 0.5), (2, 0.4)]


def test_the_forest_predicts_the_mean_of_its_trees():
    X, y = load_diabetes(return_X_y=True)
    forest = read_forest(RootedTrees(DecisionTreeRegressor(max_leaf_nodes=6, random_state=0), 5, 2).fit(X, y))
    of_trees = [one_tree(forest, i).answer(X) for i in range(forest.n_trees)]
    assert len(of_trees) > 6
    assert_allclose(forest.answer(X), np.mean(of_trees, axis=0))


def test_thresholds_are_tried_at_the_fifteen_inner_sixteenths():
    X = np.random.default_rng(0).permutation(1600).astype(np.float32)[:, None]
    for target in (X == 0, X == 1599, X < 800):  # the best split for the first two would be off one end
        found = _best_splits(X, target.astype(float), np.ones(1600))
        assert len(found) == 4
        below = [(threshold >= X).sum() for _, threshold in found]
        assert all(abs(n / 100 - round(n / 100)) <= 0.01 for n in below)
        assert 100 <= min(below) <= max(below) <= 1501
