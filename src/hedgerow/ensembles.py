"""Models that are given: cloned, and fitted where they are not yet."""

from __future__ import annotations

import logging
from typing import Any

from sklearn.base import clone
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidParameterError
from hedgerow.forest import Forest

logger = logging.getLogger(__name__)


def clone_ensemble(ensemble: Any) -> Any:
    """Return an ensemble, or each of a list, with the same parameters and not fitted."""
    if isinstance(ensemble, Forest):
        return ensemble
    if isinstance(ensemble, (list, tuple)):
        return type(ensemble)(clone_ensemble(member) for member in ensemble)
    try:
        return clone(ensemble, safe=False)
    except (RuntimeError, TypeError):
        if isinstance(ensemble, type):
            raise
        # CatBoost hands out copies of its parameters, which scikit-learn takes for other ones.
        name = type(ensemble).__qualname__
        try:
            return type(ensemble)(**ensemble.get_params(deep=False))
        except TypeError:
            raise InvalidParameterError(
                f"This {name} cannot be cloned. Fit it first and put it into a FrozenEstimator."
            ) from None


def fit_clone(model: Any, X: Any, y: AnyArray, weight: FloatArray | None) -> Any:
    """Return a clone of a model, fitted; the weights go to the last step of a pipeline."""
    model = clone_ensemble(model)
    fit_parameters = {}
    if weight is not None:
        fit_parameters[_weight_parameter(model)] = weight
    logger.info("fitting %s", type(model).__qualname__)
    model.fit(X, y, **fit_parameters)
    return model


def _weight_parameter(model: Any) -> str:
    """Return what ``fit`` calls the weights: in a pipeline those of its last step."""
    if isinstance(model, BaseSearchCV):
        return _weight_parameter(model.estimator)
    if isinstance(model, Pipeline):
        name, last = model.steps[-1]
        return f"{name}__{_weight_parameter(last)}"
    if not has_fit_parameter(model, "sample_weight"):
        raise InvalidParameterError(f"{type(model).__qualname__} does not take sample_weight.")
    return "sample_weight"
