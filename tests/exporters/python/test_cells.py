"""The source of tests on cells: literals that read back, variables that clash with nothing, short lines."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Condition, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.python.cells import Cells, literal
from hedgerow.features import Category, Column, Inputs

A, B = Column(0, "a"), Column(1, "b")


def cells_of(*features, conditions):
    """Return the cells of a list of one rule, and the tests of that rule."""
    inputs = Inputs(features, np.float64, allows_missing=True)
    table_rules = TableRules.of(RuleList((Rule(conditions, 1.0),), Rule((), 0.0), inputs), "Python")
    return Cells(inputs, table_rules, "predict"), table_rules.rules[0]


@settings(deadline=None)
@given(st.text() | st.booleans() | st.integers() | st.floats() | st.binary())
def test_literals_read_back(value):
    again = eval(literal(value))
    assert type(again) is type(value)
    assert again == value or (math.isnan(value) and math.isnan(again))
    assert not isinstance(value, float) or math.copysign(1, again) == math.copysign(1, value) or math.isnan(value)


def test_numpy_scalars_become_plain_ones_and_other_objects_are_refused():
    assert [literal(value) for value in (np.float32(0.5), np.int8(3), np.True_, np.str_("a"))] == [
        "0.5",
        "3",
        "True",
        '"a"',
    ]
    with pytest.raises(InvalidDataError, match="strings, bytes, numbers and booleans"):
        literal(np.datetime64("2020-01-01"))


def test_variables_resemble_the_columns_and_clash_with_nothing():
    names = ["Age (years)", "age-years", "class", "row", "1st", "", "größe", "predict", "max"]
    features = tuple(Column(i, name) for i, name in enumerate(names))
    cells, _ = cells_of(*features, conditions=tuple(Condition(feature, upper=1.0) for feature in features))
    assert list(cells.variables.values()) == [
        "age_years",
        "age_years_2",
        "class_2",
        "row_2",
        "x4_1st",
        "x5",
        "gr_e",
        "predict_2",
        "max_2",
    ]


def test_only_the_functions_that_are_needed_are_written():
    color = Category(1, "color", ("red", "blue"))
    numbers, _ = cells_of(A, B, conditions=(Condition(B, upper=1.0),))
    words, _ = cells_of(A, color, conditions=(Condition(color, categories=frozenset({0})),))
    nothing, _ = cells_of(A, conditions=())
    assert ["def _number" in one.head() for one in (numbers, words, nothing)] == [True, False, False]
    assert ["def _value" in one.head() for one in (numbers, words, nothing)] == [True, True, False]
    assert numbers.reading() == ["    b = _number(row, 1)"]
    assert nothing.head() == 'COLUMNS = ("a",)\n\n\n'


def test_a_rule_is_one_line_unless_it_is_too_long():
    features = tuple(Column(i, f"a rather long name of column {i}") for i in range(4))
    for n, n_lines in ((1, 2), (4, 7)):
        conditions = tuple(Condition(feature, lower=0.125, upper=1.5) for feature in features[:n])
        cells, tests = cells_of(*features, conditions=conditions)
        lines = cells.branch(tests, "return 1.0")
        assert len(lines) == n_lines
        assert all(len(line) <= 120 for line in lines)
        compile("\n".join(["def f():", *lines]), "<rule>", "exec")
        assert lines[-1] == "        return 1.0"


def test_a_rule_that_never_matches_is_a_comment_and_one_without_conditions_always_matches():
    cells, tests = cells_of(A, conditions=(Condition(A, upper=1.0), Condition(A, lower=1.0)))
    assert cells.branch(tests, "return 1.0") == ["    # (never: no value satisfies this)"]
    assert cells.branch((), "return 1.0") == ["    if True:", "        return 1.0"]


def test_a_value_that_the_ensemble_cannot_handle_is_refused_by_name():
    inputs = Inputs((A, B), np.float64, allows_missing=False)
    table_rules = TableRules.of(RuleList((Rule((Condition(B, upper=1.0),), 1.0),), Rule((), 0.0), inputs), "Python")
    condition, refusal = Cells(inputs, table_rules, "predict").refusals()
    assert condition == "    if math.isnan(b):"
    with pytest.raises(ValueError, match="this value of b: nan"):
        exec(refusal.strip(), {"b": math.nan})


@pytest.mark.parametrize("name", ["two words", "class", "row", "_number", ""])
def test_a_function_needs_a_name_that_is_free(name):
    with pytest.raises(InvalidParameterError, match=r"name must be .*COLUMNS, .*got"):
        Cells(Inputs((A,)), TableRules((), ()), name)


@pytest.mark.parametrize(
    ("known", "cells"),
    [
        ((False, True), ["True", "false", " TRUE", "1", "0", "", "nan", "maybe", True, False, 1, None, math.nan]),
        ((1, 2, 30), ["1", "30", "2.0", "", "nan", "4", "x", 1, 2.0, 30, 5, None, math.nan]),
        (("1", "True"), ["1", "True", "true", "", 1, None]),
    ],
)
@pytest.mark.parametrize("codes", [{0}, {1}, {0, len("ab") + 1}, {1, 2}])
@pytest.mark.parametrize("missing", [False, True])
def test_the_source_reads_strings_as_the_list_does(known, cells, codes, missing):
    feature = Category(0, "c", known, other=True)
    inputs = Inputs((feature,), np.float64, allows_missing=True)
    rule = Rule((Condition(feature, categories=frozenset(codes), missing=missing),), 1.0)
    rules, space = RuleList((rule,), Rule((), 0.0), inputs), {}
    exec(rules.to_python(), space)
    made = [space["predict"]({"c": cell}) for cell in cells]
    assert made == rules.predict(np.array([[cell] for cell in cells], dtype=object)).tolist()
