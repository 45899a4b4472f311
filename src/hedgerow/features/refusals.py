"""What is wrong with samples that cannot be used, in words: which column, which value, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from os import PathLike
from typing import Any

import numpy as np

from hedgerow._support.arrays import is_sparse
from hedgerow._support.lettering import some
from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.features.frames import column_names, column_of

#: What to do where a table is learned from, by what a column contains.
ENCODE = {
    "strings": "Encode it in a pipeline: ensemble=hedgerow.tables.table_pipeline(model) for a data frame, or a "
    "ColumnTransformer with a OneHotEncoder or OrdinalEncoder for this column.",
    "dates": "Convert it to numbers, such as the year or the days since the first; for a data frame, "
    "ensemble=hedgerow.tables.table_pipeline(model, dates=True) does.",
    "lists or other containers": "Convert it to columns of numbers or strings.",
}
#: What to do where the same was done before.
CONVERT = dict.fromkeys(ENCODE, "Convert it to numbers, as was done for training.")

_TIMES = (date, datetime, time, timedelta, np.datetime64, np.timedelta64)


@contextmanager
def explained(X: Any, way_out: dict[str, str], columns: Collection[int] | None = None) -> Iterator[None]:
    """Raise an :class:`InvalidDataError` that says what is wrong with X, where reading its numbers fails.

    ``columns`` are those that must contain numbers; by default, all.
    """
    try:
        yield
    except HedgerowError:
        raise
    except (TypeError, ValueError) as error:
        why = why_not_a_table(X) or why_not_numbers(X, way_out, columns)
        if why is None:
            raise
        raise InvalidDataError(why) from error


def why_not_a_table(X: Any) -> str | None:
    """Return why something does not hold one row per sample, or None if it does."""
    if X is None:
        return "X is None. Pass an array or a data frame with one row per sample."
    if isinstance(X, (str, bytes, PathLike)):
        return f"X is {str(X)!r}. Pass the table itself, for example pandas.read_csv({str(X)!r})."
    if isinstance(X, dict):
        return "X is a dictionary. Pass pandas.DataFrame(X) if it has one list per column, or pandas.DataFrame([X])."
    if isinstance(X, (list, tuple)) and X and all(isinstance(row, dict) for row in X):
        return "X is a list of dictionaries. Pass pandas.DataFrame(X)."
    try:
        shape = np.asarray(X).shape
    except ValueError:
        return "The rows of X do not all have the same length; pad or cut those that differ."
    if len(shape) == 1:
        return (
            f"X has one dimension, of length {shape[0]}, but samples are the rows of a table. Reshape your data: "
            "X.reshape(1, -1) if it is one sample, X.reshape(-1, 1) if it is one column."
        )
    return None


def why_not_numbers(X: Any, way_out: dict[str, str], among: Collection[int] | None = None) -> str | None:
    """Return which column of a table contains strings, dates or containers, with the way out; None if none does."""
    if is_sparse(X):
        return None
    X = X if hasattr(X, "shape") else np.asarray(X, dtype=object)
    names = column_names(X)
    columns = [column_of(X, i) for i in range(X.shape[1] if len(X.shape) == 2 else 0)]
    # Columns of pandas' type for categories come last: some models take them.
    for i in sorted(range(len(columns)), key=lambda i: str(columns[i].dtype) == "category"):
        found = _first_strange(columns[i]) if among is None or i in among else None
        if found is not None:
            called = f"X[:, {i}]" if names is None else f"The column {names[i]!r} of X"
            return f"{called} contains {found[0]}, such as {found[1]}, where numbers are needed. {way_out[found[0]]}"
    return None


def wrong_columns(given: Sequence[str] | None, n_given: int, expected: Sequence[str]) -> str:
    """Return the sentence on a table that does not have as many columns as a model was trained on."""
    what = "1 column" if n_given == 1 else f"{n_given} columns"
    sentence = f"X has {what}, but the ensemble was trained on {len(expected)}: {some(expected)}."
    if given is not None:
        lacking, unknown = ([n for n in a if n not in b] for a, b in ((expected, given), (given, expected)))
        parts = {"Missing in X": lacking, "unknown to the ensemble": unknown}
        told = "; ".join(f"{part}: {some(names)}" for part, names in parts.items() if names)
        return f"{sentence} {told[:1].upper()}{told[1:]}." if told else sentence
    return sentence


def _first_strange(column: Any) -> tuple[str, str] | None:
    """Return what a column contains instead of numbers, and the first such value as text."""
    kind = getattr(getattr(column, "dtype", None), "kind", "O")
    if kind in "biufc" or not len(column):
        return None
    if kind in "mM":
        return "dates", str(np.asarray(column)[0])
    for value in np.asarray(column, dtype=object):
        if isinstance(value, _TIMES):
            return "dates", str(value)
        if isinstance(value, (str, bytes)) and (kind in "US" or not _is_number(value)):
            return "strings", repr(value)
        if isinstance(value, (list, tuple, set, np.ndarray)):
            return "lists or other containers", repr(value)
    return None


def _is_number(text: str | bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
