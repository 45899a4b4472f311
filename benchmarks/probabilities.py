"""How good class shares are: whether they are true (calibration), and whether they rank (AUC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

#: The bins of the expected calibration error.
N_BINS = 10


def describe_shares(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Return "ece" and "auc" of a model's class shares on a test part; nothing if it has none."""
    if not hasattr(model, "predict_proba"):
        return {}
    shares, classes = np.asarray(model.predict_proba(X), dtype=np.float64), np.asarray(model.classes_)
    return {"ece": calibration_error(y, classes, shares), "auc": ranking_quality(y, classes, shares)}


def calibration_error(y: Any, classes: Any, shares: Any, n_bins: int = N_BINS) -> float:
    """Return the expected calibration error of the likeliest class, in bins of equally many samples.

    In each bin, the mean share of the likeliest class is compared with how often it is right; the error is the mean of
    the absolute differences. Samples with equal shares, as those of one rule, are in the order of the test part.
    """
    sure, right = shares.max(axis=1), np.asarray(classes)[shares.argmax(axis=1)] == np.asarray(y)
    apart = [
        len(part) * abs(sure[part].mean() - right[part].mean())
        for part in np.array_split(np.argsort(sure, kind="stable"), n_bins)
        if len(part)
    ]
    return float(sum(apart) / len(sure))


def ranking_quality(y: Any, classes: Any, shares: Any) -> float:
    """Return the area under the ROC curve; of several classes the mean over one against the rest.

    Classes that no sample of the test part has are left out; NaN if only one is left.
    """
    y = np.asarray(y)
    if len(np.unique(y)) < 2:
        return float("nan")
    if len(classes) == 2:
        return float(roc_auc_score(y == classes[1], shares[:, 1]))
    present = [k for k, label in enumerate(classes) if (y == label).any()]
    return float(np.mean([roc_auc_score(y == classes[k], shares[:, k]) for k in present]))
