"""How far a list and a model agree: on all rows, per rule and per class, with intervals; and how close the shares are.

For labels, agreement is the share of rows with the same label, with Wilson's interval. For numbers it is the mean
squared difference, with a normal interval; R² to the model compares it with the variance of the model's predictions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import norm

from hedgerow._support.arrays import BoolArray, FloatArray
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
        return cls.of_counts(of, len(same), int(np.count_nonzero(same)))

    @classmethod
    def of_counts(cls, of: str, n: int, n_same: int) -> Agreement:
        """Return the share of rows that are the same, with Wilson's interval."""
        if not n:
            return cls(of, 0, float("nan"), 0.0, 1.0)
        share = n_same / n
        return cls(of, n, share, *wilson(share, n))

    @classmethod
    def of_numbers(cls, of: str, squares: FloatArray) -> Agreement:
        """Return the mean of squared differences, with a normal interval."""
        mean = float(squares.mean()) if len(squares) else float("nan")
        return cls.of_moments(of, len(squares), mean, float(((squares - mean) ** 2).sum()))

    @classmethod
    def of_moments(cls, of: str, n: int, mean: float, deviations: float) -> Agreement:
        """Return a mean with a normal interval, from the sum of the squared deviations from it."""
        if n < 2:
            return cls(of, n, mean, 0.0, float("inf"))
        half = float(norm.ppf((1 + LEVEL) / 2) * np.sqrt(deviations / (n - 1) / n))
        return cls(of, n, mean, max(0.0, mean - half), mean + half)

    def as_r2(self, spread: float) -> Agreement:
        """Return R², from a mean squared difference and the variance of the model's predictions."""
        return replace(self, value=1 - self.value / spread, low=1 - self.high / spread, high=1 - self.low / spread)


def brier(shares: FloatArray, expected: FloatArray) -> float:
    """Return the mean over the rows of the squared differences of class shares, added up over the classes."""
    return float(brier_scores(shares, expected).mean())


def brier_scores(shares: FloatArray, expected: FloatArray) -> FloatArray:
    """Return the squared differences of class shares, added up over the classes: one number per row."""
    return np.asarray(((shares - expected) ** 2).sum(axis=1))


def divergence(shares: FloatArray, expected: FloatArray) -> float:
    """Return the mean Kullback-Leibler divergence of the list's class shares from the model's, in nats."""
    return float(divergences(shares, expected).mean())


def divergences(shares: FloatArray, expected: FloatArray) -> FloatArray:
    """Return the Kullback-Leibler divergence of the list's class shares from the model's for each row, in nats."""
    p, q = np.clip(expected, 0, 1), np.clip(shares, _LEAST, 1)
    return np.asarray((p * (np.log(np.clip(p, _LEAST, 1)) - np.log(q))).sum(axis=1))
