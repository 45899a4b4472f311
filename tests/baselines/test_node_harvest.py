"""NodeHarvest: its weights solve its quadratic program, and its answers are the weighted means of its nodes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import InvalidParameterError
from hedgerow.baselines import NodeHarvestClassifier, NodeHarvestRegressor
from hedgerow.baselines.node_weights import node_weights
from hedgerow.candidates.coverage import cover


def small_regression():
    X, y = load_diabetes(return_X_y=True)
    return X[:150], y[:150]


def members(model, X):
    return cover(model.nodes_, model.forest_.inputs.matrix(X)).matrix().toarray()


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_not_negative_and_add_up_to_one_at_every_sample(seed):
    X, y = small_regression()
    model = NodeHarvestRegressor(RandomForestRegressor(30, max_depth=2, random_state=seed)).fit(X, y)
    assert model.node_weights_.min() >= 0
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_the_training_error_is_below_that_of_the_root(seed):
    X, y = small_regression()
    model = NodeHarvestRegressor(RandomForestRegressor(30, max_depth=2, random_state=seed), max_rules=None).fit(X, y)
    assert np.mean((model.predict(X) - y) ** 2) < 0.7 * np.var(y)


def test_two_classes_satisfy_the_constraints_and_beat_the_root():
    X, y = make_classification(150, 6, random_state=0)
    model = NodeHarvestClassifier(RandomForestClassifier(20, random_state=0), max_rules=None).fit(X, y)
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)
    assert np.mean((model.predict_proba(X)[:, 1] - y) ** 2) < 0.7 * np.var(y)


def test_constraints_hold_for_all_samples_when_they_are_reduced_in_parts(monkeypatch):
    monkeypatch.setattr("hedgerow.baselines.node_weights._BATCH", 20)
    X, y = small_regression()
    model = NodeHarvestRegressor(RandomForestRegressor(30, max_depth=2, random_state=0)).fit(X, y)
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_no_other_solver_finds_better_weights(seed, n_nodes):
    rng = np.random.default_rng(seed)
    member = np.column_stack([np.ones(12), rng.random((12, n_nodes)) < 0.5]).astype(float)
    member = np.column_stack([member, 1 - member[:, 1:]])[:, : 2 * n_nodes + 1]
    member = member[:, member.any(axis=0)]
    y, weight = rng.normal(size=12), rng.uniform(0.5, 2, size=12)
    means = (member * weight[:, None]).T @ y / (member * weight[:, None]).sum(axis=0)
    spread = np.sqrt(np.average((y - np.average(y, weights=weight)) ** 2, weights=weight))

    def cost(w):
        return np.sum(weight * (y - member @ (w * means)) ** 2) / spread**2 + 1e-5 * w @ w

    found = node_weights(member, means, y, weight)
    start = np.eye(member.shape[1])[0]
    rows = {"type": "eq", "fun": lambda w: member @ w - 1, "jac": lambda w: member}
    other = minimize(cost, start, method="SLSQP", bounds=[(0, 1)] * len(start), constraints=[rows])
    feasible = np.abs(member @ other.x - 1).max() < 1e-9
    np.testing.assert_allclose(member @ found, 1, atol=1e-8)
    assert cost(found) <= cost(start) + 1e-8
    assert not feasible or cost(found) <= cost(other.x) + 1e-6


def test_an_answer_is_the_weighted_mean_of_the_nodes_that_hold():
    X, y = small_regression()
    model = NodeHarvestRegressor(RandomForestRegressor(20, max_depth=2, random_state=0), max_rules=5).fit(X, y)
    rules = model.weighted_rules_
    for x, said in zip(X[:20], model.predict(X[:20]), strict=True):
        holds = rules.matches(x[None])[0]
        weights = rules.weights[holds, 0]
        means = [y[rules.matches(X)[:, k]].mean() for k in np.flatnonzero(holds)]
        assert said == pytest.approx(np.average(means, weights=weights) if holds.any() else y.mean())


def test_the_budget_keeps_the_heaviest_nodes():
    X, y = small_regression()
    forest = RandomForestRegressor(30, max_depth=2, random_state=0).fit(X, y)
    everything = NodeHarvestRegressor(forest, max_rules=None).fit(X, y)
    few = NodeHarvestRegressor(forest, max_rules=4).fit(X, y)
    assert len(everything.rules_) > 4
    assert few.rules_ == everything.rules_[:4]
    assert (np.diff(everything.weighted_rules_.weights[:, 0]) <= 0).all()


def test_nodes_hold_and_leave_out_enough_samples_with_few_conditions():
    X, y = small_regression()
    model = NodeHarvestRegressor(RandomForestRegressor(20, random_state=0), max_conditions=2, min_samples=15).fit(X, y)
    inside = members(model, X).sum(axis=0)
    assert inside[0] == len(X)
    assert ((inside[1:] >= 15) & (inside[1:] <= len(X) - 15)).all()
    assert model.nodes_.n_conditions.max() <= 2


def test_no_two_nodes_hold_the_same_samples():
    X, y = small_regression()
    model = NodeHarvestRegressor(RandomForestRegressor(30, max_depth=2, random_state=0)).fit(X, y)
    assert len(np.unique(members(model, X), axis=1).T) == len(model.nodes_)


def test_three_classes_have_weights_each_that_add_up():
    X, y = load_iris(return_X_y=True)
    model = NodeHarvestClassifier(RandomForestClassifier(10, max_depth=2, random_state=0), max_rules=None).fit(X, y)
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)
    assert model.score(X, y) > 0.9


def test_without_nodes_enough_the_root_answers():
    X, y = small_regression()
    model = NodeHarvestRegressor(RandomForestRegressor(5, max_depth=2, random_state=0), min_samples=100).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y.mean())


def test_missing_values_go_where_the_forest_sends_them():
    X, y = small_regression()
    X = X.copy()
    X[::7, 2] = np.nan
    model = NodeHarvestRegressor(RandomForestRegressor(10, max_depth=2, random_state=0), max_rules=None).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    np.testing.assert_allclose(members(model, X) @ model.node_weights_, 1, atol=1e-8)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_rules": 0}, "max_rules must be a whole number of at least 1, or None"),
        ({"min_samples": 1.5}, "min_samples must be a whole number"),
        ({"max_conditions": None}, "max_conditions must be a whole number"),
        ({"ensemble": RandomForestClassifier(2)}, "use NodeHarvestClassifier"),
        ({"ensemble": RandomForestRegressor}, "pass an instance"),
    ],
)
def test_what_means_nothing_is_refused_kindly(parameters, message):
    X, y = small_regression()
    with pytest.raises(InvalidParameterError, match=message):
        NodeHarvestRegressor(**parameters).fit(X, np.round(y, -2))


@pytest.mark.parametrize("weight", [1e-9, 1e12])
def test_the_scale_of_the_weights_changes_nothing(weight):
    X, y = small_regression()
    forest = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    plain, scaled = (NodeHarvestRegressor(forest, max_rules=None).fit(X, y, np.full(len(y), w)) for w in (1.0, weight))
    assert {rule.conditions for rule in scaled.rules_} == {rule.conditions for rule in plain.rules_}
    np.testing.assert_allclose(scaled.predict(X), plain.predict(X), rtol=1e-6)
