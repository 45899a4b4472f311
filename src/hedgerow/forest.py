"""The neutral form of any tree ensemble: trees as arrays.

A reader turns a library's model into a :class:`Forest`; everything after it
knows only this form. One comparison is enough for all libraries: a sample goes
left if ``x <= threshold``, in the precision the library itself compares in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any, Literal, get_args

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy.special import expit, softmax

from hedgerow.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Feature, Inputs, make_columns
from hedgerow.rule import round_down

Aggregation = Literal["mean", "sum", "median"]
Link = Literal["identity", "exp", "logistic", "softmax", "softplus", "signed_square", "step"]

#: With one output these links tell two classes apart by the sign of the raw answer.
_BY_SIGN = ("logistic", "step")

#: From one raw number to the answer, for the links that look at each output on its own.
_INVERSES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "identity": lambda raw: raw,
    "exp": np.exp,
    "logistic": expit,
    "softplus": lambda raw: np.logaddexp(0, raw),
    "signed_square": lambda raw: np.sign(raw) * raw**2,
    "step": lambda raw: (raw > 0).astype(np.float64),
}


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
        How the trees' answers become one: weighted mean (of the trees of each
        output), weighted sum plus ``base``, or weighted median.
    base : float array
        Added to the raw answer, one number an output.
    classes : array or None
        Labels in the order of the outputs; None for regression.
    link, link_scale :
        From the raw answer (times the scale) to class shares or values ("step": 1 above 0, else 0). With one output
        for two classes it gives the share of the second; with one a class, shares that are made each on its own.
    ties_to_second : bool
        Which of two classes a raw answer of just ``cutoff`` means; libraries differ.
    cutoff : float
        Of two classes, the second is said where the raw answer is above.
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
    cutoff: float = 0.0
    members: tuple[Forest, ...] = ()

    def __post_init__(self) -> None:
        for name, possible in (("aggregation", get_args(Aggregation)), ("link", get_args(Link))):
            if getattr(self, name) not in possible:
                raise InvalidDataError(f"{name} is one of {', '.join(possible)}; got {getattr(self, name)!r}.")
        if self.inputs.dtype not in (np.float32, np.float64):
            raise InvalidDataError(f"dtype is float32 or float64; got {self.inputs.dtype!r}.")
        if len(self.tree_weights) != self.n_trees or not np.isfinite(self.tree_weights).all() or not self.trees:
            raise InvalidDataError(
                f"A forest needs at least one tree, and a finite weight each; it has {self.n_trees} trees and "
                f"{len(self.tree_weights)} tree_weights."
            )
        self._check_outputs()
        n_outputs, n_features = len(self.base), len(self.features)
        for k, tree in enumerate(self.trees):
            used = tree.feature[tree.left >= 0]
            if len(used) and not 0 <= used.min() <= used.max() < n_features:
                wrong = used.min() if used.min() < 0 else used.max()
                raise InvalidDataError(f"Tree {k} looks at feature {wrong}, of {n_features}, counted from 0.")
            if np.isnan(tree.value[tree.left < 0]).any():
                raise InvalidDataError(f"Tree {k} has a leaf that answers NaN.")
            if tree.output < 0 or (not self.members and tree.output + tree.value.shape[1] > n_outputs):
                raise InvalidDataError(
                    f"Tree {k} answers {tree.value.shape[1]} numbers from output {tree.output} on, but base has only "
                    f"{n_outputs}: one number an output."
                )

    def _check_outputs(self) -> None:
        """Check that there are as many outputs as the classes need."""
        n_outputs = len(self.base)
        if np.isnan(self.base).any():
            raise InvalidDataError("base has NaN.")
        if not np.isfinite([self.link_scale, self.cutoff]).all():
            raise InvalidDataError(
                f"link_scale and cutoff are finite numbers; they are {self.link_scale} and {self.cutoff}."
            )
        if self.classes is None:
            if n_outputs != 1:
                raise InvalidDataError(f"A regression has one output; this forest has {n_outputs}. Give its classes.")
            return
        n_classes = len(self.classes) if self.classes.ndim == 1 else 0
        if n_classes == 0 or len(set(self.classes.tolist())) < n_classes:
            raise InvalidDataError("classes is a list of labels, each once.")
        if n_outputs != n_classes and not (n_outputs == 1 and n_classes == 2):
            raise InvalidDataError(
                f"{n_classes} classes need {n_classes} outputs, or one if there are two classes; there are {n_outputs}."
            )
        if self.aggregation == "median":
            raise InvalidDataError("The median is for regressions; classes need 'mean' or 'sum'.")

    @classmethod
    def from_arrays(
        cls,
        trees: Iterable[Mapping[str, Any]],
        feature_names: Sequence[str],
        *,
        classes: Sequence[Any] | None = None,
        tree_weights: Sequence[float] | None = None,
        aggregation: Aggregation = "mean",
        base: Sequence[float] | None = None,
        link: Link = "identity",
        dtype: Any = np.float64,
        allows_missing: bool = True,
    ) -> Forest:
        """Make a forest of plain arrays: the way in for libraries without a reader.

        Parameters
        ----------
        trees : iterable of dict
            Of each tree the arrays ``left``, ``right``, ``feature``,
            ``threshold`` and ``value``, one entry a node, the root first, -1
            for the children of a leaf; a sample goes left if its value is at
            most the threshold. Also ``missing_left`` (where NaN goes; right if
            not given) and ``output`` (the class a tree answers for), as in
            :class:`Tree`.
        feature_names : sequence of str
            One a column.
        classes : sequence, optional
            The labels in the order of the outputs; none for regression.
        tree_weights, aggregation, base, link :
            As in :class:`Forest`. Two classes and the link "logistic" need one
            output, otherwise there is one a class.
        dtype : float32 or float64
            In which the library compares.
        allows_missing : bool
            Whether it takes NaN.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> stump = {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, 0, 0], "threshold": [2.5, 0, 0],
        ...          "value": [[0.5, 0.5], [1, 0], [0.2, 0.8]]}
        >>> forest = Forest.from_arrays([stump], ["age"], classes=["no", "yes"])
        >>> forest.labels([[2.5], [2.6]]).tolist()
        ['no', 'yes']
        """
        made = tuple(_tree_of_arrays(arrays) for arrays in trees)
        n_outputs = max((tree.output + tree.value.shape[1] for tree in made), default=1)
        return cls(
            trees=made,
            inputs=Inputs(
                make_columns(len(feature_names), feature_names),
                _float_type(dtype),
                allows_missing=allows_missing,
                allows_infinity=True,
            ),
            tree_weights=np.ones(len(made)) if tree_weights is None else np.asarray(tree_weights, dtype=np.float64),
            aggregation=aggregation,
            base=np.zeros(n_outputs) if base is None else np.asarray(base, dtype=np.float64),
            classes=None if classes is None else np.asarray(classes),
            link=link,
        )

    def to_json(self) -> str:
        """Write the forest as text that :meth:`from_json` reads on any machine, without the library it came from."""
        text: str = import_module("hedgerow.forest_json").write(self)
        return text

    @staticmethod
    def from_json(text: str) -> Forest:
        """Read a forest that :meth:`to_json` wrote; whatever does not fit together raises an error."""
        forest: Forest = import_module("hedgerow.forest_json").read(text)
        return forest

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
        with_nan: BoolArray = np.asarray(np.isnan(values).any(axis=0))

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
            mean: FloatArray = np.mean([member.answer(X) for member in self.members], axis=0)
            return mean.reshape(-1, len(self.base))
        leaves = self.apply(X)
        if self.aggregation == "median":
            return self._weighted_median(leaves)
        raw, total = np.zeros((len(leaves), len(self.base))), np.zeros(len(self.base))
        for k, tree in enumerate(self.trees):
            outputs = slice(tree.output, tree.output + tree.value.shape[1])
            raw[:, outputs] += self.tree_weights[k] * tree.value[leaves[:, k]]
            total[outputs] += self.tree_weights[k]
        if self.aggregation == "mean":
            raw /= total
        return raw + self.base

    def answer(self, X: Any) -> FloatArray:
        """Return what the ensemble says: class shares (n_samples, n_classes), or values (n_samples,)."""
        raw = self.predict(X) * self.link_scale
        if self.link == "softmax":
            shares: FloatArray = softmax(raw, axis=1)
            return shares
        answers = _INVERSES[self.link](raw)
        if self.classes is None:
            return answers[:, 0]
        return np.hstack([1 - answers, answers]) if answers.shape[1] < len(self.classes) else answers

    def labels(self, X: Any) -> AnyArray:
        """Return the label the ensemble says for each sample."""
        if self.classes is None:
            raise AttributeError("A regression has no labels; use answer.")
        if self.link in _BY_SIGN and not self.members and len(self.base) == 1:
            raw = self.predict(X)[:, 0]
            code = np.where(raw >= self.cutoff if self.ties_to_second else raw > self.cutoff, 1, 0)
        else:
            code = np.argmax(self.answer(X), axis=1)
        said: AnyArray = self.classes[code]
        return said

    def with_missing_seen(self, values: FloatArray) -> Forest:
        """Return the forest with a mark at each feature that is NaN somewhere in ``values``."""
        return replace(self, inputs=self.inputs.with_missing_seen(values))

    def with_values_seen(self, X: Any) -> Forest:
        """Return the forest with the values in ``X`` of those categories of which only hashes are known."""
        return replace(self, inputs=self.inputs.with_values_seen(X))

    def _weighted_median(self, leaves: IntArray) -> FloatArray:
        answers = np.column_stack([t.value[leaves[:, k], 0] for k, t in enumerate(self.trees)])
        order = np.argsort(answers, axis=1)
        cumulated = np.cumsum(self.tree_weights[order], axis=1)
        middle = (cumulated >= 0.5 * cumulated[:, -1:]).argmax(axis=1)
        rows = np.arange(len(answers))
        median: FloatArray = answers[rows, order[rows, middle]]
        return median[:, None]


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


def _tree_of_arrays(arrays: Mapping[str, Any]) -> Tree:
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


def _float_type(dtype: Any) -> Any:
    try:
        return np.dtype(dtype).type
    except TypeError:
        raise InvalidDataError(f"dtype is float32 or float64; got {dtype!r}.") from None


def whole_numbers(given: Any, name: str) -> IntArray:
    """Return an array of whole numbers; refuse any others instead of cutting them."""
    numbers = np.asarray(given)
    if numbers.size == 0:
        return numbers.astype(np.int64)
    if numbers.dtype.kind not in "iuf" or (numbers != np.trunc(numbers)).any() or np.abs(numbers).max() > 2**53:
        raise InvalidDataError(f"{name} must hold whole numbers.")
    whole: IntArray = numbers.astype(np.int64)
    return whole


def truths(given: Any, name: str) -> BoolArray:
    """Return an array of true and false, or 1 and 0; refuse anything else."""
    values = np.asarray(given)
    if values.size and (values.dtype.kind not in "biuf" or not np.isin(values, [0, 1]).all()):
        raise InvalidDataError(f"{name} must hold true or false.")
    said: BoolArray = values.astype(bool)
    return said


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
