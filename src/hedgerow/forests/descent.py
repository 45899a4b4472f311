"""Routing through a large tree: below its first levels, all samples take one step down at a time.

Nodes that no sample reaches cost nothing there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray, RankArray, ValueArray
from hedgerow._support.rounding import round_down
from hedgerow.forests.all_nodes import AllNodes, Block
from hedgerow.forests.tree import Tree

#: The first levels, where comparing many samples at all nodes takes less time than as many steps.
_TOP = 5
#: After so many steps, the samples that have reached their end are put aside.
_STEPS = 3


class Descent:
    """A tree down to the nodes that have a label, numbered level by level.

    The right child has the number after the left child's, so that one step is ``left[here] + goes_right``. An end is
    its own left child, and everything goes left there.
    """

    def __init__(self, tree: Tree, labels: IntArray, dtype: Any, with_nan: BoolArray, n_top: int = _TOP) -> None:
        levels = _levels(tree, labels)
        order = np.concatenate(levels)
        is_end = labels[order] >= 0
        number = np.empty(tree.n_nodes, dtype=np.intp)
        number[order] = np.arange(len(order))
        top = np.where(labels >= 0, number, -1)
        if len(levels) > n_top:
            top[levels[n_top]] = number[levels[n_top]]
        self.top = AllNodes(tree, top, dtype, with_nan)
        self.labels = labels[order]
        self.left = np.where(is_end, np.arange(len(order)), number[tree.left[order]])
        self.feature = np.where(is_end, 0, tree.feature[order]).astype(np.intp)
        self.thresholds = np.where(is_end, dtype(np.inf), round_down(tree.threshold[order], dtype))
        self.missing_right = None
        if with_nan[self.feature].any():
            self.missing_right = ~is_end & ~tree.missing_left[order]
        self.category = self.codes_right = None
        if tree.category is not None and tree.left_codes is not None:
            category = np.where(is_end, -1, tree.category[order])
            if (category >= 0).any():
                self.category, self.codes_right = category, ~tree.left_codes

    def fill(self, block: Block, reached: RankArray) -> None:
        """Write the label of the node that each row of a block reaches."""
        start, row = self.feature * block.stride, np.arange(len(reached))
        here = np.empty(len(row), dtype=np.intp)
        self.top.fill(block, here)
        while True:
            for _ in range(_STEPS):
                x = block.flat.take(start.take(here) + row)
                goes_right = x > self.thresholds.take(here)
                if self.category is not None or self.missing_right is not None:
                    self._correct(goes_right, x, here)
                here = self.left.take(here)
                here += goes_right
            label = self.labels.take(here)
            going = np.flatnonzero(label < 0)
            if not len(going):
                reached[row] = label
                return
            if len(going) < len(row) // 2:
                reached[row] = np.maximum(label, 0)
                row, here = row.take(going), here.take(going)

    def _correct(self, goes_right: BoolArray, x: ValueArray, here: IntArray) -> None:
        """Let categories and missing values go where the tree sends them."""
        is_missing = np.isnan(x)
        if self.category is not None and self.codes_right is not None:
            category = self.category.take(here)
            split = np.flatnonzero((category >= 0) & ~is_missing)
            goes_right[split] = self.codes_right[category[split], x[split].astype(np.intp)]
        if self.missing_right is not None:
            missing = np.flatnonzero(is_missing)
            goes_right[missing] = self.missing_right[here[missing]]


def _levels(tree: Tree, labels: IntArray) -> list[IntArray]:
    """Return the nodes down to those with a label, level by level, a right child after its left sibling."""
    level, levels = np.zeros(1, dtype=np.intp), []
    while len(level):
        levels.append(level)
        inside = level[labels[level] < 0]
        level = np.empty(2 * len(inside), dtype=np.intp)
        level[::2], level[1::2] = tree.left[inside], tree.right[inside]
    return levels
