"""From a table in a file to training samples and held-out samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features.notation import Notation
from hedgerow.forests.forest import Forest
from hedgerow.sources.local import LocalSource
from hedgerow.tables import columns
from hedgerow.tables.any_model import AnyModel
from hedgerow.tables.column_use import OF_DATES, check_finite, usable_columns
from hedgerow.tables.columns import Targets, TaskName
from hedgerow.tables.dates import dates_in, only_dates
from hedgerow.tables.files import read_table
from hedgerow.tables.leaks import leaks
from hedgerow.tables.notes import Note
from hedgerow.tables.summary import TableSummary, summarize
from hedgerow.tables.table import Table
from hedgerow.tables.targets import notes_on_classes, notes_on_missing, tidy_labels, warnings_on_targets
from hedgerow.tables.text_format import TextFormat


@dataclass(frozen=True)
class Source:
    """A table in a file, the roles of its columns, and how to split its rows.

    Attributes
    ----------
    path : Path
    target : str
    weight : str or None
        The column of sample weights.
    drop, keep : sequence of str
        Columns to ignore, and columns to use even if they look like row numbers or identifiers.
    task : "classification", "regression" or None
        By default, inferred from the target; with a trained ensemble, that of the ensemble.
    test_size : float
        The share of the rows to hold out.
    seed : int
        The random seed of this choice.
    format : TextFormat
        How a text file is written, as far as that is known.
    dates : bool
        Whether to use columns of dates.
    named : sequence of str
        Further columns that the table must have, whether they are used or not.
    """

    path: Path
    target: str
    weight: str | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    task: TaskName | None = None
    test_size: float = 0.25
    seed: int = 0
    format: TextFormat = field(default_factory=TextFormat)
    dates: bool = False
    named: Sequence[str] = ()

    def __post_init__(self) -> None:
        roles = [self.target, *([] if self.weight is None else [self.weight]), *dict.fromkeys(self.drop)]
        for name in (*roles, *self.keep):
            if roles.count(name) + (name in self.keep) > 1:
                raise InvalidParameterError(
                    f"The column {name!r} has two roles. It can be the target, the weight, dropped or kept, but only "
                    "one of these."
                )

    @property
    def taken(self) -> dict[str, str]:
        """The columns that are not inputs, and their roles."""
        weight = {} if self.weight is None else {self.weight: "the weight"}
        return {self.target: "the target", **weight, **dict.fromkeys(self.drop, columns.DROPPED)}


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
    summary : TableSummary
        What each column is, and what is done with it.
    notations : dict of str to Notation
        How the cells of the columns are written.
    notes, warnings : list of Note
        What a user should know: the inferred task, what was left out; and what is doubtful.
    rows : LocalSource or None
        All rows that are not held out, in chunks, where these samples are only some of a large table.
    """

    X: Any
    y: AnyArray
    weight: FloatArray | None
    X_test: Any
    y_test: AnyArray | None
    weight_test: FloatArray | None
    task: TaskName
    summary: TableSummary
    notations: dict[str, Notation] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    rows: LocalSource | None = None

    @property
    def n_learned(self) -> int | None:
        """How many rows a list is learned from; None if that is not known."""
        return len(self.y) if self.rows is None else self.rows.n_rows


#: Notes and warnings about the rows of a table and their targets.
AboutRows = tuple[list[Note], list[Note]]


def read_samples(source: Source, forest: Forest | AnyModel | None = None) -> Samples:
    """Read a table and split it into training samples and held-out samples.

    Parameters
    ----------
    source : Source
    forest : Forest or AnyModel, optional
        A trained model that determines the columns; by default, all that a forest can learn from.
    """
    return take_samples(_read(source, forest), source, forest)


