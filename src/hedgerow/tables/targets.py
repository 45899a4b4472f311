"""What a target column contains before it becomes classes or numbers, and what a user should know about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow._support.lettering import some
from hedgerow.tables.notes import Note
from hedgerow.tables.values import MARKS, are_single

#: Marks that may just as well be the name of a class.
_NAMES = frozenset({"none", "nil", "missing", "-", "--", "---", ".", "..", "…", "–", "—"})

#: With fewer rows than this, a list and its score are mostly chance.
_FEW_ROWS = 30


def tidy_labels(column: Any, na: Collection[str] = (), classes: Collection[Any] = ()) -> tuple[Any, list[Note]]:
    """Return a target column without blanks around labels and without marks for missing labels, and notes about it.

    Parameters
    ----------
    column : pandas.Series
        Columns of anything but strings are returned as they are.
    na : collection of str
        Marks for missing values, which are missing already; if there are any, no others are taken for marks.
    classes : collection
        Labels that are known to be classes.

    Examples
    --------
    >>> import pandas as pd
    >>> column, notes = tidy_labels(pd.Series(["no", "yes", "no ", "NA"], dtype=object))
    >>> column.tolist()
    ['no', 'yes', 'no', None]
    """
    if column.dtype != object or not are_single(column):
        return column, []
    strings = [value for value in column.dropna().unique() if isinstance(value, str)]
    tidy: dict[str, str | None] = {text: text.strip() or None for text in strings if text not in classes}
    padded = [text for text, bare in tidy.items() if bare != text and bare is not None]
    notes = [Note(f"blanks at the ends of labels are ignored: {some(map(repr, padded))}")] if padded else []
    present = {text for text in tidy.values() if text is not None}
    marks = set() if na else {text for text in present if text.lower() in MARKS - _NAMES}
    if len(present | set(classes)) - len(marks) >= 2:
        tidy = {text: None if bare in marks else bare for text, bare in tidy.items()}
    else:
        marks = set()
    changed = {text: bare for text, bare in tidy.items() if bare != text}
    if changed:
        column = column.map(lambda value: changed.get(value, value), na_action="ignore").astype(object)
        column = column.where(column.notna(), None)
    if marks:
        target, are, keep = _these(marks, "keep it as a class", "keep them as classes")
        notes.append(Note(f"{target} {are} read as missing", "na", ("",), keep))
    names = sorted(text for text in present - marks if text.lower() in _NAMES and not na and text not in classes)
    if names:
        target, are, what = _these(names, "a class", "classes")
        notes.append(Note(f"{target} {are} {what}", "na", tuple(names), "leave out these rows"))
    return column, notes


def _these(labels: Collection[str], one: str, several: str) -> tuple[str, str, str]:
    """Return the labels as the subject of a sentence, its verb, and what to say of one or of several."""
    names = sorted(labels)
    if len(names) == 1:
        return f"the target {names[0]}", "is", one
    return f"the targets {', '.join(names[:-1])} and {names[-1]}", "are", several


def _rows(count: int) -> str:
    return "row" if count == 1 else "rows"


def notes_on_missing(n_missing: int, n_rows: int) -> list[Note]:
    """Return how many rows have no target."""
    rest = "has no target and is" if n_missing == 1 else "have no target and are"
    return [Note(f"{n_missing} of {n_rows} rows {rest} left out")] if n_missing else []


def notes_on_classes(labels: AnyArray, name: str) -> list[Note]:
    """Return the classes and the number of rows of each, the most frequent first."""
    classes, counts = np.unique(labels, return_counts=True)
    return notes_on_counts(classes.tolist(), counts.tolist(), name)


def notes_on_counts(classes: Sequence[Any], counts: Sequence[int], name: str) -> list[Note]:
    """Return the classes and the number of rows of each, the most frequent first."""
    order = np.argsort(-np.asarray(counts), kind="stable")
    return [Note(f"classes of {name}: {some(f'{classes[i]} ({counts[i]} {_rows(counts[i])})' for i in order)}")]


def warnings_on_targets(values: AnyArray, is_classification: bool) -> list[Note]:
    """Return what is doubtful about targets: too few rows, or too few of some class."""
    classes, counts = np.unique(values, return_counts=True) if is_classification else (values[:0], values[:0])
    return warnings_on_counts(classes.tolist(), counts.tolist(), len(values))


def warnings_on_counts(classes: Sequence[Any], counts: Sequence[int], n_rows: int) -> list[Note]:
    """Return what is doubtful about so many rows with a target, and so many of each class if there are classes."""
    found = []
    if n_rows < _FEW_ROWS:
        text = f"the table has only {n_rows} rows with a target; a list and its score are mostly chance"
        found.append(Note(text))
    rare = [label for label, count in zip(classes, counts, strict=True) if count < 2]
    if rare:
        text = f"a single row has the target {some(map(str, rare))}, too few to learn it and to test it"
        found.append(Note(text))
    return found
