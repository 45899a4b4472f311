"""Asking a model about rows: in batches, counted, and with its predictions checked before they are learned from.

A model is a neutral forest, an estimator with ``predict_proba`` or ``predict``, or a function of a table;
:mod:`hedgerow.pipeline.model_calls` says how each of them is called.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import _safe_indexing

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.lettering import some, with_article
from hedgerow._support.progress import track
from hedgerow.exceptions import (
    HedgerowError,
    InvalidDataError,
    InvalidParameterError,
    UnfittedModelError,
    UnsupportedModelError,
)
from hedgerow.features.frames import column_names
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.model_calls import Call, classes_named
from hedgerow.readers import read_forest
from hedgerow.tasks import Task
from hedgerow.teachers import Oracle

#: How many rows are asked about twice, to see whether the predictions are the same.
_TWICE = 100
#: By which share of their spread, and of themselves, the same predictions may differ: by what rounding does.
_OF_SPREAD, _OF_ITSELF = 1e-3, 1e-6


class Questions:
    """A model that is asked about rows; what it predicts are values, or shares of the task's classes.

    Attributes
    ----------
    n_rows, n_calls : int
        About how many rows it was asked so far, and in how many calls.
    returns : "labels", "shares" or None
        What one number per row is, of two classes; None as long as it makes no difference.
    """

    def __init__(
        self, model: Any, task: Task, oracle: Oracle | None = None, verbose: bool = False, is_steady: bool = False
    ) -> None:
        self._task, self._verbose = task, verbose
        self._oracle = Oracle(model) if oracle is None else oracle
        self._reads_only = isinstance(model, Forest)
        self._is_steady = is_steady or oracle is None or self._reads_only
        self._call = Call.of(model, task, self._oracle)
        self.returns: Literal["labels", "shares"] | None = self._call.returns
        self.n_rows = self.n_calls = 0

    def __call__(self, X: Any, synthetic: bool = False) -> AnyArray:
        """Return what the model predicts for the rows; whether these are synthetic is said if one is wrong."""
        n = X.shape[0]
        self._check_limit(n)
        rows = Rows(X, synthetic)
        if not self._is_steady and not self.n_calls:
            self._check_steadiness(rows)
        size = self._oracle.batch
        starts = range(0, n, size)
        shown = track(starts, len(starts), "asking the model", self._verbose and len(starts) > 1)
        said = [self._batch(rows, start, min(start + size, n)) for start in shown]
        if self.returns is None:
            self.returns = self._task.kind_of_numbers(said)
        return np.concatenate([self._read(one, rows, start) for one, start in zip(said, starts, strict=True)])

    def _read(self, said: AnyArray, rows: Rows, start: int) -> AnyArray:
        """Return a batch of predictions as values or shares, checked."""
        return self._task.read_predictions(said, self._call.known, lambda i: rows.name(start + i), self.returns)

    @property
    def n_left(self) -> int | None:
        """About how many rows it may still be asked; None if there is no limit."""
        return None if self._oracle.limit is None else self._oracle.limit - self.n_rows

    def _check_limit(self, n_rows: int) -> None:
        if self.n_left is not None and n_rows > self.n_left:
            raise InvalidParameterError(
                f"The model must be asked about {n_rows} rows, but only {max(0, self.n_left)} of limit="
                f"{self._oracle.limit} are left. Raise the limit of the Oracle, or pass fewer rows."
            )

    def _check_steadiness(self, rows: Rows) -> None:
        """Refuse a model that predicts something else when it is asked again."""
        n_rows = rows.n_rows
        n = min(n_rows, _TWICE, self._oracle.batch, n_rows if self.n_left is None else (self.n_left - n_rows) // 2)
        if n < 1:  # the limit leaves no question for it
            return
        first, second = (self._read(self._batch(rows, 0, n), rows, 0).reshape(n, -1) for _ in range(2))
        differs = np.flatnonzero((np.abs(first - second) > _rounding(first)).any(axis=1))
        if len(differs):
            raise InvalidDataError(
                f"The model predicts something else each time: asked twice about {rows.name(differs[0])}, it said "
                f"{_said(first[differs[0]])} and {_said(second[differs[0]])}. Fix its seed, or switch off what is "
                "random in its predictions (such as dropout)."
            )

    def _batch(self, rows: Rows, start: int, end: int) -> AnyArray:
        try:
            raw = self._asked(rows, start, end)
            said = self._call.read(raw)
        except NotFittedError as error:
            raise UnfittedModelError(f"The model is not fitted: {error}") from error
        except Exception as error:  # whatever a model of somebody else raises
            if self._reads_only and isinstance(error, HedgerowError):  # which says what is wrong with the rows
                raise
            where, way_out = self._culprit(rows, start, end)
            raise InvalidDataError(f"The model failed {where}: {type(error).__name__}: {error}{way_out}") from error
        if said is None or said.ndim == 0 or len(said) != end - start:
            raise InvalidDataError(
                f"The model was asked about {end - start} rows and returned {_what(raw, said)}. It must return one "
                "prediction per row, or one row of class shares."
            )
        return said

    def _asked(self, rows: Rows, start: int, end: int) -> Any:
        """Return what the model says about a part of the rows, which it may change as it likes."""
        part = rows.part(start, end)
        self.n_rows, self.n_calls = self.n_rows + end - start, self.n_calls + 1
        return self._call.predict(part if self._reads_only else copy.deepcopy(part))

    def _culprit(self, rows: Rows, start: int, end: int) -> tuple[str, str]:
        """Return where the model fails, and what may help.

        The row is found by halves, as far as the limit allows; or all rows fail, or only several together, or the model
        fails no more when it is asked again.
        """
        low, high = start, end
        while high - low > 1:
            middle = (low + high) // 2
            fails = self._fails(rows, low, middle)
            if fails is None:
                return f"on one of rows {low} to {high - 1}", f" (limit={self._oracle.limit} ends the search.)"
            low, high = (low, middle) if fails else (middle, high)
        fails = self._fails(rows, low, high)
        if fails is False:
            return self._not_alone(rows, start, end)
        if fails and low == start < end - 1 and self._fails(rows, end - 1, end):
            example = f", such as {rows.name(low)}" if rows.synthetic else ""
            return f"on all {end - start} rows of a call{example}", rows.way_out
        return f"on {rows.name(low)}", rows.way_out

    def _not_alone(self, rows: Rows, start: int, end: int) -> tuple[str, str]:
        """Return where a model fails that does not fail on any single row, and what may help."""
        together = f"rows {start} to {end - 1}"
        if end - start > 1 and self._fails(rows, start, end) is not False:
            return f"on {together} together", rows.way_out
        passing = " (It may be a passing failure, such as a lost connection. Fit again, or let the model retry.)"
        return f"once on {together}, but not when asked about them again", passing

    def _fails(self, rows: Rows, start: int, end: int) -> bool | None:
        """Return whether the model fails on these rows; None if the limit leaves too few questions to tell."""
        if self.n_left is not None and end - start > self.n_left:
            return None
        try:
            self._asked(rows, start, end)
        except Exception:  # as above
            return True
        return False


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that a model is asked about."""

    X: Any
    synthetic: bool = False

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.X.shape[0])

    def part(self, start: int, end: int) -> Any:
        """Return some of the rows, as the kind of table that they are."""
        return self.X if (start, end) == (0, self.n_rows) else _safe_indexing(self.X, slice(start, end))

    def name(self, i: int) -> str:
        """Return the number of a row; of a synthetic one, which nobody else can look up, also its cells."""
        if not self.synthetic:
            return f"row {i} of {self.n_rows}"
        row = self.part(i, i + 1)
        names, cells = column_names(row), np.asarray(row, dtype=object)[0].tolist()
        shown = cells if names is None else [f"{name}={cell!r}" for name, cell in zip(names, cells, strict=True)]
        return f"a synthetic row ({some(shown)})"

    @property
    def way_out(self) -> str:
        """What a user may do about a model that fails on such rows."""
        if not self.synthetic:
            return ""
        return (
            " (Synthetic rows mix the columns of training samples. To do without them, pass "
            "teacher=Teacher(Oracle(model), share=1, copies=0).)"
        )


