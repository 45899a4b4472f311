"""The baseline has the shares that counting gives."""

import numpy as np
import pytest
from reports import evil_list, fitted

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.dossier.watching import find_baseline
from hedgerow.exporters.html.report.samples import HELD_OUT, TRAINING, check_samples
from hedgerow.features import Column, Inputs


def test_shares_are_those_of_each_table():
    rules, X, y = fitted()
    samples = [
        check_samples(rules.rule_list_, TRAINING, "X", X[:80], y[:80]),
        check_samples(rules.rule_list_, HELD_OUT, "X_test", X[80:], y[80:]),
    ]
    found = find_baseline(rules.rule_list_, samples)
    assert found.of == (("training", 80), ("held-out", 40))
    fired = [rules.apply(X[:80]), rules.apply(X[80:])]
    for number, shares in found.rules:
        assert shares == tuple(pytest.approx((one == number - 1).mean()) for one in fired)
    text, shares = next((text, shares) for text, shares in found.conditions if " <= " in text or " < " in text)
    name, threshold = text.replace("<=", "<").split(" < ")
    assert shares[0] == pytest.approx((X[:80][name] <= float(threshold)).mean(), abs=0.02)


def test_rows_that_no_rule_matches_are_a_share_of_their_own():
    a = Column(0, "a")
    rules = RuleList((Rule((Condition(a, upper=1.0),), 1.0, 1, 1.0, spread=0.0),), Rule((), 2.0), Inputs((a,)), None, 1)
    samples = [check_samples(rules, HELD_OUT, "X_test", np.array([[0.0], [2.0], [3.0], [4.0]]), None)]
    assert find_baseline(rules, samples).rules == ((1, (0.25,)), (0, (0.75,)))


def test_without_rows_the_list_knows_those_of_training_and_nothing_of_conditions():
    found = find_baseline(evil_list(), [])
    assert found.of == (("training", evil_list().n_samples),)
    assert not found.conditions
    unknown = RuleList(evil_list().rules, evil_list().default, evil_list().inputs, evil_list().classes)
    assert find_baseline(unknown, []) is None
