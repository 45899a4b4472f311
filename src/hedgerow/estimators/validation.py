"""What the estimators are given, checked before anything is done with it.

An error says what is wrong, what is possible, and the way out. Values that only
some ensembles can take are checked by :class:`~hedgerow.features.Inputs`.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.checks import check_time_limit, is_number
from hedgerow.candidates.ensembles import takes_more_than_numbers, takes_series
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import check_series, frame_or_array, is_frame, no_sparse_matrix
from hedgerow.forests.forest import Forest
from hedgerow.losses import answer_of
from hedgerow.smoothing import check_smoothing
from hedgerow.teachers import Teacher


def check_parameters(estimator: Any) -> None:
    """Refuse parameters that mean nothing; say what is possible."""
    for name in ("max_rules", "max_conditions", "max_candidates"):
        value = getattr(estimator, name)
        if value is not None and (not isinstance(value, Integral) or isinstance(value, bool) or value < 1):
            raise InvalidParameterError(f"{name} must be a whole number of at least 1, or None; got {value!r}.")
    if None not in (estimator.max_rules, estimator.max_candidates) and estimator.max_candidates < estimator.max_rules:
        raise InvalidParameterError(
            f"max_candidates={estimator.max_candidates} is less than max_rules={estimator.max_rules}; give the solver "
            "at least as many candidates as the list may have rules."
        )
    check_smoothing(estimator.smoothing, answer_of(estimator.loss, None))
    for name in ("min_coverage", "stability_weight"):
        value = getattr(estimator, name)
        if not is_number(value) or not 0 <= value <= 1:
            raise InvalidParameterError(f"{name} must be a number between 0 and 1; got {value!r}.")
    for name, possible in (("candidates", ("auto", "leaves", "nodes")), ("uncovered", ("default", "ensemble"))):
        if getattr(estimator, name) not in possible:
            raise InvalidParameterError(
                f"{name} must be one of {', '.join(map(repr, possible))}; got {getattr(estimator, name)!r}."
            )
    target: Any = estimator.target
    limit: Any = estimator.time_limit
    named = isinstance(target, str) and target in ("labels", "ensemble")
    if not named and not (is_number(target) and 0 <= target <= 1):
        raise InvalidParameterError(
            "target must be 'labels', 'ensemble', or the ensemble's share between 0 and 1 in a mix of the two; "
            f"got {target!r}."
        )
    _check_teacher(estimator)
    check_time_limit(limit)
    if estimator.solver is not None and not hasattr(estimator.solver, "solve"):
        raise InvalidParameterError(
            "solver must be None or have a method solve(problem, time_limit), as the classes in hedgerow.solvers; "
            f"got {estimator.solver!r}."
        )


def _check_teacher(estimator: Any) -> None:
    """Refuse what is no teacher, and one that contradicts the other parameters."""
    teacher = estimator.teacher
    if teacher is None:
        return
    if not isinstance(teacher, Teacher):
        raise InvalidParameterError(
            f"teacher must be None or a hedgerow.teachers.Teacher(model, ...); got {teacher!r}."
        )
    if estimator.target not in ("labels", 0):
        raise InvalidParameterError(
            f"target={estimator.target!r} and a teacher both say what is learned. Take target='labels'; the teacher's "
            "share in the targets is Teacher(..., share=...)."
        )
    if teacher.makes_rows and takes_series(_models(estimator)):
        raise InvalidParameterError(
            "A teacher makes up rows by taking some columns from another sample, which makes no sense for time series. "
            "Take Teacher(..., copies=0): then only its out-of-bag answers are mixed into the targets."
        )


def check_samples(estimator: Any, X: Any, reset: bool) -> Any:
    """Check shape and names; the forest checks the values, as it knows which ones it can take."""
    models = _models(estimator)
    if takes_series(models):
        return _check_series(estimator, X, reset)
    # A data frame may hold categories, and a pipeline may take anything: only the ensemble can judge.
    if is_frame(X) or takes_more_than_numbers(models):
        X = frame_or_array(X)
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if X.shape[0] == 0:
            raise InvalidDataError("X has no rows (0 samples); at least one is needed.")
        return X
    if sparse.issparse(X):
        raise no_sparse_matrix()
    return validate_data(estimator, X, reset=reset, dtype="numeric", ensure_all_finite=False)


def _check_series(estimator: Any, X: Any, reset: bool) -> Any:
    """Return time series as an array of two or three dimensions; their length is compared by the forest."""
    series = check_series(X)
    if not len(series):
        raise InvalidDataError("X has no series (0 samples); at least one is needed.")
    if reset:  # so many numbers as a series has, whether its dimension is told or not
        validate_data(estimator, series.reshape(len(series), -1), reset=True, skip_check_array=True)
    return series[:, 0] if series.shape[1] == 1 else series


def check_column(estimator: Any, y: Any) -> Any:
    """Return the targets as one column without missing values."""
    if y is None:
        raise InvalidDataError(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")
    y = column_or_1d(y, warn=True)
    if y.dtype.kind in "fc" or y.dtype == object:
        assert_all_finite(y, input_name="y")
    return y


def check_labels(estimator: Any, y: Any) -> AnyArray:
    """Return the targets of a classification."""
    y = check_column(estimator, y)
    check_classification_targets(y)
    return np.asarray(y)


def check_numbers(estimator: Any, y: Any) -> FloatArray:
    """Return the targets of a regression."""
    y = check_column(estimator, y)
    if y.dtype.kind in "Mm":
        raise InvalidDataError(f"y must hold numbers for a regression; it holds {y.dtype}.")
    if y.dtype.kind not in "biuf":
        try:
            y = y.astype(np.float64)
        except (TypeError, ValueError):
            raise InvalidDataError(f"y must hold numbers for a regression; it holds {y.dtype}.") from None
        assert_all_finite(y, input_name="y")
    return np.asarray(y, dtype=np.float64)


def check_two_classes(y: AnyArray) -> None:
    """Refuse labels that are all the same."""
    found = np.unique(y).tolist()
    if len(found) < 2:
        raise InvalidDataError(
            f"y has only one class, {found[0]!r}; a classifier needs samples of at least two classes."
        )


def check_known_labels(forest: Forest, classes: AnyArray, other: str) -> AnyArray:
    """Return the classes of the forest, if it is a classification and has all those of the targets.

    ``other`` is the estimator to use for a regression.
    """
    if forest.classes is None:
        raise InvalidParameterError(f"The ensemble is a regression; use {other}, or give a classifier.")
    unknown = [label for label in classes.tolist() if label not in forest.classes.tolist()]
    if unknown:
        raise InvalidDataError(
            f"y has labels that the ensemble was not trained on: {unknown[:10]}. "
            f"It knows: {forest.classes.tolist()[:10]}."
        )
    return forest.classes


def check_regression(forest: Forest, other: str | None) -> None:
    """Refuse a forest of labels; ``other`` is the estimator to use for it, if there is one."""
    if forest.classes is not None:
        way_out = f"use {other}, or give a regression" if other else "give a regression"
        raise InvalidParameterError(f"The ensemble is a classifier; {way_out}.")


def check_weight(sample_weight: Any, X: Any) -> FloatArray:
    """Return a weight a sample, none negative, not all zero."""
    shaped = np.empty((X.shape[0], 1))
    weight: FloatArray = _check_sample_weight(sample_weight, shaped, dtype=np.float64, ensure_non_negative=True)
    if not weight.any():  # newer versions of scikit-learn have said so already
        raise InvalidDataError("Sample weights must contain at least one non-zero number.")
    return weight


def _models(estimator: Any) -> list[Any]:
    """Return the models that see the samples: the ensemble, and the teacher's."""
    return [estimator.ensemble, getattr(getattr(estimator, "teacher", None), "model", None)]
