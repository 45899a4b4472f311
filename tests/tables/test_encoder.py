"""Strings are encoded, and columns that a forest cannot use are left out with the reason."""

import datetime

import numpy as np
import pandas as pd
import pytest

from hedgerow import InvalidDataError
from hedgerow.tables.encoder import check_finite, usable_columns


def test_columns_of_no_use_are_left_out_with_the_reason():
    n = 50
    frame = pd.DataFrame(
        {
            "": range(n),
            "number": np.arange(n) / 2,
            "name": pd.Series([f"person {i}" for i in range(n)], dtype=object),
            "day": [datetime.date(2020, 1, 1)] * n,
            "time": pd.Timestamp("2020-01-01"),
            "nothing": [None] * n,
            "flag": pd.Series([True, False] * (n // 2), dtype=object),
            "mixed": pd.Series(["a", True] * (n // 2), dtype=object),
        }
    )
    usable, left_out = usable_columns(frame)
    assert list(usable.columns) == ["number", "flag", "mixed"]
    assert {name: why.split()[-1] for name, why in left_out.items()} == {
        "(the first)": "name",
        "name": "row",
        "day": "days",
        "time": "days",
        "nothing": "empty",
    }
    with pytest.raises(InvalidDataError, match="no column left to learn from"):
        usable_columns(frame[["name"]])
    with pytest.raises(InvalidDataError, match="'number' contains infinite numbers"):
        check_finite(frame[["number"]].replace(1.0, np.inf))


@pytest.mark.parametrize(
    "values",
    [
        ["2020-12-31", "2021-02-28"],
        ["2020/12/31", "2021/1/2"],
        ["31/12/2020", "01/02/2021"],
        ["12/31/2020", "01/02/2021"],
        ["31.12.2020", "1.2.2021", None],
        ["31-12-20", "01-02-21"],
        ["2020-12-31T10:00:00Z", "2020-12-31T10:00:00.5+02:00"],
        ["31/12/2020 10:00", "01/02/2021 23:59:59"],
        ["2020-12-31", "NA", "?"],
    ],
)
def test_strings_that_are_dates_are_left_out_with_the_way_out(values):
    frame = pd.DataFrame({"day": pd.Series(values * 20, dtype=object), "x": np.arange(20 * len(values))})
    usable, left_out = usable_columns(frame)
    assert list(usable.columns) == ["x"]
    assert "convert them to numbers" in left_out["day"]


@pytest.mark.parametrize(
    "values",
    [
        ["31/12/2020", "12/31/2020"],  # no order of day and month fits both
        ["2020-13-01", "2020-01-01"],
        ["30/02/2020", "01/01/2020"],
        ["1.0.0", "1.2.10"],
        ["2020-01-01", "soon"],
        ["2020-01", "2020-02"],
        ["555-12-2020", "555-11-2021"],
        ["2020-12/31", "2021-01/01"],
        ["?", "NA"],
    ],
)
def test_strings_that_only_look_like_dates_are_strings(values):
    usable, left_out = usable_columns(pd.DataFrame({"day": pd.Series(values * 20, dtype=object)}))
    assert (list(usable.columns), left_out) == (["day"], {})
