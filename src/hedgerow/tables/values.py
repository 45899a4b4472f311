"""What the values of a column are: numbers, texts, dates; and columns of them as plain ones of pandas."""

from __future__ import annotations

import datetime
import re
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

#: What people write where a number is missing.
_MARKS = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-", "."})

#: Whole numbers up to this one are all numbers of float64; of larger ones only some are.
_LARGEST_WHOLE_FLOAT = 2**53

#: Three numbers with the same sign between them, and perhaps a time of the day.
_DATE = re.compile(
    r"(\d{4}|\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{1,2})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AaPp][Mm]| ?Z| ?[-+]\d{2}:?(\d{2})?)?)?"
)
#: Where in these the year, the month and the day are.
_ORDERS = ((0, 1, 2), (2, 1, 0), (2, 0, 1))


def plain(column: Any, look_for_numbers: bool) -> Any:
    """Return a column as plain numbers, or as objects with None where there is none.

    Whole numbers that are too large for float64 and have missing ones among them are objects, too.
    """
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype if not column.hasnans else object)
    if pd.api.types.is_bool_dtype(column.dtype) or not pd.api.types.is_numeric_dtype(column.dtype):
        if look_for_numbers and not has_leading_zeros(column):
            numbers = _exact_numbers_in(column)
            if numbers is not None and numbers.notna().any():
                return numbers
        if column.dtype.kind in "mM":
            return column
        objects = column.astype(object)
        return _decimals(objects.where(objects.notna(), None))
    return column if isinstance(column.dtype, np.dtype) else _without_na(column)


def numbers_in(column: Any) -> Any | None:
    """Return a column as numbers, missing ones as NaN, or None if some value is none."""
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
    """Return the first value of a column that is no number; there must be one."""
    return next(value for value in different_values(column) if _number(value) is None)


def different_values(column: Any) -> Iterable[Any]:
    """Return the different values that are there; all of them if they are lists or the like, which do not compare."""
    present = column.dropna()
    return present.unique() if are_single(present) else list(present)


def are_single(column: Any) -> bool:
    """Whether each value is one thing: a number, a text, a date; no list, no dictionary."""
    return column.dtype != object or all(isinstance(value, Hashable) for value in column)


def are_whole_objects(column: Any) -> bool:
    """Whether a column holds whole numbers as objects, as :func:`plain` returns those that are too large."""
    present = column.dropna()
    return column.dtype == object and len(present) > 0 and all(type(value) is int for value in present)


def has_leading_zeros(column: Any) -> bool:
    """Whether all values are written in digits alone, and some begin with a zero: ``007`` is a name, no number."""
    some = False
    for value in _unmarked(column):
        if not isinstance(value, str) or not re.fullmatch("[0-9]+", value.strip()):
            return False
        some |= len(value.strip()) > 1 and value.strip()[0] == "0"
    return some


def are_dates(column: Any) -> bool:
    """Whether all values are dates, or written as such: year first, or last; day or month first; perhaps a time."""
    if column.dtype.kind == "M":
        return True
    orders, some = set(_ORDERS), False
    for value in _unmarked(column):
        some = True
        if isinstance(value, datetime.date):
            continue
        found = _DATE.fullmatch(value.strip()) if isinstance(value, str) else None
        if found is None:
            return False
        orders = {order for order in orders if _is_date(found.group(1, 3, 4), order)}
        if not orders:
            return False
    return some


def _unmarked(column: Any) -> Iterable[Any]:
    """Return the different values without those that stand for a missing one."""
    values = different_values(column)
    return (value for value in values if not isinstance(value, str) or value.strip().lower() not in _MARKS)


def _is_date(parts: tuple[str, ...], order: tuple[int, int, int]) -> bool:
    year, month, day = (parts[i] for i in order)
    if len(year) not in (2, 4) or len(month) > 2 or len(day) > 2:
        return False
    try:
        datetime.date(int(year) if len(year) == 4 else 2000 + int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _exact_numbers_in(column: Any) -> Any | None:
    """Return a column of texts as numbers; as objects if float64 would change whole ones, or None if some is none."""
    import pandas as pd

    numbers = numbers_in(column)
    if numbers is None or not (numbers.abs() >= _LARGEST_WHOLE_FLOAT).any():
        return numbers
    written = [value if there else None for value, there in zip(column, numbers.notna(), strict=True)]
    if not all(text is None or re.fullmatch("[-+]?[0-9]+", str(text).strip()) for text in written):
        return numbers
    return pd.Series([None if text is None else int(text) for text in written], column.index, dtype=object)


def _without_na(column: Any) -> Any:
    """Return pandas' nullable numbers as those of numpy, whole ones that are too large as objects."""
    import pandas as pd

    is_whole = pd.api.types.is_integer_dtype(column.dtype)
    if is_whole and not column.hasnans:
        return column.astype(column.dtype.numpy_dtype)
    if is_whole and bool((column.max() >= _LARGEST_WHOLE_FLOAT) | (column.min() <= -_LARGEST_WHOLE_FLOAT)):
        return column.astype(object).where(column.notna(), None)
    return pd.Series(column.to_numpy(dtype="float64", na_value=float("nan")), column.index)


def _decimals(column: Any) -> Any:
    """Return a column of decimal numbers as float64, any other as it is."""
    import pandas as pd

    return column.astype("float64") if pd.api.types.infer_dtype(column, skipna=True) == "decimal" else column


def _number(value: Any) -> float | None:
    """Return the number that a value is or is written as, NaN for a mark of a missing one, None if it is none."""
    if isinstance(value, bool):
        return None
    if not isinstance(value, str):
        return float(value) if isinstance(value, (int, float)) else None
    text = value.strip()
    if text.lower() in _MARKS:
        return float("nan")
    if "_" in text:  # which Python alone takes for a part of a number
        return None
    try:
        return float(text)
    except ValueError:
        return None
