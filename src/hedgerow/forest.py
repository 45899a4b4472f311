"""The neutral form of any tree ensemble: trees as arrays.

A reader turns a library's model into a :class:`Forest`; everything after it
knows only this form. One comparison is enough for all libraries: a sample goes
left if ``x <= threshold``, in the precision the library itself compares in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy.special import expit, softmax

from hedgerow.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Feature, Inputs
from hedgerow.rule import round_down

Aggregation = Literal["mean", "sum", "median"]
Link = Literal["identity", "exp", "logistic", "softmax"]


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


@dataclass(frozen=True, eq=False)
class Forest:
    """A tree ensemble as plain arrays.

    Attributes
    ----------
    trees : tuple of Tree
    inputs : Inputs
        What the trees' feature numbers mean, and the precision in which
        samples are compared with thresholds.
    tree_weights : float array
        Weight of each tree in the ensemble's answer and in stability.
    aggregation : "mean", "sum" or "median"
        How the trees' answers become one: weighted mean, weighted sum plus
        ``base``, or weighted median.
    base : float array
        Added to the raw answer, one number an output.
    classes : array or None
        Labels in the order of the outputs; None for regression.
    link, link_scale :
        From the raw answer (times the scale) to class shares or values. "logistic" with one output is for two
        classes, with one output a class for shares that are made each on its own.
    ties_to_second : bool
        Which of two classes a raw answer of just 0 means; libraries differ.
    members : tuple of Forest
        The forests of a :func:`union`, which answers with their mean.
    """

    trees: tuple[Tree, ...]
    inputs: Inputs
    tree_weights: FloatArray
    aggregation: Aggregation = "mean"
    base: FloatArray = field(default_factory=lambda: np.zeros(1))
    classes: AnyArray | None = None
    link: Link = "identity"
    link_scale: float = 1.0
    ties_to_second: bool = False
    members: tuple[Forest, ...] = ()

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.trees)

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the trees' feature numbers mean."""
        return self.inputs.features

    @property
    def n_features(self) -> int:
        """Number of columns the ensemble was trained on."""
        return len(self.inputs.names)

    def __repr__(self) -> str:
        kind = "regression" if self.classes is None else f"{len(self.classes)} classes"
        return f"Forest({self.n_trees} trees, {self.n_features} features, {kind})"

    @cached_property
    def nodes(self) -> Nodes:
        """All nodes in one set of arrays, with parents and depths."""
        return _stack(self.trees)

    def apply(self, X: Any, n_jobs: int | None = None) -> IntArray:
        """Return the leaf of each sample in each tree, in the library's own numbering."""
        labels = [np.where(tree.left < 0, np.arange(tree.n_nodes), -1) for tree in self.trees]
        return self.route(self.inputs.matrix(X), labels, n_jobs).astype(np.int32)

    def route(self, values: FloatArray, labels: Sequence[IntArray], n_jobs: int | None = None) -> IntArray:
        """Return the label of the node at which each row of ``inputs.matrix(X)`` ends in each tree.

        ``labels`` has an array a tree: a number of at least 0 for each node at
        which to stop, -1 for those to pass. The answer is of the smallest
        unsigned type that holds all labels.
        """
        highest = max((int(label.max()) for label in labels), default=0)
        reached = np.empty((len(values), self.n_trees), dtype=np.min_scalar_type(highest), order="F")
        with_nan = np.isnan(values).any(axis=0)

        def fill(ks: range) -> None:
            routes = [_Route(self.trees[k], labels[k], values.dtype.type, with_nan) for k in ks]
            for start in range(0, len(values), _BLOCK):
                rows = slice(start, start + _BLOCK)
                for k, route in zip(ks, routes, strict=True):
                    route.fill(values[rows], reached[rows, k])

        jobs = min(effective_n_jobs(n_jobs), max(1, self.n_trees))
        chunks = [range(i, self.n_trees, jobs) for i in range(jobs)]
        # Threads, because numpy lets go of the interpreter lock in all that takes time here.
        Parallel(n_jobs=jobs, require="sharedmem")(delayed(fill)(chunk) for chunk in chunks)
        return reached

    def predict(self, X: Any) -> FloatArray:
        """Return the ensemble's raw answer, of shape (n_samples, n_outputs).

        Class shares of a random forest, the decision function of a boosted
        ensemble, values of a regression.
        """
        if self.members:
            return np.mean([member.answer(X) for member in self.members], axis=0).reshape(-1, len(self.base))
        leaves = self.apply(X)
        if self.aggregation == "median":
            return self._weighted_median(leaves)
        raw = np.zeros((len(leaves), len(self.base)))
        for k, tree in enumerate(self.trees):
            width = tree.value.shape[1]
            raw[:, tree.output : tree.output + width] += self.tree_weights[k] * tree.value[leaves[:, k]]
        if self.aggregation == "mean":
            raw /= self.tree_weights.sum()
        return raw + self.base

    def answer(self, X: Any) -> FloatArray:
        """Return what the ensemble says: class shares (n_samples, n_classes), or values (n_samples,)."""
        raw = self.predict(X) * self.link_scale
        if self.classes is None:
            values: FloatArray = np.exp(raw[:, 0]) if self.link == "exp" else raw[:, 0]
            return values
        if self.link == "logistic" and raw.shape[1] > 1:
            each: FloatArray = expit(raw)
            return each
        if self.link == "logistic":
            positive = expit(raw[:, 0])
            return np.column_stack([1 - positive, positive])
        shares: FloatArray = softmax(raw, axis=1) if self.link == "softmax" else raw
        return shares

    def labels(self, X: Any) -> AnyArray:
        """Return the label the ensemble says for each sample."""
        if self.classes is None:
            raise AttributeError("A regression has no labels; use answer.")
        if self.link == "logistic" and not self.members and len(self.base) == 1:
            raw = self.predict(X)[:, 0]
            return self.classes[np.where(raw >= 0 if self.ties_to_second else raw > 0, 1, 0)]
        return self.classes[np.argmax(self.answer(X), axis=1)]

    def with_missing_seen(self, values: FloatArray) -> Forest:
        """Return the forest with a mark at each feature that is NaN somewhere in ``values``."""
        return replace(self, inputs=self.inputs.with_missing_seen(values))

    def _weighted_median(self, leaves: IntArray) -> FloatArray:
        answers = np.column_stack([t.value[leaves[:, k], 0] for k, t in enumerate(self.trees)])
        order = np.argsort(answers, axis=1)
        cumulated = np.cumsum(self.tree_weights[order], axis=1)
        middle = (cumulated >= 0.5 * cumulated[:, -1:]).argmax(axis=1)
        rows = np.arange(len(answers))
        median: FloatArray = answers[rows, order[rows, middle]]
        return median[:, None]


