"""Columns of dates: how their strings are written, which of these are none, and the first date.

A column is one of dates if nearly all of its values are, in one format. The few others are read as missing.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from hedgerow._support.lettering import some
from hedgerow.features.dates import ISO, ISO_WITH_ZONE, as_days, parse_date
from hedgerow.tables.guessing import are_nearly_all
from hedgerow.tables.values import MARKS, are_single

#: Three numbers with the same character between them; a time of day may follow.
_NUMBERS = re.compile(r"(\d{4}|\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{1,2})(?=[T ]|$)")
#: A time zone after the time of day.
_ZONE = re.compile(r"[T ]\d{1,2}:[^-+Z]*(Z|[-+]\d{2}:?(\d{2})?)")
#: The orders of year, month and day, the preferred ones first; after a slash, the month comes first only if it must.
_ORDERS = ("Ymd", "dmY", "mdY", "dmy", "mdy", "ymd")
#: So many distinct values are looked at first; if few of them are dates, the column is not one of dates.
_GLANCE = 1000


@dataclass(frozen=True)
class Dates:
    """What a column of dates contains.

    Attributes
    ----------
    format : str
        How dates are written as strings: :class:`hedgerow.features.dates.DateReading`.
    n_dates, n_present : int
        The number of dates, and of values that are not empty.
    others : tuple of str
        The distinct values that are not dates, the most frequent first.
    has_strays : bool
        Whether some of these are not just marks for missing values, such as ``NA``.
    """

    format: str = ISO
    n_dates: int = 0
    n_present: int = 0
    others: tuple[str, ...] = ()
    has_strays: bool = False

    def said_of(self, name: str) -> str:
        """Return which values of the column are read as missing."""
        rest = "the other ({}) is" if self.n_present - self.n_dates == 1 else "the others ({}) are"
        told = f"{self.n_dates} of {self.n_present} values of {name} are dates"
        return f"{told}; {rest.format(some(self.others, 5))} read as missing"


def dates_in(column: Any) -> Dates | None:
    """Return what a column of dates contains, or None if it is not one.

    If every date may be read with the day or with the month first, the day is taken to be first.

    Examples
    --------
    >>> import pandas as pd
    >>> found = dates_in(pd.Series(["2021-01-%02d" % day for day in range(1, 31)] + ["2021-02-30"]))
    >>> print(found.said_of("day"))
    30 of 31 values of day are dates; the other (2021-02-30) is read as missing
    """
    if column.dtype.kind == "M":
        return Dates(ISO if getattr(column.dtype, "tz", None) is None else ISO_WITH_ZONE)
    if column.dtype.kind in "iufcbm" or not are_single(column):
        return None
    counts = {value: int(n) for value, n in column.value_counts().items() if n and value != ""}
    given = {value: n for value, n in counts.items() if str(value).strip().lower() not in MARKS}
    glance = list(islice(given, _GLANCE))
    if not given or 2 * sum(map(_may_be_date, glance)) < len(glance):
        return None
    form = _best_format(given)
    is_date = {value: _is_date(value, form) for value in given}
    strays = {str(value): n for value, n in given.items() if not is_date[value]}
    n_dates = sum(n for value, n in given.items() if is_date[value])
    if not are_nearly_all(n_dates, strays, sum(is_date.values())):
        return None
    others = tuple(str(value) for value in counts if not is_date.get(value, False))
    if form == ISO and any(_has_zone(value) for value in given):
        form = ISO_WITH_ZONE
    return Dates(form, n_dates, sum(counts.values()), others, bool(strays))


def only_dates(column: Any) -> Any:
    """Return a column with everything that is not a date missing, if it is one of dates; any other as it is."""
    found = dates_in(column)
    if found is None or not found.others:
        return column
    days = as_days(np.asarray(column), found.format)
    return column.astype(object).where(~np.isnat(days), None)


def first_date(column: Any, form: str) -> str:
    """Return the first date of a column, in ISO format."""
    days = as_days(np.asarray(column), form)
    return str(days[~np.isnat(days)].min())


def _best_format(counts: dict[Any, int]) -> str:
    """Return the format in which most strings are dates; of equally good ones, the preferred one."""
    written: dict[str, Counter[str]] = {}
    for value, n in counts.items():
        found = _NUMBERS.match(value.strip()) if isinstance(value, str) else None
        if found is not None:
            written.setdefault(found[2], Counter())[found[0]] += n
    best, most = ISO, 0
    for sign, texts in written.items():
        padded = all(len(part) != 1 for text in texts for part in text.split(sign))
        hyphen = "" if padded else "-"
        for order in _ORDERS:
            form = sign.join(f"%{one}" if one in "Yy" else f"%{hyphen}{one}" for one in order)
            n_dates = sum(n for text, n in texts.items() if parse_date(text, form) is not None)
            if n_dates > most:
                best, most = form, n_dates
    return best


def _may_be_date(value: Any) -> bool:
    is_text = isinstance(value, str)
    return _NUMBERS.match(value.strip()) is not None if is_text else isinstance(value, datetime.date)


def _is_date(value: Any, form: str) -> bool:
    return parse_date(value, form) is not None if isinstance(value, str) else isinstance(value, datetime.date)


def _has_zone(value: Any) -> bool:
    if isinstance(value, str):
        return _ZONE.search(value) is not None
    return getattr(value, "tzinfo", None) is not None
