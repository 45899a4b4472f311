"""How the baselines choose their own parameters: folds, and the error of answers."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow.baselines.estimator import check_whole_number
from hedgerow.exceptions import InvalidParameterError

#: Class shares are kept this far from 0 and 1 before their logarithm is taken.
_CERTAIN = 1e-9


def check_folds(cv: Any) -> None:
    """Refuse what is neither a number of folds nor a splitter of scikit-learn."""
    if isinstance(cv, Integral):
        check_whole_number("cv", cv, least=2)
    elif not hasattr(cv, "split") and not hasattr(cv, "__iter__"):
        raise InvalidParameterError(
            f"cv must be a whole number of at least 2, or a splitter of scikit-learn; got {cv!r}."
        )


def make_folds(cv: Any, y: AnyArray, labels: bool) -> list[tuple[IntArray, IntArray]]:
    """Return (training, test) samples of each fold, classes spread evenly; none if there are too few samples."""
    if isinstance(cv, Integral):
        fewest = int(np.unique(y, return_counts=True)[1].min()) if labels else len(y)
        cv = min(int(cv), fewest)
        if cv < 2:
            return []
    return list(check_cv(cv, y, classifier=labels).split(np.zeros((len(y), 1)), y))


def mean_squared_error(said: FloatArray, targets: FloatArray, weight: FloatArray) -> float:
    """Return the mean squared error over all outputs."""
    return float(np.average(((said - targets) ** 2).sum(axis=1), weights=weight))


def log_loss(shares: FloatArray, targets: FloatArray, weight: FloatArray) -> float:
    """Return the mean log loss of shares, summed over the outputs, each a class against the rest."""
    shares = np.clip(shares, _CERTAIN, 1 - _CERTAIN)
    loss = -(targets * np.log(shares) + (1 - targets) * np.log(1 - shares)).sum(axis=1)
    return float(np.average(loss, weights=weight))