def union(forests: Sequence[Forest]) -> Forest:
    """Put the trees of several forests over the same columns into one."""
    if len(forests) == 1:
        return forests[0]
    forests = _on_common_features(forests)
    first = forests[0]
    for other in forests[1:]:
        if other.features != first.features:
            raise InvalidDataError("Ensembles in one list must be trained on the same columns, of the same kinds.")
        if _labels(other) != _labels(first):
            raise InvalidDataError("Ensembles in one list must be trained on the same classes.")
    if len({forest.inputs.dtype for forest in forests}) > 1:
        forests = [in_double(forest) for forest in forests]
    return Forest(
        trees=tuple(tree for forest in forests for tree in forest.trees),
        inputs=replace(
            forests[0].inputs,
            allows_missing=all(forest.inputs.allows_missing for forest in forests),
            allows_infinity=all(forest.inputs.allows_infinity for forest in forests),
            has_names=any(forest.inputs.has_names for forest in forests),
        ),
        tree_weights=np.concatenate([forest.tree_weights for forest in forests]),
        base=np.zeros(1 if first.classes is None else len(first.classes)),
        classes=first.classes,
        members=tuple(forests),
    )


def _on_common_features(forests: Sequence[Forest]) -> Sequence[Forest]:
    """Return forests that make different features of the same columns, each with all of them."""
    inputs = [forest.inputs for forest in forests]
    if all(one.columns is None for one in inputs) or any(one.names != inputs[0].names for one in inputs):
        return forests
    position = {f: i for i, f in enumerate(dict.fromkeys(f for one in inputs for f in one.features))}
    complete = frozenset(f for one in inputs for f in (one.complete if one.allows_missing else one.features))
    common = {
        "features": tuple(position),
        "columns": tuple(inputs[0].names),
        "complete": complete,
        "allows_missing": len(complete) < len(position),
    }
    widened = []
    for forest in forests:
        number = np.array([*(position[f] for f in forest.features), -1])
        trees = tuple(replace(t, feature=number[np.where(t.left < 0, -1, t.feature)]) for t in forest.trees)
        widened.append(replace(forest, trees=trees, inputs=replace(forest.inputs, **common)))  # type: ignore[arg-type]
    return widened


