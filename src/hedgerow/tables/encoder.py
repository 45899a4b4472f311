"""An encoder that rules see through, for tables with strings.

Each string that is frequent enough becomes a column of zeros and ones, so that a rule says ``color is red`` about the
column of the table. Numbers are passed through, missing ones too: the forest learns where these belong.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from hedgerow.exceptions import InvalidDataError
from hedgerow.tables.values import are_dates, are_single, different_values

#: A column of strings is encoded for at most this many of them, each in at least this share of the rows.
_MOST_TEXTS = 30
_LEAST_SHARE = 0.001

_SAME = "it has the same value in every row"


def usable_columns(frame: Any) -> tuple[Any, dict[str, str]]:
    """Return the columns that a forest can learn from, and the reason why each of the others is left out."""
    left_out: dict[str, str] = {}
    for name in frame:
        why_not = _why_not(frame[name])
        if not name:
            left_out["(the first)" if frame.columns[0] == name else "(without name)"] = "it has no name"
        elif why_not is not None:
            left_out[name] = why_not
    names = [name for name in frame if name and name not in left_out]
    if not names:
        raise InvalidDataError("There is no column left to learn from.")
    return frame[names], left_out


def _why_not(column: Any) -> str | None:
    """Return the reason why a forest cannot learn from a column, or None if it can."""
    if not column.notna().any():
        return "it is empty"
    if column.dtype.kind in "iuf":
        return _SAME if _is_constant(column) else None
    if not are_single(column):
        return "it contains lists or other containers; to use it, convert it to columns of numbers or strings"
    if are_dates(column):
        return "it contains dates; to use it, convert them to numbers, such as the year or the age in days"
    if column.dtype != object or not all(isinstance(value, (str, bool)) for value in different_values(column)):
        return "it contains neither numbers nor strings"
    if _is_constant(column):
        return _SAME
    return None if frequent(column) else "its strings differ in nearly every row"


def _is_constant(column: Any) -> bool:
    return not column.isna().any() and bool((column == column.iloc[0]).all())


def check_finite(frame: Any) -> None:
    """Refuse numbers too large for a forest, which compares in single precision."""
    largest = float(np.finfo(np.float32).max)
    for name in frame:
        if frame[name].dtype.kind in "iuf" and bool((frame[name].abs() > largest).any()):
            raise InvalidDataError(
                f"The column {name!r} contains infinite numbers, or numbers above {largest:.1e}, which a forest cannot "
                "use. Replace them in the table, or drop the column.",
                parameter="drop",
            )


def encoded(model: Any, frame: Any) -> Any:
    """Return the model behind an encoder of the strings; the model itself if there are none."""
    texts = {name: frequent(frame[name]) for name in frame if frame[name].dtype == object}
    if not texts:
        return model
    encoder = OneHotEncoder(categories=list(texts.values()), handle_unknown="ignore", sparse_output=False)
    # Dense, because forests do not accept sparse tables with missing values.
    table = ColumnTransformer([("texts", encoder, list(texts))], remainder="passthrough", sparse_threshold=0)
    return make_pipeline(table, model)


def frequent(column: Any) -> list[Any]:
    """Return the most frequent strings in order, followed by None if some are missing."""
    counts = column.value_counts()
    least = max(2, _LEAST_SHARE * len(column))
    chosen: list[Any] = sorted(counts.index[counts >= least][:_MOST_TEXTS].tolist(), key=str)
    return [*chosen, None] if chosen and column.isna().any() else chosen
