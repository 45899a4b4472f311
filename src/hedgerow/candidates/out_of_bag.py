"""A bagging ensemble's predictions for its own training samples, from the trees that were not trained on them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline

from hedgerow._support.arrays import AnyArray, FloatArray


def out_of_bag(model: Any, n_samples: int) -> FloatArray | None:
    """Return the out-of-bag predictions of a model fitted on ``n_samples`` samples, or None if it has none.

    scikit-learn's forests and bagging ensembles with ``oob_score=True`` have them: class probabilities or values. For
    a pipeline or a search, they are those of the last step or of the best model. Samples that every tree was trained
    on have NaN.
    """
    if isinstance(model, BaseSearchCV):
        return out_of_bag(getattr(model, "best_estimator_", None), n_samples)
    if isinstance(model, Pipeline):
        return out_of_bag(model.steps[-1][1], n_samples)
    said = getattr(model, "oob_decision_function_", getattr(model, "oob_prediction_", None))
    if said is None or len(said) != n_samples:
        return None
    said = np.array(said, dtype=np.float64)
    # scikit-learn's forests write zeros for such samples: never class probabilities, and hardly ever a value.
    unseen = said == 0 if said.ndim == 1 else ~said.any(axis=1)
    said[unseen] = np.nan
    return said


def mend(said: FloatArray | None, answers: AnyArray) -> AnyArray:
    """Return the out-of-bag predictions and, where there are none, the ensemble's predictions."""
    if said is None or said.shape != answers.shape:
        return answers
    return np.where(np.isnan(said), answers, said)
