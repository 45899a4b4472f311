"""Dates become numbers as Python's calendar has it, whatever type a cell has; anything else is missing."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from hedgerow import InvalidDataError
from hedgerow.features.dates import PARTS, DateReading, as_days, parse_date

FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%-d.%-m.%Y", "%Y/%-m/%-d"]


def expected(date, part):
    return {
        "year": date.year,
        "month": date.month,
        "weekday": date.isoweekday(),
        "days": (date - datetime.date(2000, 2, 29)).days,
    }[part]


@given(st.dates(min_value=datetime.date(1000, 1, 1)), st.sampled_from(PARTS), st.sampled_from(FORMATS))
def test_every_part_is_that_of_the_calendar(date, part, form):
    reading = DateReading(part, form, "2000-02-29")
    time = datetime.datetime.combine(date, datetime.time(23, 59))
    written = date.strftime(form.replace("%Y", f"{date.year:04}"))
    cells = [date, time, written, f" {written} ", f"{written} 10:30", date.isoformat(), f"{date.isoformat()}T00:00:00Z"]
    assert reading.numbers(cells).tolist() == [expected(date, part)] * len(cells)


@pytest.mark.parametrize(
    "cell",
    [
        "2021-02-30",
        "0000-01-01",
        "2021-1-5",
        "21-01-05",
        "soon",
        "",
        None,
        np.nan,
        pd.NA,
        pd.NaT,
        5,
        True,
        "２021-01-05",
    ],
)
def test_what_is_not_a_date_is_missing(cell):
    assert np.isnan(DateReading("year").number(cell))


def test_two_digits_are_a_year_as_in_python():
    for year in ("00", "24", "68", "69", "99"):
        assert parse_date(f"31.12.{year}", "%d.%m.%y") == datetime.datetime.strptime(year, "%y").date().replace(
            month=12, day=31
        )


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_columns_of_times_are_cut_to_days_even_before_1970(unit):
    times = pd.Series(pd.to_datetime(["1969-12-31 23:59", "1960-02-29 00:00", None, "2021-03-04 12:00"])).astype(
        f"M8[{unit}]"
    )
    days = np.array(["1969-12-31", "1960-02-29", "NaT", "2021-03-04"], dtype="M8[D]")
    assert_array_equal(as_days(np.asarray(times), ""), days)
    aware = times.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")  # the date is the local one
    assert_array_equal(as_days(np.asarray(aware, dtype=object), ""), days + np.array([1, 0, 0, 0]))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (("hour", "%Y-%m-%d"), "one of year, month, weekday, days"),
        (("year", "%Y-%m"), "one directive each for year, month and day"),
        (("year", "%Y-%m-%d-%d"), "one directive each for year, month and day"),
        (("year", "%Y-%b-%d"), "one directive each for year, month and day"),
        (("days", "%Y-%m-%d", "1.1.2020"), "as in 2020-12-31"),
    ],
)
def test_what_cannot_be_read_is_refused(values, why):
    with pytest.raises(InvalidDataError, match=why):
        DateReading(*values)
