"""One tree as arrays, and the nodes of many trees in one set of arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidDataError


@dataclass(frozen=True, eq=False)
class Tree:
    """One tree, a node a position, the root at 0, in the library's own numbering.

    Attributes
    ----------
    left, right : int arrays
        Children; -1 at a leaf.
    feature : int array
        Which of the forest's features a branch node looks at; anything at a leaf.
    threshold : float64 array
        Go left if the feature is at most this.
    missing_left : bool array
        Where a missing value goes.
    value : float array of shape (n_nodes, n_values)
        What each node answers, before the tree's weight.
    category : int array, optional
        Row of ``left_codes`` that a branch node on categories uses; -1 elsewhere.
    left_codes : bool array of shape (n_category_nodes, n_codes), optional
        Which category codes go left.
    output : int
        The first column of the forest's raw answer that ``value`` adds to.
    """

    left: IntArray
    right: IntArray
    feature: IntArray
    threshold: FloatArray
    missing_left: BoolArray
    value: FloatArray
    category: IntArray | None = None
    left_codes: BoolArray | None = None
    output: int = 0

    def __post_init__(self) -> None:
        inner = _check_children(self.left, self.right)
        for name in ("feature", "threshold", "missing_left", "value"):
            if len(getattr(self, name)) != len(inner):
                raise InvalidDataError(f"A tree of {len(inner)} nodes needs as many entries of {name}, one a node.")
        if self.value.ndim != 2:
            raise InvalidDataError("value has two dimensions: nodes, and the numbers that each node answers.")
        by_threshold = inner
        if self.category is not None:
            _check_categories(self.category, self.left_codes, len(inner))
            by_threshold = inner & (self.category < 0)
        if np.isnan(self.threshold[by_threshold]).any():
            raise InvalidDataError("A threshold is NaN; nothing compares with it. For a split on missing: infinity.")

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.left)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.left < 0))


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of a forest in one set of arrays, trees one after the other.

    ``parent``, ``left`` and ``right`` are positions in these arrays, -1 where
    there is none; ``is_left`` says on which side of its parent a node hangs.
    """

    tree: IntArray
    local: IntArray
    left: IntArray
    right: IntArray
    parent: IntArray
    is_left: BoolArray
    depth: IntArray
    feature: IntArray
    threshold: FloatArray
    missing_left: BoolArray
    category: IntArray
    levels: tuple[IntArray, ...]


def _check_children(left: IntArray, right: IntArray) -> BoolArray:
    """Say which nodes branch, if the children make one tree: each node but the root is below just one other."""
    n_nodes = len(left)
    if n_nodes == 0 or len(right) != n_nodes:
        raise InvalidDataError("A tree has at least one node, and as many entries of left as of right.")
    inner: BoolArray = left >= 0
    if ((right >= 0) != inner).any():
        raise InvalidDataError("A node has two children or none (-1 and -1).")
    parents = np.flatnonzero(inner)
    children = np.concatenate([left[parents], right[parents]])
    if len(children) and children.max() >= n_nodes:
        raise InvalidDataError(f"A child is node {children.max()}, of {n_nodes} nodes.")
    if (np.bincount(children, minlength=n_nodes) != np.append(0, np.ones(n_nodes - 1))).any():
        raise InvalidDataError("Every node but the root, node 0, must be the child of just one node.")
    if (children <= np.tile(parents, 2)).any():  # no cycle if children always come later; otherwise walk down
        level, n_seen = np.zeros(1, dtype=np.intp), 0
        while len(level):
            n_seen += len(level)
            below = level[inner[level]]
            level = np.concatenate([left[below], right[below]])
        if n_seen < n_nodes:
            raise InvalidDataError("The children go round in a circle; not every node can be reached from the root.")
    return inner


def _check_categories(category: IntArray, left_codes: BoolArray | None, n_nodes: int) -> None:
    if len(category) != n_nodes:
        raise InvalidDataError(f"A tree of {n_nodes} nodes needs as many entries of category, one a node.")
    highest = int(category.max(initial=-1))
    if highest >= 0 and (left_codes is None or left_codes.ndim != 2 or highest >= len(left_codes)):
        raise InvalidDataError(f"A node uses row {highest} of left_codes, which has no such row.")


