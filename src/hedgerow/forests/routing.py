"""Routing of samples through trees: the hot path of everything that asks which node a sample reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray, RankArray, ValueArray
from hedgerow._support.rounding import round_down
from hedgerow.forests.tree import Tree

#: A tree with at most this many branch nodes is evaluated at all of them.
_WHOLE = 255
#: Samples are routed through all trees in blocks of this size, which fit in the processor's cache.
_BLOCK = 1 << 15


def route(trees: Sequence[Tree], values: ValueArray, labels: Sequence[IntArray], n_jobs: int | None) -> RankArray:
    """Return the label of the node at which each row of values ends in each tree.

    ``labels`` has one array per tree: a number of at least 0 for each node to stop at, -1 for those to pass. The result
    has the smallest unsigned dtype that holds all labels.
    """
    from joblib import Parallel, delayed, effective_n_jobs

    n_trees, highest = len(trees), max((int(label.max()) for label in labels), default=0)
    reached = np.empty((len(values), n_trees), dtype=np.min_scalar_type(highest), order="F")
    with_nan: BoolArray = np.asarray(np.isnan(values).any(axis=0))

    def fill(ks: range) -> None:
        routes = [_Route(trees[k], labels[k], values.dtype.type, with_nan) for k in ks]
        for start in range(0, len(values), _BLOCK):
            rows = slice(start, start + _BLOCK)
            for k, one in zip(ks, routes, strict=True):
                one.fill(values[rows], reached[rows, k])

    jobs = min(effective_n_jobs(n_jobs), max(1, n_trees))
    chunks = [range(i, n_trees, jobs) for i in range(jobs)]
    # Threads, because numpy releases the interpreter lock in everything that takes time here.
    Parallel(n_jobs=jobs, require="sharedmem")(delayed(fill)(chunk) for chunk in chunks)
    return reached


class _Route:
    """Routes samples through one tree, to the nodes that have a label.

    In a small tree, all samples are compared at all nodes: comparisons run at memory speed, and selecting by arithmetic
    on bytes is many times faster than selecting by index. In a large tree, all samples take one step down at a time, so
    that nodes which no sample reaches cost nothing.
    """

    def __init__(self, tree: Tree, labels: IntArray, dtype: Any, with_nan: BoolArray) -> None:
        self.tree, self.labels, self.with_nan = tree, labels, with_nan
        self.thresholds = round_down(tree.threshold, dtype)
        self.some_missing = bool(with_nan.any())
        self.is_small = np.count_nonzero(labels < 0) <= _WHOLE

    def fill(self, values: ValueArray, reached: RankArray) -> None:
        """Write the label of the node that each sample reaches."""
        if self.is_small:
            reached[:] = self._below(0, values, reached.dtype)
        else:
            self._descend(values, reached)

    def _below(self, node: int, values: ValueArray, dtype: Any) -> Any:
        """Return the label of each sample as if all were at this node; an int if all have the same."""
        if self.labels[node] >= 0:
            return int(self.labels[node])
        children = (self.tree.left[node], self.tree.right[node])
        left, right = (self._below(int(child), values, dtype) for child in children)
        goes_left = self._goes_left(node, values[:, self.tree.feature[node]])
        # right + goes_left * (left - right); unsigned numbers wrap around and back.
        if isinstance(left, int) and isinstance(right, int):
            difference = np.array((left - right) % (np.iinfo(dtype).max + 1), dtype=dtype)
        else:
            difference = np.subtract(left, right, dtype=dtype)
        return goes_left.view(np.uint8) * difference + np.array(right, dtype=dtype)

    def _descend(self, values: ValueArray, reached: RankArray) -> None:
        """Move all samples down, one node at a time, until each is at a node with a label."""
        tree, labels = self.tree, self.labels
        rows = np.arange(len(values))
        here = np.zeros(len(values), dtype=np.intp)
        while len(rows):
            column = values[rows, tree.feature[here]]
            goes_left = column <= self.thresholds[here]
            if tree.category is not None and tree.left_codes is not None:
                split = np.flatnonzero((tree.category[here] >= 0) & ~np.isnan(column))
                goes_left[split] = tree.left_codes[tree.category[here[split]], column[split].astype(np.intp)]
            if self.some_missing:
                missing = np.flatnonzero(np.isnan(column))
                goes_left[missing] = tree.missing_left[here[missing]]
            here = np.where(goes_left, tree.left[here], tree.right[here])
            ended = labels[here] >= 0
            if ended.any():
                reached[rows[ended]] = labels[here[ended]]
                rows, here = rows[~ended], here[~ended]

    def _goes_left(self, node: int, column: ValueArray) -> BoolArray:
        """Return a mask of the samples that go left at a node; a missing value takes the side of ``missing_left``."""
        tree, codes = self.tree, self.tree.codes_left(node)
        if codes is not None:
            missing = np.isnan(column)
            goes_left = codes.take(np.where(missing, 0, column).astype(np.intp))
            goes_left[missing] = tree.missing_left[node]
            return goes_left
        goes_left = column <= self.thresholds[node]
        if tree.missing_left[node] and self.with_nan[tree.feature[node]]:
            goes_left |= np.isnan(column)
        return goes_left
