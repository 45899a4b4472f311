"""RuleFit: its coefficients are those of scikit-learn's penalised models on the rules and features it names."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_classification
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import Lasso, LinearRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold

from hedgerow import InvalidParameterError
from hedgerow.baselines import RuleFitClassifier, RuleFitRegressor


def a_forest(seed=0):
    return RandomForestRegressor(8, max_depth=2, random_state=seed)


def columns_of(model, X):
    """The features of the model, computed from what it says of itself alone."""
    rules = model.weighted_rules_
    linear = [np.clip(X[:, t.feature.index].astype(np.float32), t.low, t.high) - t.center for t in rules.linear]
    return np.column_stack([*linear, rules.matches(X)])


def test_predictions_are_the_sum_of_the_terms(diabetes):
    X, y = diabetes
    model = RuleFitRegressor(a_forest(), max_rules=12).fit(X, y)
    rules = model.weighted_rules_
    slopes = np.array([*[t.slope[0] for t in rules.linear], *rules.weights[:, 0]])
    np.testing.assert_allclose(model.predict(X), rules.intercept[0] + columns_of(model, X) @ slopes)


@pytest.mark.parametrize("budget", [1, 3, 8])
def test_no_more_terms_than_the_budget(budget, diabetes):
    X, y = diabetes
    assert 1 <= RuleFitRegressor(a_forest(), max_rules=budget).fit(X, y).weighted_rules_.n_terms <= budget
    X, y = load_iris(return_X_y=True)
    model = RuleFitClassifier(RandomForestClassifier(4, max_depth=2, random_state=0), max_rules=budget, cv=2).fit(X, y)
    assert model.weighted_rules_.n_terms <= budget


def test_the_penalty_is_the_best_of_its_folds(diabetes):
    X, y = diabetes
    folds = KFold(3, shuffle=True, random_state=0)
    model = RuleFitRegressor(a_forest().fit(X, y), max_rules=None, linear_terms=False, cv=folds).fit(X, y)
    assert model.penalty_ == model.penalties_[np.argmin(model.errors_)]
    errors = []
    pool = RuleFitRegressor(model.ensemble_, max_rules=None, linear_terms=False, penalty=1e-3).fit(X, y)
    holds = pool.weighted_rules_.matches(X).astype(float)
    for penalty in (model.penalty_, 30 * model.penalty_):
        fits = [(Lasso(alpha=penalty, max_iter=100_000).fit(holds[a], y[a]), b) for a, b in folds.split(X)]
        errors.append(np.mean([np.mean((fit.predict(holds[b]) - y[b]) ** 2) for fit, b in fits]))
    assert errors[0] < errors[1]
    assert errors[0] == pytest.approx(model.errors_.min(), rel=0.05)  # a few rules of no use are not in holds


def test_a_linear_term_is_scaled_to_the_spread_of_a_typical_rule():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 1))
    y = 3 * X[:, 0]
    stump = RandomForestRegressor(1, max_depth=1, random_state=0).fit(X, rng.normal(size=200))
    (term,) = RuleFitRegressor(stump, penalty=1e-4, max_rules=None).fit(X, y).weighted_rules_.linear
    assert term.slope[0] == pytest.approx(3, rel=0.05)
    inner = np.sort(X[:, 0])
    assert inner[3] <= term.low <= inner[6]
    assert inner[-7] <= term.high <= inner[-4]


def test_without_linear_terms_there_are_rules_only(diabetes):
    X, y = diabetes
    assert RuleFitRegressor(a_forest(), linear_terms=False).fit(X, y).weighted_rules_.linear == ()


def test_candidates_beyond_the_limit_are_left_out_evenly(diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(10, max_depth=3, random_state=0).fit(X, y)
    few = RuleFitRegressor(forest, max_candidates=12, max_rules=None, penalty=1e-2, linear_terms=False).fit(X, y)
    assert 5 <= len(few.rules_) <= 12
    assert {rule.tree for rule in few.rules_} >= {0, 9}


def test_weights_are_repetitions():
    X, y = make_classification(80, 5, random_state=0)
    weight = np.random.default_rng(0).integers(0, 3, 80)
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
    model = RuleFitClassifier(forest, penalty=0.02)
    weighted = model.fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-4)


def test_categories_and_missing_values_are_as_in_the_ensemble():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"colour": pd.Categorical(rng.choice(["red", "green", "blue"], 120)), "size": rng.normal(size=120)}
    )
    X.loc[::9, "size"] = np.nan
    y = 2.0 * (X["colour"] == "red") + X["size"].fillna(-1)
    boosted = HistGradientBoostingRegressor(max_iter=10, categorical_features="from_dtype", min_samples_leaf=5).fit(
        X, y
    )
    model = RuleFitRegressor(boosted, max_rules=20).fit(X, y)
    assert model.score(X, y) > 0.7
    assert {t.feature.name for t in model.weighted_rules_.linear} <= {"size"}


def test_the_default_ensemble_has_trees_of_several_sizes(diabetes):
    X, y = (part[:60] for part in diabetes)
    model = RuleFitRegressor(random_state=0).fit(X, y)
    leaves = [tree.n_leaves for tree in model.forest_.trees]
    assert len(leaves) == 300
    assert len(set(leaves)) > 3
    assert 2.5 < np.mean(leaves) < 6


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"penalty": 0}, "penalty must be positive"),
        ({"penalty": "strong"}, "penalty must be a number of at least 0"),
        ({"linear_terms": 1}, "linear_terms must be True or False"),
        ({"cv": 1}, "cv must be an integer of at least 2"),
        ({"cv": 2.5}, "or a scikit-learn splitter"),
        ({"max_candidates": 0}, "max_candidates must be an integer"),
    ],
)
def test_invalid_parameters_are_rejected(parameters, message, diabetes):
    X, y = diabetes
    with pytest.raises(InvalidParameterError, match=message):
        RuleFitRegressor(a_forest(), **parameters).fit(X, y)


def test_refitted_coefficients_are_those_of_least_squares_on_the_same_terms(diabetes):
    X, y = diabetes
    weight = np.random.default_rng(2).uniform(0.5, 2, len(y))
    forest = a_forest().fit(X, y)
    shrunk = RuleFitRegressor(forest, max_rules=6).fit(X, y, weight)
    free = RuleFitRegressor(forest, max_rules=6, refit=True).fit(X, y, weight)
    assert set(free.rules_) == set(shrunk.rules_)
    other = LinearRegression().fit(columns_of(free, X), y, weight)
    np.testing.assert_allclose(free.predict(X), other.predict(columns_of(free, X)))
    assert np.average((free.predict(X) - y) ** 2, weights=weight) < np.average(
        (shrunk.predict(X) - y) ** 2, weights=weight
    )


def test_refitting_lets_few_rules_outvote_the_more_frequent_class():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(30, max_depth=2, random_state=0).fit(X, y)
    shrunk, free = (
        RuleFitClassifier(forest, max_rules=3, linear_terms=False, refit=r).fit(X, y) for r in (False, True)
    )
    assert set(free.rules_) == set(shrunk.rules_)
    assert log_loss(y, free.predict_proba(X)) < log_loss(y, shrunk.predict_proba(X))
    assert free.score(X, y) > 0.9


def test_refitting_keeps_coefficients_finite_if_rules_separate_the_classes():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    free = RuleFitClassifier(forest, max_rules=5, refit=True).fit(X, y)
    assert np.abs(free.weighted_rules_.weights).max() < 30


def test_refit_is_true_or_false(diabetes):
    X, y = (part[:50] for part in diabetes)
    with pytest.raises(InvalidParameterError, match="refit must be True or False; got 'yes'"):
        RuleFitRegressor(a_forest(), refit="yes").fit(X, y)


@pytest.mark.parametrize("max_rules", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_the_least_budgets_are_kept_also_where_the_strongest_penalty_leaves_terms(seed, max_rules):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 5))
    y = X[:, 0] * 2 + (X[:, 1] > 0) + 0.1 * rng.normal(size=120) > 0.5
    forest = RandomForestClassifier(20, max_depth=2, random_state=seed).fit(X, y)
    for penalty in (None, 1e-3):
        model = RuleFitClassifier(forest, max_rules=max_rules, penalty=penalty, cv=3).fit(X, y)
        assert model.weighted_rules_.n_terms <= max_rules


def test_one_sample_is_enough():
    assert RuleFitRegressor().fit([[1.0, 2.0]], [3.0]).predict([[5.0, 6.0]]) == [3.0]


def test_of_a_rule_and_its_complement_there_is_one_and_nothing_is_lost():
    X, y = load_diabetes(return_X_y=True)
    stumps = RandomForestRegressor(12, max_depth=1, random_state=0).fit(X, y)
    model = RuleFitRegressor(stumps, max_rules=None, penalty=1e-6, refit=True, linear_terms=False).fit(X, y)
    holds = model.weighted_rules_.matches(X)
    assert len(np.unique(holds, axis=1).T) == holds.shape[1]
    assert not (holds[:, :, None] ^ holds[:, None, :]).all(axis=0).any()
    leaves = stumps.apply(X)
    everything = np.hstack([leaves == k for k in (1, 2)]).astype(float)
    fitted = everything @ np.linalg.lstsq(everything, y, rcond=None)[0]
    np.testing.assert_allclose(model.predict(X), fitted, rtol=1e-6)