def tree_of_arrays(arrays: Mapping[str, Any]) -> Tree:
    """Return a tree of plain arrays, checked; :meth:`hedgerow.Forest.from_arrays` says which."""
    unknown = set(arrays) - {"left", "right", "feature", "threshold", "value", "missing_left", "output"}
    absent = {"left", "right", "feature", "threshold", "value"} - set(arrays)
    if unknown or absent:
        raise InvalidDataError(
            f"A tree needs left, right, feature, threshold and value, and may have missing_left and output; "
            f"missing: {sorted(absent)}, unknown: {sorted(unknown)}."
        )
    try:
        left, right, feature = (whole_numbers(arrays[name], name) for name in ("left", "right", "feature"))
        threshold, value = (np.asarray(arrays[name], dtype=np.float64) for name in ("threshold", "value"))
        missing_left = truths(arrays.get("missing_left", np.zeros(len(left))), "missing_left")
        output = int(arrays.get("output", 0))
    except (TypeError, ValueError) as error:
        raise InvalidDataError(f"The arrays of a tree hold numbers, one a node: {error}.") from None
    if any(array.ndim != 1 for array in (left, right, feature, threshold, missing_left)):
        raise InvalidDataError("left, right, feature, threshold and missing_left have one dimension: nodes.")
    return Tree(
        np.where(left < 0, -1, left),
        np.where(right < 0, -1, right),
        feature,
        threshold,
        missing_left,
        value[:, None] if value.ndim == 1 else value,
        output=output,
    )


def whole_numbers(given: Any, name: str) -> IntArray:
    """Return an array of whole numbers; refuse any others instead of cutting them."""
    numbers = np.asarray(given)
    if numbers.size == 0:
        return numbers.astype(np.int64)
    if numbers.dtype.kind not in "iuf" or (numbers != np.trunc(numbers)).any() or np.abs(numbers).max() > 2**53:
        raise InvalidDataError(f"{name} must hold whole numbers.")
    return numbers.astype(np.int64)


def truths(given: Any, name: str) -> BoolArray:
    """Return an array of true and false, or 1 and 0; refuse anything else."""
    values = np.asarray(given)
    if values.size and (values.dtype.kind not in "biuf" or not np.isin(values, [0, 1]).all()):
        raise InvalidDataError(f"{name} must hold true or false.")
    return values.astype(bool)


def stack(trees: Sequence[Tree]) -> Nodes:
    """Return the nodes of all trees, one after the other."""
    sizes = np.array([tree.n_nodes for tree in trees])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    shift = np.repeat(offsets[:-1], sizes)

    def joined(arrays: Sequence[AnyArray]) -> AnyArray:
        return np.concatenate(arrays)

    left, right = joined([t.left for t in trees]), joined([t.right for t in trees])
    left, right = np.where(left < 0, -1, left + shift), np.where(right < 0, -1, right + shift)
    n_nodes = int(offsets[-1])
    inner = np.flatnonzero(left >= 0)
    parent = np.full(n_nodes, -1)
    parent[left[inner]] = parent[right[inner]] = inner
    is_left = np.zeros(n_nodes, dtype=bool)
    is_left[left[inner]] = True
    depth, level = np.zeros(n_nodes, dtype=np.int64), offsets[:-1]
    levels: list[IntArray] = []
    while len(level):
        depth[level] = len(levels)
        levels.append(level)
        inside = level[left[level] >= 0]
        level = np.concatenate([left[inside], right[inside]])
    # Equal sets of codes get equal numbers, so that they count as one split.
    sets: dict[bytes, int] = {}
    category = np.full(n_nodes, -1)
    for k, tree in enumerate(trees):
        if tree.category is not None and tree.left_codes is not None:
            numbers = np.array([sets.setdefault(np.packbits(row).tobytes(), len(sets)) for row in tree.left_codes])
            where = np.flatnonzero(tree.category >= 0)
            category[offsets[k] + where] = numbers[tree.category[where]]
    return Nodes(
        tree=np.repeat(np.arange(len(trees)), sizes),
        local=np.arange(n_nodes) - shift,
        left=left,
        right=right,
        parent=parent,
        is_left=is_left,
        depth=depth,
        feature=joined([t.feature for t in trees]),
        threshold=joined([t.threshold for t in trees]),
        missing_left=joined([t.missing_left for t in trees]),
        category=category,
        levels=tuple(levels),
    )
