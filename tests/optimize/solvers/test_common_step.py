import numpy as np
import pytest

from hedgerow.optimize.solvers.common_step import common_step, rounded_down


def test_the_common_step_is_found_or_there_is_none():
    assert common_step(-np.array([0, 3, 4, 9]) / 17, 9) == pytest.approx(1 / 17)
    assert common_step(np.array([-6.0, 2.0, 4.0]), 9) == 2.0
    assert common_step(np.full(4, -0.3), 9) == pytest.approx(0.3)
    assert common_step(np.array([0.0, 0.5, 0.5 + 1e-7]), 9) is None
    assert common_step(np.random.default_rng(0).normal(size=50), 9) is None
    assert common_step(np.zeros(3), 9) is None


def test_large_whole_scores_have_the_step_one_unless_floats_are_too_coarse():
    assert common_step(np.array([1.0, 3.0, 1e6 + 1]), 9) == 1.0
    assert common_step(np.array([1.0, 3.0, 1e12 + 1]), 9) is None


def test_scores_that_are_nearly_multiples_have_no_step():
    scores = np.arange(1.0, 9.0) / 8
    assert common_step(scores, 20) == pytest.approx(1 / 8)
    scores[3] += 1e-9
    assert common_step(scores, 20) is None


@pytest.mark.parametrize("n", [3, 7, 17, 569, 1000])
def test_a_bound_never_rounds_below_a_list(n):
    rng = np.random.default_rng(n)
    scores = -rng.integers(0, n, 400) / n
    step = common_step(scores, 30)
    assert step is not None
    for _ in range(50):
        objective = float(scores[rng.integers(0, 400, 30)].sum())
        assert rounded_down(objective, step) == pytest.approx(objective, abs=1e-9)
        assert rounded_down(objective + 0.9 * step, step) == pytest.approx(objective, abs=1e-9)
        assert rounded_down(objective - 0.1 * step, step) < objective


def test_without_a_step_nothing_is_rounded():
    assert rounded_down(1.4, None) == 1.4
    assert rounded_down(np.inf, 0.5) == np.inf
