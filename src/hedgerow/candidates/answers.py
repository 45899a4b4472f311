"""What a rule answers on the samples it covers: the answer that is right for the loss.

A rule that is judged by squared errors answers the mean, one that is judged by absolute
errors the median, one that is judged by its mistakes the most frequent class. Answers
for labels are made of the class shares of the covered samples, answers for numbers of
their targets. To add one, write a frozen dataclass here with the attributes of those
that are there, and name it beside its loss in ``hedgerow.losses.ANSWERS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.quantiles import weighted_quantiles
from hedgerow.rules.rule import Rule

#: Class weights or costs that differ by less than this share are a tie.
_TIE = 1e-12


@dataclass(frozen=True)
class Majority:
    """The class with the most weight among the covered samples; of a tie the first.

    Attributes
    ----------
    of_labels : bool
        Whether the answer is a label; else it is a number.
    averages : bool
        Whether it is made of averages, which can be smoothed.
    name : str
        What is said beside the answer, if it is not the usual one.
    """

    of_labels: ClassVar[bool] = True
    averages: ClassVar[bool] = True
    name: ClassVar[str] = ""

    def choose(self, shares: FloatArray) -> IntArray:
        """Return the position of the class that each row of class shares stands for."""
        return _first_of_best(shares)


@dataclass(frozen=True)
class LeastCost:
    """The class that costs least if it is said for all covered samples; of a tie the first.

    ``costs[i][k]`` is what it costs to say class k where class i is true.
    """

    costs: tuple[tuple[float, ...], ...]
    of_labels: ClassVar[bool] = True
    averages: ClassVar[bool] = True
    name: ClassVar[str] = "least cost"

    def choose(self, shares: FloatArray) -> IntArray:
        """Return the position of the class that each row of class shares stands for."""
        return _first_of_best(-self.of_saying(shares))

    def of_saying(self, weights: FloatArray) -> FloatArray:
        """Return for each row of class weights what it costs to say each class."""
        return weights @ np.array(self.costs)


@dataclass(frozen=True)
class Mean:
    """The mean of the covered targets."""

    of_labels: ClassVar[bool] = False
    averages: ClassVar[bool] = True
    name: ClassVar[str] = ""


@dataclass(frozen=True)
class Quantile:
    """A quantile of the covered targets: where so large a share of their weight lies below."""

    quantile: float = 0.5
    of_labels: ClassVar[bool] = False
    averages: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What is said beside the answer."""
        return "median" if self.quantile == 0.5 else f"{100 * self.quantile:g} % quantile"

    def values(self, y: FloatArray, weight: FloatArray, coverage: Coverage) -> FloatArray:
        """Return the quantile of each rule."""
        return weighted_quantiles(y, weight, coverage, self.quantile)[0]


Answer = Majority | LeastCost | Mean | Quantile


def as_shares(y: AnyArray, classes: AnyArray) -> FloatArray:
    """Return a row of class shares a sample; of a label, one for its class."""
    return y if y.ndim == 2 else (y[:, None] == classes).astype(np.float64)


def class_weights(y: AnyArray, weight: FloatArray, coverage: Coverage) -> FloatArray:
    """Return the weight of each class among each rule's samples, of shape (n_rules, n_classes).

    ``y`` holds a label a sample, or a row of class shares a sample.
    """
    if y.ndim == 2:
        return coverage.many_sums([weight * shares for shares in y.T])
    classes, codes = np.unique(y, return_inverse=True)
    return coverage.sums(weight, codes, len(classes))


def moments(y: FloatArray, weight: FloatArray, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the standard deviation of each rule's targets; for the few rules of a list."""
    mean, spread = np.empty(coverage.n_rules), np.empty(coverage.n_rules)
    for j in range(coverage.n_rules):
        rows = coverage.members(j)
        # About the first target, so that constant targets keep their exact value and have no spread.
        apart = y[rows] - y[rows[0]]
        shift = np.average(apart, weights=weight[rows])
        mean[j] = y[rows[0]] + shift
        spread[j] = np.sqrt(np.average((apart - shift) ** 2, weights=weight[rows]))
    return mean, spread


def label_answers(answer: Any, shares: FloatArray, classes: AnyArray) -> list[dict[str, Any]]:
    """Return what a :class:`~hedgerow.rules.rule.Rule` takes about its answer, of each row of class shares."""
    labels = classes.tolist()
    return [
        {
            "prediction": labels[k],
            "distribution": tuple(row.tolist()),
            "class_share": float(row[k]),
            "kind": answer.name,
        }
        for k, row in zip(answer.choose(shares), shares, strict=True)
    ]


def number_answers(answer: Any, values: FloatArray, spread: FloatArray) -> list[dict[str, Any]]:
    """Return what a :class:`~hedgerow.rules.rule.Rule` takes about its answer, of each value and spread."""
    return [
        {"prediction": float(value), "spread": float(apart), "kind": answer.name}
        for value, apart in zip(values, spread, strict=True)
    ]


def answered_rules(
    pool: RulePool, coverage: Coverage, weight: FloatArray, answers: Sequence[dict[str, Any]]
) -> tuple[Rule, ...]:
    """Return the rules of a pool with their coverage, their share of the samples' weight, and their answers."""
    shares = coverage.sums(weight) / weight.sum()
    return tuple(
        replace(pool.rule(j), coverage=int(n), share=float(share), **answer)
        for j, (n, share, answer) in enumerate(zip(coverage.counts, shares, answers, strict=True))
    )


def _first_of_best(scores: FloatArray) -> IntArray:
    """Return the first position in each row that is the highest up to rounding."""
    best = scores.max(axis=1, keepdims=True)
    slack = _TIE * np.abs(scores).max(axis=1, keepdims=True)
    return np.argmax(scores >= best - slack, axis=1)
