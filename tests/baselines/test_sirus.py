"""SIRUS: the most frequent rules of a forest that splits at quantiles, and their mean or non-negative sum."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import ShuffleSplit

from hedgerow import InvalidParameterError
from hedgerow.baselines import SirusClassifier, SirusRegressor


def test_splits_are_at_values_of_the_column_near_its_deciles(cancer):
    X, y = cancer
    model = SirusClassifier(p0=0, n_trees=50, random_state=0).fit(X, y)
    for rule in model.rules_:
        for condition in rule.conditions:
            column = X[:, condition.feature.index]
            threshold = condition.upper if np.isfinite(condition.upper) else condition.lower
            below = np.mean(column <= threshold)
            assert abs(10 * below - round(10 * below)) <= 0.2


def test_shares_are_the_plain_mean_of_the_outputs_of_the_rules(cancer):
    X, y = cancer
    model = SirusClassifier(p0=0, n_trees=50, random_state=0).fit(X, y)
    holds = model.weighted_rules_.matches(X)
    said = [np.where(h, y[h].mean(), y[~h].mean()) for h in holds.T]
    assert len(said) == 8
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], np.mean(said, axis=0))


def test_shares_of_three_classes_are_the_plain_mean_too():
    X, y = load_iris(return_X_y=True)
    model = SirusClassifier(p0=0, n_trees=30, random_state=0).fit(X, y)
    holds, one_hot = model.weighted_rules_.matches(X), np.eye(3)[y]
    said = [np.where(h[:, None], one_hot[h].mean(axis=0), one_hot[~h].mean(axis=0)) for h in holds.T]
    np.testing.assert_allclose(model.predict_proba(X), np.mean(said, axis=0))


def test_numbers_are_a_sum_with_non_negative_weights(diabetes):
    X, y = diabetes
    model = SirusRegressor(p0=0, n_trees=50, max_rules=6, random_state=0).fit(X, y)
    rules = model.weighted_rules_
    said = [np.where(h, y[h].mean(), y[~h].mean()) for h in rules.matches(X).T]
    assert (rules.weights > 0).all()
    np.testing.assert_allclose(model.predict(X), rules.intercept[0] + rules.weights[:, 0] @ said)


def test_no_rule_is_a_combination_of_those_before(cancer):
    X, y = cancer
    model = SirusClassifier(p0=0, max_rules=None, n_trees=100, random_state=0).fit(X, y)
    rng = np.random.default_rng(0)
    mixed = np.column_stack([rng.permutation(np.tile(column, 10)) for column in X.T])
    holds = model.weighted_rules_.matches(np.vstack([X, mixed]))
    assert np.linalg.matrix_rank(np.column_stack([np.ones(len(holds)), holds])) == len(model.rules_) + 1


def test_rules_are_those_above_p0_the_most_frequent_first(cancer):
    X, y = cancer
    every = SirusClassifier(p0=0, max_rules=None, n_trees=100, random_state=0).fit(X, y)
    some = SirusClassifier(p0=0.1, max_rules=None, n_trees=100, random_state=0).fit(X, y)
    assert 0 < len(some.rules_) < len(every.rules_) <= 25
    assert (some.frequencies_ > 0.1).all()
    assert (np.diff(every.frequencies_) <= 0).all()
    assert some.rules_ == every.rules_[: len(some.rules_)]


@pytest.mark.parametrize("kind", [SirusClassifier, SirusRegressor])
def test_p0_by_folds_is_one_of_those_tried_and_keeps_the_budget(kind, diabetes, cancer):
    X, y = cancer if kind is SirusClassifier else diabetes
    model = kind(max_rules=5, cv=3, n_trees=30, random_state=0).fit(X, y)
    assert model.p0_ in model.p0_path_["p0"]
    assert 1 <= len(model.rules_) <= 5
    assert len(model.p0_path_["error"]) == len(model.p0_path_["stability"]) == len(model.p0_path_["p0"])
    assert ((model.p0_path_["stability"] >= 0) & (model.p0_path_["stability"] <= 1)).all()


def test_a_fitted_ensemble_stays_the_same_in_the_folds_so_that_its_rules_are_stable(diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(np.round(X, 1), y)
    model = SirusRegressor(forest, max_rules=3, cv=3).fit(np.round(X, 1), y)
    assert model.ensemble_ is forest
    assert model.p0_path_["stability"].max() > 0.6


def test_missing_values_go_where_the_forest_sends_them(cancer):
    X, y = cancer
    X = X.copy()
    X[::5, 0] = np.nan
    model = SirusClassifier(p0=0, n_trees=30, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"p0": 1.5}, "p0 must be a number between 0 and 1, or None"),
        ({"n_quantiles": 1}, "n_quantiles must be an integer of at least 2"),
        ({"n_trees": 0}, "n_trees must be an integer of at least 1"),
        ({"cv": 0}, "cv must be an integer of at least 2"),
    ],
)
def test_invalid_parameters_are_rejected(parameters, message, cancer):
    with pytest.raises(InvalidParameterError, match=message):
        SirusClassifier(**parameters).fit(*cancer)


def test_p0_always_leaves_a_rule_also_if_the_two_most_frequent_are_as_frequent():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    y = X[:, 0] * 2 + (X[:, 1] > 0) + 0.1 * rng.normal(size=120)
    forest = RandomForestRegressor(20, max_depth=2, random_state=0)
    for shift in (0.0, 1e6):
        for weight in (None, np.full(120, 2.0)):
            model = SirusRegressor(forest, cv=3, random_state=0).fit(X, y + shift, weight)
            assert len(model.ranked_rules_) > 0
            assert (model.p0_path_["p0"] < max(model.frequencies_)).all()


def test_one_split_is_enough_to_choose_p0():
    X, y = load_iris(return_X_y=True)
    split = ShuffleSplit(1, random_state=0)
    assert len(SirusClassifier(max_rules=4, n_trees=20, cv=split, random_state=0).fit(X, y).rules_) > 0
    assert len(SirusRegressor(max_rules=4, n_trees=20, cv=split, random_state=0).fit(X, y).rules_) > 0
