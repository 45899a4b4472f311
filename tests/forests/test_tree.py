"""A tree checks its arrays, once."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from small_forests import FIGURE, STUMP, stump_forest, tree

from hedgerow import Forest, InvalidDataError, Tree
from hedgerow.forests.tree import stack, trees_in_a_row


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"left": [1, -1, 7], "right": [2, -1, 1]}, "A child is node 7"),
        ({"left": [1, -1, -1], "right": [1, -1, -1]}, "child of exactly one node"),
        ({"left": [0, -1, -1]}, "child of exactly one node"),
        ({"left": [1, -1, -1], "right": [-1, -1, -1]}, "two children or none"),
        ({"left": [-1, 2, 1], "right": [-1, -1, -1]}, "two children or none"),
        ({"left": [], "right": []}, "at least one node"),
        ({"threshold": [np.nan, 0.0, 0.0]}, "NaN"),
        ({"threshold": [2.5]}, "threshold must have one entry per node"),
        ({"feature": [1, 0, 0]}, "splits on feature 1"),
        ({"feature": [-3, 0, 0]}, "splits on feature -3"),
        ({"value": [[0.5, 0.5]]}, "value must have one entry per node"),
        ({"left": [1.5, -1, -1]}, "left must hold integers"),
        ({"left": ["a", -1, -1]}, "left must hold integers"),
        ({"feature": [0.7, 0, 0]}, "feature must hold integers"),
        ({"missing_left": ["False", "", ""]}, "missing_left must hold booleans"),
        ({"value": [[0.5, 0.5], [np.nan, 0.0], [0.2, 0.8]]}, "A leaf predicts NaN"),
        ({"threshold": ["a", 0.0, 0.0]}, "hold one number per node"),
        ({"left": [[1, -1, -1]]}, "one dimension"),
        ({"output": -1}, "output -1"),
        ({"colour": 1}, "unknown: \\['colour'\\]"),
    ],
)
def test_arrays_that_are_not_a_tree_are_refused(changes, message):
    with pytest.raises(InvalidDataError, match=message):
        stump_forest(**changes)


def in_a_row(trees, **changes):
    """Return the trees as if they had been given in one set of arrays, of which some are changed."""
    names = ("left", "right", "feature", "threshold", "missing_left", "value")
    arrays = {name: np.concatenate([getattr(each, name) for each in trees]) for name in names}
    return trees_in_a_row(np.array([each.n_nodes for each in trees]), **arrays | changes)


def test_trees_in_a_row_are_those_that_are_given_one_by_one():
    lone = replace(STUMP, **{name: getattr(STUMP, name)[-1:] for name in ("left", "right", "feature", "threshold")},
                   missing_left=STUMP.missing_left[-1:], value=STUMP.value[-1:])  # fmt: skip
    trees = [STUMP, lone, FIGURE, STUMP]
    for given, found in zip(trees, in_a_row(trees), strict=True):
        for name in ("left", "right", "feature", "threshold", "missing_left", "value", "feature_range", "output"):
            assert_array_equal(getattr(given, name), getattr(found, name))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"right": [2, -1, -1, -1, -1, -1]}, "two children or none"),
        ({"left": [1, -1, -1, 7, -1, -1], "right": [2, -1, -1, 1, -1, -1]}, "A child is node 7"),
        ({"left": [1, -1, -1, 2, -1, -1]}, "child of exactly one node"),
        ({"left": [4, -1, -1, 1, -1, -1], "right": [5, -1, -1, 2, -1, -1]}, "A child is node 5"),
        ({"threshold": [0.0, 0.0, 0.0, np.nan, 0.0, 0.0]}, "NaN"),
        ({"value": [[0.0], [0.0], [0.0], [0.0], [np.nan], [0.0]]}, "A leaf predicts NaN"),
    ],
)
def test_trees_in_a_row_that_are_none_are_refused(changes, message):
    stump = stump_forest().trees[0]
    with pytest.raises(InvalidDataError, match=message):
        in_a_row([stump, stump], **{name: np.array(values) for name, values in changes.items()})


def test_a_circle_beside_the_root_is_refused():
    # 0 -> (1, 2); 3 -> (4, 5), 4 -> (3, 6): each node has one parent, but 3 and 4 go round.
    others = dict.fromkeys(("feature", "threshold", "value"), [0.0] * 7)
    circle = {"left": [1, -1, -1, 4, 3, -1, -1], "right": [2, -1, -1, 5, 6, -1, -1]}
    with pytest.raises(InvalidDataError, match="cycle"):
        Forest.from_arrays([circle | others], ["a"])


def test_nodes_in_any_order_are_a_tree():
    # The root's children come last.
    tree = {
        "left": [3, -1, -1, 1, -1],
        "right": [4, -1, -1, 2, -1],
        "feature": [0] * 5,
        "threshold": [5.0, 0, 0, 2.0, 0],
    }
    forest = Forest.from_arrays([tree | {"value": [0.0, 1.0, 2.0, 3.0, 4.0]}], ["age"])
    assert forest.answer([[1.0], [3.0], [6.0]]).tolist() == [1.0, 2.0, 4.0]


def test_a_tree_knows_the_range_of_its_features():
    assert FIGURE.feature_range == (2, 10)
    assert tree(None).feature_range == (0, -1)


def with_categories(*left_codes):
    """The paper's stump with categories at its root."""
    return replace(
        STUMP,
        category=np.array([0, -1, -1, -1, -1]),
        left_codes=np.array([left_codes]),
        threshold=np.array([np.nan, 12.2, 0.0, 0.0, 0.0]),
    )


def test_a_node_has_codes_that_go_left_if_it_splits_on_categories():
    on_both = with_categories(True, False)
    assert on_both.codes_left(0).tolist() == [True, False]
    assert on_both.codes_left(1) is None
    assert STUMP.codes_left(0) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"category": np.array([0, -1])}, "category must have one entry per node"),
        ({"category": np.array([1, -1, -1, -1, -1])}, "row 1 of left_codes, which does not exist"),
        ({"left_codes": None}, "row 0 of left_codes, which does not exist"),
        ({"value": np.zeros(5)}, "two dimensions"),
    ],
)
def test_categories_and_values_must_fit_the_nodes(changes, message):
    with pytest.raises(InvalidDataError, match=message):
        replace(with_categories(True, False), **changes)


def test_nodes_of_several_trees_know_their_parents_and_depths():
    nodes = stack([STUMP, FIGURE])
    assert nodes.tree.tolist() == [0] * 5 + [1] * 7
    assert nodes.local.tolist() == [*range(5), *range(7)]
    assert nodes.parent.tolist() == [-1, 0, 0, 1, 1, -1, 5, 5, 6, 6, 7, 7]
    assert nodes.is_left.tolist() == [False, True, False, True, False, False, True, False, True, False, True, False]
    assert nodes.depth.tolist() == [0, 1, 1, 2, 2, 0, 1, 1, 2, 2, 2, 2]
    assert [level.tolist() for level in nodes.levels[:2]] == [[0, 5], [1, 6, 2, 7]]


def test_equal_sets_of_categories_in_several_trees_have_one_number():
    nodes = stack([with_categories(True, False), with_categories(False, True), with_categories(True, False)])
    assert nodes.category[[0, 5, 10]].tolist() == [0, 1, 0]


def test_numbers_of_features_are_integers():
    nothing = np.full(1, -1)
    with pytest.raises(InvalidDataError, match="feature must hold integers"):
        Tree(nothing, nothing, np.zeros(1), np.zeros(1), np.zeros(1, dtype=bool), np.zeros((1, 1)))
