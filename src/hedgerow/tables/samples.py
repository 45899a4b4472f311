"""From the file of a table to training samples and those held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import Inputs
from hedgerow.tables.columns import (
    Targets,
    Task,
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
    """Which columns of a table are what.

    Attributes
    ----------
    target : str
    weight : str or None
        The column that says how much a row counts.
    drop : sequence of str
        Columns that are not looked at.
    """

    target: str
    weight: str | None = None
    drop: Sequence[str] = ()

    def __post_init__(self) -> None:
        roles = [self.target, *([] if self.weight is None else [self.weight]), *dict.fromkeys(self.drop)]
        for name in roles:
            if roles.count(name) > 1:
                raise InvalidParameterError(
                    f"The column {name!r} has one use: --target, --weight or --drop. Name it in one of them."
                )

    @property
    def taken(self) -> dict[str, str]:
        """The columns that are no inputs, and what they are instead."""
        weight = {} if self.weight is None else {self.weight: "the weight"}
        return {self.target: "the target", **weight, **dict.fromkeys(self.drop, "dropped")}


@dataclass(frozen=True, eq=False)
class Samples:
    """What to learn from, and what to test on.

    Attributes
    ----------
    X, y, weight :
        The training samples, their targets, and their weights or None.
    X_test, y_test, weight_test :
        Those held out; None if there are none.
    task : "classification" or "regression"
    notes : list of str
        What a user should know: the task that was guessed, what was left out.
    """

    X: Any
    y: AnyArray
    weight: FloatArray | None
    X_test: Any
    y_test: AnyArray | None
    weight_test: FloatArray | None
    task: Task
    notes: list[str] = field(default_factory=list)


def read_samples(
    path: Path,
    columns: Columns,
    *,
    separator: str | None = None,
    task: Task | None = None,
    inputs: Inputs | None = None,
    classes: AnyArray | None = None,
    test_size: float = 0.25,
    seed: int = 0,
) -> Samples:
    """Read a table and part it into training samples and those held out.

    Parameters
    ----------
    path, separator :
        As of :func:`hedgerow.tables.files.read_table`.
    columns : Columns
        Which columns are what.
    task : "classification" or "regression", optional
        Guessed from the target if not given; with ``inputs`` what the ensemble is for.
    inputs : Inputs, optional
        What an ensemble takes that is trained already; otherwise all columns are taken that a forest can learn from.
    classes : array, optional
        Its labels.
    test_size : float
        The share of the rows that is held out.
    seed : int
        Which rows these are.
    """
    texts = [*([] if inputs is None else text_columns(inputs)), *([columns.target] if are_texts(classes) else [])]
    frame = read_table(path, separator, texts)
    special = [columns.target, *([] if columns.weight is None else [columns.weight])]
    check_columns(frame, [*special, *columns.drop])
    targets = take_targets(frame, columns.target, task, None if inputs is None else "the model")
    labels = as_labels(targets.values, classes)
    frame, n_rows = frame.iloc[targets.rows], len(frame)
    weight = None if columns.weight is None else take_weights(frame, columns.weight)
    X = frame.drop(columns=list(columns.taken)).reset_index(drop=True)
    train, test = _parted(targets, test_size, seed)
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
        notes += [f"column {name} is taken as texts: some of its numbers begin with a zero" for name in numbered]
    else:
        X = fit_columns(X, inputs, taken=columns.taken)
    return Samples(*_taken(X, labels, weight, train), *_taken(X, labels, weight, test), targets.task, notes)


def _parted(targets: Targets, test_size: float, seed: int) -> tuple[AnyArray, AnyArray]:
    """Return the rows to learn from and those held out, each class in both if it can be."""
    rows = np.arange(len(targets.values))
    n_test = round(test_size * len(rows))
    if n_test == 0:
        return rows, rows[:0]
    if len(rows) - n_test < 2:
        raise InvalidDataError(f"{len(rows)} rows are too few to hold out {n_test} of them; lower --test-size.")
    classes, counts = np.unique(targets.values, return_counts=True)
    can_be = targets.task == "classification" and counts.min() > 1 and n_test >= len(classes) <= len(rows) - n_test
    train, test = train_test_split(
        rows, test_size=n_test, random_state=seed, stratify=targets.values if can_be else None
    )
    return np.sort(train), np.sort(test)


def _taken(X: Any, y: AnyArray, weight: FloatArray | None, rows: AnyArray) -> tuple[Any, Any, FloatArray | None]:
    if not len(rows):
        return None, None, None
    part = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
    return part, y[rows], None if weight is None else weight[rows]
