"""The reliance on a feature is the mean drop of the score over all pairs of samples that swap its values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import permutation_importance
from sklearn.metrics import accuracy_score, r2_score
from small_data import DIABETES, IRIS, small_forest

from hedgerow import Condition, Rule, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.features import Column, Inputs
from hedgerow.rules.reliance import reliances


def of(rule_list, X, y, weight=None):
    values = rule_list.evaluate(X).values
    found = reliances(rule_list, values.__getitem__, y, np.ones(len(y)) if weight is None else weight)
    return {feature.name: loss for feature, loss in found.items()}


def by_all_pairs(rule_list, X, y, column, score, weight):
    mixed = np.repeat(X, len(X), axis=0)
    mixed[:, column] = np.tile(X[:, column], len(X))
    pairs = np.repeat(weight, len(X)) * np.tile(weight, len(X))
    before = score(y, rule_list.predict(X), sample_weight=weight)
    return before - score(np.repeat(y, len(X)), rule_list.predict(mixed), sample_weight=pairs)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), numbers=st.booleans(), budget=st.integers(2, 6))
def test_it_is_the_mean_over_all_pairs(seed, numbers, budget):
    rng = np.random.default_rng(seed)
    X, weight = rng.integers(0, 6, (40, 3)).astype(float), rng.integers(1, 4, 40).astype(float)
    y = (X[:, 0] + rng.normal(0, 2, 40) > X[:, 1]).astype(int)
    kind, score = (RuleListRegressor, r2_score) if numbers else (RuleListClassifier, accuracy_score)
    y = y * 2.5 + X[:, 2] if numbers else y
    forest = (RandomForestRegressor if numbers else RandomForestClassifier)(20, max_depth=3, random_state=seed)
    rules = kind(forest, max_rules=budget).fit(X, y).rule_list_
    for name, loss in of(rules, X, y, weight).items():
        assert loss == pytest.approx(by_all_pairs(rules, X, y, int(name[1:]), score, weight))


def test_it_is_what_the_permutation_importance_of_scikit_learn_approaches():
    rules = RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    drawn = permutation_importance(rules, *IRIS, n_repeats=300, random_state=0)
    for name, loss in of(rules.rule_list_, *IRIS).items():
        k = int(name[1:])
        assert loss == pytest.approx(drawn.importances_mean[k], abs=5 * drawn.importances_std[k] / np.sqrt(300))


def test_features_that_no_rule_looks_at_are_left_out():
    X, y = DIABETES
    rules = RuleListRegressor(max_rules=3, random_state=0).fit(X, y).rule_list_
    assert set(of(rules, X, y)) == {c.feature.name for rule in rules for c in rule.conditions}


def test_many_rules_are_told_apart():
    x = Column(0, "x")
    rules = tuple(Rule((Condition(x, upper=float(i)),), i % 7, 1, 1 / 80, spread=0.0) for i in range(80))
    rule_list = RuleList(rules, Rule((), 0.5, spread=0.0), Inputs((x,)), n_samples=80)
    X = np.arange(80.0)[:, None]
    y = np.arange(80.0) % 7
    assert of(rule_list, X, y)["x"] == pytest.approx(by_all_pairs(rule_list, X, y, 0, r2_score, np.ones(80)))


def test_columns_with_the_same_name_are_told_apart():
    one, other = Column(0, "x"), Column(1, "x")
    rules = (
        Rule((Condition(one, upper=0.0),), "a", 2, 0.5, (1.0, 0.0)),
        Rule((Condition(other, upper=0.0),), "b", 2, 0.5, (0.0, 1.0)),
    )
    default = Rule((), "b", distribution=(0.0, 1.0))
    rule_list = RuleList(rules, default, Inputs((one, other)), np.array(["a", "b"]), 4)
    X, y = np.array([[0.0, 1], [0, 1], [1, 0], [1, 0]]), np.array(["a", "a", "b", "b"])
    found = reliances(rule_list, rule_list.evaluate(X).values.__getitem__, y, np.ones(4))
    assert found == {one: 0.5, other: 0.0}
