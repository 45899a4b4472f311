"""The format of dates is the one in which nearly all values are dates; the few others are missing."""

import datetime

import pandas as pd
import pytest

from hedgerow.tables.dates import dates_in, first_date, only_dates


@pytest.mark.parametrize(
    ("values", "form", "first"),
    [
        (["2020-12-31", "2019-02-28"], "%Y-%m-%d", "2019-02-28"),
        (["2020/12/31", "2021/1/2"], "%Y/%-m/%-d", "2020-12-31"),
        (["31/12/2020", "01/02/2021"], "%d/%m/%Y", "2020-12-31"),
        (["12/31/2020", "01/02/2021"], "%m/%d/%Y", "2020-12-31"),
        (["01/02/2021", "03/04/2021"], "%d/%m/%Y", "2021-02-01"),
        (["31.12.2020", "1.2.2021", None], "%-d.%-m.%Y", "2020-12-31"),
        (["31-12-20", "01-02-21"], "%d-%m-%y", "2020-12-31"),
        (["2020-12-31T10:00:00Z", "2020-12-30T10:00:00.5+02:00"], "%Y-%m-%d%z", "2020-12-30"),
        (["31/12/2020 10:00", "01/02/2021 23:59:59"], "%d/%m/%Y", "2020-12-31"),
        (["2020-12-31", "NA", "?"], "%Y-%m-%d", "2020-12-31"),
        ([datetime.date(2021, 5, 1), datetime.datetime(2020, 5, 1, 10)], "%Y-%m-%d", "2020-05-01"),
    ],
)
def test_the_format_and_the_first_date(values, form, first):
    column = pd.Series(values, dtype=object)
    assert dates_in(column).format == form
    assert first_date(column, form) == first


@pytest.mark.parametrize("values", [["31/12/2020", "12/31/2020"], ["soon"], ["1.2.3"], [1.0], ["2020-02-30"], ["?"]])
def test_other_columns_have_no_format(values):
    assert dates_in(pd.Series(values, dtype=object)) is None


def test_a_column_of_times_has_a_first_date():
    column = pd.Series(pd.to_datetime(["2021-01-01 10:00", None, "2020-06-01 09:00"]))
    assert (dates_in(column).format, first_date(column, "%Y-%m-%d")) == ("%Y-%m-%d", "2020-06-01")


def days(n, strays):
    """Return a column of so many days, with strays in place of the first ones."""
    column = pd.Series(pd.date_range("2021-01-01", periods=n).strftime("%Y-%m-%d"), dtype=object)
    column[: len(strays)] = strays
    return column


@pytest.mark.parametrize(
    ("strays", "said"),
    [
        (["0000-00-00"] * 2, "238 of 240 values of day are dates; the others (0000-00-00) are read as missing"),
        (["2021-02-30"], "239 of 240 values of day are dates; the other (2021-02-30) is read as missing"),
        (["soon", "n/a", 5], "237 of 240 values of day are dates; the others (soon, n/a, 5) are read as missing"),
    ],
)
def test_a_few_strays_among_dates_are_missing(strays, said):
    column = days(240, strays)
    found = dates_in(column)
    assert (found.format, found.said_of("day"), found.has_strays) == ("%Y-%m-%d", said, True)
    assert only_dates(column).isna().tolist() == [True] * len(strays) + [False] * (240 - len(strays))


def test_marks_for_missing_values_are_no_strays():
    found = dates_in(days(40, ["n/a", "?"]))
    assert (found.has_strays, found.others) == (False, ("n/a", "?"))
    assert only_dates(days(40, ["n/a", "?"])).isna().sum() == 2


@pytest.mark.parametrize("strays", [["unknown"] * 30, [f"no. {i}" for i in range(12)]])
def test_many_strays_make_a_column_of_strings(strays):
    column = days(240, strays)
    assert dates_in(column) is None
    assert only_dates(column) is column


def test_a_frequent_word_among_few_days_is_one_more_string():
    column = pd.Series(["2021-01-01", "2021-01-02"] * 100 + ["unknown"] * 10, dtype=object)
    assert dates_in(column) is None


def test_times_with_a_zone_are_told_from_others():
    times = pd.Series(pd.to_datetime(["2021-01-01 23:00", "2021-06-01 09:00"]))
    assert dates_in(times.dt.tz_localize("Asia/Tokyo")).format == "%Y-%m-%d%z"
    assert dates_in(times.astype(str)).format == "%Y-%m-%d"
    assert dates_in(times.astype(str) + "-0500").format == "%Y-%m-%d%z"
