"""How far a list and a model agree: on all rows, per rule and per class, with intervals; and how close the shares are.

For labels, agreement is the share of rows with the same label, with Wilson's interval. For numbers it is the mean
squared difference, with a normal interval; R² to the model compares it with the variance of the model's predictions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import norm

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow.evidence.statistics import LEVEL, wilson

#: The least share that counts in a logarithm.
_LEAST = 1e-6


@dataclass(frozen=True)
class Agreement:
    """How far a list and a model agree on some rows.

    Attributes
    ----------
    of : str
        Which rows: "all", "rule 1", "class benign", "no rule".
    n_samples : int
    value : float
        The share of rows with the same label, or the mean squared difference; NaN without rows.
    low, high : float
        The ends of its 95 % interval.
    """

    of: str
    n_samples: int
    value: float
    low: float
    high: float

    @classmethod
    def of_labels(cls, of: str, same: BoolArray) -> Agreement:
        """Return how often labels are the same, with Wilson's interval."""
        n = len(same)
        if not n:
            return cls(of, 0, float("nan"), 0.0, 1.0)
        share = float(same.mean())
        return cls(of, n, share, *wilson(share, n))

    @classmethod
    def of_numbers(cls, of: str, squares: FloatArray) -> Agreement:
        """Return the mean of squared differences, with a normal interval."""
        n = len(squares)
        if n < 2:
            value = float(squares.mean()) if n else float("nan")
            return cls(of, n, value, 0.0, float("inf"))
        half = float(norm.ppf((1 + LEVEL) / 2) * squares.std(ddof=1) / np.sqrt(n))
        mean = float(squares.mean())
        return cls(of, n, mean, max(0.0, mean - half), mean + half)

    def as_r2(self, spread: float) -> Agreement:
        """Return R², from a mean squared difference and the variance of the model's predictions."""
        return replace(self, value=1 - self.value / spread, low=1 - self.high / spread, high=1 - self.low / spread)


def agreements(task: Any, fired: Any, predicted: AnyArray, expected: AnyArray) -> tuple[Agreement, ...]:
    """Return the agreement on all rows, on those of each rule and, for labels, on those of each class of the model.

    ``fired`` is the rule that predicts for each row, -1 if none does.
    """
    return tuple(_agreements(task, np.asarray(fired), predicted, expected))


def _agreements(task: Any, fired: AnyArray, predicted: AnyArray, expected: AnyArray) -> Iterator[Agreement]:
    measure = Agreement.of_labels if task.has_labels else Agreement.of_numbers
    apart: AnyArray = predicted == expected if task.has_labels else (predicted - expected) ** 2
    yield measure("all", apart)
    for i in range(int(fired.max(initial=-1)) + 1):
        yield measure(f"rule {i + 1}", apart[fired == i])
    if (fired < 0).any():
        yield measure("no rule", apart[fired < 0])
    if task.has_labels:
        for label in task.labels:
            yield measure(f"class {label}", apart[expected == label])


def brier(shares: FloatArray, expected: FloatArray) -> float:
    """Return the mean over the rows of the squared differences of class shares, added up over the classes."""
    return float(((shares - expected) ** 2).sum(axis=1).mean())


def divergence(shares: FloatArray, expected: FloatArray) -> float:
    """Return the mean Kullback-Leibler divergence of the list's class shares from the model's, in nats."""
    p, q = np.clip(expected, 0, 1), np.clip(shares, _LEAST, 1)
    return float((p * (np.log(np.clip(p, _LEAST, 1)) - np.log(q))).sum(axis=1).mean())
