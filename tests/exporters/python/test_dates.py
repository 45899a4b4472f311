"""Exported Python finds the same dates as the list."""

import datetime

import numpy as np
import pandas as pd
import pytest
from date_lists import FORMATS, date_list, dates, strings

from hedgerow.exporters.python.dates import date_arguments
from hedgerow.features.dates import DateReading


@pytest.mark.parametrize("form", [*FORMATS, "%-d.%-m.%Y", "%d.%m.%y"])
def test_the_function_predicts_as_the_list_does(form):
    rules = date_list(form)
    cells = [*strings(form), *dates(), datetime.datetime(2021, 12, 25, 23, 59), pd.Timestamp("2020-02-29 01:00")]
    cells += ["1.2.2021", "01.02.21", "01.02.69", pd.NaT, pd.NA, np.nan, 5]
    module = {}
    exec(rules.to_python(), module)
    expected = rules.predict(pd.DataFrame({"day": pd.Series(cells, dtype=object)}))
    assert [module["predict"]({"day": cell}) for cell in cells] == expected.tolist()


def test_the_first_date_is_only_told_where_days_are_counted():
    iso = r'(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})([T ][0-9]{1,2}:.*)?",)'
    assert date_arguments(DateReading("year")) == [iso]
    assert date_arguments(DateReading("days", first="2020-02-29")) == [iso, '"2020-02-29"']
