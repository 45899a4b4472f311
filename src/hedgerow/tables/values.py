"""The values of a column: numbers and strings; and columns as plain pandas columns."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

#: Marks for a missing number, in lower case.
MARKS = frozenset(
    (
        *(
            "",
            "na",
            "n/a",
            "n.a.",
            "nan",
            "null",
            "none",
            "nil",
            "?",
            "-",
            "--",
            "---",
            ".",
            "..",
            "…",
            "–",
            "—",
            "<na>",
        ),
        *("#n/a", "#na", "#n/a n/a", "#null!", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "(null)", "missing"),
    )
)

#: float64 represents all integers up to this one, but only some of the larger ones.
_LARGEST_WHOLE_FLOAT = 2**53


def plain(column: Any) -> Any:
    """Return a column as plain numbers, or as objects with None for missing values.

    A column of integers too large for float64, with missing values among them, also becomes one of objects.
    """
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype if not column.hasnans else object)
    if pd.api.types.is_bool_dtype(column.dtype) or not pd.api.types.is_numeric_dtype(column.dtype):
        if column.dtype.kind in "mM":
            return column
        objects = column.astype(object).where(column.notna(), None)
        is_decimal = pd.api.types.infer_dtype(objects, skipna=True) == "decimal"
        return objects.astype("float64") if is_decimal else objects
    return column if isinstance(column.dtype, np.dtype) else _without_na(column)


def plain_frame(frame: Any) -> Any:
    """Return a data frame with each column as :func:`plain` returns it."""
    import pandas as pd

    return pd.DataFrame({name: plain(frame[name]) for name in frame}, index=frame.index)


def numbers_in(column: Any) -> Any | None:
    """Return a column as numbers with NaN for missing ones, or None if some value is not a number."""
    if column.dtype.kind in "iuf":
        return column
    number_of: dict[Any, float] = {}
    for value in different_values(column):
        number = _number(value)
        if number is None:
            return None
        number_of[value] = number
    return column.map(number_of).astype("float64")


def first_without_number(column: Any) -> Any:
    """Return the first value of a column that is not a number; there must be one."""
    return next(value for value in different_values(column) if _number(value) is None)


def different_values(column: Any) -> Any:
    """Return the distinct values that are not missing; all of them if they are containers, which are not hashable."""
    present = column.dropna()
    return present.unique() if are_single(present) else list(present)


def are_single(column: Any) -> bool:
    """Return whether each value is a scalar, such as a number, a string or a date, not a list or a dictionary."""
    # By the types that occur: asking each of a million values takes seconds.
    return column.dtype != object or all(issubclass(kind, Hashable) for kind in set(map(type, column.to_numpy())))


def are_whole_objects(column: Any) -> bool:
    """Return whether a column contains integers as objects, as :func:`plain` returns those that are too large."""
    present = column.dropna()
    return column.dtype == object and len(present) > 0 and all(type(value) is int for value in present)


def has_leading_zeros(column: Any) -> bool:
    """Return whether all values are strings of digits, some with leading zeros: ``007`` is a name, not a number."""
    some = False
    for value in _unmarked(column):
        if not isinstance(value, str) or not re.fullmatch("[0-9]+", value.strip()):
            return False
        some |= len(value.strip()) > 1 and value.strip()[0] == "0"
    return some


def _unmarked(column: Any) -> Iterable[Any]:
    """Return the distinct values without the marks for missing numbers."""
    values = different_values(column)
    return (value for value in values if not isinstance(value, str) or value.strip().lower() not in MARKS)


def _without_na(column: Any) -> Any:
    """Return pandas' nullable numbers as numpy numbers, or as objects if float64 would change them."""
    import pandas as pd

    is_whole = pd.api.types.is_integer_dtype(column.dtype)
    if is_whole and not column.hasnans:
        return column.astype(column.dtype.numpy_dtype)
    present = column.dropna()
    if is_whole and len(present) and max(present.max(), -int(present.min())) >= _LARGEST_WHOLE_FLOAT:
        return column.astype(object).where(column.notna(), None)
    return pd.Series(column.to_numpy(dtype="float64", na_value=float("nan")), column.index)


def _number(value: Any) -> float | None:
    """Return the number that a value represents: NaN for a missing-value mark, None if it is not a number."""
    if isinstance(value, bool):
        return None
    if not isinstance(value, str):
        return float(value) if isinstance(value, (int, float)) else None
    text = value.strip()
    if text.lower() in MARKS:
        return float("nan")
    if "_" in text:  # which is part of a number only to Python
        return None
    try:
        return float(text)
    except ValueError:
        return None
