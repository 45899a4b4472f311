"""The neutral form of any tree ensemble: trees as arrays.

A reader turns a library's model into a :class:`Forest`, and the rest of the
package works with this form only. One comparison covers all libraries: a sample
goes left if ``x <= threshold``, in the precision that the library itself uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray, RankArray, ValueArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Feature, Inputs, make_columns
from hedgerow.forests.routing import route
from hedgerow.forests.tree import Nodes, Tree, stack, tree_of_arrays
from hedgerow.tasks import Task, task_of

Aggregation = Literal["mean", "sum", "median"]
Link = Literal["identity", "exp", "logistic", "softmax", "softplus", "signed_square", "step"]

#: Predictions are made in parts of so many samples times trees, which bounds the memory.
_LEAVES_AT_A_TIME = 1 << 24
#: With one output, these links separate two classes by the sign of the raw prediction.
_BY_SIGN = ("logistic", "step")


def _logistic(raw: FloatArray) -> FloatArray:
    from scipy.special import expit

    return expit(raw)


#: From a raw number to the prediction, for the links that treat each output separately.
_INVERSES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "identity": lambda raw: raw,
    "exp": np.exp,
    "logistic": _logistic,
    "softplus": lambda raw: np.logaddexp(0, raw),
    "signed_square": lambda raw: np.sign(raw) * raw**2,
    "step": lambda raw: (raw > 0).astype(np.float64),
}


@dataclass(frozen=True, eq=False)
class Forest:
    """A tree ensemble as plain arrays.

    Attributes
    ----------
    trees : tuple of Tree
    inputs : Inputs
        The features that the trees' feature numbers refer to, and the precision
        in which samples are compared with thresholds.
    tree_weights : float array
        Weight of each tree in the ensemble's prediction and in stability.
    aggregation : "mean", "sum" or "median"
        How the trees' predictions are combined: weighted mean (over the trees of
        each output), weighted sum plus ``base``, or weighted median.
    base : float array
        Added to the raw prediction, one number per output.
    classes : array or None
        Labels in the order of the outputs; None for regression.
    link, link_scale :
        From the raw prediction (times the scale) to class probabilities or values ("step": 1 above 0, else 0). One
        output for two classes gives the probability of the second; outputs per class are mapped one by one.
    ties_to_second : bool
        Which of two classes a raw prediction of exactly ``cutoff`` means; libraries differ.
    cutoff : float
        With two classes, the second is predicted where the raw prediction is above this.
    members : tuple of Forest
        The forests of a :func:`union`, which predicts the mean of their predictions.
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
                raise InvalidDataError(f"{name} must be one of {', '.join(possible)}; got {getattr(self, name)!r}.")
        if self.inputs.dtype not in (np.float32, np.float64):
            raise InvalidDataError(f"dtype must be float32 or float64; got {self.inputs.dtype!r}.")
        if len(self.tree_weights) != self.n_trees or not np.isfinite(self.tree_weights).all() or not self.trees:
            raise InvalidDataError(
                f"A forest needs at least one tree and a finite weight per tree; it has {self.n_trees} trees and "
                f"{len(self.tree_weights)} tree_weights."
            )
        self._check_outputs()
        self._check_trees()

    def _check_outputs(self) -> None:
        """Check that the number of outputs fits the classes."""
        n_outputs = len(self.base)
        if np.isnan(self.base).any():
            raise InvalidDataError("base contains NaN.")
        if not np.isfinite([self.link_scale, self.cutoff]).all():
            raise InvalidDataError(
                f"link_scale and cutoff must be finite numbers; they are {self.link_scale} and {self.cutoff}."
            )
        if self.classes is None:
            if n_outputs != 1:
                raise InvalidDataError(
                    f"A regression forest has one output, not {n_outputs}. For labels, pass classes."
                )
            return
        n_classes = len(self.classes) if self.classes.ndim == 1 else 0
        if n_classes == 0 or len(set(self.classes.tolist())) < n_classes:
            raise InvalidDataError("classes must be a list of distinct labels.")
        if n_outputs != n_classes and not (n_outputs == 1 and n_classes == 2):
            raise InvalidDataError(
                f"{n_classes} classes need {n_classes} outputs, or one if there are two classes; there are {n_outputs}."
            )
        if self.aggregation == "median":
            raise InvalidDataError("The median is for regression; with classes, use 'mean' or 'sum'.")

    def _check_trees(self) -> None:
        """Check that the trees fit the features and outputs; what holds within a tree, the tree has checked itself."""
        n_outputs, n_features = len(self.base), len(self.features)
        for k, tree in enumerate(self.trees):
            lowest, highest = tree.feature_range
            if lowest < 0 or highest >= n_features:
                wrong = lowest if lowest < 0 else highest
                raise InvalidDataError(
                    f"Tree {k} splits on feature {wrong}, but the features are numbered from 0 to {n_features - 1}."
                )
            if tree.output < 0 or (not self.members and tree.output + tree.value.shape[1] > n_outputs):
                raise InvalidDataError(
                    f"Tree {k} predicts {tree.value.shape[1]} numbers from output {tree.output} on, but base has only "
                    f"{n_outputs}: one number per output."
                )

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
        """Make a forest from plain arrays, for libraries without a reader.

        Parameters
        ----------
        trees : iterable of dict
            For each tree the arrays ``left``, ``right``, ``feature``, ``threshold`` and ``value``, one entry per node,
            the root first, -1 for the children of a leaf; a sample goes left if its value is at most the threshold.
            Optionally ``missing_left`` (where NaN goes; right by default) and ``output`` (the class that a tree
            predicts), as in :class:`Tree`.
        feature_names : sequence of str
            One name per column.
        classes : sequence, optional
            The labels in the order of the outputs; omit for regression.
        tree_weights, aggregation, base, link :
            As in :class:`Forest`. Two classes and the link "logistic" need one
            output, otherwise there is one per class.
        dtype : float32 or float64
            The precision in which the library compares.
        allows_missing : bool
            Whether the library accepts NaN.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> stump = {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, 0, 0], "threshold": [2.5, 0, 0],
        ...          "value": [[0.5, 0.5], [1, 0], [0.2, 0.8]]}
        >>> forest = Forest.from_arrays([stump], ["age"], classes=["no", "yes"])
        >>> forest.labels([[2.5], [2.6]]).tolist()
        ['no', 'yes']
        """
        made = tuple(tree_of_arrays(arrays) for arrays in trees)
        columns = make_columns(len(feature_names), feature_names)
        n_outputs = max((tree.output + tree.value.shape[1] for tree in made), default=1)
        return cls(
            trees=made,
            inputs=Inputs(columns, _float_type(dtype), allows_missing=allows_missing, allows_infinity=True),
            tree_weights=np.ones(len(made)) if tree_weights is None else np.asarray(tree_weights, dtype=np.float64),
            aggregation=aggregation,
            base=np.zeros(n_outputs) if base is None else np.asarray(base, dtype=np.float64),
            classes=None if classes is None else np.asarray(classes),
            link=link,
        )

    def to_json(self) -> str:
        """Return the forest as JSON, which :meth:`from_json` reads without the library that the forest came from."""
        from hedgerow.forests.json import write

        return write(self)

    @staticmethod
    def from_json(text: str) -> Forest:
        """Read a forest written by :meth:`to_json`; an inconsistent document raises an error."""
        from hedgerow.forests.json import read

        return read(text)

    @cached_property
    def task(self) -> Task:
        """What the ensemble predicts: labels or numbers."""
        return task_of(self.classes)

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.trees)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features that the trees' feature numbers refer to."""
        return self.inputs.features

    @property
    def n_features(self) -> int:
        """Number of columns the ensemble was trained on."""
        return len(self.inputs.names)

    def __repr__(self) -> str:
        kind = f"{len(self.task.labels)} classes" if self.task.has_labels else "regression"
        return f"Forest({self.n_trees} trees, {self.n_features} features, {kind})"

    @cached_property
    def nodes(self) -> Nodes:
        """All nodes in one set of arrays, with parents and depths."""
        return stack(self.trees)

    def apply(self, X: Any, n_jobs: int | None = None) -> RankArray:
        """Return the leaf of each sample in each tree, in the library's own numbering."""
        return self.route(self.inputs.matrix(X), self._leaf_numbers, n_jobs).astype(np.int32)

    @property
    def _leaf_numbers(self) -> list[IntArray]:
        """The number of each leaf in its tree; -1 for branch nodes."""
        return self.by_tree(np.where(self.nodes.left < 0, self.nodes.local, -1))

    @cached_property
    def n_leaves(self) -> IntArray:
        """Number of leaves of each tree."""
        return np.bincount(self.nodes.tree[self.nodes.left < 0], minlength=self.n_trees)

    def by_tree(self, values: AnyArray) -> list[AnyArray]:
        """Return one array per tree of an array with an entry for each of ``nodes``."""
        stops = np.cumsum([tree.n_nodes for tree in self.trees]).tolist()
        return [values[start:stop] for start, stop in zip([0, *stops], stops, strict=False)]

    def route(self, values: ValueArray, labels: Sequence[IntArray], n_jobs: int | None = None) -> RankArray:
        """Return the label of the node at which each row of ``inputs.matrix(X)`` ends in each tree.

        ``labels`` has one array per tree: a number of at least 0 for each node to stop at, -1 for those to pass.
        """
        return route(self.trees, values, labels, n_jobs)

    def predict(self, X: Any) -> FloatArray:
        """Return the ensemble's raw prediction, of shape (n_samples, n_outputs).

        Class probabilities of a random forest, the decision function of a boosted ensemble, values of a regression.
        """
        return self._raw(self.inputs.matrix(X))

    def _raw(self, values: ValueArray) -> FloatArray:
        """Return the raw prediction for rows of ``inputs.matrix(X)``; those of a union's members are the same rows."""
        if self.members:
            return np.mean([member.answer_of(values) for member in self.members], axis=0).reshape(-1, len(self.base))
        labels = self._leaf_numbers
        step = max(1, _LEAVES_AT_A_TIME // max(1, self.n_trees))
        parts = [values[start : start + step] for start in range(0, max(1, len(values)), step)]
        return np.concatenate([self._of_leaves(self.route(part, labels)) for part in parts])

    def _of_leaves(self, leaves: RankArray) -> FloatArray:
        """Return the raw prediction for samples that reach these leaves."""
        if self.aggregation == "median":
            return self._weighted_median(leaves)
        raw, total = np.zeros((len(leaves), len(self.base))), np.zeros(len(self.base))
        for tree, weight, reached in zip(self.trees, self.tree_weights.tolist(), leaves.T, strict=True):
            outputs = slice(tree.output, tree.output + tree.value.shape[1])
            said = tree.value.take(reached, axis=0)
            raw[:, outputs] += said if weight == 1 else weight * said
            total[outputs] += weight
        if self.aggregation == "mean":
            raw /= total
        return raw + self.base

    def answer(self, X: Any) -> FloatArray:
        """Return the ensemble's prediction: class probabilities (n_samples, n_classes), or values (n_samples,)."""
        return self.answer_of(self.inputs.matrix(X))

    def answer_of(self, values: ValueArray) -> FloatArray:
        """Return the prediction for rows of ``inputs.matrix(X)``, for callers that have these already."""
        return self._answer(self._raw(values))

    def _answer(self, raw: FloatArray) -> FloatArray:
        """Return class probabilities or values for raw predictions."""
        raw = raw * self.link_scale
        if self.link == "softmax":
            from scipy.special import softmax

            return softmax(raw, axis=1)
        answers = _INVERSES[self.link](raw)
        if not self.task.has_labels:
            return answers[:, 0]
        return np.hstack([1 - answers, answers]) if answers.shape[1] < len(self.task.labels) else answers

    def labels(self, X: Any) -> AnyArray:
        """Return the label that the ensemble predicts for each sample."""
        if self.classes is None:
            raise AttributeError("A regression forest has no labels; use answer or predictions.")
        return self.predictions(X)

    def _predictions(self, raw: FloatArray) -> AnyArray:
        """Return the labels or values for raw predictions."""
        if self.classes is None:
            return self._answer(raw)
        if self.link in _BY_SIGN and not self.members and len(self.base) == 1:
            above = raw[:, 0] >= self.cutoff if self.ties_to_second else raw[:, 0] > self.cutoff
            return self.classes[np.where(above, 1, 0)]
        return self.classes[np.argmax(self._answer(raw), axis=1)]

    def predictions(self, X: Any) -> AnyArray:
        """Return the labels of a classification forest, the values of a regression forest."""
        return self.predictions_of(self.inputs.matrix(X))

    def predictions_of(self, values: ValueArray) -> AnyArray:
        """Return the labels or values for rows of ``inputs.matrix(X)``."""
        return self._predictions(self._raw(values))

    def predictions_of_leaves(self, leaves: RankArray) -> AnyArray:
        """Return the labels or values for samples whose leaf in each tree is known, in the numbering of ``apply``."""
        if self.members:
            raise ValueError("The predictions of a union are those of its members, each of which has other trees.")
        return self._predictions(self._of_leaves(leaves))

    def with_missing_seen(self, values: ValueArray) -> Forest:
        """Return the forest with each feature marked that is NaN somewhere in ``values``."""
        return replace(self, inputs=self.inputs.with_missing_seen(values))

    def with_values_seen(self, X: Any) -> Forest:
        """Return the forest with those categories named after the values in ``X`` that are known by hash only."""
        return replace(self, inputs=self.inputs.with_values_seen(X))

    def _weighted_median(self, leaves: RankArray) -> FloatArray:
        values = np.column_stack([t.value[leaves[:, k], 0] for k, t in enumerate(self.trees)])
        order = np.argsort(values, axis=1)
        cumulated = np.cumsum(self.tree_weights[order], axis=1)
        middle = (cumulated >= 0.5 * cumulated[:, -1:]).argmax(axis=1)
        return np.take_along_axis(values, np.take_along_axis(order, middle[:, None], axis=1), axis=1)


def _float_type(dtype: Any) -> Any:
    try:
        return np.dtype(dtype).type
    except TypeError:
        raise InvalidDataError(f"dtype must be float32 or float64; got {dtype!r}.") from None
