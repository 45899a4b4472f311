"""Each column has one use, or one reason to be left out."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest

from hedgerow import InvalidDataError
from hedgerow.features import Notation
from hedgerow.tables.column_use import ColumnUse, Wishes, check_finite, frequent, usable_columns, use_of

N = 40


def column(values, dtype=None):
    return pd.Series((list(values) * N)[:N], dtype=dtype)


@pytest.mark.parametrize(
    "values",
    [
        column([1, 2]),
        column([0.5, np.nan]),
        column([1, None], "Int64"),
        column([0.5, None], "Float32"),
        column([1, 2], "uint8"),
        column([1, None], object),
        column([decimal.Decimal("1.5"), 2], object),
        column([1.5, 2], "float64[pyarrow]"),
        column([10**20, 1], object),
    ],
    ids=str,
)
def test_numbers_are_taken_as_they_are(values):
    assert use_of(values) == ColumnUse("number")


@pytest.mark.parametrize(
    ("values", "categories"),
    [
        (column(["red", "blue"]), ("blue", "red")),
        (column(["red", None, "blue"], object), ("blue", "red", None)),
        (column(["red", "blue", pd.NA], "string"), ("blue", "red", None)),
        (column([True, False]), (False, True)),
        (column([True, None, False], "boolean"), (False, True, None)),
        (column([True, None, False], object), (False, True, None)),
        (column(["u", "v"], "category"), ("u", "v")),
        (column([10, 9], "category"), (9, 10)),
        (column(["007", "010"], object), ("007", "010")),
        (column(["a", "b"], "string[pyarrow]"), ("a", "b")),
    ],
    ids=str,
)
def test_strings_booleans_and_categories_are_categories(values, categories):
    assert use_of(values) == ColumnUse("category", categories=categories)


def test_strings_that_are_numbers_are_read_as_numbers():
    assert use_of(column(["1.234,5 €", "7,25 €"])) == ColumnUse("number", Notation("number", ",", ".", ("€",)))
    strays = column(map(str, range(N))).replace({"7": "Total"})
    assert use_of(strays) == ColumnUse("number", Notation("number"))
    assert use_of(strays, known=Notation("text")) == "its strings differ in nearly every row"
    mixed = column(["1,5", 2, None, 0.5], object)
    assert use_of(mixed).notation.decimal == ","


def test_a_known_notation_is_not_guessed():
    values = column(["1,5", "NA", "-", "x"])
    assert use_of(values, known=Notation("number", ",")) == ColumnUse("number", Notation("number", ","))
    text = Notation("text", missing=("NA",))
    assert use_of(values, known=text) == ColumnUse("category", text, ("-", "1,5", "x", None))
    assert use_of(column([1, -9]), known=Notation(missing=("-9",))).notation.missing_numbers == (-9,)


def test_dates_are_used_if_asked_for():
    days = column(["31.12.2020", "01.02.2021", None], object)
    assert "only if asked for" in use_of(days)
    assert use_of(days, Wishes(dates=True)) == ColumnUse("date", format="%d.%m.%Y", first="2020-12-31")
    times = column([pd.Timestamp("2021-01-02 10:00"), pd.Timestamp("2021-01-01")])
    assert use_of(times, Wishes(dates=True)) == ColumnUse("date", first="2021-01-01")
    assert "it contains dates" in use_of(column([datetime.date(2020, 1, 1)], object))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (column([None], object), "it is empty"),
        (column([np.nan]), "it is empty"),
        (column([3]), "the same value in every row"),
        (column(["x"]), "the same value in every row"),
        (column([datetime.date(2020, 1, 1)], object), "it contains dates"),
        (column(map("name {}".format, range(N))), "differ in nearly every row"),
        (column([[1], [2, 3]], object), "lists or other containers"),
        (column(["a", 1], object), "strings and other values"),
        (column([1j, 2j], object), "neither numbers nor strings"),
        (column([pd.Timedelta(1, "h"), pd.Timedelta(2, "h")]), "neither numbers nor strings"),
    ],
    ids=str,
)
def test_columns_of_no_use_have_a_reason(values, why):
    assert why in use_of(values)


def test_few_and_frequent_values_are_chosen():
    values = pd.Series(["a"] * 50 + ["b"] * 30 + ["c"] * 20 + ["d"])
    assert frequent(values) == ["a", "b", "c"]
    assert frequent(values, most=2) == ["a", "b"]
    assert frequent(values, least_share=0.25) == ["a", "b"]
    assert frequent(pd.Series([True, False, False, None], dtype=object)) == [False, True, None]


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
        "day": "for",
        "time": "for",
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
    assert "only if asked for" in left_out["day"]


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