def take_samples(
    table: Table,
    source: Source,
    forest: Forest | AnyModel | None = None,
    held_out: BoolArray | None = None,
    about_rows: Callable[[Targets], AboutRows] | None = None,
    place_of: Callable[[int], str] | None = None,
) -> Samples:
    """Split a table into training samples and held-out samples.

    Parameters
    ----------
    table : Table
    source, forest :
        As for :func:`read_samples`.
    held_out : bool array, optional
        The rows to hold out; by default, drawn at random.
    about_rows : callable, optional
        Returns notes and warnings about the rows and their targets; by default, about those of the table.
    place_of : callable, optional
        Says where a row of the table is, if the table is only a part of what the user knows.
    """
    task, told_by = (source.task, None) if forest is None else (forest.task.name, "the model")
    classes = None if forest is None else forest.classes
    columns.check_columns(table.frame, [source.target, *source.drop, *source.keep, *source.named])
    known = [] if classes is None else classes.tolist()
    column, about_labels = tidy_labels(table.frame[source.target], source.format.na, known)
    table = replace(table, frame=table.frame.assign(**{source.target: column}))
    targets = columns.take_targets(table.frame, source.target, task, told_by)
    if held_out is None:
        train, test = _split(targets, source.test_size, source.seed)
    else:
        train, test = np.flatnonzero(~held_out[targets.rows]), np.flatnonzero(held_out[targets.rows])
    rows = table.frame.iloc[targets.rows]
    weight = None if source.weight is None else columns.take_weights(rows, source.weight)
    summary = _summary(table, source, forest)
    if forest is None:
        X = columns.with_floats(rows[summary.used].reset_index(drop=True))
        X = X.assign(**{name: only_dates(X[name]) for name in X if X[name].dtype == object})
        X = X[usable_columns(X.iloc[train], source.dates)[0].columns]  # training rows may show less than all
        check_finite(X, None if place_of is None else lambda row: place_of(int(targets.rows[row])))
    else:
        rest = rows.drop(columns=list(source.taken))
        X = columns.fit_columns(rest, forest.inputs, taken=source.taken, user="the model")
    labels = columns.as_labels(targets.values, classes)
    notes = [*table.notes, *([] if task is not None else [Note(f"{targets.task}: {targets.why}")]), *about_labels]
    told = _about_rows(targets, source.target, len(table.frame)) if about_rows is None else about_rows(targets)
    notes += told[0]
    notes += [_note_on_dates(name) for name, why in summary.left_out.items() if why == OF_DATES]
    if source.dates and forest is None:
        notes += _notes_on_used_dates(table.frame[summary.used])
    warnings = told[1]
    warnings += [_note_on_identifier(name, summary.left_out[name]) for name in summary.identifiers]
    if forest is None:
        warnings += _warnings_on_leaks(X.iloc[train], targets.values[train], targets.task)
    parts = (*_taken(X, labels, weight, train), *_taken(X, labels, weight, test))
    return Samples(*parts, targets.task, summary, table.notations, notes, warnings)


def _summary(table: Table, source: Source, forest: Forest | AnyModel | None) -> TableSummary:
    frame = columns.with_floats(table.frame, besides=[source.target])
    only = None if forest is None else forest.inputs.names
    roles: dict[str, Any] = {"weight": source.weight, "drop": source.drop, "keep": source.keep}
    return summarize(replace(table, frame=frame), source.target, **roles, only=only, dates=source.dates)


def _note_on_identifier(name: str, why: str) -> Note:
    return Note(f"column {name} is left out: {why}", "keep", (name,), "use it")


def _note_on_dates(name: str) -> Note:
    return Note(f"column {name} is left out: it contains dates", "dates", (), "use year, month, weekday and day")


def _notes_on_used_dates(frame: Any) -> list[Note]:
    """Return which values of columns of dates are not dates; or that there is no such column."""
    dates = {name: found for name in frame if (found := dates_in(frame[name])) is not None}
    if not dates:
        return [Note("no column contains dates, though they are asked for; all columns are used as they are")]
    return [Note(found.said_of(name), column=name) for name, found in dates.items() if found.has_strays]


def _about_rows(targets: Targets, name: str, n_rows: int) -> AboutRows:
    has_labels = targets.task == "classification"
    notes = notes_on_missing(n_rows - len(targets.rows), n_rows)
    notes += notes_on_classes(targets.values, name) if has_labels else []
    return notes, warnings_on_targets(targets.values, has_labels)


def _read(source: Source, forest: Forest | AnyModel | None) -> Table:
    """Return the table, with columns of strings where the model takes or predicts strings."""
    known = {} if forest is None else columns.known_notations(forest.inputs)
    if forest is not None and columns.are_texts(forest.classes):
        known[source.target] = Notation("text")
    return read_table(source.path, notations=known, **asdict(source.format))


def _warnings_on_leaks(X: Any, targets: AnyArray, task: TaskName) -> list[Note]:
    told = {"classification": "predicts the target in {} of the rows", "regression": "explains {} of the target"}
    return [
        Note(
            f"column {name} alone {told[task].format(_percent(share))}; it may be known only afterwards",
            "drop",
            (name,),
            "do without it",
        )
        for name, share in leaks(X, targets, task).items()
    ]


def _percent(share: float) -> str:
    """Return a share, rounded down."""
    return f"{np.floor(1000 * share) / 10:g} %"


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
