"""Every path of a forest is a rule, once, in order."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from small_forests import FIGURE, STUMP, forest

from hedgerow import Condition, read_forest
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.pool import make_pool
from hedgerow.features import Column


def paths(pool):
    return [str(pool.rule(j)) for j in range(len(pool))]


def test_the_papers_tree_is_four_rules():
    pool = make_pool(forest(FIGURE))
    assert paths(pool) == [
        "x10 <= 0.7 and x8 <= 12.2",
        "x10 <= 0.7 and x8 > 12.2",
        "x10 > 0.7 and x2 <= 97.8",
        "x10 > 0.7 and x2 > 97.8",
    ]
    assert pool.rule(0).conditions == (
        Condition(Column(10, "x10"), upper=0.7),
        Condition(Column(8, "x8"), upper=12.2),
    )


def test_nodes_are_the_leaves_and_all_above_them():
    pool = make_pool(forest(STUMP), "nodes")
    assert paths(pool) == [
        "always",
        "x10 <= 0.7",
        "x10 <= 0.7 and x8 <= 12.2",
        "x10 <= 0.7 and x8 > 12.2",
        "x10 > 0.7",
    ]
    assert_array_equal(pool.first, [0, 0, 0, 1, 2])
    assert_array_equal(pool.last, [3, 2, 1, 2, 3])


def test_nodes_up_to_a_length_are_those_of_the_cut_trees():
    pool = make_pool(forest(FIGURE, STUMP), "nodes", max_conditions=1)
    assert paths(pool) == ["always", "x10 <= 0.7", "x10 > 0.7"] * 2
    assert_array_equal(pool.first, [0, 0, 1] * 2)
    assert_array_equal(pool.last, [2, 1, 2] * 2)


def test_leaves_longer_than_the_limit_are_left_out():
    pool = make_pool(forest(STUMP), "leaves", max_conditions=1)
    assert paths(pool) == ["x10 > 0.7"]


def test_conditions_list_every_path():
    pool = make_pool(forest(FIGURE, STUMP))
    rule, branch, is_left, position = pool.conditions
    nodes = pool.forest.nodes
    for j in range(len(pool)):
        mine = np.flatnonzero(rule == j)
        mine = mine[np.argsort(position[mine])]
        expected = [pool.condition(int(b), bool(s)) for b, s in zip(branch[mine], is_left[mine], strict=True)]
        assert pool.rule(j).conditions == tuple(expected)
        assert nodes.parent[branch[mine][0]] == -1


def test_equal_splits_have_equal_numbers():
    pool = make_pool(forest(FIGURE, STUMP))
    split = pool.split_of_node
    assert split[0] == split[7]  # both roots
    assert split[1] == split[8]  # x8 <= 12.2 in both
    assert len({split[0], split[1], split[2]}) == 3


@pytest.mark.parametrize("depth", [1, 2, None])
def test_rules_of_a_real_forest_hold_where_its_leaves_are(depth):
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(5, max_depth=depth, random_state=0).fit(X, y)
    pool = make_pool(read_forest(model))
    leaves = model.apply(X)
    values = pool.forest.inputs.matrix(X)
    for j in range(len(pool)):
        rule = pool.rule(j)
        assert_array_equal(rule.holds(lambda f: values[:, f.index], len(X)), leaves[:, rule.tree] == rule.node)


def test_the_ends_below_any_node_are_those_of_its_rule():
    pool = make_pool(forest(FIGURE, STUMP), "nodes")
    first, last = pool.ends_below(pool.node)
    assert_array_equal(first, pool.first)
    assert_array_equal(last, pool.last)


def test_a_subset_and_a_pool_without_rules():
    pool = make_pool(forest(FIGURE, STUMP, weights=[1.0, 3.0]))
    few = pool.subset(np.array([5, 0]))
    assert paths(few) == ["x10 <= 0.7 and x8 > 12.2", "x10 <= 0.7 and x8 <= 12.2"]
    assert few.weight.tolist() == [3.0, 1.0]
    assert few.describe(0) == "rule 0 (tree 1, node 4: x10 <= 0.7 and x8 > 12.2)"
    none = pool.subset(np.empty(0, dtype=np.int64))
    assert [len(part) for part in none.conditions] == [0, 0, 0, 0]


@pytest.mark.parametrize(("candidates", "most"), [("leaves", None), ("nodes", None), ("nodes", 4), ("nodes", 2)])
def test_the_leaves_of_samples_are_known_from_the_ends_that_they_reach(candidates, most):
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(10, max_depth=4, random_state=0).fit(X[::3], y[::3])
    grown = read_forest(model)
    pool = make_pool(grown, candidates, most)
    leaves = pool.leaves(cover(pool, grown.inputs.matrix(X)).ends.ranks)
    if most == 2:
        assert leaves is None  # deeper trees are cut
    else:
        assert_array_equal(leaves, model.apply(X))
        assert_array_equal(grown.predictions_of_leaves(leaves), model.predict(X))
