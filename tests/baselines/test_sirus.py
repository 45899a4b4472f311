"""SIRUS: the most frequent rules of a forest that splits at quantiles, and their mean or non-negative sum."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import ShuffleSplit

from hedgerow import InvalidParameterError, read_forest
from hedgerow.baselines import SirusClassifier, SirusRegressor
from hedgerow.baselines.quantile_forest import find_cuts, fit_between_cuts, numbers_only
from hedgerow.baselines.rule_frequency import count_rules, rules_below_the_roots
from hedgerow.baselines.sirus import _positive_ridge_of
from hedgerow.candidates.pool import make_pool


def two_classes(n=200):
    X, y = load_breast_cancer(return_X_y=True)
    return X[:n, :6], y[:n]


def small_regression(n=150):
    X, y = load_diabetes(return_X_y=True)
    return X[:n], y[:n]


def paths_of(tree, node=0, path=frozenset()):
    """All paths below a node of a tree of scikit-learn, as sets of (feature, threshold, left)."""
    if tree.children_left[node] < 0:
        return
    for child, left in ((tree.children_left[node], True), (tree.children_right[node], False)):
        longer = path | {(int(tree.feature[node]), float(tree.threshold[node]), left)}
        yield longer
        yield from paths_of(tree, child, longer)


def test_frequencies_are_the_shares_of_trees_that_have_the_path():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(40, max_depth=2, random_state=0).fit(np.round(X), y)
    counted = Counter(path for tree in forest.estimators_ for path in set(paths_of(tree.tree_)))
    found = count_rules(rules_below_the_roots(make_pool(read_forest(forest), "nodes")))
    assert dict(zip(found.keys, found.frequency, strict=True)) == {p: n / 40 for p, n in counted.items()}
    assert (np.diff(found.frequency) <= 0).all()


def test_the_forest_on_cuts_answers_as_the_forest_on_numbers_of_cuts():
    X, y = two_classes()
    X = X.copy()
    X[::11, 2] = np.nan
    inputs = numbers_only(6, None)
    cuts = find_cuts(inputs.matrix(X), np.ones(len(X)), 10)
    model = RandomForestClassifier(20, max_depth=3, random_state=0)
    forest = fit_between_cuts(model, inputs.matrix(X), y, None, cuts, inputs)
    codes = np.column_stack([(X[:, [j]] >= cuts[j]).sum(axis=1) for j in range(6)]).astype(float)
    codes[np.isnan(X)] = np.nan
    np.testing.assert_allclose(forest.answer(X), model.predict_proba(codes))


def test_splits_are_at_values_of_the_column_near_its_deciles():
    X, y = two_classes()
    model = SirusClassifier(p0=0, n_trees=50, random_state=0).fit(X, y)
    for rule in model.rules_:
        for condition in rule.conditions:
            column = X[:, condition.feature.index]
            threshold = condition.upper if np.isfinite(condition.upper) else condition.lower
            below = np.mean(column <= threshold)
            assert abs(10 * below - round(10 * below)) <= 0.2


def test_a_column_of_few_values_is_cut_between_all_of_them():
    values = np.array([[1.0], [2.0], [2.0], [5.0]])
    assert find_cuts(values, np.ones(4), 10)[0].tolist() == [2, 5]
    assert find_cuts(values, np.array([1.0, 1, 1, 0]), 10)[0].tolist() == [2]


def test_shares_are_the_plain_mean_of_what_the_rules_say():
    X, y = two_classes()
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


def test_numbers_are_a_sum_with_non_negative_weights():
    X, y = small_regression()
    model = SirusRegressor(p0=0, n_trees=50, max_rules=6, random_state=0).fit(X, y)
    rules = model.weighted_rules_
    said = [np.where(h, y[h].mean(), y[~h].mean()) for h in rules.matches(X).T]
    assert (rules.weights > 0).all()
    np.testing.assert_allclose(model.predict(X), rules.intercept[0] + rules.weights[:, 0] @ said)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(1e-4, 1.0))
def test_the_ridge_agrees_with_bounded_least_squares(seed, ridge):
    rng = np.random.default_rng(seed)
    said, y, weight = rng.normal(size=(30, 5)), rng.normal(size=30), rng.uniform(0.2, 2, 30)
    weights, intercept = _positive_ridge_of(said, y, weight, ridge)
    root = np.sqrt(weight)[:, None]
    apart = said - np.average(said, axis=0, weights=weight)
    scale = np.sqrt(ridge * np.max((weight[:, None] * apart**2).sum(axis=0)))
    system = np.block([[root * said, root], [scale * np.eye(5), np.zeros((5, 1))]])
    right = np.concatenate([root[:, 0] * y, np.zeros(5)])
    other = lsq_linear(system, right, bounds=([0] * 5 + [-np.inf], np.inf), tol=1e-14)
    np.testing.assert_allclose([*weights, intercept], other.x, atol=1e-5)


def test_no_rule_is_a_combination_of_those_before():
    X, y = two_classes()
    model = SirusClassifier(p0=0, max_rules=None, n_trees=200, random_state=0).fit(X, y)
    rng = np.random.default_rng(0)
    mixed = np.column_stack([rng.permutation(np.tile(column, 10)) for column in X.T])
    holds = model.weighted_rules_.matches(np.vstack([X, mixed]))
    assert np.linalg.matrix_rank(np.column_stack([np.ones(len(holds)), holds])) == len(model.rules_) + 1


def test_rules_are_those_above_p0_the_most_frequent_first():
    X, y = two_classes()
    every = SirusClassifier(p0=0, max_rules=None, n_trees=100, random_state=0).fit(X, y)
    some = SirusClassifier(p0=0.1, max_rules=None, n_trees=100, random_state=0).fit(X, y)
    assert 0 < len(some.rules_) < len(every.rules_) <= 25
    assert (some.frequencies_ > 0.1).all()
    assert (np.diff(every.frequencies_) <= 0).all()
    assert some.rules_ == every.rules_[: len(some.rules_)]


@pytest.mark.parametrize("kind", [SirusClassifier, SirusRegressor])
def test_p0_by_folds_is_one_of_those_tried_and_keeps_the_budget(kind):
    X, y = two_classes() if kind is SirusClassifier else small_regression()
    model = kind(max_rules=5, cv=3, n_trees=30, random_state=0).fit(X, y)
    assert model.p0_ in model.p0_path_["p0"]
    assert 1 <= len(model.rules_) <= 5
    assert len(model.p0_path_["error"]) == len(model.p0_path_["stability"]) == len(model.p0_path_["p0"])
    assert ((model.p0_path_["stability"] >= 0) & (model.p0_path_["stability"] <= 1)).all()


def test_a_fitted_ensemble_stays_the_same_in_the_folds_so_that_its_rules_are_stable():
    X, y = small_regression()
    forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(np.round(X, 1), y)
    model = SirusRegressor(forest, max_rules=3, cv=3).fit(np.round(X, 1), y)
    assert model.ensemble_ is forest
    assert model.p0_path_["stability"].max() > 0.6


def test_missing_values_go_where_the_forest_sends_them():
    X, y = two_classes()
    X = X.copy()
    X[::5, 0] = np.nan
    model = SirusClassifier(p0=0, n_trees=30, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"p0": 1.5}, "p0 must be a number between 0 and 1, or None"),
        ({"n_quantiles": 1}, "n_quantiles must be a whole number of at least 2"),
        ({"n_trees": 0}, "n_trees must be a whole number of at least 1"),
        ({"cv": 0}, "cv must be a whole number of at least 2"),
    ],
)
def test_what_means_nothing_is_refused_kindly(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        SirusClassifier(**parameters).fit(*two_classes())


def test_p0_always_leaves_a_rule_also_if_the_two_most_frequent_are_as_frequent():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    y = X[:, 0] * 2 + (X[:, 1] > 0) + 0.1 * rng.normal(size=120)
    forest = RandomForestRegressor(20, max_depth=2, random_state=0)
    for shift in (0.0, 1e3, 1e6):
        for weight in (None, np.full(120, 2.0)):
            model = SirusRegressor(forest, random_state=0).fit(X, y + shift, weight)
            assert len(model.ranked_rules_) > 0
            assert (model.p0_path_["p0"] < max(model.frequencies_)).all()


def test_one_split_is_enough_to_choose_p0():
    X, y = load_iris(return_X_y=True)
    split = ShuffleSplit(1, random_state=0)
    assert len(SirusClassifier(max_rules=4, n_trees=20, cv=split, random_state=0).fit(X, y).rules_) > 0
    assert len(SirusRegressor(max_rules=4, n_trees=20, cv=split, random_state=0).fit(X, y).rules_) > 0
