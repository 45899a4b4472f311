"""Samples end where a walk down each tree takes them, whichever way they are routed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from small_forests import FIGURE, STUMP

from hedgerow import Tree
from hedgerow.forests import routing
from hedgerow.forests.routing import route


def walk(tree, row, labels):
    """Return the label at which one sample ends, by the definition of a tree."""
    node = 0
    while labels[node] < 0:
        x = row[tree.feature[node]]
        if np.isnan(x):
            goes_left = tree.missing_left[node]
        elif tree.category is not None and tree.category[node] >= 0:
            goes_left = tree.left_codes[tree.category[node], int(x)]
        else:
            goes_left = x <= tree.threshold[node]
        node = tree.left[node] if goes_left else tree.right[node]
    return labels[node]


@st.composite
def drawn_trees(draw, n_features=3, n_codes=4):
    """Return a tree of up to 15 nodes that splits on thresholds and on categories (of the last feature)."""
    n_inner = draw(st.integers(0, 7))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    left, right, leaves = [-1], [-1], [0]
    for _ in range(n_inner):
        node = leaves.pop(rng.integers(len(leaves)))
        left[node], right[node] = len(left), len(left) + 1
        leaves += [len(left), len(left) + 1]
        left += [-1, -1]
        right += [-1, -1]
    n_nodes = len(left)
    feature = rng.integers(n_features, size=n_nodes)
    on_categories = (np.array(left) >= 0) & (feature == n_features - 1)
    return Tree(
        left=np.array(left),
        right=np.array(right),
        feature=feature,
        threshold=rng.choice([-1.0, 0.0, 0.5, 1.0, np.inf, -np.inf], n_nodes),
        missing_left=rng.random(n_nodes) < 0.5,
        value=np.zeros((n_nodes, 1)),
        category=np.where(on_categories, np.arange(n_nodes), -1),
        left_codes=rng.random((n_nodes, n_codes)) < 0.5,
    )


@pytest.mark.parametrize(
    ("whole", "few", "together"),
    [(0, 0, 0), (0, 99, 0), (99, 0, 0), (0, 0, 99)],
    ids=["top first", "step by step", "all nodes", "all trees"],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@settings(max_examples=50, deadline=None)
@given(st.lists(drawn_trees(), min_size=1, max_size=3), st.integers(0, 10**6), st.sampled_from([1, 2]))
def test_samples_end_where_a_walk_takes_them(whole, few, together, dtype, trees, seed, n_jobs):
    rng = np.random.default_rng(seed)
    odd = [np.inf, -np.inf, -0.0, 0.0, 0.5, np.nextafter(0.5, 1), np.nextafter(dtype(0.5), dtype(1)), -1.0]
    values = rng.choice(odd, (20, 3))
    values[:, 2] = rng.integers(4, size=20)
    values[rng.random(values.shape) < 0.2] = np.nan
    labels = [np.where(tree.left < 0, rng.permutation(300)[: tree.n_nodes], -1) for tree in trees]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing, "_WHOLE", whole)
        patch.setattr(routing, "_WHOLE_FOR_FEW", whole)
        patch.setattr(routing, "_FEW", few)
        patch.setattr(routing, "_TOGETHER", together)
        patch.setattr(routing, "_BLOCK", 7)
        reached = route(trees, values.astype(dtype), labels, n_jobs)
    rows = values.astype(dtype)
    expected = [[walk(tree, row, label) for tree, label in zip(trees, labels, strict=True)] for row in rows]
    assert_array_equal(reached, expected)


def test_samples_stop_at_inner_nodes_that_have_a_label():
    stops = np.array([-1, 7, -1, 0, 0, 8, 9])
    values = np.zeros((3, 11))
    values[:, 10], values[:, 2] = [0.7, 0.8, 0.8], [0.0, 97.8, 97.9]
    assert route([FIGURE], values, [stops], None).tolist() == [[7], [8], [9]]


def test_the_result_is_of_the_smallest_type_that_holds_the_labels():
    values = np.zeros((1, 11))
    for highest, dtype in ((255, np.uint8), (256, np.uint16), (70_000, np.uint32)):
        reached = route([STUMP], values, [np.array([-1, -1, 1, highest, 3])], None)
        assert reached.dtype == dtype
        assert reached[0, 0] == highest


def test_a_threshold_between_two_single_precision_numbers_is_compared_with_the_lower():
    tenth = np.float32(0.1)  # above 0.1
    tree = Tree(
        left=np.array([1, -1, -1]),
        right=np.array([2, -1, -1]),
        feature=np.zeros(3, dtype=np.int64),
        threshold=np.array([0.1, 0.0, 0.0]),
        missing_left=np.zeros(3, dtype=bool),
        value=np.zeros((3, 1)),
    )
    values = np.array([[np.nextafter(tenth, np.float32(0))], [tenth]])
    assert route([tree], values, [np.array([-1, 0, 1])], None).tolist() == [[0], [1]]
