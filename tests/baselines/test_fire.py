"""FIRE: a sum of weighted leaves, few and, if fused, alike."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor

from hedgerow import InvalidParameterError
from hedgerow.baselines import FireRegressor


def test_the_estimator_without_penalties_fits_the_mean_and_the_leaves_by_least_squares(diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, y)
    model = FireRegressor(forest, max_rules=None, lambda_s=0, lambda_f=0, tol=1e-9).fit(X, y)
    leaves = np.hstack([forest.apply(X)[:, [t]] == np.unique(forest.apply(X)[:, t]) for t in range(3)]).astype(float)
    best = y.mean() + leaves @ np.linalg.lstsq(leaves, y - y.mean(), rcond=None)[0]
    assert np.mean((model.predict(X) - y) ** 2) == pytest.approx(np.mean((best - y) ** 2), rel=1e-4)


def test_predictions_are_the_sum_of_the_weighted_leaves(diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    model = FireRegressor(forest, max_rules=6, lambda_f=0, cv=3).fit(X, y)
    rules = model.weighted_rules_
    assert 1 <= len(rules) <= 6
    values = np.array([forest.estimators_[r.tree].tree_.value[r.node, 0, 0] for r in rules])
    means = np.array([forest.estimators_[r.tree].predict(X).mean() for r in rules])
    expected = y.mean() + rules.matches(X) @ (rules.weights[:, 0] * (values - means))
    np.testing.assert_allclose(model.predict(X), expected)


def test_the_objective_of_the_estimator_never_goes_up(diabetes):
    X, y = diabetes
    model = FireRegressor(RandomForestRegressor(20, max_depth=2, random_state=0), lambda_s=30.0, lambda_f=5.0).fit(X, y)
    assert (np.diff(model.objectives_) <= 1e-9 * model.objectives_[0]).all()


def test_fusion_makes_neighbours_equal(diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, y)
    apart, fused = (
        FireRegressor(forest, max_rules=None, lambda_s=20.0, lambda_f=f).fit(X, y).weighted_rules_ for f in (0.0, 20.0)
    )

    def n_different(rules):
        return len({(rule.tree, round(float(w), 9)) for rule, w in zip(rules, rules.weights[:, 0], strict=True)})

    assert n_different(fused) < len(fused)
    assert n_different(apart) == len(apart)


def test_trees_are_cut_at_the_longest_rule(diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(10, max_depth=5, random_state=0).fit(X, y)
    model = FireRegressor(forest, max_rules=5, max_conditions=2, cv=3, lambda_f=0).fit(X, y)
    assert 1 <= len(model.rules_) <= 5
    assert max(len(rule.conditions) for rule in model.rules_) <= 2


def test_boosted_trees_are_taken_too(diabetes):
    X, y = diabetes
    boosted = GradientBoostingRegressor(n_estimators=20, max_depth=2, random_state=0).fit(X, y)
    assert FireRegressor(boosted, lambda_f=0, cv=3).fit(X, y).score(X, y) > 0.2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": 1.0}, "gamma must be a number above 1"),
        ({"lambda_s": -1}, "lambda_s must be a number of at least 0"),
        ({"lambda_f": "none"}, "lambda_f must be a number of at least 0"),
        ({"tol": 0}, "tol must be a number between 0 and 1"),
        ({"max_conditions": 0}, "max_conditions must be an integer"),
        ({"ensemble": RandomForestClassifier(2)}, "give a regressor"),
    ],
)
def test_invalid_parameters_are_rejected(parameters, message, diabetes):
    X, y = diabetes
    with pytest.raises(InvalidParameterError, match=message):
        FireRegressor(**parameters).fit(X, np.round(y, -2))


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6])
def test_the_scale_of_the_targets_changes_no_rules(scale, diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, y)
    plain, scaled = (FireRegressor(forest, max_rules=4, cv=2).fit(X, y * s) for s in (1.0, scale))
    assert [rule.conditions for rule in scaled.rules_] == [rule.conditions for rule in plain.rules_]
    np.testing.assert_allclose(scaled.predict(X), plain.predict(X) * scale, rtol=1e-6)
