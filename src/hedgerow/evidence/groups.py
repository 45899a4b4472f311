"""The rows of each rule, measured: their number, and the share of them that has a class, or the mean of their targets.

What is needed per rule are sums, so that any union of rules is measured from them, without another look at the rows.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.lettering import some
from hedgerow.evidence.statistics import Estimate, Group, effective_number, wilson
from hedgerow.exceptions import InvalidDataError
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value

#: Of larger numbers, sums of squares are not finite.
_LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class Measured:
    """Rows with their targets, by the rule that decides them; the last group is that of no rule.

    Attributes
    ----------
    counted : array of bool
        Which of the given rows have a weight above 0; all else is about these.
    y : array
        Targets: for labels, the positions of their classes, and the number of classes for unknown ones.
    weight : array
    group_of_row : array of int
        The rule that decides each row; the number of rules if none does.
    right : array
        For labels, 1 where the prediction is right; for numbers, target minus prediction.
    said : array
        The probability that is stated for the predicted class, or the number that is predicted, NaN for a quantile.
    predicted : array of int
        For each group, the position of the class that it predicts; empty for numbers.
    n_classes : int
        0 for numbers.
    n_rows : array of int
        Per group.
    total, squares : array
        The sums of the weights, and of their squares, per group.
    sums : array
        For labels, the weight per group and class, unknown classes last; for numbers, the sums of w z and w z² per
        group, where z is the target less ``center``.
    center : float
    unknown : tuple of (str, int)
        Labels that the list does not know, and how many rows have them.
    """

    counted: BoolArray
    y: AnyArray
    weight: FloatArray
    group_of_row: IntArray
    right: FloatArray
    said: FloatArray
    predicted: IntArray
    n_classes: int
    n_rows: IntArray
    total: FloatArray
    squares: FloatArray
    sums: FloatArray
    center: float
    unknown: tuple[tuple[str, int], ...]

    @property
    def effective(self) -> float:
        """The effective number of all rows."""
        return float(effective_number(self.total.sum(), self.squares.sum()))

    def coverage(self, i: int) -> float:
        """Return the share of the rows that a group has."""
        return float(self.total[i] / self.total.sum())

    def group(self, members: Sequence[int], i: int) -> Group:
        """Return the rows of some groups together: their mean, or the share that has the class of group ``i``."""
        chosen = list(members)
        total, squares = float(self.total[chosen].sum()), float(self.squares[chosen].sum())
        if not total > 0:
            return Group(0.0, math.nan)
        n, sums = float(effective_number(total, squares)), self.sums[chosen].sum(axis=0)
        if self.n_classes:
            is_mixed = chosen == [
                len(self.n_rows) - 1
            ]  # the ensemble may predict several classes where no rule matches
            rows = self.group_of_row == chosen[0] if is_mixed else None
            hits = float(self.weight[rows] @ self.right[rows]) if is_mixed else float(sums[self.predicted[i]])
            return Group(n, min(1.0, hits / total))
        mean = float(sums[0] / total)
        variance = max(0.0, float(sums[1] / total) - mean**2) * n / (n - 1) if n > 1 else math.nan
        return Group(n, self.center + mean, math.sqrt(variance))

    def shares(self, i: int, level: float) -> tuple[Estimate, ...]:
        """Return the share of each known class among the rows of a group; nothing for numbers."""
        n = float(effective_number(self.total[i], self.squares[i]))
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self.sums[i, : self.n_classes] / self.total[i] if self.n_classes else np.empty(0)
        return tuple(Estimate(share, *wilson(share, n, level)) for share in found.tolist())

    def stated(self, i: int) -> float:
        """Return the mean of what is stated about the rows of a group."""
        rows = self.group_of_row == i
        return float(self.weight[rows] @ self.said[rows] / self.total[i]) if self.total[i] > 0 else math.nan


def in_training(rule: Rule, has_labels: bool) -> Group:
    """Return the rate of a rule in training, as far as the list knows it."""
    n = float(rule.coverage)
    if has_labels:
        return Group(0.0, math.nan) if rule.class_share is None else Group(n, rule.class_share)
    if rule.kind or rule.spread is None or not n:  # a median, say, and the mean is not known
        return Group(0.0, math.nan)
    unbiased = math.sqrt(n / (n - 1)) if n > 1 else math.nan
    return Group(n, float(rule.prediction), rule.spread * unbiased)


def measured(rules: RuleList, seen: Evaluation, y: Any, weight: Any = None, asked_by: str = "A validation") -> Measured:
    """Return the rows of an evaluation with their targets, by rule; refuse targets and weights that do not fit."""
    with warnings.catch_warnings():  # few rows may well have many classes: nothing is learned from them
        warnings.filterwarnings("ignore", "The number of unique classes is greater", UserWarning)
        targets = rules.task.of(y, asked_by)[1]
    if len(targets) != seen.n_samples:
        raise InvalidDataError(f"X has {seen.n_samples} rows, but there are {len(targets)} targets for them.")
    w = _weights(weight, seen.n_samples)
    counted = w > 0
    targets, w, predicted = targets[counted], w[counted], seen.predictions[counted]
    fired = seen.fired[counted]
    fired[fired < 0] = len(rules)
    n_groups = len(rules) + 1
    common: dict[str, Any] = {
        "counted": counted,
        "weight": w,
        "group_of_row": fired,
        "n_rows": np.bincount(fired, minlength=n_groups),
        "total": np.bincount(fired, w, n_groups),
        "squares": np.bincount(fired, w**2, n_groups),
    }
    if rules.task.has_labels:
        shares = seen.shares[counted] if rules.default.distribution else None
        return Measured(**common, **_of_labels(rules, fired, w, targets, predicted, shares))
    return Measured(**common, **_of_numbers(rules, fired, w, targets, predicted))


def _of_labels(
    rules: RuleList, fired: IntArray, w: FloatArray, y: AnyArray, predicted: AnyArray, shares: FloatArray | None
) -> dict[str, Any]:
    labels, n_groups = rules.task.labels, len(rules) + 1
    (codes, unknown), (said, _), n = _codes(rules, y), _codes(rules, predicted), len(labels)
    return {
        "y": codes,
        "right": (codes == said).astype(np.float64),
        "said": np.full(len(y), np.nan) if shares is None else shares[np.arange(len(y)), said],
        "predicted": np.array([labels.index(rule.prediction) for rule in (*rules, rules.default)]),
        "n_classes": n,
        "sums": np.bincount(fired * (n + 1) + codes, w, n_groups * (n + 1)).reshape(n_groups, n + 1),
        "center": 0.0,
        "unknown": unknown,
    }


def _of_numbers(
    rules: RuleList, fired: IntArray, w: FloatArray, y: FloatArray, predicted: FloatArray
) -> dict[str, Any]:
    size = float(np.abs(y).max(initial=0.0))
    if size > _LARGEST:
        raise InvalidDataError(
            f"y contains numbers of size {size:.1g}, whose squares are too large to compute with. Pass targets in the "
            "unit that the list was learned in, below 1e150."
        )
    n_groups, center = len(rules) + 1, float(w @ y / w.sum())
    apart = y - center
    is_mean = np.array([not rule.kind for rule in (*rules, rules.default)])
    return {
        "y": y,
        "right": y - predicted,
        "said": np.where(is_mean[fired], predicted, np.nan),
        "predicted": np.empty(0, dtype=np.int64),
        "n_classes": 0,
        "sums": np.column_stack([np.bincount(fired, w * part, n_groups) for part in (apart, apart**2)]),
        "center": center,
        "unknown": (),
    }


def _codes(rules: RuleList, labels: AnyArray) -> tuple[IntArray, tuple[tuple[str, int], ...]]:
    """Return the positions of labels among the classes, one more than the last for unknown ones, which are counted."""
    known = rules.task.labels
    found, which, counts = np.unique(labels, return_inverse=True, return_counts=True)
    listed = found.tolist()
    places = np.array([known.index(label) if label in known else len(known) for label in listed], dtype=np.int64)
    unknown = [(label, int(n)) for label, n, k in zip(listed, counts, places, strict=True) if k == len(known)]
    if len(unknown) == len(listed):
        raise InvalidDataError(
            f"The list knows none of the labels in y, which are {some(map(repr, listed))}. It knows: "
            f"{some(map(repr, known))}. Pass y as it was in training, of the same type."
        )
    return places[which], tuple((format_value(label), n) for label, n in unknown)


def _weights(weight: Any, n_rows: int) -> FloatArray:
    if weight is None:
        return np.ones(n_rows)
    try:
        w = np.asarray(weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError("weight must contain numbers, one per row.") from None
    if w.shape != (n_rows,):
        raise InvalidDataError(f"X has {n_rows} rows, so weight must have shape ({n_rows},); got {w.shape}.")
    if not (np.isfinite(w).all() and (w >= 0).all() and w.any()):
        raise InvalidDataError("weight must contain finite numbers of at least 0, and not only zeros.")
    return w
