"""Parts of dates as Python source that needs no library: as :class:`hedgerow.features.dates.DateReading` reads them."""

from __future__ import annotations

from hedgerow.features.dates import ISO, TIME, DateReading, pattern_of

DATE = '''

def _date(row, column, patterns):
    """Return the date in a cell of a row, None if there is none."""
    value = _value(row, column)
    if isinstance(value, datetime.datetime):
        return value.date()
    if not isinstance(value, str):
        return value if isinstance(value, datetime.date) else None
    for pattern in patterns:
        found = re.fullmatch(pattern, value.strip(" "))
        if found:
            year, month, day = (int(found[name]) for name in ("year", "month", "day"))
            if len(found["year"]) == 2:
                year += 1900 if year >= 69 else 2000
            try:
                return datetime.date(year, month, day)
            except ValueError:
                return None
    return None
'''

_READER = '''

def _{part}(row, column, patterns{more}):
    """Return {what} of the date in a cell of a row, NaN if there is none."""
    date = _date(row, column, patterns)
    return math.nan if date is None else float({value})
'''

#: By name, the functions that return a part of a date.
PART_READERS = {
    "_year": _READER.format(part="year", more="", what="the year", value="date.year"),
    "_month": _READER.format(part="month", more="", what="the month", value="date.month"),
    "_weekday": _READER.format(part="weekday", more="", what="the weekday, from 1 to 7,", value="date.isoweekday()"),
    "_days": _READER.format(
        part="days",
        more=", first",
        what="the number of days from the first one",
        value="(date - datetime.date.fromisoformat(first)).days",
    ),
}


def date_arguments(reading: DateReading) -> list[str]:
    """Return the arguments that say how dates are written, and from when days are counted."""
    patterns = list(dict.fromkeys(pattern_of(form) + TIME for form in (reading.format, ISO)))
    inside = ", ".join(f'r"{pattern}"' for pattern in patterns)
    first = [f'"{reading.first}"'] if reading.part == "days" else []
    return [f"({inside}{',' * (len(patterns) == 1)})", *first]
