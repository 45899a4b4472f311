"""Training rows are recognized by the counts of the list, and other rows are not taken for them."""

import numpy as np
import pandas as pd
import pytest
from reports import evil_list, faithful_list, fitted
from rule_lists import KINDS

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.exporters.html.dossier.origin import find_origin
from hedgerow.exporters.html.report.samples import HELD_OUT, TRAINING, check_samples
from hedgerow.smoothing import ShrinkToDefault


def origin(rules, X, y=None):
    rules = getattr(rules, "rule_list_", rules)
    return find_origin(rules, [check_samples(rules, TRAINING, "X", X, y)])


def table(n=200):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    return X, np.where(X["a"] + X["b"] > 0, "yes", "no")


def test_the_training_rows_fit_in_any_order():
    rules, X, y = fitted()
    assert origin(rules, X[:80], y[:80]).fits is True
    assert origin(rules, X[:80][::-1], y[:80][::-1]).fits is True
    assert origin(rules, X[:80]).fits is True


def test_lists_that_are_taught_or_explain_a_model_know_their_rows():
    rules, _, X, y = faithful_list()
    assert origin(rules, X[:200], y[:200]).fits is True
    X, y = table()
    assert origin(RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y), X, y).fits is True
    numbers = X["a"].to_numpy() ** 2
    assert origin(RuleListRegressor(max_rules=4, random_state=0).fit(X, numbers), X, numbers).fits is True
    model, X, y = KINDS["sktime"]()
    assert origin(RuleListClassifier(model, max_rules=6).fit(X, y), X, y).fits is True


def test_numbers_that_a_teacher_has_moved_are_no_fault():
    X, _ = table(120)
    numbers = X["a"].to_numpy() * 2 + np.random.default_rng(1).normal(size=120)
    corrected = RuleListRegressor.accurate(max_rules=20, random_state=0).fit(X, numbers)
    assert origin(corrected, X, numbers).fits is True
    rules = RuleListRegressor.accurate(max_rules=20, target="ensemble", random_state=0).fit(X, numbers)
    assert origin(rules, X, numbers).fits is None
    assert origin(rules, X).fits is True
    assert origin(rules, X[:90], numbers[:90]).fits is False


def test_smoothed_shares_are_no_fault():
    X, y = table()
    rules = RuleListClassifier(max_rules=4, smoothing=ShrinkToDefault(5.0), random_state=0).fit(X, y)
    assert origin(rules, X, y).fits is None


def test_other_rows_do_not_fit():
    rules, X, y = fitted()
    assert origin(rules, X[80:], y[80:]).why == "the list was learned from 80 rows, and these are 40"
    assert "rule 1 covered" in origin(rules, X[:80] + 100.0, y[:80]).why
    shifted = origin(rules, X[:80], np.roll(y[:80], 1))
    assert shifted.fits is False
    assert "their targets differ" in shifted.why


def test_what_cannot_be_compared_is_said():
    X, y = table()
    weight = np.where(np.arange(200) < 150, 1.0, 0.0)
    weight[:30] = 3.0
    rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y, sample_weight=weight)
    assert origin(rules, X, y).fits is None
    assert origin(rules, X[:150]).fits is True
    assert origin(rules, X[:150], y[:150]).fits in (True, None)
    assert origin(rules, X[:90], y[:90]).fits is False


def test_held_out_rows_have_no_origin():
    rules, X, y = fitted()
    assert find_origin(rules.rule_list_, []) is None
    assert find_origin(rules.rule_list_, [check_samples(rules.rule_list_, HELD_OUT, "X_test", X[80:], y[80:])]) is None
    unknown = evil_list()
    X = np.array([[1.0, "plain"]], dtype=object)
    assert origin(type(unknown)(unknown.rules, unknown.default, unknown.inputs, unknown.classes), X).fits is None


@pytest.mark.parametrize("balance", [None, "balanced"])
def test_class_weights_do_not_make_training_rows_foreign(balance):
    from sklearn.ensemble import RandomForestClassifier

    X, y = table()
    forest = RandomForestClassifier(5, max_depth=3, class_weight=balance, random_state=0)
    assert origin(RuleListClassifier(forest, max_rules=4).fit(X, y), X, y).fits is True
