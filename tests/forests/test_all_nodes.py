"""All samples compared at all nodes of a tree: ends that fit in a byte, and those that do not."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hedgerow import Tree
from hedgerow.forests.all_nodes import AllNodes, Block


def tree_of_intervals(n_leaves):
    """Return a tree that parts the numbers below ``n_leaves`` until each is alone, and the number at each leaf."""
    left, right, threshold, number = [], [], [], []

    def grow(first, last):
        node = len(left)
        for column, value in ((left, -1), (right, -1), (threshold, 0.0), (number, first)):
            column.append(value)
        if last - first > 1:
            middle = max(first + 1, (2 * first + last) // 3)
            threshold[node], number[node] = middle - 0.5, -1
            left[node] = grow(first, middle)
            right[node] = grow(middle, last)
        return node

    grow(0, n_leaves)
    zeros = np.zeros(len(left), dtype=np.int64)
    tree = Tree(np.array(left), np.array(right), zeros, np.array(threshold), zeros > 0, zeros[:, None].astype(float))
    return tree, np.array(number)


@pytest.mark.parametrize("n_leaves", [1, 2, 3, 256, 257, 600])
def test_ends_are_told_apart_whether_or_not_they_fit_in_a_byte(n_leaves):
    tree, number = tree_of_intervals(n_leaves)
    column, expected = np.arange(n_leaves, dtype=np.float32), np.arange(n_leaves)
    for labels, wanted in ((number, expected), (np.where(number < 0, -1, n_leaves - 1 - number), expected[::-1])):
        reached = np.empty(n_leaves, dtype=np.uint16)
        AllNodes(tree, labels, np.float32, np.array([False])).fill(Block.of(column[:, None], 0, n_leaves), reached)
        assert_array_equal(reached, wanted)
