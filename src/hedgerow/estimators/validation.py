"""What the estimators are given, checked before anything is done with it.

Parameters are checked by :class:`~hedgerow.pipeline.settings.Settings`, targets by :mod:`hedgerow.tasks`; values that
only some ensembles can take are checked by :class:`~hedgerow.features.Inputs`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_sample_weight, validate_data

from hedgerow._support.arrays import FloatArray
from hedgerow.candidates.ensembles import read_fitted, takes_more_than_numbers, takes_series
from hedgerow.exceptions import InvalidDataError, UnfittedModelError, UnsupportedModelError
from hedgerow.features import check_series, frame_or_array, is_frame, no_sparse_matrix
from hedgerow.features.frames import check_in_memory
from hedgerow.features.refusals import CONVERT, ENCODE, explained, why_not_a_table
from hedgerow.pipeline.samples import Samples, Streamed
from hedgerow.sources.source import Source
from hedgerow.tasks import Labels, Numbers, TaskKind
from hedgerow.teachers import unwrapped


def check_training(estimator: Any, task_kind: TaskKind, X: Any, y: Any, sample_weight: Any = None) -> Samples:
    """Return what ``fit`` is given as samples; the estimator learns their number of features and their names."""
    X = check_samples(estimator, X, reset=True)
    task, y = task_kind.of(y, type(estimator).__name__)
    check_as_many(X, y)
    weight = None if sample_weight is None else check_weight(sample_weight, X)
    task.check_learnable(y if weight is None else y[weight > 0])
    n_features, names = (getattr(estimator, name, None) for name in ("n_features_in_", "feature_names_in_"))
    return Samples(X, y, weight, task, n_features, names)


def check_source(task_kind: TaskKind, source: Source, ensemble: Any) -> Streamed:
    """Return rows that are read in chunks as samples: with the columns and the labels of a fitted ensemble."""
    forest = None
    with suppress(UnfittedModelError, UnsupportedModelError):  # which the pipeline refuses
        forest = None if ensemble is None else read_fitted(ensemble, source.names)
    classes: Any = np.empty(0) if forest is None or forest.classes is None else forest.classes
    task = Labels(classes) if task_kind is Labels else Numbers()
    if forest is None:
        return Streamed(source, np.empty(0), None, task, source.n_features, source.names)
    names: Any = np.array(forest.inputs.names, dtype=object) if forest.inputs.has_names else None
    return Streamed(source, np.empty(0), None, task, forest.n_features, names)


def check_as_many(X: Any, y: Any) -> None:
    """Refuse targets that are not as many as the rows."""
    if np.ndim(y) and X.shape[0] != len(y):
        raise InvalidDataError(f"X has {X.shape[0]} rows, but y has {len(y)} targets. Pass one target per row of X.")


def check_samples(estimator: Any, X: Any, reset: bool) -> Any:
    """Check shape and names; the forest checks the values, as it knows which ones it can take."""
    check_in_memory(X)
    models, given = models_of(estimator), X
    if not reset and hasattr(estimator, "forest_"):  # which may have learned to read strings
        models.append(estimator.forest_)
    if takes_series(models):
        return _check_series(estimator, X, reset)
    # A data frame may hold categories, and a pipeline may take anything: only the ensemble can judge.
    if is_frame(X) or takes_more_than_numbers(models):
        X = frame_or_array(X)
        if len(X.shape) == 0:
            raise InvalidDataError(why_not_a_table(given) or f"X is {given!r}. Pass an array or a data frame.")
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if X.shape[0] == 0:
            raise InvalidDataError("X has no rows (0 samples); at least one is needed.")
        if len(X.shape) == 2 and X.shape[1] == 0:
            raise InvalidDataError("X has no columns (0 features); at least one is needed.")
        return X
    if sparse.issparse(X):
        raise no_sparse_matrix()
    with explained(X, ENCODE if reset else CONVERT):
        checked = validate_data(estimator, X, reset=reset, dtype="numeric", ensure_all_finite=False)
        if checked.dtype.kind in "mM":
            raise TypeError("dates")
        return checked


def _check_series(estimator: Any, X: Any, reset: bool) -> Any:
    """Return time series as an array of two or three dimensions; the forest checks their length."""
    series = check_series(X)
    if not len(series):
        raise InvalidDataError("X has no series (0 samples); at least one is needed.")
    if reset:  # as many features as a series has numbers, whether its dimension is given or not
        validate_data(estimator, series.reshape(len(series), -1), reset=True, skip_check_array=True)
    return series[:, 0] if series.shape[1] == 1 else series


def check_weight(sample_weight: Any, X: Any) -> FloatArray:
    """Return one weight per sample, none negative, not all zero."""
    shaped = np.empty((X.shape[0], 1))
    shape = np.asarray(sample_weight).shape
    if len(shape) == 1 and shape[0] != X.shape[0]:
        raise InvalidDataError(f"sample_weight has {shape[0]} numbers, but X has {X.shape[0]} rows. Pass one per row.")
    weight: FloatArray = _check_sample_weight(sample_weight, shaped, dtype=np.float64, ensure_non_negative=True)
    if not weight.any():  # newer versions of scikit-learn have said so already
        raise InvalidDataError("Sample weights must contain at least one non-zero number.")
    return weight


def models_of(estimator: Any) -> list[Any]:
    """Return the models that see the samples, as far as they are given: the ensemble, and the teacher's."""
    models = [estimator.ensemble, getattr(getattr(estimator, "teacher", None), "model", None)]
    return [unwrapped(model) for model in models if model is not None]
