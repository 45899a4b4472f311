"""A constraint costs what the list that was learned without it has more."""

import pickle

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

from hedgerow import RuleListClassifier
from hedgerow.constraints import Forbid, MaxFeatures, MinRecall
from hedgerow.evidence.constraint_prices import price_constraints

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
FOREST = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X[:400], y[:400])


def learned(*constraints):
    return RuleListClassifier(FOREST, max_rules=4, constraints=constraints).fit(X[:400], y[:400])


def test_each_price_is_the_difference_to_the_list_that_is_learned_without_it():
    few, recall = MaxFeatures(2), MinRecall({0: 0.97})
    both, without_few, without_recall = learned(few, recall), learned(recall), learned(few)
    found = price_constraints(both, X[400:], y[400:])
    assert [price.wish for price in found] == list(both.rule_list_.constraints)
    for price, other in zip(found, (without_few, without_recall), strict=True):
        assert price.objective == pytest.approx(other.solution_.objective - both.solution_.objective)
        assert price.objective >= 0
        assert price.score == pytest.approx(both.score(X[:400], y[:400]) - other.score(X[:400], y[:400]))
        assert price.test_score == pytest.approx(both.score(X[400:], y[400:]) - other.score(X[400:], y[400:]))
        assert price.n_rules == len(other.rule_list_)
        assert price.proven


def test_wishes_of_an_expert_have_a_price_too():
    rules = learned(MaxFeatures(3))
    name = rules.rule_list_[0].conditions[0].feature.name
    changed = rules.resolve(forbid=name)
    found = price_constraints(changed)
    assert len(found) == 2
    assert found[1].objective == pytest.approx(rules.solution_.objective - changed.solution_.objective)
    assert found[1].test_score is None


def test_without_constraints_there_are_no_prices():
    assert price_constraints(learned()) == []


@pytest.mark.parametrize("most", [None, 40])
def test_a_condition_costs_the_same_after_unpickling(most):
    given = [MaxFeatures(1), Forbid("worst area")]
    rules = RuleListClassifier(FOREST, max_rules=4, constraints=given, max_candidates=most).fit(X[:400], y[:400])
    again = rules
    for _ in range(2):
        again = pickle.loads(pickle.dumps(again)).with_rows(X[:400], y[:400])
    expected, found = price_constraints(rules), price_constraints(again)
    assert [price.objective for price in found] == [price.objective for price in expected]
    assert max(price.objective for price in found) > 0
    assert again.problem_.n_rules == rules.problem_.n_rules == len(rules.pool_)