def _labels(forest: Forest) -> list[Any]:
    return [] if forest.classes is None else forest.classes.tolist()


def in_double(forest: Forest) -> Forest:
    """Return the same forest comparing in float64, sample by sample as before.

    Rounding to float32 is monotone, so ``float32(x) <= t`` is ``x <= t'`` with
    t' the largest float64 that rounds to at most t: half-way to the next
    float32, or the float64 just below if that rounds up.
    """
    if forest.inputs.dtype is np.float64:
        return forest

    def widen(threshold: FloatArray) -> FloatArray:
        below = round_down(threshold, np.float32)
        above = np.nextafter(below, np.float32(np.inf)).astype(np.float64)
        with np.errstate(invalid="ignore"):  # an infinite threshold stays as it is
            half = below + (above - below) / 2
        wide: FloatArray = np.where(half.astype(np.float32) > below, np.nextafter(half, -np.inf), half)
        return np.where(np.isfinite(threshold) & np.isfinite(above), wide, threshold)

    trees = tuple(replace(tree, threshold=widen(tree.threshold)) for tree in forest.trees)
    return replace(forest, trees=trees, inputs=replace(forest.inputs, dtype=np.float64))


#: A tree with at most so many branch nodes to look at is evaluated as a whole.
_WHOLE = 255
#: So many samples go through all trees before the next: what is known about them stays in the processor's cache.
_BLOCK = 1 << 15


class _Route:
    """The way of samples through one tree, to the nodes that have a label.

    A small tree compares all samples at all of its nodes: the comparisons run at the speed of memory, and selecting
    by arithmetic on bytes is many times faster than selecting by index. A large tree parts the samples node by node,
    so that a node which no sample reaches costs nothing.
    """

    def __init__(self, tree: Tree, labels: IntArray, dtype: Any, with_nan: BoolArray) -> None:
        self.tree, self.labels, self.with_nan = tree, labels, with_nan
        self.thresholds = round_down(tree.threshold, dtype)
        self.is_small = np.count_nonzero(labels < 0) <= _WHOLE

    def fill(self, values: FloatArray, reached: IntArray) -> None:
        """Write the label of the node at which each sample ends."""
        if self.is_small:
            reached[:] = self._below(0, values, reached.dtype)
        else:
            self._part(values, reached)

    def _below(self, node: int, values: FloatArray, dtype: Any) -> Any:
        """Return the label of each sample as if all were at this node; an int if it is the same for all."""
        if self.labels[node] >= 0:
            return int(self.labels[node])
        children = (self.tree.left[node], self.tree.right[node])
        left, right = (self._below(int(child), values, dtype) for child in children)
        goes_left = self._goes_left(node, values[:, self.tree.feature[node]])
        # right + goes_left * (left - right); unsigned numbers wrap around and come back.
        if isinstance(left, int) and isinstance(right, int):
            difference = np.array((left - right) % (np.iinfo(dtype).max + 1), dtype=dtype)
        else:
            difference = np.subtract(left, right, dtype=dtype)
        return goes_left.view(np.uint8) * difference + np.array(right, dtype=dtype)

    def _part(self, values: FloatArray, reached: IntArray) -> None:
        stack: list[tuple[int, IntArray | None]] = [(0, None)]
        while stack:
            node, rows = stack.pop()
            if self.labels[node] >= 0:
                reached[slice(None) if rows is None else rows] = self.labels[node]
                continue
            column = values[:, self.tree.feature[node]]
            goes_left = self._goes_left(node, column if rows is None else column.take(rows))
            for child, goes in ((self.tree.left[node], goes_left), (self.tree.right[node], ~goes_left)):
                there = np.flatnonzero(goes) if rows is None else rows[goes]
                if len(there):
                    stack.append((int(child), there))

    def _goes_left(self, node: int, column: FloatArray) -> BoolArray:
        tree = self.tree
        if tree.category is not None and tree.left_codes is not None and tree.category[node] >= 0:
            missing = np.isnan(column)
            goes_left: BoolArray = tree.left_codes[tree.category[node]].take(
                np.where(missing, 0, column).astype(np.intp)
            )
            goes_left[missing] = tree.missing_left[node]
            return goes_left
        goes_left = column <= self.thresholds[node]
        if tree.missing_left[node] and self.with_nan[tree.feature[node]]:
            goes_left |= np.isnan(column)
        return goes_left


def _stack(trees: Sequence[Tree]) -> Nodes:
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
