"""Tests of cells pass the rows that the rule list matches, and refuse those that ``predict`` refuses."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from rule_lists import UNKNOWN_VALUES, make
from table_lists import cells, drawn_table_lists, expected, probes

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow.exporters.cells import TableRules
from hedgerow.features import Column, Inputs

A, B, C = Column(0, "a"), Column(1, "b"), Column(2, "c")


def listed(*rules, dtype=np.float64, **options):
    return RuleList(tuple(Rule(rule, 1.0) for rule in rules), Rule((), 0.0), Inputs((A, B, C), dtype, **options))


def applied(table_rules, row):
    """Return the position of the first rule whose tests all pass; None for a row that is refused."""
    if any(test.passes(row[test.column]) for test in table_rules.refused):
        return None
    matching = (i for i, tests in enumerate(table_rules.rules) if all(test.passes(row[test.column]) for test in tests))
    return next(matching, -1)


@pytest.mark.filterwarnings(UNKNOWN_VALUES)
@given(drawn_table_lists())
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_rows_go_where_the_list_sends_them(rules):
    rows = probes(rules)
    table_rules = TableRules.of(rules, "a test")
    assert [applied(table_rules, row) for row in cells(rows)] == expected(rules, rows, RuleList.apply)


def test_conditions_on_one_column_become_one_test():
    rules = listed((Condition(A, upper=5.0), Condition(B, lower=1.0), Condition(A, lower=2.0, upper=9.0)))
    ((of_a, of_b),) = TableRules.of(rules, "a test").rules
    assert (of_a.column, of_b.column) == (0, 1)
    assert [of_a.passes(value) for value in (2.0, 2.5, 5.0, 5.5)] == [False, True, True, False]


def test_a_rule_that_never_matches_has_one_impossible_test_and_a_certain_test_is_left_out():
    never = (Condition(A, lower=3.0), Condition(B, upper=2.0), Condition(B, lower=2.0))
    always = (Condition(C, missing=True),)
    first, second = TableRules.of(listed(never, always, allows_missing=True), "a test").rules
    assert [test.is_impossible for test in first] == [True]
    assert second == ()


def test_a_missing_value_is_refused_only_where_a_rule_looks_and_the_ensemble_cannot_handle_it():
    rules = listed((Condition(A, upper=1.0),), (Condition(C, upper=1.0),), allows_missing=False)
    (of_a, of_c) = TableRules.of(rules, "a test").refused
    assert (of_a.column, of_c.column) == (0, 2)
    assert [of_a.passes(value) for value in (None, np.nan, 0.0, np.inf)] == [True, True, False, False]
    assert not TableRules.of(listed((Condition(A, upper=1.0),), allows_missing=True), "a test").refused


def test_columns_are_those_that_tests_look_at():
    rules = listed((Condition(C, upper=1.0),), (Condition(A, lower=0.0), Condition(C, lower=1.0)), allows_missing=True)
    assert TableRules.of(rules, "a test").columns == (0, 2)


def test_a_value_is_rounded_to_the_precision_of_the_ensemble():
    # 0.1 in single precision is above 0.1 in double precision.
    single, double = (
        TableRules.of(listed((Condition(A, upper=0.1),), dtype=dtype, allows_missing=True), "a test").rules[0][0]
        for dtype in (np.float32, np.float64)
    )
    assert (single.passes(0.1), double.passes(0.1)) == (False, True)
    assert single.passes(0.09999999403953552)


def test_a_feature_that_is_computed_is_refused_by_name():
    rules, _ = make("aeon", False)
    name = rules[0].conditions[0].feature.name
    with pytest.raises(InvalidDataError, match=r"column of a table; a test can only .*to_json") as error:
        TableRules.of(rules, "a test")
    assert name in str(error.value)
