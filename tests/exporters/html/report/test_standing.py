"""The score of the list stands beside those of its rivals, on the same rows."""

import numpy as np
import pytest
from reports import fitted
from rule_lists import numbers
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import accuracy_score, median_absolute_error
from sklearn.tree import DecisionTreeClassifier

from hedgerow import InvalidParameterError, RuleListRegressor
from hedgerow.evidence.company import keep_company
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.exporters.html.report.standing import find_standing


def parts(rules, X, y, n_train):
    seen = rules.rule_list_.evaluate
    return [Samples("training", seen(X[:n_train]), y[:n_train]), Samples("held-out", seen(X[n_train:]), y[n_train:])]


def test_rivals_are_those_of_scikit_learn_from_the_simplest_to_the_most_complex():
    rules, X, y = fitted()
    standing = find_standing(rules.rule_list_, parts(rules, X, y, 80), rules, None)
    tree = DecisionTreeClassifier(max_leaf_nodes=len(rules.rule_list_), random_state=0).fit(X[:80], y[:80])
    models = [DummyClassifier().fit(X[:80], y[:80]), tree, rules, rules.ensemble_]
    scores = [accuracy_score(y[80:], model.predict(X[80:])) for model in models]
    assert [one.score for one in standing.competitors] == pytest.approx(scores)
    assert [one.is_list for one in standing.competitors] == [False, False, True, False]
    assert (standing.of, standing.n_rows, standing.score_name) == ("held-out", 40, "accuracy")
    assert standing.of_list == scores[2]
    assert [gain for gain, _ in standing.comparisons] == pytest.approx([scores[2] - scores[i] for i in (0, 1, 3)])


def test_scores_that_are_known_are_not_computed_again(monkeypatch):
    rules, X, y = fitted()
    company = keep_company(rules, X[:80], y[:80], X[80:], y[80:])
    monkeypatch.setattr("hedgerow.exporters.html.report.standing.keep_company", None)
    standing = find_standing(rules.rule_list_, parts(rules, X, y, 80), rules, company)
    assert [one.score for one in standing.competitors] == [
        company.of_majority,
        company.of_tree,
        company.of_list,
        company.of_ensemble,
    ]
    with pytest.raises(InvalidParameterError, match="pass X_test and y_test as well"):
        find_standing(rules.rule_list_, parts(rules, X, y, 80)[:1], rules, company)


def test_without_training_rows_there_is_the_default_and_without_held_out_rows_a_warning():
    rules, X, y = fitted()
    training, held_out = parts(rules, X, y, 80)
    for one in (training, held_out):
        standing = find_standing(rules.rule_list_, [one], rules, None)
        default = np.full(len(one.y), rules.rule_list_.default.prediction)
        assert standing.of == one.name
        assert [c.score for c in standing.competitors] == [
            accuracy_score(one.y, default),
            accuracy_score(one.y, one.seen.predictions),
        ]
    page = rules.rule_list_.to_html(X=X[:80], y=y[:80])
    assert "No rows were held out, so this says little about new ones" in page
    assert find_standing(rules.rule_list_, [Samples("training", training.seen)], rules, None) is None
    assert "it cannot say how often they are right" in rules.rule_list_.to_html(X=X[:80])


def test_numbers_have_the_median_error_of_the_list_and_of_the_mean():
    X, _ = numbers(80)
    y = X[:, 0] + X[:, 1] ** 2
    rules = RuleListRegressor(RandomForestRegressor(8, max_depth=3, random_state=0), max_rules=5).fit(X[:60], y[:60])
    standing = find_standing(rules.rule_list_, parts(rules, X, y, 60), rules, None)
    mean = np.full(20, y[:60].mean())
    assert standing.off == pytest.approx([median_absolute_error(y[60:], p) for p in (rules.predict(X[60:]), mean)])
    assert standing.interval is None
