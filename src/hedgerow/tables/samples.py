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
from hedgerow.forests.forest import Forest
from hedgerow.tables import columns
from hedgerow.tables.columns import Targets, TaskName
from hedgerow.tables.encoder import check_finite, usable_columns
from hedgerow.tables.files import read_table
from hedgerow.tables.values import has_leading_zeros


@dataclass(frozen=True)
class Source:
    """A table in a file, the roles of its columns, and how to split its rows.

    Attributes
    ----------
    path, separator :
        As in :func:`hedgerow.tables.files.read_table`.
    target : str
    weight : str or None
        The column of sample weights.
    drop : sequence of str
        Columns to ignore.
    task : "classification", "regression" or None
        By default, inferred from the target; with a trained ensemble, that of the ensemble.
    test_size : float
        The share of the rows to hold out.
    seed : int
        The random seed of this choice.
    """

    path: Path
    target: str
    weight: str | None = None
    drop: Sequence[str] = ()
    separator: str | None = None
    task: TaskName | None = None
    test_size: float = 0.25
    seed: int = 0

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
    left_out : dict of str to str
        The columns that are not used, and why.
    """

    X: Any
    y: AnyArray
    weight: FloatArray | None
    X_test: Any
    y_test: AnyArray | None
    weight_test: FloatArray | None
    task: TaskName
    notes: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def read_samples(source: Source, forest: Forest | None = None) -> Samples:
    """Read a table and split it into training samples and held-out samples.

    Parameters
    ----------
    source : Source
    forest : Forest, optional
        A trained ensemble that determines the columns; by default, all that a forest can learn from.
    """
    task, classes, texts = source.task, None, []
    if forest is not None:
        task, classes, texts = forest.task.name, forest.classes, columns.text_columns(forest.inputs)
        texts += [source.target] * columns.are_texts(classes)
    frame = read_table(source.path, source.separator, texts)
    columns.check_columns(frame, source.drop)
    targets = columns.take_targets(frame, source.target, task, None if forest is None else "the model")
    labels = columns.as_labels(targets.values, classes)
    frame, n_rows = frame.iloc[targets.rows], len(frame)
    weight = None if source.weight is None else columns.take_weights(frame, source.weight)
    X = frame.drop(columns=list(source.taken)).reset_index(drop=True)
    train, test = _split(targets, source.test_size, source.seed)
    notes = [f"{targets.task}: {targets.why}"] if task is None else []
    if len(train) + len(test) < n_rows:
        notes.append(f"{n_rows - len(targets.rows)} of {n_rows} rows have no target and are left out")
    left_out = dict.fromkeys(source.drop, "left out on request")
    if forest is None:
        X = columns.with_floats(X)
        usable, unusable = usable_columns(X.iloc[train])
        notes += [f"column {name} is left out: {why}" for name, why in unusable.items()]
        left_out |= unusable
        X = X[usable.columns]
        check_finite(X)
        numbered = [name for name in X if has_leading_zeros(X[name])]
        notes += [f"column {name} is used as strings: some of its numbers have leading zeros" for name in numbered]
    else:
        X = columns.fit_columns(X, forest.inputs, taken=source.taken)
    parts = (*_taken(X, labels, weight, train), *_taken(X, labels, weight, test))
    return Samples(*parts, targets.task, notes, left_out)


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
