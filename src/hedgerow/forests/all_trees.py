"""Routing through many small trees at once: a few operations on the whole forest instead of a few for each node.

The ends of a tree are numbered from left to right, and stand for one bit each. A node at which a sample goes right
rules out all ends on its left. The sample's end is the lowest one that no node rules out, because the nodes on the
sample's way rule out all ends on the left of its own and not that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, IntArray, ValueArray
from hedgerow._support.rounding import round_down
from hedgerow.exceptions import InvalidDataError
from hedgerow.forests.tree import Tree

#: Trees with more ends are not routed here: the table of all sets of ends would be large.
MOST_ENDS = 16
#: So many trees times samples are routed at once that their bits stay in the processor's cache.
_AT_ONCE = 1 << 17


class AllTrees:
    """Some trees down to the nodes that have a label, each with at most ``MOST_ENDS`` of them and without categories.

    A tree has one slot per branch node. A slot that a tree does not need rules nothing out.

    Parameters
    ----------
    trees : sequence of Tree
    labels : sequence of int arrays
        A number of at least 0 for each node to stop at, -1 for those to pass.
    dtype : float32 or float64
        Of the samples.
    with_nan : bool array
        In which columns values are missing.
    """

    def __init__(self, trees: Sequence[Tree], labels: Sequence[IntArray], dtype: Any, with_nan: BoolArray) -> None:
        sizes = np.array([tree.n_nodes for tree in trees])
        offsets = np.cumsum(sizes) - sizes
        left, right, feature, threshold, missing_left = (
            np.concatenate([getattr(tree, name) for tree in trees])
            for name in ("left", "right", "feature", "threshold", "missing_left")
        )
        shift, label = np.repeat(offsets, sizes), np.concatenate(labels)
        left, right = left + shift, right + shift
        first, n_ends, inner, ends = _numbered(offsets, left, right, label)
        tree_of = np.repeat(np.arange(len(trees)), sizes)
        inner = inner[np.argsort(tree_of[inner], kind="stable")]
        n_inner = np.bincount(tree_of[inner], minlength=len(trees))
        slot = np.arange(len(inner)) - np.repeat(np.cumsum(n_inner) - n_inner, n_inner)
        most = int(n_ends[offsets].max())
        bits = np.min_scalar_type((1 << most) - 1)
        shape = (int(n_inner.max(initial=0)), len(trees))
        at = slot, tree_of[inner]
        self.feature, self.ruled_out = np.zeros(shape, dtype=np.intp), np.zeros(shape, dtype=bits)
        self.threshold, self.missing_right = np.full(shape, dtype(np.inf)), np.zeros(shape, dtype=bool)
        self.feature[at], self.threshold[at] = feature[inner], round_down(threshold[inner], dtype)
        on_left = left[inner]
        self.ruled_out[at] = ((np.int64(1) << n_ends[on_left]) - 1) << first[on_left]
        self.missing_right[at] = with_nan[feature[inner]] & ~missing_left[inner]
        self.lowest = _lowest_free(bits)
        ends = ends[np.lexsort((first[ends], tree_of[ends]))]
        names = np.zeros((len(trees), most), dtype=np.int64)
        names[tree_of[ends], first[ends]] = label[ends]
        in_order = (names == np.arange(most)) | (np.arange(most) >= n_ends[offsets, None])
        self.names = None if in_order.all() else names.astype(np.min_scalar_type(int(names.max())))

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return int(self.feature.shape[1])

    def reached(self, columns: ValueArray) -> AnyArray:
        """Return the label of the node that each sample reaches in each tree: a row per tree.

        ``columns`` has a row per feature.
        """
        labels = np.uint8 if self.names is None else self.names.dtype
        found = np.empty((self.n_trees, columns.shape[1]), dtype=labels)
        step = max(1, _AT_ONCE // max(1, columns.shape[1]))
        for start in range(0, self.n_trees, step):
            some = slice(start, start + step)
            ends = self.lowest.take(self._ruled_out(columns, some))
            if self.names is not None:
                names = self.names[some]
                ends = names.ravel().take(ends + (np.arange(len(names)) * names.shape[1])[:, None])
            found[some] = ends
        return found

    def _ruled_out(self, columns: ValueArray, trees: slice) -> AnyArray:
        """Return the ends that each sample does not reach: a row per tree."""
        n_trees = len(range(*trees.indices(self.n_trees)))
        found: AnyArray = np.zeros((n_trees, columns.shape[1]), dtype=self.ruled_out.dtype)
        for k in range(len(self.feature)):
            x = columns.take(self.feature[k, trees], axis=0)
            goes_right = x > self.threshold[k, trees, None]
            missing = np.flatnonzero(self.missing_right[k, trees])
            if len(missing):
                goes_right[missing] = goes_right[missing] | np.isnan(x[missing])
            found |= goes_right * self.ruled_out[k, trees, None]
        return found


def _numbered(
    roots: IntArray, left: IntArray, right: IntArray, label: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the first end and the number of ends below each node, the branch nodes, and the ends."""
    levels, n_ends, n_reached = [roots], np.ones(len(label), dtype=np.int64), len(roots)
    while len(inside := levels[-1][label[levels[-1]] < 0]):
        levels.append(np.concatenate([left[inside], right[inside]]))
        n_reached += len(levels[-1])
        if n_reached > len(label):
            raise InvalidDataError("These are no trees: a node is reached twice, or a path has no end.")
    inner = [level[label[level] < 0] for level in levels]
    for some in reversed(inner):
        n_ends[some] = n_ends[left[some]] + n_ends[right[some]]
    first = np.zeros(len(label), dtype=np.int64)
    for some in inner:
        first[left[some]] = first[some]
        first[right[some]] = first[some] + n_ends[left[some]]
    reached = np.concatenate(levels)
    return first, n_ends, np.concatenate(inner), reached[label[reached] >= 0]


@cache
def _lowest_free(dtype: np.dtype[Any]) -> AnyArray:
    """Return for each set of bits the number of the lowest bit that is not in it; 0 if all are."""
    n_bits = 8 * dtype.itemsize
    sets = np.arange(1 << n_bits)
    found = np.zeros(len(sets), dtype=np.uint8)
    for bit in reversed(range(n_bits)):
        found[(sets >> bit) & 1 == 0] = bit
    return found
