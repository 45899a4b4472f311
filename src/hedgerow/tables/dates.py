"""Columns of dates: how their strings are written, and the first of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from hedgerow.features.dates import ISO, as_days, parse_date
from hedgerow.tables.values import are_dates, different_values

_NUMBERS = re.compile(r"(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})")
#: The orders of year, month and day, the preferred ones first; after a slash, the month comes first only if it must.
_ORDERS = ("Ymd", "dmY", "mdY", "dmy", "mdy", "ymd")


def date_format(column: Any) -> str | None:
    """Return how the dates in a column are written as strings, or None if it does not contain dates.

    If every date may be read with the day or with the month first, the day is taken to be first.
    """
    if not are_dates(column):
        return None
    written = [value.strip() for value in different_values(column) if isinstance(value, str)]
    parts = [found for text in written if (found := _NUMBERS.match(text)) is not None]
    if not parts:
        return ISO
    sign = parts[0][2]
    padded = all(len(part) != 1 for found in parts for part in found.group(1, 3, 4))
    hyphen = "" if padded else "-"
    for order in _ORDERS:
        form = sign.join(f"%{one}" if one in "Yy" else f"%{hyphen}{one}" for one in order)
        if all(parse_date(found[0], form) is not None for found in parts if found[2] == sign):
            return form
    return None


def first_date(column: Any, form: str) -> str:
    """Return the first date of a column, in ISO format."""
    days = as_days(np.asarray(column), form)
    return str(days[~np.isnat(days)].min())
