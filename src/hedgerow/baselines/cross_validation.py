"""How the baselines choose their own parameters: folds, and the error of predictions."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray

#: Class probabilities are kept this far from 0 and 1 before their logarithm is taken.
_CERTAIN = 1e-9


def make_folds(cv: Any, y: AnyArray, stratified: bool) -> list[tuple[IntArray, IntArray]]:
    """Return the (training, test) samples of each fold; an empty list if there are too few samples.

    A number of folds is reduced to the number of samples, or if ``stratified`` to that of the rarest class.
    """
    if isinstance(cv, Integral):
        fewest = int(np.unique(y, return_counts=True)[1].min()) if stratified else len(y)
        cv = min(int(cv), fewest)
        if cv < 2:
            return []
    return list(check_cv(cv, y, classifier=stratified).split(np.zeros((len(y), 1)), y))


def mean_squared_error(predicted: FloatArray, targets: FloatArray, weight: FloatArray) -> float:
    """Return the mean squared error, summed over the outputs."""
    return float(np.average(((predicted - targets) ** 2).sum(axis=1), weights=weight))


def log_loss(shares: FloatArray, targets: FloatArray, weight: FloatArray) -> float:
    """Return the mean log loss of probabilities, summed over the outputs, each a class against the rest."""
    shares = np.clip(shares, _CERTAIN, 1 - _CERTAIN)
    loss = -(targets * np.log(shares) + (1 - targets) * np.log(1 - shares)).sum(axis=1)
    return float(np.average(loss, weights=weight))
