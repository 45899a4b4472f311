"""The ensemble of an estimator: fitted here if it is not yet, read, cloned without losing what it is."""

from __future__ import annotations

import copy
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.lettering import some
from hedgerow.exceptions import HedgerowError, InvalidDataError, InvalidParameterError, UnfittedModelError, warn
from hedgerow.features import with_underscores
from hedgerow.features.frames import numbered_names
from hedgerow.features.refusals import ENCODE, why_not_numbers
from hedgerow.forests.forest import Forest
from hedgerow.readers import SERIES_LIBRARIES, read_forest
from hedgerow.tables.column_use import NOTHING_TO_LEARN
from hedgerow.tables.encoder import has_more_than_numbers, table_pipeline

logger = logging.getLogger(__name__)

_Estimator = TypeVar("_Estimator", bound=Any)


def fit_ensemble(ensemble: Any, X: Any, y: AnyArray, weight: FloatArray | None, names: Any) -> tuple[Any, Forest]:
    """Return an ensemble, or each of a list, fitted here if it is not yet, and the neutral form of all.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, or list of them
    X, y, weight :
        The training samples, their targets, and their weights if there are any.
    names : sequence of str or None
        The columns' names, for an ensemble that knows none.
    """
    if isinstance(ensemble, (list, tuple)) and ensemble:
        members = [_fit_one(member, X, y, weight, names) for member in ensemble]
        return [model for model, _ in members], read_forest([forest for _, forest in members])
    return _fit_one(ensemble, X, y, weight, names)


def read_fitted(ensemble: Any, names: Any) -> Forest:
    """Return the neutral form of an ensemble, or of each of a list, that is fitted already."""
    if isinstance(ensemble, (list, tuple)) and ensemble:
        return read_forest([read_fitted(member, names) for member in ensemble])
    return _named(read_forest(ensemble), names)


def _fit_one(model: Any, X: Any, y: AnyArray, weight: FloatArray | None, names: Any) -> tuple[Any, Forest]:
    if isinstance(model, type):
        raise InvalidParameterError(
            f"ensemble is the class {model.__name__}; pass an instance of it: {model.__name__}()."
        )
    try:
        return model, _named(_numbered(model, X), names)
    except UnfittedModelError:
        if isinstance(model, FrozenEstimator):
            raise
    model = fit_clone(model, X, y, weight)
    return model, _named(_numbered(model, X), names)


def fit_clone(model: Any, X: Any, y: AnyArray, weight: FloatArray | None) -> Any:
    """Return a clone of a model, fitted; the weights go to the last step of a pipeline.

    A model that takes only numbers is put behind an encoder if X is a data frame with more than numbers.
    """
    model, is_encoded = clone_ensemble(model), _needs_encoder(model, X)
    if is_encoded:
        model = table_pipeline(model)
    fit_parameters = {} if weight is None else {_weight_parameter(model): weight}
    logger.info("fitting %s", type(model).__qualname__)
    with _explained(model, X, y), warnings.catch_warnings():
        # Samples with large weights may be in every bootstrap sample. Predictions of all trees then take their place.
        warnings.filterwarnings("ignore", "Some inputs do not have OOB scores")
        model.fit(X, y, **fit_parameters)
    if is_encoded:
        _warn_of_left_out(model.steps[0][1].left_out_)
    return model


def _needs_encoder(model: Any, X: Any) -> bool:
    """Return whether X has columns that the model cannot take, but could behind an encoder."""
    if isinstance(model, Pipeline) or takes_series(model) or takes_more_than_numbers(model):
        return False
    return has_more_than_numbers(X, besides="category" if _takes_categories(model) else "")


def _takes_categories(model: Any) -> bool:
    """Return whether a model takes a data frame's columns of type category as they are."""
    if isinstance(model, BaseSearchCV):
        return _takes_categories(model.estimator)
    library = type(model).__module__.partition(".")[0]
    chosen = getattr(model, "categorical_features", None)
    return library == "lightgbm" or bool(getattr(model, "enable_categorical", False)) or chosen == "from_dtype"


def _warn_of_left_out(left_out: dict[str, str]) -> None:
    """Say which columns are not used, unless there is nothing to learn from them anyway."""
    lost = {name: why for name, why in left_out.items() if why not in NOTHING_TO_LEARN}
    if lost:
        reasons = "; ".join(f"{name}, because {why}" for name, why in lost.items())
        warn(
            f"Some columns of X are not used: {reasons}. Drop them from X, or choose the ensemble and its encoder "
            "yourself: ensemble=hedgerow.tables.table_pipeline(model, keep=[...], dates=True). If the list is to be "
            "faithful to a model that uses them, choose the encoder of the trees that are grown on its predictions: "
            "rules = rules.settled(X, y); rules.ensemble = [table_pipeline(trees, dates=True) for trees in "
            "rules.ensemble]; rules.fit(X, y)."
        )


