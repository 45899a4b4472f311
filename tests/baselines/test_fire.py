"""FIRE: its proximal steps are exact, its descent never goes up, and without penalties it is least squares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear, minimize_scalar
from sklearn.datasets import load_diabetes
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor

from hedgerow import InvalidParameterError
from hedgerow.baselines import FireRegressor
from hedgerow.baselines.fire_solver import FireProblem, scaled_answers, solve_fire
from hedgerow.baselines.fused import fuse, leaves_zero, mcp, shrink, shrink_and_fuse

NUMBERS = st.lists(st.floats(-10, 10).map(lambda x: round(x, 2)), min_size=1, max_size=9)
PENALTIES = st.floats(0, 5).map(lambda x: round(x, 2))


def small_regression(n=120):
    X, y = load_diabetes(return_X_y=True)
    return X[:n], y[:n]


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
        assert leaves_zero(np.array(u), sparsity, fusion) == (stepped > 0)


def a_problem(seed=0, n_trees=12):
    rng = np.random.default_rng(seed)
    ends = np.asfortranarray(rng.integers(0, 4, size=(80, n_trees)))
    weight = rng.uniform(0.5, 2, 80)
    answers, _ = scaled_answers(ends, [rng.normal(size=4) for _ in range(n_trees)], weight)
    return FireProblem(ends, answers, rng.normal(size=80), weight, tol=1e-10)


def matrix_of(problem):
    columns = [answer[None, :] * (problem.ends[:, [t]] == np.arange(4)) for t, answer in enumerate(problem.answers)]
    return np.hstack(columns)


def cost_of(problem, weights, lambda_s, lambda_f):
    """The objective from the matrix alone."""
    blocks = np.array([weights.get(t, np.zeros(4)) for t in range(len(problem.answers))])
    residual = problem.y - matrix_of(problem) @ blocks.ravel()
    concave = sum(mcp(w, lambda_s, problem.gamma) for w in blocks.ravel())
    return 0.5 * np.sum(problem.weight * residual**2) + concave + lambda_f * np.abs(np.diff(blocks, axis=1)).sum()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("share", "fusion"), [(0.5, 0.0), (0.3, 0.1), (0.1, 1.0), (0.0, 0.0)])
def test_the_objective_never_goes_up_and_is_what_the_matrix_says(seed, share, fusion):
    problem = a_problem(seed)
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
    for t in range(len(problem.answers)):
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


def test_the_estimator_without_penalties_fits_the_mean_and_the_leaves_by_least_squares():
    X, y = small_regression()
    forest = RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, y)
    model = FireRegressor(forest, max_rules=None, lambda_s=0, lambda_f=0, tol=1e-9).fit(X, y)
    leaves = np.hstack([forest.apply(X)[:, [t]] == np.unique(forest.apply(X)[:, t]) for t in range(3)]).astype(float)
    best = y.mean() + leaves @ np.linalg.lstsq(leaves, y - y.mean(), rcond=None)[0]
    assert np.mean((model.predict(X) - y) ** 2) == pytest.approx(np.mean((best - y) ** 2), rel=1e-4)


def test_answers_are_the_sum_of_the_weighted_leaves():
    X, y = small_regression()
    forest = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    model = FireRegressor(forest, max_rules=6, lambda_f=0, cv=3).fit(X, y)
    rules = model.weighted_rules_
    assert 1 <= len(rules) <= 6
    values = np.array([forest.estimators_[r.tree].tree_.value[r.node, 0, 0] for r in rules])
    means = np.array([forest.estimators_[r.tree].predict(X).mean() for r in rules])
    expected = y.mean() + rules.matches(X) @ (rules.weights[:, 0] * (values - means))
    np.testing.assert_allclose(model.predict(X), expected)


def test_the_objective_of_the_estimator_never_goes_up():
    X, y = small_regression()
    model = FireRegressor(RandomForestRegressor(20, max_depth=2, random_state=0), lambda_s=30.0, lambda_f=5.0).fit(X, y)
    assert (np.diff(model.objectives_) <= 1e-9 * model.objectives_[0]).all()


def test_fusion_makes_neighbours_equal():
    X, y = small_regression()
    forest = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, y)
    apart, fused = (
        FireRegressor(forest, max_rules=None, lambda_s=20.0, lambda_f=f).fit(X, y).weighted_rules_ for f in (0.0, 20.0)
    )

    def n_different(rules):
        return len({(rule.tree, round(float(w), 9)) for rule, w in zip(rules, rules.weights[:, 0], strict=True)})

    assert n_different(fused) < len(fused)
    assert n_different(apart) == len(apart)


def test_trees_are_cut_at_the_longest_rule():
    X, y = small_regression()
    forest = RandomForestRegressor(10, max_depth=5, random_state=0).fit(X, y)
    model = FireRegressor(forest, max_rules=5, max_conditions=2, cv=3, lambda_f=0).fit(X, y)
    assert 1 <= len(model.rules_) <= 5
    assert max(len(rule.conditions) for rule in model.rules_) <= 2


def test_boosted_trees_are_taken_too():
    X, y = small_regression()
    boosted = GradientBoostingRegressor(n_estimators=20, max_depth=2, random_state=0).fit(X, y)
    assert FireRegressor(boosted, lambda_f=0, cv=3).fit(X, y).score(X, y) > 0.2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": 1.0}, "gamma must be a number above 1"),
        ({"lambda_s": -1}, "lambda_s must be a number of at least 0"),
        ({"lambda_f": "none"}, "lambda_f must be a number of at least 0"),
        ({"tol": 0}, "tol must be a number between 0 and 1"),
        ({"max_conditions": 0}, "max_conditions must be a whole number"),
        ({"ensemble": RandomForestClassifier(2)}, "give a regression"),
    ],
)
def test_what_means_nothing_is_refused_kindly(parameters, message):
    X, y = small_regression()
    with pytest.raises(InvalidParameterError, match=message):
        FireRegressor(**parameters).fit(X, np.round(y, -2))


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6])
def test_the_scale_of_the_targets_changes_no_rules(scale):
    X, y = small_regression()
    forest = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    plain, scaled = (FireRegressor(forest, max_rules=6, cv=3).fit(X, y * s) for s in (1.0, scale))
    assert [rule.conditions for rule in scaled.rules_] == [rule.conditions for rule in plain.rules_]
    np.testing.assert_allclose(scaled.predict(X), plain.predict(X) * scale, rtol=1e-6)
