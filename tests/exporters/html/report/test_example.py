"""One row is followed through the list."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reports import fitted

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.example import explain_row
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Category, Column, Inputs


def test_the_steps_lead_to_the_rule_that_applies():
    rules, X, y = fitted()
    samples = Samples("held-out", rules.rule_list_.evaluate(X[80:]), y[80:])
    found = explain_row(rules.rule_list_, samples)
    assert [step.number for step in found.steps] == list(range(1, found.rule + 2))
    assert [step.matches for step in found.steps] == [False] * found.rule + [True]
    row = {name: float(value) for name, value in found.values}
    (like,) = np.flatnonzero(np.all([np.isclose(X[80:][name], value) for name, value in row.items()], axis=0))
    assert rules.apply(X[80:])[like] == found.rule
    assert found.truth == y[80:][like]
    assert found.is_right == (y[80:][like] == rules.predict(X[80:])[like])
    texts = [text for text, _ in found.steps[-1].conditions]
    assert texts == [c.describe(rules.rule_list_.digits) for c in rules.rule_list_[found.rule].simplified]


def test_categories_and_missing_values_are_written_in_words():
    color, a = Category(0, "color", ("red", "blue"), has_missing=True), Column(1, "a", has_missing=True)
    rules = (
        Rule((Condition(color, categories=frozenset({0})),), 1.0, 2, 0.5),
        Rule((Condition(a, upper=3, missing=True),), 2.0, 2, 0.5),
    )
    rule_list = RuleList(rules, Rule((), 0.0), Inputs((color, a), np.float64, allows_missing=True))
    X = np.array([["blue", np.nan]], dtype=object)
    found = explain_row(rule_list, Samples("training", rule_list.evaluate(X)))
    assert found.values == (("color", "blue"), ("a", "missing"))
    assert found.steps[0].conditions == (("color is red", "blue"),)
    assert found.steps[1].conditions == (("(a <= 3 or missing)", "missing"),)
    assert (found.truth, found.is_right) == (None, None)


@settings(max_examples=60, deadline=None)
@given(st.floats(-1e4, 1e4) | st.floats(0.79995, 0.80005), st.sampled_from([0.0, 1e-9, 1e-6, -1e-6, 1e-3, -1e-12]))
def test_the_written_value_lies_on_the_written_side_of_the_written_threshold(bound, step):
    a = Column(0, "a")
    rules = (Rule((Condition(a, upper=bound),), 1.0, 1, 0.5), Rule((Condition(a, lower=bound),), 2.0, 1, 0.5))
    rule_list = RuleList(rules, Rule((), 0.0), Inputs((a,), np.float64))
    found = explain_row(rule_list, Samples("training", rule_list.evaluate(np.array([[bound + step]]))))
    for each in found.steps:
        ((text, value),) = each.conditions
        assert eval(text.replace("a", f"({value})")) == each.matches


def test_without_conditions_or_covered_rows_there_is_nothing_to_explain():
    a = Column(0, "a")
    always = RuleList((Rule((), 1.0, 1, 1.0),), Rule((), 0.0), Inputs((a,)))
    never = RuleList((Rule((Condition(a, upper=-9),), 1.0, 1, 1.0),), Rule((), 0.0), Inputs((a,)))
    for rule_list in (always, never):
        assert explain_row(rule_list, Samples("training", rule_list.evaluate(np.array([[1.0]])))) is None


@pytest.mark.parametrize("is_right", [True, False])
def test_the_page_says_whether_the_prediction_is_right(is_right):
    a = Column(0, "a")
    rules = (
        Rule((Condition(a, upper=1),), "x", 1, 0.5, (1.0, 0.0)),
        Rule((Condition(a, lower=1),), "y", 1, 0.5, (0.0, 1.0)),
    )
    rule_list = RuleList(rules, Rule((), "x", distribution=(0.5, 0.5)), Inputs((a,)), np.array(["x", "y"]))
    page = rule_list.to_html(X_test=[[2.0]], y_test=["y" if is_right else "x"])
    assert f"so the prediction is {'right' if is_right else 'wrong'}." in page
    assert "<b>Rule 1 does not match:</b> “a &lt;=\u00a01” does not hold, the value is 2." in page
