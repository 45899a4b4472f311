"""Smoothed answers are what the formulas say, between the rule's own answer and the default."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from hedgerow import InvalidParameterError, RuleListClassifier, RuleListRegressor, RuleListRegressorCV
from hedgerow.losses import cost_matrix, pinball
from hedgerow.smoothing import ShrinkAlongPath, ShrinkToDefault

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
FOREST = RandomForestRegressor(10, max_depth=3, random_state=0).fit(*DIABETES)


def fit(smoothing, candidates="nodes", **settings):
    return RuleListRegressor(FOREST, max_rules=6, candidates=candidates, smoothing=smoothing, **settings)


def test_towards_the_default_by_hand():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 2.0, 10.0, 10.0])
    tree = DecisionTreeRegressor(max_depth=1).fit(X, y)  # {0, 1} and {2, 3}
    fitted = RuleListRegressor(tree, max_rules=2, smoothing=ShrinkToDefault(2.0), stability_weight=0.0).fit(X, y)
    # Means 1 and 10, default 5.5, both of two samples: half-way.
    assert_allclose(fitted.predict(X), [3.25, 3.25, 7.75, 7.75])
    assert_allclose(fitted.rule_list_.default.prediction, 5.5)
    assert_allclose(sorted(rule.spread for rule in fitted.rule_list_), [0, 1])


def test_along_the_path_by_hand():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 4.0, 10.0, 10.0])
    tree = DecisionTreeRegressor(max_depth=2).fit(X, y)
    fitted = RuleListRegressor(tree, max_rules=3, smoothing=ShrinkAlongPath(4.0), stability_weight=0.0).fit(X, y)
    # Root 6 of four samples, {0, 1} 2 of two samples, then 0 and 4; steps count 1 / (1 + 4/4) and 1 / (1 + 4/2).
    left = 6 + (2 - 6) / 2
    assert_allclose(fitted.predict(X), [left + (0 - 2) / 3, left + (4 - 2) / 3, 6 + (10 - 6) / 2, 6 + (10 - 6) / 2])


def path_means(estimator, rule, X, y, weight):
    """The mean and the weight at each node of the rule's path, from the conditions of the rule alone."""
    values = estimator.forest_.inputs.matrix(X)
    holds = np.ones(len(X), dtype=bool)
    found = [(np.average(y, axis=0, weights=weight), weight.sum())]
    for condition in rule.conditions:
        holds &= condition.holds(values[:, condition.feature.index])
        found.append((np.average(y[holds], axis=0, weights=weight[holds]), weight[holds].sum()))
    return found


@pytest.mark.parametrize("candidates", ["leaves", "nodes"])
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 1000), strength=st.floats(0, 100))
def test_of_any_forest_by_the_conditions_of_its_rules(candidates, seed, strength):
    X, y = DIABETES
    weight = np.random.default_rng(seed).random(len(y)) + 0.1
    along = fit(ShrinkAlongPath(strength), candidates, max_conditions=3).set_params(max_rules=8)
    along.fit(X, y, sample_weight=weight)
    to_default = along.rule_list_.default.prediction
    short = fit(ShrinkToDefault(strength), candidates, max_conditions=3).set_params(max_rules=8)
    short.fit(X, y, sample_weight=weight)
    for rule, plain in zip(along.rule_list_, short.rule_list_, strict=True):
        means = path_means(along, rule, X, y, weight)
        expected = means[0][0]
        for (above, n_above), (below, _) in pairwise(means):
            expected += (below - above) / (1 + strength / n_above)
        assert_allclose(rule.prediction, expected)
        own, n = means[-1]
        assert_allclose(plain.prediction, (n * own + strength * to_default) / (n + strength))


@pytest.mark.parametrize("kind", [ShrinkToDefault, ShrinkAlongPath])
def test_without_strength_nothing_changes_and_with_much_all_is_the_default(kind):
    plain, none, much = (fit(smoothing).fit(*DIABETES).rule_list_ for smoothing in (None, kind(0), kind(1e15)))
    assert [rule.prediction for rule in none] == [rule.prediction for rule in plain]
    assert_allclose([rule.prediction for rule in much], plain.default.prediction)
    labels = RandomForestClassifier(10, max_depth=2, random_state=0).fit(*IRIS)
    estimator = RuleListClassifier(labels, max_rules=4)
    shares = [
        np.array([rule.distribution for rule in estimator.set_params(smoothing=smoothing).fit(*IRIS).rule_list_])
        for smoothing in (None, kind(0), kind(1e15))
    ]
    assert_array_equal(shares[0], shares[1])
    assert_allclose(shares[2], 1 / 3)


@pytest.mark.parametrize("kind", [ShrinkToDefault, ShrinkAlongPath])
def test_class_shares_stay_shares_and_the_label_is_theirs(kind):
    X, y = IRIS
    forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, y)
    plain = RuleListClassifier(forest, max_rules=6).fit(X, y)
    fitted = RuleListClassifier(forest, max_rules=6, smoothing=kind(20.0)).fit(X, y)
    assert_array_equal(fitted.solution_.chosen, plain.solution_.chosen)  # the choice is the same
    proba = fitted.predict_proba(X)
    assert_allclose(proba.sum(axis=1), 1)
    assert (proba > 0).all()
    assert_array_equal(fitted.predict(X), fitted.classes_[proba.argmax(axis=1)])
    assert not np.allclose(proba, plain.predict_proba(X))
    for rule in fitted.rule_list_:
        assert rule.class_share == max(rule.distribution)


def test_costs_are_applied_to_the_smoothed_shares():
    X, y = IRIS
    costs = np.array([[0.0, 1.0, 1.0], [9.0, 0.0, 1.0], [1.0, 2.0, 0.0]])
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListClassifier(forest, max_rules=4, loss=cost_matrix(costs), smoothing=ShrinkToDefault(60.0)).fit(X, y)
    said = fitted.classes_[(fitted.predict_proba(X) @ costs).argmin(axis=1)]
    assert_array_equal(fitted.predict(X), said)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"smoothing": "path"}, "smoothing must be None, or hedgerow.smoothing.ShrinkToDefault"),
        ({"smoothing": ShrinkToDefault}, "smoothing must be None"),
        ({"smoothing": ShrinkToDefault(1), "loss": "mae"}, "a rule predicts the median of its targets"),
        ({"smoothing": ShrinkAlongPath(1), "loss": pinball(0.25)}, "predicts the 25 % quantile"),
    ],
)
def test_what_cannot_be_smoothed(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        RuleListRegressor(FOREST, **settings).fit(*DIABETES)
    several = settings | {"smoothings": [None, settings["smoothing"]]}
    del several["smoothing"]
    with pytest.raises(InvalidParameterError, match=message):
        RuleListRegressorCV(FOREST, max_rules=[4], **several).fit(*DIABETES)


@pytest.mark.parametrize("strength", [-1, np.inf, np.nan, "1", True])
def test_an_invalid_strength_is_refused(strength):
    for kind in (ShrinkToDefault, ShrinkAlongPath):
        with pytest.raises(InvalidParameterError, match="finite number of at least 0"):
            kind(strength)
