"""Parts of dates in SQL: from a cell, a string or a date, to a number; NULL if there is no date.

A cell of a date type becomes a string in ISO format first, so that it is read like one that was loaded as a string.
Only days that exist are dates, as for Python. A database that would fail at others, or make the next month's days of
them, is asked in another way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hedgerow.exceptions import InvalidDataError
from hedgerow.features.dates import ISO, DateReading, as_pattern, example_of, without_zone

if TYPE_CHECKING:
    from sqlglot.expressions import Expression

_DIGITS = {"Y": 4, "m": 2, "d": 2}
_SHAPES = {"Y": "[0-9]{4}", "m": "(0[1-9]|1[0-2])", "d": "[0-9]{2}"}
_TIME = "([T ][0-9]{1,2}:.*)?"


@dataclass(frozen=True)
class _Calendar:
    """How a database turns a string such as 2020-12-31, of an existing month, into a date and its parts.

    ``{iso}`` is the string, ``{month}`` the month in it, ``{date}`` the date and ``{first}`` the first one.
    """

    matches: str
    date: str
    year: str = "EXTRACT(YEAR FROM {date})"
    month: str = "EXTRACT(MONTH FROM {date})"
    weekday: str = "EXTRACT(ISODOW FROM {date})"
    days: str = "{date} - CAST('{first}' AS DATE)"
    exists: str = "TRUE"


_CALENDARS = {
    "postgres": _Calendar(
        matches="{text} ~ '{pattern}'",
        date="(CAST(SUBSTR({iso}, 1, 8) || '01' AS DATE) + (CAST(SUBSTR({iso}, 9, 2) AS INT) - 1))",
        exists="SUBSTR({iso}, 9, 2) <> '00' AND TO_CHAR({date}, 'MM') = SUBSTR({iso}, 6, 2)",
    ),
    "duckdb": _Calendar(
        matches="REGEXP_MATCHES({text}, '{pattern}')",
        date="TRY_CAST({iso} AS DATE)",
        days="DATE_DIFF('DAY', CAST('{first}' AS DATE), {date})",
    ),
    "sqlite": _Calendar(
        matches="({globs})",
        date="{iso}",
        year="STRFTIME('%Y', {date})",
        month="STRFTIME('%m', {date})",
        weekday="(STRFTIME('%w', {date}) + 6) % 7 + 1",
        days="JULIANDAY({date}) - JULIANDAY('{first}')",
        exists="DATE({iso}, '+0 days') = {iso}",
    ),
    "bigquery": _Calendar(
        matches="REGEXP_CONTAINS({text}, r'{pattern}')",
        date="SAFE_CAST({iso} AS DATE)",
        weekday="MOD(EXTRACT(DAYOFWEEK FROM {date}) + 5, 7) + 1",
        days="DATE_DIFF({date}, DATE '{first}', DAY)",
    ),
}


@dataclass(frozen=True)
class DateCell:
    """How the cells of one column of dates are read.

    Attributes
    ----------
    dialect : str
    reading : DateReading
        How a date becomes a number.
    """

    dialect: str
    reading: DateReading

    def __post_init__(self) -> None:
        check_format(self.reading.format)

    @property
    def needs_text(self) -> bool:
        """Whether the column must be loaded as strings: a database may guess another order of day and month.

        A time with a zone would become the time in the zone of the session, which may be on another day.
        """
        return self.reading.format != ISO

    def value(self, cell: Expression) -> Expression:
        """Return the number in a cell, NULL if it is not a date."""
        column = cell.sql(dialect=self.dialect)
        text = f"TRIM({column})" if self.needs_text else f"TRIM(CAST({column} AS {_TEXT[self.dialect]}))"
        branches = [self._branch(text, form) for form in dict.fromkeys((without_zone(self.reading.format), ISO))]
        sql = f"CAST(CASE {' '.join(branches)} END AS {_DOUBLE[self.dialect]})"
        parsed: Any = import_module("sqlglot").parse_one(sql, read=self.dialect)
        return parsed

    def _branch(self, text: str, form: str) -> str:
        calendar, parts = _CALENDARS[self.dialect], _parts(form)
        assert parts is not None
        globs = (_glob(form) + end for end in ("", "[T ][0-9]:*", "[T ][0-9][0-9]:*"))
        found = {
            "text": text,
            "pattern": f"^{_pattern(form)}{_TIME}$",
            "globs": " OR ".join(f"{text} GLOB '{glob}'" for glob in globs),
            "first": self.reading.first,
        }
        pieces = {name: f"SUBSTR({text}, {start}, {_DIGITS[name]})" for name, start in parts.items()}
        found["iso"] = f"SUBSTR({text}, 1, 10)" if form == ISO else f"({' || '.join(_joined(pieces))})"
        found["date"] = calendar.date.format(**found)
        number = getattr(calendar, self.reading.part).format(**found)
        there = f"{pieces['Y']} <> '0000' AND {calendar.exists.format(**found)}"
        return f"WHEN {calendar.matches.format(**found)} THEN CASE WHEN {there} THEN {number} END"


def check_format(form: str, column: str | None = None) -> None:
    """Refuse a format of dates that SQL cannot read; ``column`` is the column that has it, if that is known."""
    if _parts(form) is None:
        of = "The dates of the rules" if column is None else f"The dates of column {column!r}"
        way_out = "or export the rules to another format" if column is None else "or do without dates or SQL"
        raise InvalidDataError(
            f"{of} are written as in {example_of(form)}. SQL can read them only with four digits for the year and two "
            f"each for month and day. Write them as 2020-12-31 before training, {way_out}.",
            parameter="dates",
        )


_TEXT = {"postgres": "TEXT", "duckdb": "TEXT", "sqlite": "TEXT", "bigquery": "STRING"}
_DOUBLE = {"postgres": "DOUBLE PRECISION", "duckdb": "DOUBLE", "sqlite": "REAL", "bigquery": "FLOAT64"}


def _joined(pieces: dict[str, str]) -> list[str]:
    return [pieces["Y"], "'-'", pieces["m"], "'-'", pieces["d"]]


def _split(form: str) -> list[str]:
    return re.split("%(-?.)", form)


def _parts(form: str) -> dict[str, int] | None:
    """Return where year, month and day start in a string, counted from 1; None if that is not always the same."""
    starts, at = {}, 1
    for i, part in enumerate(_split(without_zone(form))):
        if i % 2 and part not in _DIGITS:
            return None
        if i % 2:
            starts[part] = at
        at += _DIGITS[part] if i % 2 else len(part)
    return starts


def _pattern(form: str) -> str:
    return "".join(_SHAPES[part] if i % 2 else as_pattern(part) for i, part in enumerate(_split(form)))


def _glob(form: str) -> str:
    return "".join(
        "[0-9]" * _DIGITS[part] if i % 2 else f"[{part}]" if part else "" for i, part in enumerate(_split(form))
    )
