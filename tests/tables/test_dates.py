"""The format of dates is the one in which all of them are dates."""

import datetime

import pandas as pd
import pytest

from hedgerow.tables.dates import date_format, first_date


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
        (["2020-12-31T10:00:00Z", "2020-12-30T10:00:00.5+02:00"], "%Y-%m-%d", "2020-12-30"),
        (["31/12/2020 10:00", "01/02/2021 23:59:59"], "%d/%m/%Y", "2020-12-31"),
        (["2020-12-31", "NA", "?"], "%Y-%m-%d", "2020-12-31"),
        ([datetime.date(2021, 5, 1), datetime.datetime(2020, 5, 1, 10)], "%Y-%m-%d", "2020-05-01"),
    ],
)
def test_the_format_and_the_first_date(values, form, first):
    column = pd.Series(values, dtype=object)
    assert date_format(column) == form
    assert first_date(column, form) == first


@pytest.mark.parametrize("values", [["31/12/2020", "12/31/2020"], ["soon"], ["1.2.3"], [1.0]])
def test_other_columns_have_no_format(values):
    assert date_format(pd.Series(values, dtype=object)) is None


def test_a_column_of_times_has_a_first_date():
    column = pd.Series(pd.to_datetime(["2021-01-01 10:00", None, "2020-06-01 09:00"]))
    assert (date_format(column), first_date(column, "%Y-%m-%d")) == ("%Y-%m-%d", "2020-06-01")
