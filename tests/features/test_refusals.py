"""Samples that cannot be used are refused with the column, a value and the way out."""

import datetime
import pathlib

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hedgerow import InvalidDataError
from hedgerow.features.refusals import (
    CONVERT,
    ENCODE,
    explained,
    why_not_a_table,
    why_not_numbers,
    wrong_columns,
)

DAYS = pd.date_range("2020-01-01", periods=2)
TABLE = pd.DataFrame({"age": [30, 40], "status": ["A11", "A12"]})


@pytest.mark.parametrize(
    ("X", "why"),
    [
        (TABLE, r"^The column 'status' of X contains strings, such as 'A11', where .*table_pipeline\(model\)"),
        (pl.from_pandas(TABLE), "^The column 'status' of X contains strings, such as 'A11'"),
        (TABLE.to_numpy(), r"^X\[:, 1\] contains strings, such as 'A11'"),
        (TABLE.to_numpy().astype(str), r"^X\[:, 0\] contains strings, such as '30'"),
        (TABLE.assign(age=["30", "forty"]).to_numpy().tolist(), r"^X\[:, 0\] contains strings, such as 'forty'"),
        (TABLE.assign(status=TABLE["status"].astype("category")), "^The column 'status' of X contains strings"),
        (TABLE.assign(status=DAYS), "'status' of X contains dates, such as 2020-01-01T.* Convert it to numbers, such"),
        (TABLE.assign(status=DAYS - DAYS[0]), "'status' of X contains dates"),
        (TABLE.assign(status=[datetime.date(2020, 1, 1)] * 2), "'status' of X contains dates, such as 2020-01-01,"),
        (DAYS.to_numpy()[:, None], r"^X\[:, 0\] contains dates"),
        (TABLE.assign(status=[[1, 2]] * 2), r"contains lists or other containers, such as \[1, 2\]"),
    ],
)  # fmt: skip
def test_the_column_and_its_first_strange_value_are_named(X, why):
    with pytest.raises(InvalidDataError, match=why), explained(X, ENCODE):
        raise ValueError("could not convert this")


def test_a_column_of_categories_is_named_only_if_nothing_else_is_strange():
    colors = pd.Categorical(["red", "blue"])
    assert "'city'" in why_not_numbers(pd.DataFrame({"color": colors, "city": ["Lima", "Lyon"]}), ENCODE)
    assert "'color'" in why_not_numbers(pd.DataFrame({"color": colors, "age": [30, 40]}), CONVERT)


@pytest.mark.parametrize("X", [np.ones((2, 2)), TABLE[["age"]], np.array([["1", 2.5]], dtype=object)])
def test_other_errors_stay_what_they_are(X):
    assert why_not_numbers(X, ENCODE) is None
    with pytest.raises(ZeroDivisionError), explained(X, ENCODE):
        1 / 0  # noqa: B018
    with pytest.raises(ValueError, match="something else") as caught, explained(X, ENCODE):
        raise ValueError("something else")
    assert not isinstance(caught.value, InvalidDataError)


@pytest.mark.parametrize(
    ("X", "why"),
    [
        (None, "X is None. Pass an array or a data frame"),
        ("rows.csv", "X is 'rows.csv'. Pass the table itself, for example pandas.read_csv('rows.csv')."),
        (pathlib.Path("rows.csv"), "pandas.read_csv('rows.csv')"),
        ({"age": [30, 40]}, "pandas.DataFrame(X) if it has one list per column"),
        ([{"age": 30}, {"age": 40}], "X is a list of dictionaries. Pass pandas.DataFrame(X)."),
        ([[1, 2], [3]], "The rows of X do not all have the same length"),
        (np.arange(3), "of length 3, but samples are the rows of a table. Reshape your data: X.reshape(1, -1)"),
    ],
)
def test_what_is_not_a_table(X, why):
    assert why in why_not_a_table(X)


def test_columns_that_differ_are_named():
    assert wrong_columns(None, 1, ["a", "b"]) == "X has 1 column, but the ensemble was trained on 2: a, b."
    assert wrong_columns(["b", "c", "d"], 3, ["a", "b"]) == (
        "X has 3 columns, but the ensemble was trained on 2: a, b. Missing in X: a; unknown to the ensemble: c, d."
    )
    assert wrong_columns(["a", "b", "c"], 3, ["a", "b"]).endswith("a, b. Unknown to the ensemble: c.")


def test_only_columns_that_must_contain_numbers_are_blamed():
    X = np.array([["red", "A11"]], dtype=object)
    with pytest.raises(InvalidDataError, match=r"X\[:, 1\] contains strings"), explained(X, CONVERT, {1}):
        np.asarray(X[:, 1], dtype=float)