def _rounding(said: AnyArray) -> FloatArray:
    """Return by how much each prediction may differ when the model is asked again."""
    return _OF_SPREAD * np.ptp(said, axis=0) + _OF_ITSELF * np.abs(said)


def _said(row: AnyArray) -> Any:
    """Return a prediction as it is written: a number, or class shares."""
    return row.tolist() if len(row) > 1 else row.tolist()[0]


def _what(raw: Any, said: AnyArray | None) -> str:
    """Return in words what a model returned instead of one prediction per row."""
    if raw is None:
        return "None"
    if said is not None and said.ndim:
        return f"{len(said)} prediction{'s' * (len(said) != 1)}"
    if said is None and not isinstance(raw, str):
        return with_article(type(raw).__qualname__)
    return f"the single value {raw!r}"


def forest_of(model: Any) -> Forest | None:
    """Return the neutral form of a model, its classes under the names of an Oracle; None if it need not have one."""
    if not isinstance(model, Oracle):
        return read_forest(model)
    try:
        forest = read_forest(model.model)
    except UnsupportedModelError:
        return None
    if model.classes is None or forest.classes is None:
        return forest
    own = forest.classes.tolist()
    named = classes_named(own, model.classes)
    return forest if named == own else replace(forest, classes=np.asarray(named))


def predictions_of(model: Any, forest: Forest | None, task: Task, X: Any) -> tuple[AnyArray, FloatArray | None]:
    """Return what a model predicts, labels or values; for labels also the class shares in the order of the task's."""
    if forest is None:
        said = Questions(model.model, task, model, is_steady=True)(X)  # as fit has found
        return task.hardened(said)[0], said if task.has_labels else None
    if not task.has_labels:
        return forest.answer(X), None
    shares, known = forest.answer(X), list(forest.task.labels)
    place = [known.index(label) for label in task.labels if label in known]
    return forest.predictions(X), shares[:, place] if len(place) == len(task.labels) else None
