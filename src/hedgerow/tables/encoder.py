"""An encoder that rules see through, for tables with strings.

Each text that is frequent enough becomes a column of zeros and ones, so that a rule says ``color is red`` of the
column in the table. Numbers go in as they are, missing ones too: the forest learns where these belong.
"""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from hedgerow.exceptions import InvalidDataError
from hedgerow.tables.values import are_dates, are_single, different_values

#: A text column has a column of zeros and ones for at most so many texts, each in at least this share of the rows.
_MOST_TEXTS = 30
_LEAST_SHARE = 0.001


def usable_columns(frame: Any) -> tuple[Any, dict[str, str]]:
    """Return the columns that a forest can learn from, and why each of the others is left out."""
    left_out: dict[str, str] = {}
    for name in frame:
        why_not = _why_not(frame[name])
        if not name:
            left_out["(the first)" if frame.columns[0] == name else "(without name)"] = "it has no name"
        elif why_not is not None:
            left_out[name] = why_not
    names = [name for name in frame if name and name not in left_out]
    if not names:
        raise InvalidDataError("There is no column to learn from besides those that are named.")
    return frame[names], left_out


def _why_not(column: Any) -> str | None:
    """Return why a forest cannot learn from a column, or None if it can."""
    if not column.notna().any():
        return "it is empty"
    if column.dtype.kind in "iuf":
        return None
    if not are_single(column):
        return "it holds lists or the like; make columns of numbers or texts of them to use it"
    if are_dates(column):
        return "it holds dates; make numbers of them, such as the year or the age in days, to use it"
    if column.dtype != object or not all(isinstance(value, (str, bool)) for value in different_values(column)):
        return "it holds neither numbers nor texts"
    return None if _frequent(column) else "nearly every row has a text of its own"


def check_finite(frame: Any) -> None:
    """Refuse numbers that a forest, which compares in single precision, cannot take."""
    largest = float(np.finfo(np.float32).max)
    for name in frame:
        if frame[name].dtype.kind in "iuf" and bool((frame[name].abs() > largest).any()):
            raise InvalidDataError(
                f"The column {name!r} holds infinite numbers, or some above {largest:.1e}, which a forest cannot take. "
                f"Fill or drop them in the table, or leave the column out: --drop {shlex.quote(name)}"
            )


def encoded(model: Any, frame: Any) -> Any:
    """Return the model behind an encoder of the texts; itself, if there are none."""
    texts = {name: _frequent(frame[name]) for name in frame if frame[name].dtype == object}
    if not texts:
        return model
    encoder = OneHotEncoder(categories=list(texts.values()), handle_unknown="ignore", sparse_output=False)
    # Dense, as a sparse table with missing values is not taken.
    table = ColumnTransformer([("texts", encoder, list(texts))], remainder="passthrough", sparse_threshold=0)
    return make_pipeline(table, model)


def _frequent(column: Any) -> list[Any]:
    """Return the most frequent texts in order, and None at the end if some are missing."""
    counts = column.value_counts()
    least = max(2, _LEAST_SHARE * len(column))
    chosen: list[Any] = sorted(counts.index[counts >= least][:_MOST_TEXTS].tolist(), key=str)
    return [*chosen, None] if chosen and column.isna().any() else chosen
