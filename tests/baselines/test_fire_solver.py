"""FIRE's descent never goes up, ends at a minimum, and without penalties is least squares."""

import numpy as np
import pytest

from hedgerow.baselines.fire_solver import FireProblem, predict_fire, scale_values, solve_fire
from hedgerow.baselines.fused import mcp


def a_problem(seed=0, n_trees=12):
    rng = np.random.default_rng(seed)
    ends = np.asfortranarray(rng.integers(0, 4, size=(80, n_trees)))
    weight = rng.uniform(0.5, 2, 80)
    values, _ = scale_values(ends, [rng.normal(size=4) for _ in range(n_trees)], weight)
    return FireProblem(ends, values, rng.normal(size=80), weight, tol=1e-10)


def matrix_of(problem):
    columns = [value[None, :] * (problem.ends[:, [t]] == np.arange(4)) for t, value in enumerate(problem.values)]
    return np.hstack(columns)


def cost_of(problem, weights, lambda_s, lambda_f):
    """The objective from the matrix alone."""
    blocks = np.array([weights.get(t, np.zeros(4)) for t in range(len(problem.values))])
    residual = problem.y - matrix_of(problem) @ blocks.ravel()
    concave = sum(mcp(w, lambda_s, problem.gamma) for w in blocks.ravel())
    return 0.5 * np.sum(problem.weight * residual**2) + concave + lambda_f * np.abs(np.diff(blocks, axis=1)).sum()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("share", "fusion"), [(0.5, 0.0), (0.3, 0.1), (0.1, 1.0), (0.0, 0.0)])
def test_the_objective_never_goes_up_and_is_what_the_matrix_says(seed, share, fusion):
    problem = a_problem(seed, n_trees=4)
    lambda_s = share * problem.largest_penalty
    solution = solve_fire(problem, lambda_s, fusion * lambda_s)
    assert (np.diff(solution.objectives) <= 1e-12 * solution.objectives[0]).all()
    expected = cost_of(problem, solution.weights, lambda_s, fusion * lambda_s)
    assert solution.objectives[-1] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(4))
def test_no_block_alone_can_be_improved(seed):
    problem = a_problem(seed)
    lambda_s, lambda_f = 0.3 * problem.largest_penalty, 0.05
    solution = solve_fire(problem, lambda_s, lambda_f)
    best, rng = cost_of(problem, solution.weights, lambda_s, lambda_f), np.random.default_rng(seed)
    assert solution.weights
    for t in range(len(problem.values)):
        for scale in (1e-3, 1e-2):
            near = dict(solution.weights)
            near[t] = near.get(t, np.zeros(4)) + scale * rng.normal(size=4)
            assert cost_of(problem, near, lambda_s, lambda_f) >= best - 1e-5


def test_at_the_largest_penalty_all_weights_are_zero_and_below_some_are_not():
    problem = a_problem()
    largest = problem.largest_penalty
    assert solve_fire(problem, largest * 1.0001, 0.0).n_rules == 0
    assert solve_fire(problem, largest * 0.9, 0.0).n_rules > 0


@pytest.mark.parametrize("seed", range(3))
def test_without_penalties_it_is_least_squares(seed):
    problem = a_problem(seed, n_trees=3)
    solution = solve_fire(problem, 0.0, 0.0)
    root = np.sqrt(problem.weight)
    matrix = matrix_of(problem)
    best = np.linalg.lstsq(matrix * root[:, None], problem.y * root, rcond=None)[0]
    blocks = np.concatenate([solution.weights[t] for t in range(3)])
    np.testing.assert_allclose(matrix @ blocks, matrix @ best, atol=2e-3)
    assert solution.objectives[-1] == pytest.approx(0.5 * np.sum((root * (problem.y - matrix @ best)) ** 2), rel=1e-5)


def test_a_prediction_is_the_sum_of_the_weighted_leaves():
    #        two trees, three samples
    ends = np.array([[0, 1], [1, 1], [1, 0]])
    values = [np.array([2.0, 3.0]), np.array([5.0, 7.0])]
    weights = {0: np.array([1.0, 10.0]), 1: np.array([0.0, 1.0])}
    assert predict_fire(ends, values, weights).tolist() == [2 + 7, 30 + 7, 30]


def test_the_longest_column_of_each_tree_has_length_one():
    ends, weight = np.array([[0], [0], [1]]), np.array([1.0, 1.0, 4.0])
    scaled, divisors = scale_values(ends, [np.array([3.0, 5.0])], weight)  # lengths 3 √2 and 5 √4
    assert divisors.tolist() == [10]
    assert scaled[0].tolist() == [0.3, 0.5]
