"""NodeHarvest's quadratic program is solved."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from hedgerow.baselines.node_weights import node_weights


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


def test_two_halves_that_explain_everything_take_all_the_weight():
    #                  root, left half, right half
    member = np.array([[1.0, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1]])
    y = np.array([1.0, 1, 5, 5])
    assert node_weights(member, np.array([3.0, 1, 5]), y, np.ones(4)) == pytest.approx([0, 1, 1], abs=1e-4)


def test_constant_targets_leave_the_root_alone():
    member = np.array([[1.0, 1], [1, 0]])
    assert node_weights(member, np.array([2.0, 2]), np.array([2.0, 2]), np.ones(2)).tolist() == [1, 0]


def test_constraints_hold_for_all_samples_when_they_are_reduced_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    half = rng.random((200, 10)) < 0.5
    member = np.column_stack([np.ones(200), half, ~half]).astype(float)
    y = rng.normal(size=200)
    whole = node_weights(member, member.T @ y / member.sum(axis=0), y, np.ones(200))
    monkeypatch.setattr("hedgerow.baselines.node_weights._BATCH", 20)
    parts = node_weights(member, member.T @ y / member.sum(axis=0), y, np.ones(200))
    np.testing.assert_allclose(member @ parts, 1, atol=1e-8)
    np.testing.assert_allclose(parts, whole, atol=1e-5)
