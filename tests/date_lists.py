"""A rule list on every part of a date, and cells to try it on."""

import datetime

import numpy as np

from hedgerow import Condition, Rule, RuleList
from hedgerow.features import DatePart, Inputs

FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%Y-%m-%d%z"]
DAYS = ["2021-12-25", "2020-02-29", "1969-12-31", "2000-01-01", "0001-01-01", "9999-12-31", "2021-03-01", "1900-02-28"]
NEARLY = ["2021-02-29", "2021-04-31", "2021-00-10", "2021-13-01", "2021-01-00", "2021-01-32", "2021-1-5", "0000-01-01"]


def strings(form):
    """Return strings that are dates in a format or nearly so."""
    own, nearly = ([_in(form, *day.split("-")) for day in days] for days in (DAYS, NEARLY))
    times = [f"{own[0]} 10:30", f"{own[1]}T7:00:00Z", f" {own[2]} ", "2021-12-27 23:59:59.5", f"{own[0]} noon"]
    return [*DAYS, *own, *NEARLY, *nearly, *times, "", "soon", "12/31/2021", "31/12/2021", "30/02/2021", None]


def _in(form, year, month, day):
    return form.replace("%Y", year).replace("%m", month).replace("%d", day).replace("%z", "T23:05:00Z")


def dates():
    return [datetime.date.fromisoformat(day) for day in DAYS]


def date_list(form):
    """Return a list with a rule on each part of a date."""
    parts = [DatePart.of(0, "day", name, form, "2000-01-01") for name in ("weekday", "month", "year", "days")]
    weekday, month, year, days = parts
    conditions = [
        Condition(weekday, lower=5.5),
        Condition(month, upper=2.0),
        Condition(year, 1990.0, 2020.0),
        Condition(days, lower=8000.0),
        Condition(days, upper=-1.0, missing=True),
    ]
    rules = tuple(Rule((condition,), float(i)) for i, condition in enumerate(conditions))
    return RuleList(rules, Rule((), -1.0), Inputs(tuple(parts), np.float64, True, columns=("day",), has_names=True))
