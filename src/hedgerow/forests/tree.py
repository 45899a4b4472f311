"""A tree as arrays, and the nodes of many trees in one set of arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidDataError

#: Bytes that the masks of category codes of one model may take.
_MOST_MASKED = 1 << 30


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree: one entry per node, the root at 0, in the library's own numbering.

    Attributes
    ----------
    left, right : int arrays
        Children; -1 at a leaf.
    feature : int array
        The number of the forest's feature that a branch node splits on; anything at a leaf.
    threshold : float64 array
        A sample goes left if the feature is at most this.
    missing_left : bool array
        Whether a missing value goes left.
    value : float array of shape (n_nodes, n_values)
        What each node predicts, before the tree's weight.
    category : int array, optional
        Row of ``left_codes`` that a branch node on categories uses; -1 elsewhere.
    left_codes : bool array of shape (n_category_nodes, n_codes), optional
        Which category codes go left.
    output : int
        The first column of the forest's raw prediction that ``value`` adds to.
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
                raise InvalidDataError(f"{name} must have one entry per node, {len(inner)} in all.")
        if self.feature.dtype.kind not in "iu":
            raise InvalidDataError("feature must hold integers, the numbers of features.")
        if self.value.ndim != 2:
            raise InvalidDataError("value must have two dimensions: nodes, and the numbers that each node predicts.")
        by_threshold = inner
        if self.category is not None:
            _check_categories(self.category, self.left_codes, len(inner))
            by_threshold = inner & (self.category < 0)
        if np.isnan(self.threshold[by_threshold]).any():
            raise InvalidDataError("A threshold is NaN. To split on whether a value is missing, use infinity.")
        if np.isnan(self.value[~inner]).any():
            raise InvalidDataError("A leaf predicts NaN.")

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.left)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.left < 0))

    def codes_left(self, node: int) -> BoolArray | None:
        """Return a mask of the category codes that go left at a node; None if it does not split on categories."""
        if self.category is None or self.left_codes is None or self.category[node] < 0:
            return None
        return self.left_codes[self.category[node]]

    @cached_property
    def feature_range(self) -> tuple[int, int]:
        """The lowest and the highest feature number at the branch nodes; (0, -1) if there are none."""
        used = self.feature[self.left >= 0]
        return (int(used.min()), int(used.max())) if len(used) else (0, -1)


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of a forest in one set of arrays, tree after tree.

    ``parent``, ``left`` and ``right`` are positions in these arrays, -1 where
    there is none; ``is_left`` marks the nodes that are left children.
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
    """Return a mask of the branch nodes, after checking that the children form one tree."""
    n_nodes = len(left)
    if n_nodes == 0 or len(right) != n_nodes:
        raise InvalidDataError("A tree must have at least one node, and left and right the same length.")
    inner = left >= 0
    if ((right >= 0) != inner).any():
        raise InvalidDataError("A node must have two children or none (-1 and -1).")
    parents = np.flatnonzero(inner)
    children = np.concatenate([left[parents], right[parents]])
    if len(children) and children.max() >= n_nodes:
        raise InvalidDataError(f"A child is node {children.max()}, but there are only {n_nodes} nodes.")
    if (np.bincount(children, minlength=n_nodes) != np.append(0, np.ones(n_nodes - 1))).any():
        raise InvalidDataError("Every node except the root, node 0, must be the child of exactly one node.")
    if (children <= np.tile(parents, 2)).any():  # no cycle if children always come later; otherwise, walk down
        level, n_seen = np.zeros(1, dtype=np.intp), 0
        while len(level):
            n_seen += len(level)
            below = level[inner[level]]
            level = np.concatenate([left[below], right[below]])
        if n_seen < n_nodes:
            raise InvalidDataError("The children form a cycle: not every node can be reached from the root.")
    return inner


def _check_categories(category: IntArray, left_codes: BoolArray | None, n_nodes: int) -> None:
    if len(category) != n_nodes:
        raise InvalidDataError(f"category must have one entry per node, {n_nodes} in all.")
    highest = int(category.max(initial=-1))
    if highest >= 0 and (left_codes is None or left_codes.ndim != 2 or highest >= len(left_codes)):
        raise InvalidDataError(f"A node uses row {highest} of left_codes, which does not exist.")


def trees_in_a_row(
    sizes: IntArray,
    left: IntArray,
    right: IntArray,
    feature: IntArray,
    threshold: FloatArray,
    missing_left: BoolArray,
    value: FloatArray,
    outputs: Sequence[int] | None = None,
) -> list[Tree]:
    """Return trees without categories whose nodes are given in one set of arrays, tree after tree.

    They are checked together, because that takes less time than one by one.

    Parameters
    ----------
    sizes : int array
        The number of nodes of each tree.
    left, right, feature, threshold, missing_left, value :
        As in :class:`Tree`; children are numbered within their tree.
    outputs : sequence of int, optional
        Of each tree; 0 by default.
    """
    outputs = [0] * len(sizes) if outputs is None else outputs
    columns: dict[str, Any] = {"left": left, "right": right, "feature": feature, "threshold": threshold}
    columns |= {"missing_left": missing_left, "value": value}
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    parts: list[dict[str, Any]] = [
        {name: column[start:stop] for name, column in columns.items()} | {"output": output}
        for start, stop, output in zip(bounds[:-1].tolist(), bounds[1:].tolist(), outputs, strict=True)
    ]
    if not _all_fit(sizes, left, right, threshold, value):
        return [Tree(**part) for part in parts]  # the first that does not fit says why
    inner = left >= 0
    lowest = np.minimum.reduceat(np.where(inner, feature, np.iinfo(np.int64).max), bounds[:-1])
    highest = np.maximum.reduceat(np.where(inner, feature, -1), bounds[:-1])
    lowest = np.where(sizes > 1, lowest, 0)
    for part, low, high in zip(parts, lowest.tolist(), highest.tolist(), strict=True):
        part["feature_range"] = (low, high)
    return [_checked(part) for part in parts]


def _all_fit(sizes: IntArray, left: IntArray, right: IntArray, threshold: FloatArray, value: FloatArray) -> bool:
    """Return whether trees in a row pass the checks of :class:`Tree`; false if a child comes before its parent."""
    n_nodes = int(sizes.sum())
    if not len(sizes) or sizes.min() < 1 or {len(left), len(right), len(threshold), len(value)} != {n_nodes}:
        return False
    inner = left >= 0
    if value.ndim != 2 or ((right >= 0) != inner).any():
        return False
    starts = np.cumsum(sizes) - sizes
    parents, shift, size = np.flatnonzero(inner), np.repeat(starts, sizes)[inner], np.repeat(sizes, sizes)[inner]
    both = np.concatenate([left[parents], right[parents]])
    if (both <= np.tile(parents - shift, 2)).any() or (both >= np.tile(size, 2)).any():
        return False
    n_parents = np.bincount(both + np.tile(shift, 2), minlength=n_nodes)
    n_parents[starts] += 1
    return bool((n_parents == 1).all()) and not (np.isnan(threshold[inner]).any() or np.isnan(value[~inner]).any())


def _checked(fields: dict[str, Any]) -> Tree:
    """Return a tree of fields that have been checked, and of properties that are known."""
    tree = object.__new__(Tree)
    object.__setattr__(tree, "__dict__", fields)
    return tree


def check_masks(n_splits: int, n_codes: int) -> None:
    """Refuse splits on categories whose masks, a byte per split and code, would take too much memory.

    A file lists only some codes of each split, so that one of a few megabytes may claim terabytes.
    """
    if n_splits * n_codes > _MOST_MASKED:
        raise InvalidDataError(
            f"{n_splits:,} splits on up to {n_codes:,} categories would take {n_splits * n_codes / 2**30:,.1f} GiB of "
            f"memory; at most {_MOST_MASKED / 2**30:g} GiB is possible. If the file is not damaged, put rare "
            "categories together and train the model again."
        )


def tree_of_arrays(arrays: Mapping[str, Any]) -> Tree:
    """Return a checked tree from the plain arrays that :meth:`hedgerow.Forest.from_arrays` describes."""
    unknown = set(arrays) - {"left", "right", "feature", "threshold", "value", "missing_left", "output"}
    absent = {"left", "right", "feature", "threshold", "value"} - set(arrays)
    if unknown or absent:
        raise InvalidDataError(
            f"A tree needs left, right, feature, threshold and value, and may have missing_left and output; "
            f"missing: {sorted(absent)}, unknown: {sorted(unknown)}."
        )
    try:
        left, right, feature = (integers(arrays[name], name) for name in ("left", "right", "feature"))
        threshold, value = (np.asarray(arrays[name], dtype=np.float64) for name in ("threshold", "value"))
        missing_left = booleans(arrays.get("missing_left", np.zeros(len(left))), "missing_left")
        output = int(arrays.get("output", 0))
    except (TypeError, ValueError) as error:
        raise InvalidDataError(f"The arrays of a tree must hold one number per node: {error}.") from None
    if any(array.ndim != 1 for array in (left, right, feature, threshold, missing_left)):
        raise InvalidDataError("left, right, feature, threshold and missing_left must have one dimension: nodes.")
    return Tree(
        np.where(left < 0, -1, left),
        np.where(right < 0, -1, right),
        feature,
        threshold,
        missing_left,
        value[:, None] if value.ndim == 1 else value,
        output=output,
    )


def integers(given: Any, name: str) -> IntArray:
    """Return an array of integers; other numbers are refused, not truncated."""
    numbers = np.asarray(given)
    if numbers.size == 0:
        return numbers.astype(np.int64)
    if numbers.dtype.kind not in "iuf" or (numbers != np.trunc(numbers)).any() or np.abs(numbers).max() > 2**53:
        raise InvalidDataError(f"{name} must hold integers.")
    return numbers.astype(np.int64)


def booleans(given: Any, name: str) -> BoolArray:
    """Return an array of booleans, given as booleans or as 1 and 0."""
    values = np.asarray(given)
    if values.size and (values.dtype.kind not in "biuf" or not np.isin(values, [0, 1]).all()):
        raise InvalidDataError(f"{name} must hold booleans.")
    return values.astype(bool)


def stack(trees: Sequence[Tree]) -> Nodes:
    """Return the nodes of all trees in one set of arrays."""
    sizes = np.array([tree.n_nodes for tree in trees])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    shift = np.repeat(offsets[:-1], sizes)
    left, right = np.concatenate([t.left for t in trees]), np.concatenate([t.right for t in trees])
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
    # Equal sets of codes get the same number, so that they count as the same split.
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
        feature=np.concatenate([t.feature for t in trees]),
        threshold=np.concatenate([t.threshold for t in trees]),
        missing_left=np.concatenate([t.missing_left for t in trees]),
        category=category,
        levels=tuple(levels),
    )
