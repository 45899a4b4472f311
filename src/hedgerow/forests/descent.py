"""Routing through a large tree: all samples take one step down at a time.

Nodes that no sample reaches cost nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray, RankArray, ValueArray
from hedgerow._support.rounding import round_down
from hedgerow.forests.tree import Tree

#: After so many steps, the samples that have reached their end are put aside.
_STEPS = 4


class Descent:
    """A tree down to the nodes that have a label, numbered level by level.

    The right child has the number after the left child's, so that one step is ``left[here] + goes_right``. An end is
    its own left child, and everything goes left there.
    """

    def __init__(self, tree: Tree, labels: IntArray, dtype: Any, with_nan: BoolArray) -> None:
        order = _by_level(tree, labels)
        is_end = labels[order] >= 0
        left = np.empty(tree.n_nodes, dtype=np.intp)
        left[order] = np.arange(len(order))
        self.labels = labels[order]
        self.left = np.where(is_end, np.arange(len(order)), left[tree.left[order]])
        self.feature = np.where(is_end, 0, tree.feature[order]).astype(np.intp)
        self.thresholds = np.where(is_end, dtype(np.inf), round_down(tree.threshold[order], dtype))
        self.missing_right = None
        if with_nan[np.unique(self.feature)].any():
            self.missing_right = ~is_end & ~tree.missing_left[order]
        self.category = self.codes_right = None
        if tree.category is not None and tree.left_codes is not None:
            category = np.where(is_end, -1, tree.category[order])
            if (category >= 0).any():
                self.category, self.codes_right = category, ~tree.left_codes

    def fill(self, values: ValueArray, rows: slice, reached: RankArray) -> None:
        """Write the label of the node that each of the rows reaches; ``values`` has Fortran order."""
        flat, start = values.T.reshape(-1), self.feature * len(values)
        row = np.arange(rows.start, rows.stop)
        here = np.zeros(len(row), dtype=np.intp)
        while True:
            for _ in range(_STEPS):
                x = flat.take(start.take(here) + row)
                goes_right = x > self.thresholds.take(here)
                if self.category is not None or self.missing_right is not None:
                    self._correct(goes_right, x, here)
                here = self.left.take(here)
                here += goes_right
            label = self.labels.take(here)
            going = np.flatnonzero(label < 0)
            if not len(going):
                reached[row - rows.start] = label
                return
            if len(going) < len(row) // 2:
                reached[row - rows.start] = np.maximum(label, 0)
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


def _by_level(tree: Tree, labels: IntArray) -> IntArray:
    """Return the nodes down to those with a label, level by level, a right child after its left sibling."""
    level, levels = np.zeros(1, dtype=np.intp), []
    while len(level):
        levels.append(level)
        inside = level[labels[level] < 0]
        level = np.column_stack([tree.left[inside], tree.right[inside]]).ravel()
    return np.concatenate(levels)
