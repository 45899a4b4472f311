"""Features that some rule uses, and rules that are in the list."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import Small, a_require, smalls

from hedgerow import Condition, InfeasibleError, InvalidParameterError, Rule
from hedgerow.constraints import Require


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_the_best_list_with_it_is_found(data, small):
    small.check(a_require(small, data.draw))


def test_the_order_of_a_rules_conditions_does_not_matter():
    small = Small(0, max_rules=4)
    rule = max(small.rules, key=lambda one: len(one.simplified))
    turned = Rule(rule.conditions[::-1])
    rules = small.fit([Require(rule=turned)])
    assert set(rule.simplified) in [set(one.simplified) for one in rules.rule_list_]


def test_a_rule_that_no_candidate_is_cannot_be_had():
    small = Small(0, max_rules=4)
    rule = Rule((Condition(small.rules[1].conditions[0].feature, lower=1.2345),))
    with pytest.raises(
        InfeasibleError, match=r"No candidate has the conditions of the rule .* leave the constraint out"
    ):
        small.fit([Require(rule=rule)])


@pytest.mark.parametrize("given", [{}, {"feature": "age", "rule": Rule(())}])
def test_exactly_one_of_its_parameters_is_given(given):
    with pytest.raises(InvalidParameterError, match=r"Require takes one of feature=..., rule=...; got"):
        Require(**given)


def test_an_unknown_feature_is_refused():
    with pytest.raises(InvalidParameterError, match=r"Require names the feature 'dept', .* Did you mean 'debt'"):
        Small(0, max_rules=4).fit([Require(feature="dept")])


def test_it_is_said_in_words():
    assert str(Require(feature=1)) == "some rule uses column 1"
    assert repr(Require(feature="age")) == "Require(feature='age')"
    assert str(Require(rule=Small(0).rules[0])).endswith("is chosen")
