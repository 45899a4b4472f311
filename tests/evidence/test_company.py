"""The scores beside the list's are those of scikit-learn's own models on the same samples."""

import numpy as np
import pandas as pd
import pytest
from aeon.classification.interval_based import TimeSeriesForestClassifier
from numpy.testing import assert_allclose
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.evidence.company import grow_surrogate, keep_company


def test_labels_have_the_scores_of_the_models_themselves():
    X, X_test, y, y_test = train_test_split(*load_wine(return_X_y=True), random_state=1)
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    rules = RuleListClassifier(forest, max_rules=4).fit(X, y)
    company = keep_company(rules, X, y, X_test, y_test)
    assert company.score_name == "accuracy"
    assert company.n_rules == len(rules.rule_list_) == company.tree_leaves
    tree = DecisionTreeClassifier(max_leaf_nodes=company.n_rules, random_state=0).fit(X, y)
    assert_allclose(company.of_list, rules.score(X_test, y_test))
    assert_allclose(company.of_ensemble, forest.score(X_test, y_test))
    assert_allclose(company.of_tree, tree.score(X_test, y_test))
    assert_allclose(company.of_majority, DummyClassifier().fit(X, y).score(X_test, y_test))
    assert company.n_right == np.sum(rules.predict(X_test) == y_test)
    assert company.beats_majority


def test_numbers_with_weights_have_the_scores_of_the_models_themselves():
    X, y = load_diabetes(return_X_y=True)
    weight = np.linspace(0.5, 2, len(y))
    X, X_test, y, y_test, weight, weight_test = train_test_split(X, y, weight, random_state=0)
    forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    rules = RuleListRegressor(forest, max_rules=4).fit(X, y, weight)
    company = keep_company(rules, X, y, X_test, y_test, weight, weight_test)
    tree = DecisionTreeRegressor(max_leaf_nodes=company.n_rules, random_state=0).fit(X, y, sample_weight=weight)
    mean = DummyRegressor().fit(X, y, sample_weight=weight)
    assert company.n_right is None
    assert_allclose(company.of_list, rules.score(X_test, y_test, weight_test))
    assert_allclose(company.of_tree, tree.score(X_test, y_test, weight_test))
    assert_allclose(company.of_majority, mean.score(X_test, y_test, weight_test))


def test_a_surrogate_is_grown_on_what_the_model_predicts():
    X, X_test, y, _ = train_test_split(*load_wine(return_X_y=True), random_state=1)
    model = SVC().fit(X, y)  # which is often wrong
    rules = RuleListClassifier.faithful(model, max_rules=3, random_state=0).fit(X, y)
    found = grow_surrogate(rules, X, X_test)
    tree = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X, model.predict(X))
    assert found.n_leaves == len(rules.rule_list_) == 3
    assert_allclose(found.agreement, np.mean(tree.predict(X_test) == model.predict(X_test)))


def test_a_surrogate_of_numbers_has_r2_to_the_model():
    X, X_test, y, _ = train_test_split(*load_diabetes(return_X_y=True), random_state=1)
    model = RandomForestRegressor(20, random_state=0).fit(X, y)
    rules = RuleListRegressor.faithful(model, max_rules=4, random_state=0).fit(X, y)
    tree = DecisionTreeRegressor(max_leaf_nodes=4, random_state=0).fit(X, model.predict(X))
    expected = r2_score(model.predict(X_test), tree.predict(X_test))
    assert_allclose(grow_surrogate(rules, X, X_test).agreement, expected, atol=1e-6)


def table_with_strings(n=400):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(0, 90, n).astype(float), "color": rng.choice(["red", "blue", "lime"], n)})
    X["color"] = X["color"].astype(object)
    y = np.where((X["color"] == "lime") & (X["age"] > 45), "yes", "no")
    X.loc[::7, "age"] = np.nan
    return X, y


def test_the_tree_sees_strings_and_missing_numbers_as_the_ensemble_does():
    X, X_test, y, y_test = train_test_split(*table_with_strings(), random_state=0)
    encoder = make_column_transformer((OneHotEncoder(sparse_output=False), ["color"]), remainder="passthrough")
    model = make_pipeline(encoder, RandomForestClassifier(30, max_depth=2, random_state=0)).fit(X, y)
    rules = RuleListClassifier(model, max_rules=3, stability_weight=0).fit(X, y)
    company = keep_company(rules, X, y, X_test, y_test)
    assert company.n_rules == 3
    tree = make_pipeline(encoder, DecisionTreeClassifier(max_leaf_nodes=3, random_state=0)).fit(X, y)
    assert_allclose(company.of_tree, tree.score(X_test, y_test))


def test_a_list_that_ignores_what_matters_loses_to_the_tree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 2))
    y = X[:, 0] > 0
    blind = RandomForestClassifier(5, max_depth=1, max_features=1, random_state=0)
    rules = RuleListClassifier(blind.fit(X * [0, 1], y), max_rules=2).fit(X, y)
    company = keep_company(rules, X[:400], y[:400], X[400:], y[400:])
    assert company.of_tree > 0.99
    assert company.loses_to_tree
    twin = keep_company(RuleListClassifier(max_rules=2, random_state=0).fit(X, y), X, y, X, y)
    assert not twin.loses_to_tree  # as good as the tree, or nearly


def test_the_standard_error_is_the_spread_of_the_difference_over_many_draws():
    X, X_test, y, y_test = train_test_split(*load_diabetes(return_X_y=True), random_state=0, test_size=0.5)
    rules = RuleListRegressor(RandomForestRegressor(20, max_depth=3, random_state=0), max_rules=3).fit(X, y)
    company = keep_company(rules, X, y, X_test, y_test)
    rng, drawn = np.random.default_rng(0), []
    tree = DecisionTreeRegressor(max_leaf_nodes=company.tree_leaves, random_state=0).fit(X, y)
    for _ in range(500):
        rows = rng.integers(len(y_test), size=len(y_test))
        drawn.append(tree.score(X_test[rows], y_test[rows]) - rules.score(X_test[rows], y_test[rows]))
    assert company.error_to_tree == pytest.approx(np.std(drawn), rel=0.2)


def test_the_teacher_of_a_list_of_series_sees_the_features():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, 1, 20)), np.repeat(["a", "b"], 20)
    X[y == "b", :, 5:10] += 2
    intervals = TimeSeriesForestClassifier(n_estimators=5, random_state=0)
    rules = RuleListClassifier.accurate(intervals, max_rules=2, random_state=0).fit(X[::2], y[::2])
    company = keep_company(rules, X[::2], y[::2], X[1::2], y[1::2])
    assert company.of_ensemble == rules.teacher_.score(rules.ensemble_.table(X[1::2]), y[1::2])


def test_a_single_held_out_number_has_no_score():
    X, y = load_diabetes(return_X_y=True)
    rules = RuleListRegressor(RandomForestRegressor(5, max_depth=2, random_state=0), max_rules=3).fit(X, y)
    company = keep_company(rules, X, y, X[:1], y[:1])
    assert np.isnan(company.of_list)
    assert not company.loses_to_tree
