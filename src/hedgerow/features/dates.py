"""Dates in the cells of a table, and the numbers that they become: year, month, weekday, days since a first date.

A cell is a date, a date with a time of day, or a string in a known format or in that of ISO 8601, in which a time of
day may follow. The time of day does not count. Anything else is missing.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, get_args

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import is_present

Part = Literal["year", "month", "weekday", "days"]
PARTS: tuple[Part, ...] = get_args(Part)

ISO = "%Y-%m-%d"
#: With a time of day and a time zone. The date is the one that is written, whatever the zone.
ISO_WITH_ZONE = ISO + "%z"
#: What the directives of a format stand for; with a hyphen, a leading zero may be absent.
DIRECTIVES = {
    "%Y": "(?P<year>[0-9]{4})",
    "%y": "(?P<year>[0-9]{2})",
    "%m": "(?P<month>[0-9]{2})",
    "%d": "(?P<day>[0-9]{2})",
    "%-m": "(?P<month>[0-9]{1,2})",
    "%-d": "(?P<day>[0-9]{1,2})",
}
#: The time of day after a date.
TIME = "([T ][0-9]{1,2}:.*)?"
#: Two digits from here on are a year of the last century, as for Python and POSIX.
_LAST_CENTURY = 69


@dataclass(frozen=True)
class DateReading:
    """How a date becomes a number.

    Attributes
    ----------
    part : "year", "month", "weekday" or "days"
        Months count from 1, and so do weekdays, of which Monday is the first. Days are counted from ``first``.
    format : str
        How dates are written in strings: directives of :meth:`datetime.date.strftime` for year, month and day.
        At the end, ``%z`` says that a time zone follows the time of day.
    first : str
        In ISO format.

    Examples
    --------
    >>> DateReading("weekday", "%d/%m/%Y").numbers(["25/12/2021", "2021-12-27 10:00", "soon"])
    array([ 6.,  1., nan])
    >>> DateReading("days", first="2020-01-01").number(datetime.date(2020, 2, 1))
    31.0
    """

    part: Part
    format: str = ISO
    first: str = "1970-01-01"

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise InvalidDataError(f"A part of a date is one of {', '.join(PARTS)}; got {self.part!r}.")
        if parse_date(self.first, ISO) is None:
            raise InvalidDataError(f"The first date must be written as in 2020-12-31; got {self.first!r}.")
        directives = re.findall("%-?.", without_zone(self.format))
        fields = sorted(name.lower()[-1] for name in directives)
        if fields != ["d", "m", "y"] or not set(directives) <= set(DIRECTIVES):
            raise InvalidDataError(
                f"A format of dates has one directive each for year, month and day, of {', '.join(DIRECTIVES)}; got "
                f"{self.format!r}."
            )

    @cached_property
    def origin(self) -> datetime.date:
        """The first date."""
        return datetime.date.fromisoformat(self.first)

    def number(self, cell: Any) -> float:
        """Return the number of a cell, NaN if it is not a date."""
        return float(self.numbers([cell])[0])

    def numbers(self, cells: Sequence[Any] | AnyArray) -> FloatArray:
        """Return the number of each cell, NaN where there is no date."""
        days = as_days(cells, self.format)
        since = days.astype(np.int64)
        if self.part == "days":
            found = since - np.datetime64(self.origin, "D").astype(np.int64)
        elif self.part == "weekday":  # the first day of 1970 was a Thursday
            found = (since + 3) % 7 + 1
        elif self.part == "month":
            found = days.astype("datetime64[M]").astype(np.int64) % 12 + 1
        else:
            found = days.astype("datetime64[Y]").astype(np.int64) + 1970
        return np.where(np.isnat(days), np.nan, found.astype(np.float64))


def as_days(cells: Sequence[Any] | AnyArray, form: str) -> np.ndarray[Any, np.dtype[np.datetime64]]:
    """Return the dates in cells as days, NaT where there is none."""
    values = cells if isinstance(cells, np.ndarray) else _as_objects(cells)
    if values.dtype.kind == "M":
        return values.astype("datetime64[D]")
    known: dict[Any, Any] = {}
    days = np.empty(len(values), dtype="datetime64[D]")
    for i, cell in enumerate(values.tolist()):
        if cell not in known:
            known[cell] = _date_in(cell, form)
        days[i] = known[cell]
    return days


def _date_in(cell: Any, form: str) -> Any:
    if not is_present(cell):
        return None
    if isinstance(cell, str):
        return parse_date(cell, form)
    if isinstance(cell, datetime.datetime):
        return cell.date()
    return cell if isinstance(cell, datetime.date) else None


def parse_date(text: str, form: str) -> datetime.date | None:
    """Return the date in a string, or None if there is none."""
    text = text.strip(" ")
    for one in (form, ISO):
        found = _pattern(one).fullmatch(text)
        if found is not None:
            year, month, day = (int(found[name]) for name in ("year", "month", "day"))
            if len(found["year"]) == 2:
                year += 1900 if year >= _LAST_CENTURY else 2000
            try:
                return datetime.date(year, month, day)
            except ValueError:
                return None
    return None


@cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(pattern_of(form) + TIME)


def pattern_of(form: str) -> str:
    """Return the regular expression of a format of dates."""
    parts = re.split("(%-?.)", without_zone(form))
    return "".join(DIRECTIVES[part] if i % 2 else as_pattern(part) for i, part in enumerate(parts))


def without_zone(form: str) -> str:
    """Return the format of dates without a time zone, which does not count."""
    return form.removesuffix("%z")


def example_of(form: str) -> str:
    """Return a date in a format.

    >>> example_of("%-d.%-m.%Y"), example_of("%d/%m/%y")
    ('2.1.2031', '02/01/31')
    """
    shown = {"%Y": "2031", "%y": "31", "%m": "01", "%d": "02", "%-m": "1", "%-d": "2"}
    return re.sub("%-?.", lambda found: shown[found[0]], without_zone(form))


def as_pattern(text: str) -> str:
    """Return the regular expression of a string, without needless backslashes."""
    return re.sub(r"[^-/ \w]", r"\\\g<0>", text)


def _as_objects(cells: Sequence[Any]) -> AnyArray:
    objects = np.empty(len(cells), dtype=object)
    objects[:] = cells
    return objects
