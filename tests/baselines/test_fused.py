"""FIRE's proximal steps are exact."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear, minimize_scalar

from hedgerow.baselines.fused import fuse, mcp, moves_from_zero, shrink, shrink_and_fuse

NUMBERS = st.lists(st.floats(-10, 10).map(lambda x: round(x, 2)), min_size=1, max_size=9)
PENALTIES = st.floats(0, 5).map(lambda x: round(x, 2))


@settings(max_examples=200, deadline=None)
@given(NUMBERS, PENALTIES)
def test_fusing_agrees_with_the_dual_problem_solved_by_scipy(u, penalty):
    u = np.array(u)
    if len(u) == 1 or penalty == 0:
        assert fuse(u.tolist(), penalty) == u.tolist()
        return
    differences = np.diff(np.eye(len(u)), axis=0)
    dual = lsq_linear(differences.T, u, bounds=(-penalty - 1e-15, penalty), method="bvls", tol=1e-14)
    np.testing.assert_allclose(fuse(u.tolist(), penalty), u - differences.T @ dual.x, atol=1e-7)


@settings(max_examples=100, deadline=None)
@given(st.floats(-10, 10), st.floats(0.01, 5), st.floats(1.05, 4))
def test_shrinking_is_the_best_of_a_fine_search(z, penalty, gamma):
    def cost(w):
        return 0.5 * (w - z) ** 2 + mcp(w, penalty, gamma)

    searched = minimize_scalar(cost, bounds=(-12, 12), method="bounded", options={"xatol": 1e-9})
    assert cost(shrink(z, penalty, gamma)) <= min(searched.fun, cost(0.0), cost(z)) + 1e-9


@settings(max_examples=100, deadline=None)
@given(NUMBERS, PENALTIES, PENALTIES, st.integers(0, 2**32 - 1))
def test_no_point_near_or_far_is_better_than_shrinking_what_was_fused(u, sparsity, fusion, seed):
    def cost(w):
        return 0.5 * np.sum((w - u) ** 2) + sum(mcp(x, sparsity, 1.1) for x in w) + fusion * np.abs(np.diff(w)).sum()

    rng, found = np.random.default_rng(seed), np.array(shrink_and_fuse(u, sparsity, fusion, 1.1))
    others = [np.array(u), np.zeros(len(u)), np.full(len(u), np.mean(u)), np.array(fuse(u, fusion))]
    others += [found + rng.normal(size=len(u)) * scale for scale in (1e-3, 0.1, 1, 5) for _ in range(25)]
    assert all(cost(found) <= cost(other) + 1e-9 for other in others)


@settings(max_examples=200, deadline=None)
@given(NUMBERS, PENALTIES, PENALTIES)
def test_whether_zero_is_left_is_known_without_the_step(u, sparsity, fusion):
    stepped = np.abs(shrink_and_fuse(u, sparsity, fusion, 1.1)).max()
    if stepped == 0 or stepped > 1e-6:
        assert moves_from_zero(np.array(u), sparsity, fusion) == (stepped > 0)
