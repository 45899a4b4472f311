"""Steps down a tree, until every sample is at its end."""

import numpy as np
from numpy.testing import assert_array_equal

from hedgerow import Tree
from hedgerow.forests.all_nodes import Block
from hedgerow.forests.descent import Descent

N_LEAVES = 40


def test_samples_whose_ends_are_at_very_different_depths():
    # Node 2k parts the number k from the larger ones: leaf 2k + 1 is at depth k + 1.
    node = np.arange(2 * N_LEAVES - 1)
    inner = (node % 2 == 0) & (node < 2 * N_LEAVES - 2)
    tree = Tree(
        left=np.where(inner, node + 1, -1),
        right=np.where(inner, node + 2, -1),
        feature=np.where(inner, 1, 0),
        threshold=node / 2,
        missing_left=node % 4 == 0,
        value=np.zeros((len(node), 1)),
    )
    values = np.full((N_LEAVES + 2, 2), np.nan, order="F")
    values[:, 1] = [*range(N_LEAVES), np.inf, np.nan]
    labels = np.where(inner, -1, node // 2)
    reached = np.full(len(values), 255, dtype=np.uint8)
    descent = Descent(tree, labels, np.float64, np.array([True, True]))
    for start, stop in ((0, 30), (30, len(values))):
        descent.fill(Block.of(values, start, stop), reached[start:stop])
    assert_array_equal(reached, [*range(N_LEAVES), N_LEAVES - 1, 0])
