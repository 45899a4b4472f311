"""Rows that are not new are recognized: all training rows by what rules make of them, some by an estimator."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.evidence import validate
from hedgerow.evidence.groups import measured
from hedgerow.evidence.training_rows import among_training, are_training


def fitted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + rng.normal(0, 0.5, 200) > 0, "p", "q")
    forest = RandomForestClassifier(5, max_depth=2, random_state=0)
    return RuleListClassifier(forest, max_rules=3, random_state=0).fit(X[:120], y[:120]), X, y


def test_training_rows_are_recognized():
    rules, X, y = fitted()
    with pytest.warns(UserWarning, match="These seem to be the training rows"):
        validate(rules.rule_list_, X[:120], y[:120])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        validate(rules, X[120:], y[120:])
    held_out = measured(rules.rule_list_, rules.rule_list_.evaluate(X[80:]), y[80:])
    assert not are_training(rules.rule_list_, held_out)


def test_an_estimator_knows_its_rows_among_others():
    rules, X, y = fitted()
    assert among_training(rules, X) == 120
    assert among_training(rules, X[120:]) == 0
    assert among_training(rules.rule_list_, X) == 0
    assert among_training(pickle.loads(pickle.dumps(rules)), X) == 0
    with pytest.warns(UserWarning, match="40 of the 120 rows are among the training rows"):
        validate(rules, X[80:], y[80:])


def test_rows_that_are_equal_by_chance_are_not_taken_for_known():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(100, 2)).astype(float)
    rules = RuleListClassifier(RandomForestClassifier(3, max_depth=2, random_state=0), max_rules=2).fit(X, X[:, 0] > 0)
    assert among_training(rules, X) == 0


def test_they_are_recognized_where_a_teacher_corrects_the_mean_of_a_small_rule():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.where(X[:, 0] > 1.5, 10 + X[:, 1], X[:, 1])
    rules = RuleListRegressor.accurate(max_rules=4, random_state=0).fit(X, y).rule_list_
    fired = rules.apply(X)
    assert any(rule.prediction != pytest.approx(y[fired == i].mean()) for i, rule in enumerate(rules))
    with pytest.warns(UserWarning, match="These seem to be the training rows"):
        validate(rules, X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        validate(rules, X, y[::-1])


def test_training_rows_of_a_regression_are_recognized():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X[:, 0] + X[:, 1] ** 2
    with pytest.warns(UserWarning, match="These seem to be the training rows"):
        validate(RuleListRegressor(max_rules=3, random_state=0).fit(X, y), X, y)
