"""Asking a model about rows: in batches, counted, and with its predictions checked before they are learned from.

A model is a neutral forest, an estimator with ``predict_proba`` or ``predict``, or a function of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.lettering import some
from hedgerow._support.progress import track
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.readers import read_forest
from hedgerow.tasks import Task
from hedgerow.teachers import Oracle

#: By how much class shares may miss 1 in all: libraries work in single precision.
_ROUNDING = 1e-3
#: How many rows are asked about twice, to see whether the predictions are the same.
_TWICE = 100


class Questions:
    """A model that is asked about rows; what it predicts are values, or shares of the task's classes.

    Attributes
    ----------
    n_rows, n_calls : int
        About how many rows it was asked so far, and in how many calls.
    """

    def __init__(self, model: Any, task: Task, oracle: Oracle | None = None, verbose: bool = False) -> None:
        self._task, self._verbose = task, verbose
        self._oracle = Oracle(model) if oracle is None else oracle
        self._is_own = oracle is None or isinstance(model, Forest)
        self._predict, self._known = _prediction(model, task, self._oracle)
        self.n_rows = self.n_calls = 0

    def __call__(self, X: Any) -> AnyArray:
        """Return what the model predicts for the rows."""
        self._check_limit(len(X))
        if not self._is_own and not self.n_calls:
            self._check_steadiness(X)
        size = self._oracle.batch
        starts = range(0, len(X), size)
        shown = track(starts, len(starts), "asking the model", self._verbose and len(starts) > 1)
        parts = [self._batch(X, start, min(start + size, len(X))) for start in shown]
        return np.concatenate(parts)

    @property
    def n_left(self) -> int | None:
        """About how many rows it may still be asked; None if there is no limit."""
        return None if self._oracle.limit is None else self._oracle.limit - self.n_rows

    def _check_limit(self, n_rows: int) -> None:
        if self.n_left is not None and n_rows > self.n_left:
            raise InvalidParameterError(
                f"The model must be asked about {n_rows} rows, but only {max(0, self.n_left)} of limit="
                f"{self._oracle.limit} are left. Raise the limit of the Oracle, or pass fewer training samples."
            )

    def _check_steadiness(self, X: Any) -> None:
        """Refuse a model that predicts something else when it is asked again."""
        n = min(len(X), _TWICE, self._oracle.batch, len(X) if self.n_left is None else (self.n_left - len(X)) // 2)
        first, second = (self._batch(X, 0, n) for _ in range(2)) if n else (np.zeros(0), np.zeros(0))
        apart = np.abs(first - second).reshape(n, -1).max(axis=1, initial=0)
        differs = np.flatnonzero(apart > _ROUNDING * (1 + np.abs(first).reshape(n, -1).max(axis=1, initial=0)))
        if len(differs):
            raise InvalidDataError(
                f"The model predicts something else each time: asked twice about row {differs[0]}, it said "
                f"{first[differs[0]].tolist()} and {second[differs[0]].tolist()}. Fix its seed, or switch off what is "
                "random in its predictions (such as dropout)."
            )

    def _batch(self, X: Any, start: int, end: int) -> AnyArray:
        rows = X if (start, end) == (0, len(X)) else _safe_indexing(X, slice(start, end))
        self.n_rows, self.n_calls = self.n_rows + end - start, self.n_calls + 1
        try:
            said = self._predict(rows)
        except Exception as error:  # whatever a model of somebody else raises
            where = self._culprit(X, start, end)
            raise InvalidDataError(
                f"The model failed on {where} of {len(X)} rows: {type(error).__name__}: {error}"
            ) from error
        said = np.asarray(said)
        if said.ndim == 0 or len(said) != end - start:
            shape = "a single value" if said.ndim == 0 else f"{len(said)} predictions"
            raise InvalidDataError(f"The model was asked about {end - start} rows and returned {shape}.")
        return self._checked(said, start)

    def _culprit(self, X: Any, start: int, end: int) -> str:
        """Return which row makes the model fail, found by halves; or that only several together do."""
        low, high = start, end
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._fails(X, low, middle) else (middle, high)
        return f"row {low}" if self._fails(X, low, high) else f"rows {start} to {end - 1}"

    def _fails(self, X: Any, start: int, end: int) -> bool:
        self.n_rows, self.n_calls = self.n_rows + end - start, self.n_calls + 1
        try:
            self._predict(_safe_indexing(X, slice(start, end)))
        except Exception:  # as above
            return True
        return False

    def _checked(self, said: AnyArray, start: int) -> AnyArray:
        """Return the predictions as values or class shares; refuse those that are neither."""
        if not self._task.has_labels:
            return _values(said, start)
        if said.ndim == 1:
            return self._of_labels(said, start)
        shares, known = said.astype(np.float64), self._known
        if shares.shape[1] != len(known):
            raise InvalidDataError(
                f"The model returned {shares.shape[1]} class shares per row, but y has {len(known)} classes: "
                f"{some(map(repr, known))}."
            )
        wrong = ~(np.abs(shares.sum(axis=1) - 1) <= _ROUNDING) | ~(shares >= 0).all(axis=1)  # so that NaN is wrong
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise InvalidDataError(
                f"The model's class shares for row {start + row} are {shares[row].tolist()}; they must be at least 0 "
                "and sum to 1."
            )
        return shares[:, [known.index(label) for label in self._task.labels]]

    def _of_labels(self, said: AnyArray, start: int) -> FloatArray:
        """Return class shares of 0 and 1 for labels; of two classes, numbers between are the share of the second."""
        labels, listed = self._task.labels, said.tolist()
        unknown = [i for i, one in enumerate(listed) if one not in labels]
        if unknown and len(labels) == 2 and said.dtype.kind == "f":
            wrong = np.flatnonzero(~((said >= 0) & (said <= 1)))  # so that NaN is wrong
            if not len(wrong):
                return np.column_stack([1 - said, said]).astype(np.float64)
            unknown = wrong.tolist()
        if unknown:
            raise InvalidDataError(
                f"The model predicts other labels than y has: {listed[unknown[0]]!r} for row {start + unknown[0]}; y "
                f"has {some(map(repr, labels))}. Let it predict the labels of y, or pass y as the model writes it."
            )
        return self._task.numeric(said)


def _prediction(model: Any, task: Task, oracle: Oracle) -> tuple[Callable[[Any], Any], list[Any]]:
    """Return the function to call, and the classes in the order of the shares that it returns."""
    known: Any = None
    if isinstance(model, Forest):
        predict, known = model.answer, model.task.classes
    elif task.has_labels and hasattr(model, "predict_proba"):
        predict, known = model.predict_proba, getattr(model, "classes_", None)
    elif hasattr(model, "predict"):
        predict = model.predict
    elif callable(model):
        predict = model
    else:
        raise InvalidParameterError(
            f"A {type(model).__qualname__} cannot be asked. Pass an estimator with predict or predict_proba, or a "
            "function of a table that returns one prediction, or one row of class shares, per row."
        )
    if not task.has_labels:
        return predict, []
    classes = list(task.labels)
    given = list(oracle.classes) if oracle.classes is not None else known
    listed = classes if given is None else np.asarray(given, dtype=object).tolist()
    if sorted(listed, key=str) != sorted(classes, key=str):
        raise InvalidDataError(
            f"The model was trained on other labels than y has: it knows {listed[:10]}, y has {classes[:10]}. Train it "
            "on the same labels, or pass y as the model writes it."
        )
    return predict, listed


def _values(said: AnyArray, start: int) -> FloatArray:
    """Return one number per row; refuse anything else."""
    try:
        values = said.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(
            f"The model must predict numbers here; for row {start} it predicts {said.ravel().tolist()[0]!r}."
        ) from None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InvalidDataError(f"The model must predict one number per row; it returned {values.shape[1]}.")
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InvalidDataError(
            f"The model predicts {float(values[row])} for row {start + row}; it must be a finite number."
        )
    return values


def forest_of(model: Any) -> Forest | None:
    """Return the neutral form of a model, or None if it need not have one."""
    if not isinstance(model, Oracle):
        return read_forest(model)
    try:
        return read_forest(model.model)
    except UnsupportedModelError:
        return None


def predictions_of(model: Any, forest: Forest | None, task: Task, X: Any) -> tuple[AnyArray, FloatArray | None]:
    """Return what a model predicts, labels or values; for labels also the class shares in the order of the task's."""
    if forest is None:
        said = Questions(model.model, task, model)(X)
        return (task.pick(task.labels, said.argmax(axis=1)), said) if task.has_labels else (said, None)
    if not task.has_labels:
        return forest.answer(X), None
    shares, known = forest.answer(X), list(forest.task.labels)
    place = [known.index(label) for label in task.labels if label in known]
    return forest.predictions(X), shares[:, place] if len(place) == len(task.labels) else None
