"""A pinned rule leaves only what lies outside of it, a dropped one takes its twins along."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from small_data import IRIS, small_forest

from hedgerow import Condition, InfeasibleError, Rule, RuleListClassifier
from hedgerow.constraints import Drop, Pin, Require
from hedgerow.constraints.pins import overlapping


@pytest.fixture(scope="module")
def rules():
    return RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)


def test_rules_overlap_if_they_share_a_sample(rules):
    coverage = rules.posed_.coverage
    held = coverage.held(np.arange(coverage.n_rules))
    assert_array_equal(overlapping(coverage, 3), (held & held[3]).any(axis=1))


def test_a_pin_says_what_require_says(rules):
    for j in (0, 5, 9):
        rule = rules.pool_.rule(j)
        found = []
        for one in (Pin(rule), Require(rule=rule)):
            try:
                again = RuleListClassifier(rules.ensemble_, max_rules=4, constraints=[one]).fit(*IRIS)
                found.append(again.solution_.objective)
                assert rule.describe() in [own.describe() for own in again.rule_list_]
            except InfeasibleError:
                found.append(None)
        assert found[0] == pytest.approx(found[1])


def test_a_dropped_rule_does_not_come_back_under_another_name(rules):
    X, y = IRIS
    rule = rules.posed_.pool.rule(int(rules.solution_.chosen[0]))
    held = rules.posed_.coverage.holds(int(rules.solution_.chosen[0]))
    again = RuleListClassifier(rules.ensemble_, max_rules=4, constraints=[Drop(rule)]).fit(X, y)
    assert not (held == again.rule_list_.matches(X).T).all(axis=1).any()
    assert str(Drop(rule)).startswith("no rule has the samples of (")


def test_a_pin_needs_a_candidate(rules):
    rule = Rule((Condition(rules.forest_.features[0], lower=1.234),))
    with pytest.raises(InfeasibleError, match="No candidate has the conditions of the rule"):
        RuleListClassifier(rules.ensemble_, max_rules=4, constraints=[Pin(rule)]).fit(*IRIS)
