"""A trace says of each budget what the estimator fitted for it says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from hedgerow import InfeasibleError, RuleListClassifier, RuleListClassifierCV, RuleListRegressor, trace_budgets

X, X_NEW, Y, Y_NEW = train_test_split(*load_wine(return_X_y=True), random_state=0)
FOREST = RandomForestClassifier(15, max_depth=3, random_state=0).fit(X, Y)


def test_each_row_is_that_of_the_budget_alone():
    trace = trace_budgets(RuleListClassifier(FOREST), X, Y, [2, 5, 8], validation=(X_NEW, Y_NEW))
    assert trace.score == "accuracy"
    assert_allclose(trace.ensemble_validation_score, FOREST.score(X_NEW, Y_NEW))
    for row in trace.rows:
        alone = RuleListClassifier(FOREST, max_rules=row["budget"]).fit(X, Y)
        tree = DecisionTreeClassifier(max_leaf_nodes=row["rules"], random_state=0).fit(X, Y)
        assert row["rules"] == len(alone.rule_list_)
        assert_allclose(row["train_score"], alone.score(X, Y))
        assert_allclose(row["validation_score"], alone.score(X_NEW, Y_NEW))
        assert_allclose(row["cart_validation_score"], tree.score(X_NEW, Y_NEW))
        assert_allclose(row["disagreement"], alone.fidelity(X).disagreement)
        weighed = 0.5 * row["stability"] - 0.5 * row["loss"]
        assert_allclose(weighed, alone.solution_.objective, atol=1e-9)


def test_a_fitted_estimator_keeps_its_ensemble():
    fitted = RuleListClassifierCV(FOREST, max_rules=[4], cv=2).fit(X, Y)
    trace = trace_budgets(fitted, X, Y, [1, 4])
    assert trace.column("budget").tolist() == [1, 4]
    assert np.isnan(trace.column("validation_score")).all()
    assert trace.rows[0]["train_score"] == trace.rows[0]["cart_train_score"]  # one rule: the majority class


def test_regression_and_a_frame():
    data = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(10, max_depth=2, random_state=0)
    frame = trace_budgets(RuleListRegressor(forest), *data, [3, 4]).to_frame()
    assert frame["budget"].tolist() == [3, 4]
    assert frame["disagreement"].between(0, data[1].var()).all()


def test_budgets_without_a_list_are_left_out():
    estimator = RuleListClassifier(FOREST, candidates="leaves")
    assert trace_budgets(estimator, X, Y, [1, 8]).column("budget").tolist() == [8]
    with pytest.raises(InfeasibleError, match="No budget has a list"):
        trace_budgets(estimator, X, Y, [1])
