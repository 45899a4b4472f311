"""Fidelity is agreement with the ensemble, inside and out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestRegressor
from small_forests import FIGURE, STUMP, forest, tree

from hedgerow import InvalidParameterError, Rule, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.fidelity import disagreement, represented_trees
from hedgerow.pool import make_pool

#: R_2 of the paper: it shares only its first condition with the figure's tree.
SECOND = tree((10, 0.7, 1, 2), (5, -4.1, 3, 4), None, None, None)


def listed(*rules):
    return RuleList(rules, Rule(()), forest(FIGURE).inputs)


def test_the_papers_example_of_represented_trees():
    ensemble = forest(FIGURE)
    first = make_pool(ensemble).rule(0)
    second = make_pool(forest(SECOND)).rule(0)
    assert str(second) == "x10 <= 0.7 and x5 <= -4.1"
    assert represented_trees(listed(first), ensemble, by="path") == 1
    assert represented_trees(listed(first), ensemble, by="condition") == 1
    assert represented_trees(listed(second), ensemble, by="path") == 0
    assert represented_trees(listed(second), ensemble, by="condition") == 1


def test_the_side_of_a_condition_counts():
    right_only = make_pool(forest(STUMP)).rule(2)
    assert str(right_only) == "x10 > 0.7"
    left_only = forest(tree((10, 0.7, 1, 2), None, None))
    assert represented_trees(listed(right_only), left_only, by="path") == 1
    other = tree((10, 0.7, 1, 2), (10, 0.7, 3, 4), None, None, None)
    assert represented_trees(listed(make_pool(forest(other)).rule(2)), forest(FIGURE), by="path") == 0


def test_a_share_of_the_trees():
    ensemble = forest(FIGURE, STUMP, SECOND, tree((3, 1.0, 1, 2), None, None))
    rule = make_pool(forest(STUMP)).rule(0)  # x10 <= 0.7 and x8 <= 12.2
    assert represented_trees(listed(rule), ensemble, by="path") == 0.5
    assert represented_trees(listed(rule), ensemble, by="condition") == 0.75
    with pytest.raises(InvalidParameterError, match="'condition' or 'path'"):
        represented_trees(listed(rule), ensemble, by="node")


def test_conditions_on_categories_are_found():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 6, 300), rng.normal(size=300)])
    y = np.isin(X[:, 0], [1, 4]) ^ (X[:, 1] > 1)
    model = HistGradientBoostingClassifier(max_iter=5, max_leaf_nodes=4, categorical_features=[0]).fit(X, y)
    fitted = RuleListClassifier(model, max_rules=4).fit(X, y)
    assert any(c.categories for rule in fitted.rule_list_ for c in rule.conditions)
    assert represented_trees(fitted.rule_list_, model, by="path") > 0


def test_disagreement_is_with_the_ensemble_not_with_y():
    X, y = load_wine(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=10, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListClassifier(model, max_rules=4).fit(X, y)
    expected = np.mean(fitted.predict(X) != model.predict(X))
    assert_allclose(disagreement(fitted.rule_list_, model, X), expected)
    summary = fitted.fidelity(X, y)
    assert summary.disagreement == expected
    assert_allclose(summary.ensemble_score, model.score(X, y))
    assert_allclose(summary.score, fitted.score(X, y))
    assert summary.uncovered == summary.overlapping == 0  # on the training data
    assert "disagreement with the ensemble" in str(summary)


def test_disagreement_of_a_regression_is_squared():
    X, y = load_diabetes(return_X_y=True)
    model = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListRegressor(model, max_rules=4).fit(X, y)
    summary = fitted.fidelity(X, y)
    assert_allclose(summary.disagreement, np.mean((fitted.predict(X) - model.predict(X)) ** 2))
    assert_allclose(summary.ensemble_score, model.score(X, y))
    assert fitted.fidelity(X).score is None
