"""A part of a date is a feature with words of its own."""

import json
import math

import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from hedgerow import Condition, InvalidDataError
from hedgerow.features import (
    DatePart,
    Inputs,
    NumberSet,
    TableColumn,
    from_record,
    inputs_from_record,
    inputs_to_record,
)

INF = math.inf


@pytest.mark.parametrize(
    ("part", "lower", "upper", "text"),
    [
        ("year", -INF, 2020.5, "year of signup <= 2020"),
        ("year", 2020.5, INF, "year of signup >= 2021"),
        ("year", 2019.0, 2020.0, "year of signup is 2020"),
        ("year", 2018.0, 2020.0, "2019 <= year of signup <= 2020"),
        ("month", -INF, 3.5, "month of signup is January to March"),
        ("month", 10.0, INF, "month of signup is November or December"),
        ("month", 3.5, 4.5, "month of signup is April"),
        ("weekday", 5.5, INF, "weekday of signup is Saturday or Sunday"),
        ("weekday", -INF, 1.0, "weekday of signup is Monday"),
        ("days", -INF, 31.5, "signup <= 2020-02-01"),
        ("days", 31.5, INF, "signup > 2020-02-01"),
        ("days", -1.0, 365.0, "2019-12-31 < signup <= 2020-12-31"),
    ],
)
def test_conditions_are_written_in_words(part, lower, upper, text):
    assert str(Condition(DatePart.of(0, "signup", part, first="2020-01-01"), lower, upper)) == text


def test_bounds_beyond_the_calendar_are_written_as_numbers():
    days = DatePart.of(0, "signup", "days", first="2020-01-01")
    assert str(Condition(days, upper=1e9)) == "signup in days since 2020-01-01 <= 1000000000"
    assert str(Condition(days, missing=True, lower=0.0)) == "signup > 2020-01-01"
    assert str(Condition(days.with_missing(), missing=True, lower=0.0)) == "(signup > 2020-01-01 or missing)"
    assert str(Condition(DatePart.of(0, "signup", "month"), 0.0, 12.0)) == "0 < month of signup <= 12"
    assert str(Condition(DatePart.of(0, "signup", "month"), 3.2, 3.7)) == "3.2 < month of signup <= 3.7"
    assert str(Condition(DatePart.of(0, "signup", "year"), 3.2, 3.7)) == "3.2 < year of signup <= 3.7"


def test_the_test_of_a_cell_agrees_with_the_value():
    cells = ["25/12/2021", "2021-12-27", "soon", None, pd.Timestamp("2021-12-26"), pd.NaT]
    part = DatePart.of(1, "signup", "weekday", "%d/%m/%Y")
    X = pd.DataFrame({"a": 0, "signup": pd.Series(cells, dtype=object)})
    for missing in (False, True):
        condition = Condition(part, lower=5.5, missing=missing)
        test = part.cell_test(NumberSet.of((6.0, INF)), missing)
        assert [test.passes(cell) for cell in cells] == condition.holds(part.compute(X)).tolist()
        assert test.column == 1


def test_inputs_with_dates_are_read_as_they_were_written():
    part = DatePart.of(1, "day", "days", "%d.%m.%Y", "2020-12-31")
    assert from_record(part.to_record()) == part
    inputs = Inputs((part,), columns=("a", "day"), has_names=True, allows_missing=True)
    read = inputs_from_record(json.loads(json.dumps(inputs_to_record(inputs))))
    assert read == inputs
    X = pd.DataFrame({"a": ["x", "y"], "day": ["01.01.2021", "never"]})
    assert_array_equal(read.matrix(X), [[1], [math.nan]])
    assert part.table_columns == (TableColumn(1, None, None),)
    with pytest.raises(InvalidDataError, match="one of year, month, weekday, days"):
        from_record(part.to_record() | {"part": "hour"})


def test_a_part_moves_to_another_column():
    assert DatePart.of(1, "day", "month", "%d.%m.%Y").moved(3, "night") == DatePart.of(3, "night", "month", "%d.%m.%Y")