@contextmanager
def _explained(model: Any, X: Any, y: AnyArray) -> Iterator[None]:
    """Say what is wrong with X or y, and what to do about it, where a library's own error only quotes a value."""
    try:
        yield
    except HedgerowError:
        raise
    except Exception as error:  # libraries have errors of their own
        name, is_text = type(model).__qualname__, y.dtype.kind in "UO" and all(isinstance(one, str) for one in y)
        if is_classifier(model) and "Unknown label type" in str(error):
            raise InvalidParameterError(
                f"The ensemble is a {name}, which predicts classes; give a regressor, or use RuleListClassifier."
            ) from error
        if is_regressor(model) and is_text:
            raise InvalidParameterError(
                f"The ensemble is a {name}, which predicts numbers; give a classifier, or use RuleListRegressor."
            ) from error
        if "Invalid classes inferred" in str(error):
            raise InvalidDataError(
                f"{name} takes only the labels 0, 1, ...; y has {some(map(repr, np.unique(y).tolist()))}. Encode them: "
                "y = sklearn.preprocessing.LabelEncoder().fit_transform(y)."
            ) from error
        why = None if isinstance(model, Pipeline) or takes_more_than_numbers(model) else why_not_numbers(X, ENCODE)
        if why is None:
            raise
        raise InvalidDataError(why) from error


def takes_missing(ensemble: Any) -> bool:
    """Whether the ensemble says that it takes missing values."""
    if isinstance(ensemble, Forest):
        return ensemble.inputs.allows_missing
    if not isinstance(ensemble, type) and hasattr(ensemble, "__sklearn_tags__"):
        return bool(get_tags(ensemble).input_tags.allow_nan)
    return False


def clone_with_ensemble(estimator: _Estimator) -> _Estimator:
    """Return a clone of an estimator that has an ``ensemble``, whatever that is."""
    bare = copy.copy(estimator)
    bare.ensemble = None
    twin: _Estimator = BaseEstimator.__sklearn_clone__(bare)
    twin.ensemble = clone_ensemble(estimator.ensemble)
    return twin


def clone_ensemble(ensemble: Any) -> Any:
    """Return an ensemble, or each of a list, with the same parameters and not fitted."""
    if isinstance(ensemble, Forest):
        return ensemble
    if isinstance(ensemble, (list, tuple)):
        return type(ensemble)(clone_ensemble(member) for member in ensemble)
    try:
        return clone(ensemble, safe=False)
    except (RuntimeError, TypeError):
        # CatBoost hands out copies of its parameters, which scikit-learn takes for other ones.
        try:
            return type(ensemble)(**ensemble.get_params(deep=False))
        except TypeError:
            raise InvalidParameterError(
                f"This {type(ensemble).__qualname__} cannot be cloned. Fit it first and put it into a FrozenEstimator."
            ) from None


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


def _numbered(model: Any, X: Any) -> Forest:
    """Return the forest of a fitted model; without names of its own, a column of X called 5 is called ``x5``."""
    forest, names = read_forest(model), numbered_names(X)
    own = forest.inputs.names
    if isinstance(model, Forest) or names is None or names == own or own != [f"x{i}" for i in range(len(names))]:
        return forest
    return read_forest(model, names)


def _named(forest: Forest, names: Any) -> Forest:
    """Return the forest with the columns' names if it has none of its own, or has them with spaces replaced."""
    if names is None or forest.inputs.columns or len(names) != forest.n_features:
        return forest
    if forest.inputs.has_names and with_underscores(names) != forest.inputs.names:
        return forest
    features = tuple(f.with_name(str(n)) for f, n in zip(forest.features, names, strict=True))
    return replace(forest, inputs=replace(forest.inputs, features=features, has_names=True))


def takes_series(ensemble: Any) -> bool:
    """Whether the ensemble was made for time series."""
    if isinstance(ensemble, (list, tuple)):
        return any(takes_series(member) for member in ensemble)
    if isinstance(ensemble, Forest):
        return ensemble.inputs.of_series
    if isinstance(ensemble, (FrozenEstimator, BaseSearchCV)):
        return takes_series(ensemble.estimator)
    if hasattr(ensemble, "to_forest") and hasattr(ensemble, "ensemble"):  # a FeatureForest
        return takes_series(ensemble.ensemble)
    return any(kind.__module__.partition(".")[0] in SERIES_LIBRARIES for kind in type(ensemble).__mro__)


def takes_more_than_numbers(ensemble: Any) -> bool:
    """Whether the ensemble reads categories or strings from a plain array."""
    if isinstance(ensemble, (list, tuple)):
        return any(takes_more_than_numbers(member) for member in ensemble)
    if isinstance(ensemble, Forest):
        return ensemble.inputs.columns is not None or any(f.levels is not None for f in ensemble.features)
    if isinstance(ensemble, (str, PathLike, Pipeline)):
        return True  # a file may hold such an ensemble, and a pipeline may take anything
    if isinstance(ensemble, (FrozenEstimator, BaseSearchCV)):
        return takes_more_than_numbers(ensemble.estimator)
    if hasattr(ensemble, "get_cat_feature_indices"):  # CatBoost
        indices = ensemble.get_cat_feature_indices() if ensemble.is_fitted() else ensemble.get_param("cat_features")
        return indices is not None and len(indices) > 0
    chosen = getattr(ensemble, "categorical_features", None)
    return chosen is not None and not isinstance(chosen, str)
