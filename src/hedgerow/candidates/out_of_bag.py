"""What a bagging ensemble says of its own training samples, by those of its trees that have not seen them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline

from hedgerow._support.arrays import AnyArray, FloatArray


def out_of_bag(model: Any, n_samples: int) -> FloatArray | None:
    """Return the out-of-bag answers of a model that was fitted on so many samples, or None if it has none.

    They are class shares or values, of scikit-learn's forests and bagging with ``oob_score=True``; behind a
    pipeline or a search those of the last step or the best model. NaN for samples that every tree has seen.
    """
    if isinstance(model, BaseSearchCV):
        return out_of_bag(getattr(model, "best_estimator_", None), n_samples)
    if isinstance(model, Pipeline):
        return out_of_bag(model.steps[-1][1], n_samples)
    said = getattr(model, "oob_decision_function_", None)
    if said is None:
        said = getattr(model, "oob_prediction_", None)
    if said is None or len(said) != n_samples:
        return None
    said = np.array(said, dtype=np.float64)
    # scikit-learn's forests write zeros where no tree has an answer: no class shares, and hardly ever a value.
    unseen = said == 0 if said.ndim == 1 else ~said.any(axis=1)
    said[unseen] = np.nan
    return said


def mend(said: FloatArray | None, answers: AnyArray) -> AnyArray:
    """Return the out-of-bag answers and, where there are none, the ensemble's answers."""
    if said is None or said.shape != answers.shape:
        return answers
    return np.where(np.isnan(said), answers, said)
