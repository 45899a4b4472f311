"""Constraints hold, and the list is the best one under them, with presets, teachers and in cross-validation."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score

from hedgerow import RuleListClassifier, RuleListClassifierCV, RuleListRegressor, RuleListRegressorCV
from hedgerow.constraints import Forbid, MaxFeatures, MinCoverage, MinRecall, Monotone, ParityGap


def drawn(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 10, (n, 3)).astype(float), columns=["age", "income", "debt"])
    X["sex"] = rng.integers(0, 2, n).astype(float)
    y = np.where(X["income"] - X["debt"] + 3 * X["sex"] + rng.normal(0, 3, n) > 2, "good", "bad")
    return X, y


X, Y = drawn()
FOREST = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, Y)


def best_of_two(rules, fits):
    """The best objective of all lists of at most two rules: each candidate with every other that is its complement."""
    free = rules.posed_.free
    problem, told = free.problem, free.candidates.predictions
    held = problem.coverage.held(np.arange(problem.n_rules))
    samples = free.coverage.of_first(len(X)).held(np.arange(problem.n_rules))
    alike = {}
    for j, mine in enumerate(held):
        alike.setdefault(mine.tobytes(), []).append(j)
    best = -np.inf
    for j, mine in enumerate(held):
        partners = [()] if mine.all() else [(k,) for k in alike.get((~mine).tobytes(), []) if k > j]
        for others in partners:
            chosen = [j, *others]
            score = problem.scores[chosen].sum()
            if score > best:
                said = np.empty(len(X), dtype=object)
                for k in chosen:
                    said[samples[k]] = told[k]["prediction"]
                if fits([free.pool.rule(k) for k in chosen], samples[chosen], said):
                    best = score
    return best


def uses(rules):
    return {condition.feature.name for rule in rules for condition in rule.conditions}


def gap(said):
    return abs(np.mean(said[X["sex"] == 1] == "good") - np.mean(said[X["sex"] == 0] == "good"))


WISHES = [
    (MinRecall({"bad": 0.8}), lambda rules, held, said: np.mean(said[Y == "bad"] == "bad") >= 0.8 - 1e-9),
    (Forbid(feature="income"), lambda rules, held, said: "income" not in uses(rules)),
    (MaxFeatures(1), lambda rules, held, said: len(uses(rules)) <= 1),
    (MinCoverage(20), lambda rules, held, said: held.sum(axis=1).min() >= 20),
    (ParityGap("sex", 0.05), lambda rules, held, said: gap(said) <= 0.05 + 1e-9),
]


@pytest.mark.parametrize(("wish", "fits"), WISHES, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("how", ["accurate", "faithful", "faithful to no tree"])
def test_presets_give_the_best_list_of_two_rules_that_grants_the_wish(how, wish, fits):
    if how == "accurate":
        rules = RuleListClassifier.accurate(max_rules=2, constraints=[wish], random_state=0, time_limit=300)
    elif how == "faithful":
        rules = RuleListClassifier.faithful(FOREST, max_rules=2, constraints=[wish], random_state=0, time_limit=300)
    else:
        model = LogisticRegression().fit(X, Y)
        rules = RuleListClassifier.faithful(model, max_rules=2, constraints=[wish], random_state=0, time_limit=300)
    rules.fit(X, Y)
    assert rules.solution_.optimal
    assert rules.solution_.objective == pytest.approx(best_of_two(rules, fits), abs=1e-9)
    held = rules.rule_list_.matches(X).T
    assert fits(list(rules.rule_list_), held, np.asarray(rules.predict(X), dtype=object))


def test_monotone_lists_of_presets_keep_their_promise():
    low = drawn(500, seed=1)[0]
    high = low.assign(income=low["income"] + np.random.default_rng(2).integers(1, 5, len(low)))
    for rules in (
        RuleListClassifier.accurate(max_rules=5, constraints=[Monotone({"income": 1})], random_state=0, time_limit=300),
        RuleListClassifier.faithful(
            FOREST, max_rules=5, constraints=[Monotone({"income": 1})], random_state=0, time_limit=300
        ),
    ):
        rules.fit(X, Y)
        assert (rules.predict_proba(high)[:, 1] >= rules.predict_proba(low)[:, 1]).all()
    numbers = X["income"] - X["debt"]
    model = RandomForestRegressor(20, max_depth=4, random_state=0).fit(X, numbers)
    wishes = [Monotone({"income": 1, "debt": -1})]
    for rules in (
        RuleListRegressor.accurate(max_rules=6, constraints=wishes, random_state=0, time_limit=300),
        RuleListRegressor.faithful(model, max_rules=6, constraints=wishes, random_state=0, time_limit=300),
    ):
        rules.fit(X, numbers)
        assert (rules.predict(high) >= rules.predict(low)).all()
        assert len(rules.rule_list_) > 2


@pytest.mark.parametrize("preset", [None, "accurate", "faithful"])
def test_every_list_of_a_cross_validation_grants_the_wish(preset):
    wishes = [Forbid(feature="income"), MinRecall({"bad": 0.6})]
    more = {"max_rules": [2, 3], "cv": 2, "constraints": wishes, "random_state": 0, "time_limit": 300}
    if preset is None:
        search = RuleListClassifierCV(FOREST, candidates="nodes", min_coverages=(0.0,), **more)
    elif preset == "accurate":
        search = RuleListClassifierCV.accurate(**more)
    else:
        search = RuleListClassifierCV.faithful(FOREST, **more)
    search.fit(X, Y)
    assert search.solution_.optimal
    assert "income" not in uses(search.rule_list_)
    assert recall_score(Y, search.predict(X), pos_label="bad") >= 0.6
    assert search.rule_list_.constraints == ("no rule uses income", str(wishes[1]))


def test_a_budget_that_no_fold_can_keep_is_left_out_of_a_cross_validation():
    wish = MinRecall({"bad": 0.75})
    search = RuleListClassifierCV(
        FOREST, max_rules=[1, 3], cv=3, candidates="nodes", min_coverages=(0.0,), constraints=[wish]
    ).fit(X, Y)
    assert search.best_max_rules_ == 3
    assert recall_score(Y, search.predict(X), pos_label="bad") >= 0.75


def test_numbers_are_cross_validated_under_a_promise():
    y = X["income"] - X["debt"]
    forest = RandomForestRegressor(10, max_depth=3, random_state=0)
    search = RuleListRegressorCV(
        forest, max_rules=[2, 4], cv=3, candidates="nodes", constraints=[Monotone({"income": 1})], random_state=0
    ).fit(X, y)
    low = drawn(500, seed=1)[0]
    assert (search.predict(low.assign(income=low["income"] + 2)) >= search.predict(low)).all()
