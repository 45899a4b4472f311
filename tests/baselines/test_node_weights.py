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
    # The same constraints in as many rows as are independent: with more, SLSQP stays where it starts.
    _, sizes, basis = np.linalg.svd(member)
    basis = basis[: np.count_nonzero(sizes > 1e-9)]
    rows = {"type": "eq", "fun": lambda w: basis @ (w - start), "jac": lambda w: basis}
    bounds, options = [(0, 1)] * len(start), {"ftol": 1e-12, "maxiter": 1000}
    other = minimize(cost, start, method="SLSQP", bounds=bounds, constraints=[rows], options=options).x
    np.testing.assert_allclose(member @ other, 1, atol=1e-8)
    np.testing.assert_allclose(member @ found, 1, atol=1e-8)
    assert found.min() >= 0
    assert cost(found) == pytest.approx(cost(other), rel=1e-6)


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
