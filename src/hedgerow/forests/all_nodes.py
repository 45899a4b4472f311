"""Routing through a small tree: all samples are compared at all of its nodes.

The processor compares a whole block of samples in little more time than one step down the tree takes for some of them,
and selecting by arithmetic on bytes is many times faster than selecting by index.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray, RankArray, ValueArray
from hedgerow._support.rounding import round_down
from hedgerow.forests.tree import Tree

#: So many ends can be told apart by one byte.
_IN_A_BYTE = 256


class Block(NamedTuple):
    """Consecutive rows of a matrix in Fortran order.

    Attributes
    ----------
    columns : array of shape (n_columns, n_rows)
        One row per column.
    flat : array
        The matrix from the first of these rows on: the value of the k-th of them in a column is at
        ``column * stride + k``.
    stride : int
    """

    columns: ValueArray
    flat: ValueArray
    stride: int

    @staticmethod
    def of(values: ValueArray, start: int, stop: int) -> Block:
        """Return the rows from ``start`` to ``stop``."""
        return Block(values[start:stop].T, values.T.reshape(-1)[start:], len(values))


class AllNodes:
    """A tree down to the nodes that have a label, in the form that :meth:`fill` walks.

    The ends are numbered from left to right, so that all on the right of a node have higher numbers than those on its
    left. The end of a sample is then the higher of ``left`` and ``goes_right * right``, where ``left`` and ``right``
    are its ends below the two children.
    """

    def __init__(self, tree: Tree, labels: IntArray, dtype: Any, with_nan: BoolArray) -> None:
        self.tree, self.with_nan = tree, with_nan
        self.thresholds = round_down(tree.threshold, dtype)
        self.ends: list[int] = []
        self.root = self._node(0, labels)
        in_order = self.ends == list(range(len(self.ends)))
        self.names = None if in_order else np.array(self.ends, dtype=np.min_scalar_type(max(self.ends)))

    def _node(self, node: int, labels: IntArray) -> int | _Branch:
        """Return the number of an end, or a branch node; ends are numbered as they are met."""
        if labels[node] >= 0:
            self.ends.append(int(labels[node]))
            return len(self.ends) - 1
        first = len(self.ends)
        left, right = (self._node(int(child[node]), labels) for child in (self.tree.left, self.tree.right))
        return _Branch(self, node, left, right, first, len(self.ends) - first)

    def fill(self, block: Block, reached: RankArray) -> None:
        """Write the label of the node that each row of a block reaches."""
        if isinstance(self.root, int):
            reached[:] = self.ends[0]
            return
        ends = self.root.ends(block.columns, 0)
        reached[:] = ends if self.names is None else self.names.take(ends)


class _Branch:
    """A branch node: what it compares, and its children, each the number of an end or another branch."""

    __slots__ = ("category", "feature", "first", "is_wide", "left", "missing", "right", "threshold")

    def __init__(
        self, of: AllNodes, node: int, left: int | _Branch, right: int | _Branch, first: int, n_ends: int
    ) -> None:
        self.feature, self.left, self.right, self.first = int(of.tree.feature[node]), left, right, first
        self.is_wide = n_ends > _IN_A_BYTE
        self.threshold = of.thresholds[node]
        self.category = of.tree.codes_left(node)
        # NaN compares false, so it goes left unless something is done about it.
        missing_right = of.with_nan[self.feature] and not of.tree.missing_left[node]
        self.missing = bool(missing_right)
        if self.category is not None:
            self.missing = not of.tree.missing_left[node]

    def ends(self, columns: ValueArray, base: int) -> Any:
        """Return the end of each sample less ``base``, in one byte if all numbers below the node fit."""
        left, right = self.left, self.right
        goes_right = self._goes_right(columns[self.feature])
        if self.is_wide:
            left, right = (_widened(child, columns) for child in (left, right))
            return np.maximum(goes_right * right, left)
        if not isinstance(right, int):
            ends = right.ends(columns, base)
            ends *= goes_right
        elif isinstance(left, int):  # the two ends are numbered one after the other
            ends = goes_right
            if left > base:
                ends += np.uint8(left - base)
            return ends
        else:
            ends = goes_right
            ends *= np.uint8(right - base)
        if not isinstance(left, int):
            return np.maximum(ends, left.ends(columns, base), out=ends)
        return np.maximum(ends, np.uint8(left - base), out=ends) if left > base else ends

    def _goes_right(self, column: ValueArray) -> Any:
        """Return 1 for each sample that goes right, 0 for the others."""
        if self.category is None:
            goes_right = column > self.threshold
            if self.missing:
                goes_right |= np.isnan(column)
        else:
            missing = np.isnan(column)
            goes_right = ~self.category.take(np.where(missing, 0, column).astype(np.intp))
            goes_right[missing] = self.missing
        return goes_right.view(np.uint8)


def _widened(child: int | _Branch, columns: ValueArray) -> Any:
    """Return the ends below the child of a node whose ends do not fit in a byte."""
    if isinstance(child, int):
        return np.uint16(child)
    if child.is_wide:
        return child.ends(columns, 0)
    return child.ends(columns, child.first) + np.uint16(child.first)
