"""Generated Python predicts what the rule list does, row by row, and needs nothing but Python."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from rule_lists import TABLE_KINDS, UNKNOWN_VALUES, make
from table_lists import cells, drawn_table_lists, expected, probes

from hedgerow import Condition, HedgerowError, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.features import Category, Column, HashedCategory, Inputs, Notation

A = Column(0, "a")


def function(rules, name="predict"):
    namespace = {}
    exec(compile(rules.to_python(name), "<rules>", "exec"), namespace)
    return namespace[name]


def asked(predict, row):
    try:
        return predict(row)
    except ValueError:
        return None


def check(rules, rows):
    predict, said = function(rules), expected(rules, rows)
    names = rules.inputs.names
    for row, answer in zip(cells(rows), said, strict=True):
        for given_as in [row, list(row)] + [dict(zip(names, row, strict=True))] * (len(set(names)) == len(names)):
            mine = asked(predict, given_as)
            assert mine == answer, f"{given_as}: {mine!r} instead of {answer!r}"
            assert type(mine) is type(answer)


@pytest.mark.filterwarnings(UNKNOWN_VALUES)
@given(drawn_table_lists())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_drawn_lists_predict_alike_on_thresholds_and_beside(rules):
    rows = probes(rules)
    check(rules, rows)
    assert expected(RuleList.from_json(rules.to_json()), rows) == expected(rules, rows)


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_lists_of_every_library_predict_alike(kind):
    rules, X = make(kind, False)
    check(rules, probes(rules))
    check(rules, pd.DataFrame(X).set_axis(rules.inputs.names, axis=1))


def test_it_runs_without_any_library():
    rules, X = make("random forest", False)
    script = f"{rules.to_python()}\nprint(predict({X.iloc[0].tolist()}))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(rules.predict(X.iloc[:1])[0])]


def test_names_of_columns_do_not_clash_with_python_or_each_other():
    names = ["class", "row", "math", "a b", "a-b", "1st", "", "float", "_number", "COLUMNS", "größe", "predict"]
    features = tuple(Column(i, name) for i, name in enumerate(names))
    rules = RuleList(
        tuple(Rule((Condition(feature, lower=float(i)),), float(i)) for i, feature in enumerate(features)),
        Rule((), -1.0),
        Inputs(features, np.float64),
    )
    predict = function(rules)
    for i in range(len(names)):
        row = {name: float(i + 1 if j == i else -5) for j, name in enumerate(names)}
        assert predict(row) == i == rules.predict([list(row.values())])[0]


def test_the_missing_value_of_pandas_is_missing():
    rules = RuleList(
        (Rule((Condition(A, upper=1.0, missing=True),), 1.0),),
        Rule((), 0.0),
        Inputs((A,), np.float64, allows_missing=True),
    )
    predict = function(rules, "classify")
    assert [predict({"a": value}) for value in (pd.NA, None, np.nan, pd.NaT, 0, 2)] == [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize("value", ["old", "12,5"])
def test_a_value_that_is_not_a_number_is_an_error_that_names_the_column(value):
    age = Column(0, "the 'age'")
    predict = function(RuleList((Rule((Condition(age, upper=1.0),), 1.0),), Rule((), 0.0), Inputs((age,))))
    assert predict(["0.5"]) == 1.0
    for row in ([value], {"the 'age'": value}):
        with pytest.raises(ValueError, match=f"the 'age'.* must be a number, or None if it is missing; got {value!r}"):
            predict(row)


@pytest.mark.parametrize("mark", ["", " ", "NA", "n/a", "?", "null", "#N/A"])
def test_the_usual_marks_are_missing_numbers(mark):
    upwards = Rule((Condition(A, lower=1.0, missing=True),), 1.0)
    predict = function(RuleList((upwards,), Rule((), 0.0), Inputs((A,), np.float64, allows_missing=True)))
    assert [predict([cell]) for cell in (mark, "1.5", "0.5")] == [1.0, 1.0, 0.0]


PRICE, COLOR = Column(0, "price"), Category(1, "color", ("red", "blue"))
AS_WRITTEN = RuleList(
    (
        Rule((Condition(PRICE, upper=1000.0), Condition(COLOR, categories=frozenset({0}))), 1.0),
        Rule((Condition(PRICE, lower=1000.0), Condition(COLOR, categories=frozenset({0}), missing=True)), 2.0),
        Rule((Condition(PRICE, lower=1.0, upper=1000.0),), 3.0),
    ),
    Rule((), 0.0),
    Inputs((PRICE, COLOR), np.float64, allows_missing=True, has_names=True),
)


@pytest.mark.parametrize(
    "notation",
    [
        Notation(),
        Notation(missing=("-999", "NA", "5")),
        Notation(decimal=",", thousands=".", affixes=("€",)),
        Notation(thousands=",", affixes=("$", "'")),
    ],
)
def test_cells_are_read_as_they_are_written(notation):
    cells = [
        "1.234,5 €",
        "$1,234.50",
        "7",
        " 12 ",
        "-999",
        "-999.0",
        "5",
        "1_000",
        "inf",
        "n/a",
        "",
        "1'234",
        "60.25",
        "4,095.12",
        "1.234.567,8e2",
        "0.123",
        "1,23",
        "12.34,5",
        None,
        3.5,
    ]
    rows = [{"price": cell, "color": color} for cell in cells for color in ("red", "blue", "NA", "", None)]
    notations = ((0, notation), (1, Notation("text", missing=("NA",))))
    rules = replace(AS_WRITTEN, inputs=replace(AS_WRITTEN.inputs, notations=notations))
    predict = function(rules)
    assert [predict(row) for row in rows] == rules.predict(pd.DataFrame(rows, dtype=object)).tolist()


def test_the_source_shows_how_cells_are_written():
    notations = ((0, Notation(decimal=",", thousands=".", missing=("-999",))), (1, Notation("text")))
    source = replace(AS_WRITTEN, inputs=replace(AS_WRITTEN.inputs, notations=notations)).to_python()
    assert 'price = _number(row, 0, decimal=",", thousands=".", missing=(-999.0,))' in source
    assert 'color = _value(row, 1, missing=("",))' in source


@pytest.mark.parametrize("write", [RuleList.to_python, RuleList.to_sql])
def test_what_is_not_in_a_table_is_refused(write):
    rules, _ = make("aeon", False)
    with pytest.raises(InvalidDataError, match=r"column of a table.*to_json"):
        write(rules)
    rules, _ = make("random forest", True)
    with pytest.raises(InvalidParameterError, match=r"asks its ensemble.*uncovered='default'"):
        write(rules)
    color = HashedCategory.of(0, "color", [5])
    rules = RuleList((Rule((Condition(color, categories=frozenset({0})),), 1.0),), Rule((), 0.0), Inputs((color,)))
    with pytest.raises(InvalidDataError, match="hash"):
        write(rules)
    day = Category(0, "day", (np.datetime64("2020-01-01"), np.datetime64("2021-01-01")))
    rules = RuleList((Rule((Condition(day, categories=frozenset({0})),), 1.0),), Rule((), 0.0), Inputs((day,)))
    with pytest.raises(HedgerowError, match=r"datetime64|several types|is a date"):
        write(rules)
