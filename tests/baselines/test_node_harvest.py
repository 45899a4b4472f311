"""NodeHarvest: its weights add up at every sample, and its predictions are weighted means of its nodes."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import InvalidParameterError
from hedgerow.baselines import NodeHarvestClassifier, NodeHarvestRegressor
from hedgerow.candidates.coverage import cover


def members(model, X):
    return cover(model.nodes_, model.forest_.inputs.matrix(X)).matrix().toarray()


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_not_negative_and_add_up_to_one_at_every_sample(seed, diabetes):
    X, y = diabetes
    model = NodeHarvestRegressor(RandomForestRegressor(30, max_depth=2, random_state=seed)).fit(X, y)
    assert model.node_weights_.min() >= 0
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_the_training_error_is_below_that_of_the_root(seed, diabetes):
    X, y = diabetes
    model = NodeHarvestRegressor(RandomForestRegressor(30, max_depth=2, random_state=seed), max_rules=None).fit(X, y)
    assert np.mean((model.predict(X) - y) ** 2) < 0.7 * np.var(y)


def test_two_classes_satisfy_the_constraints_and_beat_the_root():
    X, y = make_classification(150, 6, random_state=0)
    model = NodeHarvestClassifier(RandomForestClassifier(20, random_state=0), max_rules=None).fit(X, y)
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)
    assert np.mean((model.predict_proba(X)[:, 1] - y) ** 2) < 0.7 * np.var(y)


def test_a_prediction_is_the_weighted_mean_of_the_matching_nodes(diabetes):
    X, y = diabetes
    model = NodeHarvestRegressor(RandomForestRegressor(20, max_depth=2, random_state=0), max_rules=5).fit(X, y)
    rules = model.weighted_rules_
    for x, predicted in zip(X[:20], model.predict(X[:20]), strict=True):
        holds = rules.matches(x[None])[0]
        weights = rules.weights[holds, 0]
        means = [y[rules.matches(X)[:, k]].mean() for k in np.flatnonzero(holds)]
        assert predicted == pytest.approx(np.average(means, weights=weights) if holds.any() else y.mean())


def test_the_budget_keeps_the_heaviest_nodes(diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(30, max_depth=2, random_state=0).fit(X, y)
    everything = NodeHarvestRegressor(forest, max_rules=None).fit(X, y)
    few = NodeHarvestRegressor(forest, max_rules=4).fit(X, y)
    assert len(everything.rules_) > 4
    assert few.rules_ == everything.rules_[:4]
    assert (np.diff(everything.weighted_rules_.weights[:, 0]) <= 0).all()


def test_nodes_hold_and_leave_out_enough_samples_with_few_conditions(diabetes):
    X, y = diabetes
    model = NodeHarvestRegressor(RandomForestRegressor(20, random_state=0), max_conditions=2, min_samples=15).fit(X, y)
    inside = members(model, X).sum(axis=0)
    assert inside[0] == len(X)
    assert ((inside[1:] >= 15) & (inside[1:] <= len(X) - 15)).all()
    assert model.nodes_.n_conditions.max() <= 2


def test_no_two_nodes_hold_the_same_samples(diabetes):
    X, y = diabetes
    model = NodeHarvestRegressor(RandomForestRegressor(30, max_depth=2, random_state=0)).fit(X, y)
    assert len(np.unique(members(model, X), axis=1).T) == len(model.nodes_)


def test_three_classes_have_weights_each_that_add_up():
    X, y = load_iris(return_X_y=True)
    model = NodeHarvestClassifier(RandomForestClassifier(10, max_depth=2, random_state=0), max_rules=None).fit(X, y)
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)
    assert model.score(X, y) > 0.9


def test_without_large_enough_nodes_the_root_predicts(diabetes):
    X, y = diabetes
    model = NodeHarvestRegressor(RandomForestRegressor(5, max_depth=2, random_state=0), min_samples=100).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y.mean())


def test_missing_values_go_where_the_forest_sends_them(diabetes):
    X, y = diabetes
    X = X.copy()
    X[::7, 2] = np.nan
    model = NodeHarvestRegressor(RandomForestRegressor(10, max_depth=2, random_state=0), max_rules=None).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_rules": 0}, "max_rules must be an integer of at least 1, or None"),
        ({"min_samples": 1.5}, "min_samples must be an integer"),
        ({"max_conditions": None}, "max_conditions must be an integer"),
        ({"ensemble": RandomForestClassifier(2)}, "use NodeHarvestClassifier"),
        ({"ensemble": RandomForestRegressor}, "pass an instance"),
    ],
)
def test_invalid_parameters_are_rejected(parameters, message, diabetes):
    X, y = diabetes
    with pytest.raises(InvalidParameterError, match=message):
        NodeHarvestRegressor(**parameters).fit(X, np.round(y, -2))


@pytest.mark.parametrize("weight", [1e-9, 1e12])
def test_the_scale_of_the_weights_changes_nothing(weight, diabetes):
    X, y = diabetes
    forest = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    plain, scaled = (NodeHarvestRegressor(forest, max_rules=None).fit(X, y, np.full(len(y), w)) for w in (1.0, weight))
    assert {rule.conditions for rule in scaled.rules_} == {rule.conditions for rule in plain.rules_}
    np.testing.assert_allclose(scaled.predict(X), plain.predict(X), rtol=1e-6)
