"""What a rule predicts from the samples it covers: the prediction that is best for the loss.

A rule that is judged by squared errors predicts the mean, one that is judged by absolute errors the median, one that is
judged by its mistakes the most frequent class. To add an answer, write a frozen dataclass here on ``OfLabels`` or
``OfNumbers``, and name it beside its loss in ``hedgerow.losses.ANSWERS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.quantiles import weighted_quantiles
from hedgerow.candidates.tally import Targets, Weights, class_weights, in_memory, moments, sizes, total_weight
from hedgerow.rules.rule import TAUGHT, Rule
from hedgerow.smoothing import Paths
from hedgerow.tasks import Labels, Numbers, Task, TaskKind

#: Class weights or costs that differ by less than this share are a tie.
_TIE = 1e-12

#: What :class:`~hedgerow.rules.rule.Rule` takes about its prediction, one dictionary per rule.
Predictions = list[dict[str, Any]]


class OfLabels:
    """Answers that are made from the class shares of the covered samples.

    Attributes
    ----------
    task_kind : class
        The task that the prediction is for.
    averages : bool
        Whether it is made from averages, which can be smoothed.
    name : str
        What is written beside the prediction, if it is not the usual one.
    sureness : str
        The field of a rule that says how far its samples agree.
    """

    task_kind: ClassVar[TaskKind] = Labels
    averages: ClassVar[bool] = True
    name: ClassVar[str] = ""
    sureness: ClassVar[str] = "class_share"

    def choose(self, shares: FloatArray) -> IntArray:
        """Return the position of the class to predict for each row of class shares: the largest, unless overridden."""
        return _first_of_best(shares)

    def of_rules(
        self, task: Task, y: Targets, weight: Weights, coverage: Coverage, paths: Paths | None = None
    ) -> Predictions:
        """Return what each rule predicts; smoothed, if the rules come with their paths."""
        return self.of_shares(task, self.shares(task, y, weight, coverage, paths))

    def shares(
        self, task: Task, y: Targets, weight: Weights, coverage: Coverage, paths: Paths | None = None
    ) -> FloatArray:
        """Return the class shares of each rule."""
        counts = class_weights(y, weight, coverage if paths is None else paths.coverage, task.classes)
        shares = counts / counts.sum(axis=1, keepdims=True)
        return shares if paths is None else paths.averages(shares, weight)

    def of_shares(self, task: Task, shares: FloatArray) -> Predictions:
        """Return what rules with these class shares predict."""
        labels = np.asarray(task.classes).tolist()
        return [
            {
                "prediction": labels[k],
                "distribution": tuple(row.tolist()),
                "class_share": float(row[k]),
                "kind": self.name,
            }
            for k, row in zip(self.choose(shares), shares, strict=True)
        ]

    def about_samples(self, task: Task, told: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
        """Return a prediction with what a rule's own samples say about it: the share of its class among them."""
        share = own["distribution"][task.labels.index(told["prediction"])]
        kind = told["kind"] or (TAUGHT if share < max(own["distribution"]) else "")
        return told | {"class_share": share, "kind": kind}


@dataclass(frozen=True)
class Majority(OfLabels):
    """The class with the most weight among the covered samples; ties go to the first."""


@dataclass(frozen=True)
class LeastCost(OfLabels):
    """The class that costs least if it is predicted for all covered samples; ties go to the first.

    ``costs[i][k]`` is what it costs to predict class k where class i is true.
    """

    costs: tuple[tuple[float, ...], ...]
    name: ClassVar[str] = "least cost"

    def choose(self, shares: FloatArray) -> IntArray:
        """Return the position of the class to predict for each row of class shares."""
        return _first_of_best(-self.of_predicting(shares))

    def of_predicting(self, weights: FloatArray) -> FloatArray:
        """Return for each row of class weights what it costs to predict each class."""
        return weights @ np.array(self.costs)


class OfNumbers:
    """Answers that are made from the covered targets themselves; the attributes are those of :class:`OfLabels`."""

    task_kind: ClassVar[TaskKind] = Numbers
    averages: ClassVar[bool] = True
    sureness: ClassVar[str] = "spread"

    @property
    def name(self) -> str:
        """What is written beside the prediction, if it is not the usual one."""
        return ""

    def values(self, y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
        """Return the prediction of each rule."""
        return moments(y, weight, coverage)[0]

    def of_rules(
        self, task: Task, y: Targets, weight: Weights, coverage: Coverage, paths: Paths | None = None
    ) -> Predictions:
        """Return what each rule predicts; smoothed, if the rules come with their paths."""
        mean, spread = moments(y, weight, coverage)
        if paths is not None:
            values = paths.averages(self.values(y, weight, paths.coverage)[:, None], weight)[:, 0]
        else:
            values = mean if isinstance(self, Mean) else self.values(y, weight, coverage)
        return [
            {"prediction": float(value), "spread": float(apart), "kind": self.name}
            for value, apart in zip(values, spread, strict=True)
        ]

    def about_samples(self, task: Task, told: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
        """Return a prediction with what a rule's own samples say about it: how far their targets are from it."""
        return told | {"spread": float(np.hypot(own["spread"], told["prediction"] - own["prediction"]))}


@dataclass(frozen=True)
class Mean(OfNumbers):
    """The mean of the covered targets."""


@dataclass(frozen=True)
class Quantile(OfNumbers):
    """A quantile of the covered targets: the value below which this share of their weight lies."""

    quantile: float = 0.5
    averages: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What is written beside the prediction."""
        return "median" if self.quantile == 0.5 else f"{100 * self.quantile:g} % quantile"

    def values(self, y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
        """Return the quantile of each rule."""
        return weighted_quantiles(*in_memory(y, weight), coverage, self.quantile)[0]


Answer = OfLabels | OfNumbers


def answered_rules(
    pool: RulePool, coverage: Coverage, weight: Weights, predictions: Sequence[dict[str, Any]]
) -> tuple[Rule, ...]:
    """Return the rules of a pool with their coverage, their share of the samples' weight, and their predictions."""
    counts, weights = sizes(weight, coverage)
    shares = weights / total_weight(weight, coverage)
    return tuple(
        replace(pool.rule(j), coverage=int(n), share=float(share), **prediction)
        for j, (n, share, prediction) in enumerate(zip(counts, shares, predictions, strict=True))
    )


def _first_of_best(scores: FloatArray) -> IntArray:
    """Return the first position in each row that is the highest up to rounding."""
    best = scores.max(axis=1, keepdims=True)
    slack = _TIE * np.abs(scores).max(axis=1, keepdims=True)
    return np.argmax(scores >= best - slack, axis=1)
