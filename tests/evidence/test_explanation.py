"""What is said about a row: the conditions that hold and fail with its values, and the changes."""

import pytest
from people_lists import AGE, DEBT, REFERENCE, person, shown, small_list

from hedgerow import Condition
from hedgerow.evidence import reasons


def test_reasons_name_the_conditions_that_hold_those_that_fail_and_the_change():
    rules = small_list([([Condition(AGE, upper=4.0)], "no"), ([Condition(AGE, lower=4.0)], "yes")])
    found = reasons(rules, person(age=3.1), reference=REFERENCE)
    assert found.sentences() == [
        "Rule 1 predicts no because age <= 4 (is 3.1).",
        "Not yes: rule 2 predicts yes, but this fails: age > 4 (is 3.1).",
        "To yes: age from 3.1 to 4.001 (+0.10 spreads); then rule 2 matches.",
    ]
    assert str(found).splitlines()[1] == "  age <= 4  is 3.1"
    (row,) = found.to_frame().to_dict("records")
    assert row == {
        "answer": "yes",
        "change": 1,
        "column": "age",
        "before": 3.1,
        "value": 4.001,
        "distance": pytest.approx(0.1),
        "measure": "spreads",
        "rule": 2,
        "prediction": "yes",
    }


def test_an_earlier_rule_that_matches_as_well_must_be_left():
    rules = small_list([([Condition(DEBT, upper=2.5)], "no"), ([Condition(AGE, upper=4.0)], "yes")], "perhaps")
    found = reasons(rules, person(age=3.0, debt=2.0), reference=REFERENCE)
    assert (found.rule, found.later) == (0, (1,))
    other = found.others[1]
    assert (other.answer, other.rule, other.fails) == ("yes", 1, ())
    assert found.sentences()[0] == "Rule 1 predicts no, before rule 2, which also matches because debt <= 2.5 (is 2)."
    assert "matches, but rule 1 comes first" in str(found)
    assert shown(found) == [({"debt": 2.501}, round(0.5 / 9, 6))]
    # to reach the default, both rules must be left
    assert shown(found, "perhaps") == [({"debt": 2.501, "age": 4.01}, round(1.5 / 9, 6))]


def test_no_rule_is_an_answer_too_and_a_row_without_a_rule_has_reasons():
    rules = small_list([([Condition(AGE, upper=4.0)], "yes")])
    found = reasons(rules, person(age=6.0), reference=REFERENCE)
    assert (found.rule, found.why) == (-1, ())
    assert found.sentences()[0] == "No rule matches, so the prediction is no."
    assert shown(found) == [({"age": 4.0}, round(2 / 9, 6))]
    back = reasons(rules, person(age=4.0), reference=REFERENCE)
    assert (back.others[0].rule, back.others[0].changes[0].rule) == (-1, -1)
