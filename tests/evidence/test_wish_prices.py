"""Which wishes are priced unasked: those that the list does not grant already."""

import pickle

import numpy as np
import pandas as pd
from small_data import DIABETES, IRIS, small_forest

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.constraints import MaxConditions, MaxFeatures, MinCoverage, MinRecall, Monotone, Require
from hedgerow.evidence.wish_prices import is_cheap, price_wishes, usual_wishes


def credit(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"income": rng.uniform(0, 10, n), "debt": rng.uniform(0, 10, n)})
    y = np.where(X["income"] - X["debt"] + rng.normal(0, 2, n) > 3, "paid", "lost")
    return X, y


def fitted(**parameters):
    X, y = credit()
    return RuleListClassifier(small_forest(X, y, depth=3, n=30), candidates="nodes", **parameters).fit(X, y)


def test_each_wish_is_about_what_the_list_is():
    rules = fitted(max_rules=5)
    wishes = list(usual_wishes(rules))
    n_rules = len(rules.rule_list_)
    longest = max(len(rule.simplified) for rule in rules.rule_list_)
    used = {c.feature.name for rule in rules.rule_list_ for c in rule.conditions}
    assert {"max_rules": n_rules - 1} in wishes
    assert MaxConditions(each=longest - 1) in wishes
    assert (MaxFeatures(1) in wishes) is (len(used) > 1)
    assert {one["forbid"] for one in wishes if isinstance(one, dict) and "forbid" in one} == used
    assert any(isinstance(one, MinCoverage) for one in wishes) is (min(r.share for r in rules.rule_list_) < 0.05)


def test_the_rarest_class_is_asked_to_be_found_more_often_than_it_is():
    rules, (X, y) = fitted(max_rules=3), credit()
    (wish,) = [one for one in usual_wishes(rules) if isinstance(one, MinRecall)]
    ((label, recall),) = wish.shares.items()
    assert label == "paid"
    assert recall > np.mean(rules.predict(X)[y == "paid"] == "paid")


def test_predictions_are_asked_to_move_as_they_mostly_do():
    wishes = [one for one in usual_wishes(fitted(max_rules=4)) if isinstance(one, Monotone)]
    assert {str(one) for one in wishes} <= {str(Monotone({"income": 1})), str(Monotone({"debt": -1}))}
    assert wishes


def test_what_is_insisted_on_already_is_not_priced_again():
    wishes = list(usual_wishes(fitted(max_rules=4, constraints=[Monotone({"income": 1}), Require(feature="income")])))
    assert not [one for one in wishes if isinstance(one, Monotone) and "income" in one.signs]
    assert {"forbid": "income"} not in wishes


def test_an_ensemble_that_is_asked_where_no_rule_matches_promises_nothing():
    assert not [one for one in usual_wishes(fitted(max_rules=4, uncovered="ensemble")) if isinstance(one, Monotone)]
    assert price_wishes(fitted(max_rules=4, uncovered="ensemble"))


def test_of_more_than_two_labels_none_is_the_larger():
    rules = RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    assert not [one for one in usual_wishes(rules) if isinstance(one, Monotone)]


def test_prices_are_those_of_the_wishes_one_by_one():
    rules, (X, y) = fitted(max_rules=3), credit(seed=1)
    found = price_wishes(rules, X, y, time_limit=None)
    for wish, price in zip(usual_wishes(rules), found, strict=True):
        alone = rules.price(None, X, y, **wish) if isinstance(wish, dict) else rules.price(wish, X, y)
        assert (price.wish, price.objective, price.test_score) == (alone.wish, alone.objective, alone.test_score)


def test_numbers_have_no_recall():
    X, y = DIABETES
    rules = RuleListRegressor(max_rules=3, random_state=0).fit(X, y)
    assert not [one for one in usual_wishes(rules) if isinstance(one, MinRecall)]
    assert all(price.proven for price in price_wishes(rules))


def test_lists_that_took_long_or_have_lost_their_rows_are_not_solved_again_unasked():
    rules = fitted(max_rules=3)
    assert is_cheap(rules)
    assert not is_cheap(pickle.loads(pickle.dumps(rules)))
    slow = fitted(max_rules=3)
    vars(slow.solution_)["seconds"] = 10.0
    assert not is_cheap(slow)


def test_a_list_of_one_rule_without_conditions_has_few_wishes():
    X, y = credit()
    rules = RuleListClassifier(small_forest(X, y), max_rules=1, candidates="nodes").fit(X, y)
    assert len(rules.rule_list_) == 1
    assert all(isinstance(one, MinRecall) for one in usual_wishes(rules))
