"""From a table in a file to training samples and held-out samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import Inputs
from hedgerow.tables.columns import (
    Targets,
    TaskName,
    are_texts,
    as_labels,
    check_columns,
    fit_columns,
    take_targets,
    take_weights,
    text_columns,
    with_floats,
)
from hedgerow.tables.encoder import check_finite, usable_columns
from hedgerow.tables.files import read_table
from hedgerow.tables.values import has_leading_zeros


@dataclass(frozen=True)
class Columns:
    """The roles of a table's columns.

    Attributes
    ----------
    target : str
    weight : str or None
        The column of sample weights.
    drop : sequence of str
        Columns to ignore.
    """

    target: str
    weight: str | None = None
    drop: Sequence[str] = ()

    def __post_init__(self) -> None:
        roles = [self.target, *([] if self.weight is None else [self.weight]), *dict.fromkeys(self.drop)]
        for name in roles:
            if roles.count(name) > 1:
                raise InvalidParameterError(
                    f"The column {name!r} has two roles. It can be the target, the weight or dropped, but only one."
                )

    @property
    def taken(self) -> dict[str, str]:
        """The columns that are not inputs, and their roles."""
        weight = {} if self.weight is None else {self.weight: "the weight"}
        return {self.target: "the target", **weight, **dict.fromkeys(self.drop, "dropped")}


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples for training and for testing.

    Attributes
    ----------
    X, y, weight :
        The training samples, their targets, and their weights if there are any.
    X_test, y_test, weight_test :
        The held-out ones; None if there are none.
    task : "classification" or "regression"
    notes : list of str
        What a user should know: the inferred task, and what was left out.
    """

    X: Any
    y: AnyArray
    weight: FloatArray | None
    X_test: Any
    y_test: AnyArray | None
    weight_test: FloatArray | None
    task: TaskName
    notes: list[str] = field(default_factory=list)


def read_samples(
    path: Path,
    columns: Columns,
    *,
    separator: str | None = None,
    task: TaskName | None = None,
    inputs: Inputs | None = None,
    classes: AnyArray | None = None,
    test_size: float = 0.25,
    seed: int = 0,
) -> Samples:
    """Read a table and split it into training samples and held-out samples.

    Parameters
    ----------
    path, separator :
        As in :func:`hedgerow.tables.files.read_table`.
    columns : Columns
        The roles of the columns.
    task : "classification" or "regression", optional
        By default, inferred from the target; with ``inputs``, the task of the ensemble.
    inputs : Inputs, optional
        The input of a trained ensemble; by default, all columns that a forest can learn from.
    classes : array, optional
        Its class labels.
    test_size : float
        The share of the rows to hold out.
    seed : int
        The random seed of this choice.
    """
    texts = [*([] if inputs is None else text_columns(inputs)), *([columns.target] if are_texts(classes) else [])]
    frame = read_table(path, separator, texts)
    check_columns(frame, columns.drop)
    targets = take_targets(frame, columns.target, task, None if inputs is None else "the model")
    labels = as_labels(targets.values, classes)
    frame, n_rows = frame.iloc[targets.rows], len(frame)
    weight = None if columns.weight is None else take_weights(frame, columns.weight)
    X = frame.drop(columns=list(columns.taken)).reset_index(drop=True)
    train, test = _split(targets, test_size, seed)
    notes = [f"{targets.task}: {targets.why}"] if task is None else []
    if len(train) + len(test) < n_rows:
        notes.append(f"{n_rows - len(targets.rows)} of {n_rows} rows have no target and are left out")
    if inputs is None:
        X = with_floats(X)
        usable, left_out = usable_columns(X.iloc[train])
        notes += [f"column {name} is left out: {why}" for name, why in left_out.items()]
        X = X[usable.columns]
        check_finite(X)
        numbered = [name for name in X if has_leading_zeros(X[name])]
        notes += [f"column {name} is used as strings: some of its numbers have leading zeros" for name in numbered]
    else:
        X = fit_columns(X, inputs, taken=columns.taken)
    return Samples(*_taken(X, labels, weight, train), *_taken(X, labels, weight, test), targets.task, notes)


def _split(targets: Targets, test_size: float, seed: int) -> tuple[IntArray, IntArray]:
    """Return the training rows and the held-out rows, with each class in both if possible."""
    rows = np.arange(len(targets.values))
    n_test = round(test_size * len(rows))
    if n_test == 0:
        return rows, rows[:0]
    if len(rows) - n_test < 2:
        raise InvalidDataError(
            f"{len(rows)} rows are too few to hold out {n_test} of them. Hold out a smaller share.",
            parameter="test_size",
        )
    classes, counts = np.unique(targets.values, return_counts=True)
    in_both = targets.task == "classification" and counts.min() > 1 and n_test >= len(classes) <= len(rows) - n_test
    train, test = train_test_split(
        rows, test_size=n_test, random_state=seed, stratify=targets.values if in_both else None
    )
    return np.sort(train), np.sort(test)


def _taken(X: Any, y: AnyArray, weight: FloatArray | None, rows: IntArray) -> tuple[Any, Any, FloatArray | None]:
    if not len(rows):
        return None, None, None
    part = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
    return part, y[rows], None if weight is None else weight[rows]
