"""Many small trees at once: each sample ends where scikit-learn says, and in the nodes that have a label."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier

from hedgerow import InvalidDataError, Tree, read_forest
from hedgerow.forests import all_trees
from hedgerow.forests.all_trees import AllTrees


@pytest.mark.parametrize("depth", [1, 3, 4])
@pytest.mark.parametrize("at_once", [1, 500, 10**6])
def test_samples_reach_the_leaves_that_the_library_says(depth, at_once, monkeypatch):
    monkeypatch.setattr(all_trees, "_AT_ONCE", at_once)
    X, y = make_classification(120, 6, random_state=0)
    model = ExtraTreesClassifier(30, max_depth=depth, random_state=0).fit(X[:60], y[:60])
    trees = read_forest(model).trees
    labels = [np.where(tree.left < 0, np.arange(tree.n_nodes), -1) for tree in trees]
    routes = AllTrees(trees, labels, np.float32, np.zeros(6, dtype=bool))
    assert_array_equal(routes.reached(X.astype(np.float32).T).T, model.apply(X))


def test_trees_of_one_end_and_of_sixteen_go_together():
    n_nodes = 31  # a chain to the right: the k-th branch node asks whether x > k
    left, right = np.full(n_nodes, -1), np.full(n_nodes, -1)
    left[0:30:2], right[0:30:2] = np.arange(1, 31, 2), np.arange(2, 32, 2)
    nothing = np.zeros(n_nodes, dtype=np.int64)
    chain = Tree(left, right, nothing, np.arange(n_nodes) / 2, nothing.astype(bool), np.zeros((n_nodes, 1)))
    lone = Tree(left[-1:], right[-1:], nothing[:1], np.zeros(1), np.zeros(1, dtype=bool), np.zeros((1, 1)))
    labels = [np.where(left < 0, 100 + np.cumsum(left < 0), -1), np.array([7])]
    x = np.array([[-1.0, 0.0, 0.5, 14.0, 14.5, np.nan]])
    reached = AllTrees([chain, lone], labels, np.float64, np.ones(1, dtype=bool)).reached(x)
    assert reached.tolist() == [[101, 101, 102, 115, 116, 116], [7] * 6]


def test_paths_without_an_end_are_refused():
    X, y = make_classification(60, 6, random_state=0)
    trees = read_forest(ExtraTreesClassifier(4, max_depth=3, random_state=0).fit(X, y)).trees
    labels = [np.full(tree.n_nodes, -1) for tree in trees]
    with pytest.raises(InvalidDataError, match="no trees"):
        AllTrees(trees, labels, np.float32, np.zeros(6, dtype=bool))
