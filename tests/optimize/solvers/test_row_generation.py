"""The default solver finds what trying everything finds, and says what it knows."""

import _thread
import itertools
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from small_problems import COVERAGE, SCORES, drawn_forest, with_few

from hedgerow import (
    InfeasibleError,
    InvalidParameterError,
    LinearRows,
    PartitionProblem,
    RuleListClassifier,
    Solution,
    SolverError,
    TimeLimitError,
    read_forest,
)
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.pool import make_pool
from hedgerow.losses import sse
from hedgerow.optimize.solvers import Exhaustive, RowGeneration
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.row_generation import _none_worse_than_the_last


def outcome(solver, problem):
    try:
        return solver.solve(problem)
    except InfeasibleError as error:
        return error


def assert_same_optimum(problem, solver=None):
    found, expected = outcome(solver or RowGeneration(), problem), outcome(Exhaustive(), problem)
    assert isinstance(found, InfeasibleError) == isinstance(expected, InfeasibleError)
    if not isinstance(found, InfeasibleError):
        assert found.optimal
        assert_allclose(found.objective, expected.objective, atol=1e-9)
        assert_allclose(found.bound, found.objective, atol=1e-9)
        assert found.gap == 0
        assert_array_equal(problem.coverage.counts_of(found.chosen), 1)


def test_best_partition_of_three_samples():
    problem = PartitionProblem(SCORES, COVERAGE, max_rules=2)
    assert RowGeneration().solve(problem).chosen.tolist() == [0, 1]


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_samples=st.integers(1, 7),
    n_rules=st.integers(1, 14),
    budget=st.one_of(st.none(), st.integers(1, 5)),
    rounded=st.booleans(),
)
def test_any_matrix(seed, n_samples, n_rules, budget, rounded):
    rng = np.random.default_rng(seed)
    matrix = rng.random((n_samples, n_rules)) < 0.4
    matrix[rng.integers(n_samples, size=n_rules), np.arange(n_rules)] = True
    scores = rng.normal(size=n_rules)
    assert_same_optimum(PartitionProblem(np.round(scores) if rounded else scores, matrix, budget))


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_samples=st.integers(2, 14),
    n_trees=st.integers(1, 4),
    budget=st.one_of(st.none(), st.integers(1, 6)),
    candidates=st.sampled_from(["leaves", "nodes"]),
    first_rows=st.sampled_from([1, 100]),
)
def test_random_small_forests(seed, n_samples, n_trees, budget, candidates, first_rows):
    coverage, scores = drawn_forest(seed, n_samples, n_trees, candidates)
    assert_same_optimum(PartitionProblem(scores, coverage, budget), RowGeneration(first_rows=first_rows, seed=seed))


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_samples=st.integers(2, 10),
    budget=st.one_of(st.none(), st.integers(1, 6)),
    scale=st.sampled_from([1e-8, 1e-5, 1.0, 1e6]),
)
def test_extra_rows_of_any_size(seed, n_samples, budget, scale):
    coverage, scores = drawn_forest(seed, n_samples, 3, "nodes")
    rng = np.random.default_rng(seed)
    rows = LinearRows(scale * rng.random((2, len(scores))), [-np.inf, scale * 0.6], [scale * 1.5, np.inf])
    assert_same_optimum(PartitionProblem(scores, coverage, budget, rows))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-9, 1e-3, 1e7]))
def test_scores_of_any_size(seed, scale):
    coverage, scores = drawn_forest(seed, 12, 3, "nodes")
    problem = PartitionProblem(scores * scale, coverage, 4)
    found, expected = RowGeneration().solve(problem), Exhaustive().solve(problem)
    assert_allclose(found.objective, expected.objective, atol=1e-7 * scale)


@pytest.mark.parametrize("candidates", ["leaves", "nodes"])
def test_a_path_over_budgets_is_that_of_each_alone(candidates):
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(60, max_depth=3, random_state=0).fit(X, y)
    problem = RuleListClassifier(model, candidates=candidates).fit(X, y).problem_
    budgets = [9, 5, 6, 7, 12, 5]
    found = RowGeneration().feasible_path(problem, budgets)
    path = [found[budget] for budget in budgets]
    alone = [RowGeneration().solve(replace(problem, max_rules=budget)) for budget in budgets]
    assert all(solution.optimal for solution in path)
    assert_allclose([s.objective for s in path], [s.objective for s in alone], atol=1e-7)
    assert all(len(s.chosen) <= budget for s, budget in zip(path, budgets, strict=True))


def test_a_path_that_is_continued_is_that_of_each_budget_alone():
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(60, max_depth=3, random_state=0).fit(X, y)
    problem = RuleListClassifier(model, candidates="nodes").fit(X, y).problem_
    solver = RowGeneration()
    memory, found = solver.memory(9), {}
    for part in ([2, 3], [4], [5, 7, 9]):
        found |= solver.feasible_path(
            problem, part, None, pickle.loads(pickle.dumps(memory)) if part == [4] else memory
        )
    for budget, solution in found.items():
        alone = solver.solve(replace(problem, max_rules=budget))
        assert solution.optimal
        assert_allclose(solution.objective, alone.objective, atol=1e-7)


def test_an_infeasible_budget_says_which_one_works():
    singles = np.eye(4)
    problem = PartitionProblem(np.ones(4), singles, max_rules=2)
    with pytest.raises(InfeasibleError, match=r"at most 2 rules.*smallest budget that works is max_rules=4"):
        RowGeneration().solve(problem)


def test_no_partition_at_all_says_so():
    with pytest.raises(InfeasibleError, match="Lower min_coverage, raise max_conditions, or use candidates='nodes'"):
        RowGeneration().solve(PartitionProblem([1.0, 1.0], [[1, 0], [1, 1], [0, 1]], max_rules=2))


def test_an_infeasible_constraint_is_named():
    rows = LinearRows([[1, 1, 1, 1]], -np.inf, 1.0, ("at most one rule",))
    with pytest.raises(InfeasibleError, match="relax one of: at most one rule"):
        RowGeneration().solve(PartitionProblem(np.ones(4), COVERAGE, rows=rows))


def hard_case():
    """Rules of many trees on noise: no pruned tree is the best list."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 10)), rng.integers(0, 2, 300)
    model = RandomForestClassifier(60, max_depth=5, random_state=0).fit(X, y)
    return RuleListClassifier(model, max_rules=6, candidates="nodes", max_conditions=5), X, y


def test_a_time_limit_returns_the_best_list_with_its_gap():
    estimator, X, y = hard_case()
    estimator.set_params(time_limit=1e-6)
    with pytest.warns(match="time limit ended the search"):
        estimator.fit(X, y)
    solution = estimator.solution_
    assert solution.status == "time_limit"
    assert not solution.optimal
    assert solution.bound > solution.objective
    assert solution.gap > 0
    assert "not proven optimal" in str(estimator.rule_list_)
    assert_array_equal(estimator.problem_.coverage.counts_of(solution.chosen), 1)


def test_no_list_before_the_time_ends_is_an_error():
    # Rules that come from no tree: there is no pruning to start with.
    rng = np.random.default_rng(0)
    pairs = list(itertools.combinations(range(16), 2))
    matrix = np.zeros((16, len(pairs)))
    for j, pair in enumerate(pairs):
        matrix[list(pair), j] = 1
    problem = PartitionProblem(rng.normal(size=len(pairs)), matrix, max_rules=8)
    with pytest.raises(TimeLimitError, match="No list was found"):
        RowGeneration().solve(problem, time_limit=1e-9)
    assert RowGeneration().solve(problem).optimal


def test_the_same_input_gives_the_same_list():
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(50, max_depth=3, random_state=0).fit(X, y)
    lists = [RuleListClassifier(model, random_state=3).fit(X, y) for _ in range(2)]
    assert_array_equal(lists[0].solution_.chosen, lists[1].solution_.chosen)


def test_rows_that_were_not_in_the_relaxation_hold_too():
    X, y = load_digits(return_X_y=True)
    model = RandomForestClassifier(40, max_depth=3, random_state=0).fit(X, y)
    fitted = RuleListClassifier(model, max_rules=8, solver=RowGeneration(first_rows=1)).fit(X, y)
    assert fitted.solution_.optimal
    assert_array_equal(fitted.problem_.coverage.counts_of(fitted.solution_.chosen), np.ones(len(X)))


def test_coverage_of_one_sample():
    problem = PartitionProblem([0.5, 2.0], Coverage.from_matrix([[1, 1]]), max_rules=1)
    assert RowGeneration().solve(problem).chosen.tolist() == [1]


def test_ctrl_c_returns_the_best_list():
    rng = np.random.default_rng(0)
    whole, parts = np.ones((60, 1)), rng.random((60, 3000)) < 0.2
    problem = PartitionProblem(np.append(-9.0, rng.random(3000)), np.column_stack([whole, parts]))
    interrupt = threading.Timer(0.8, _thread.interrupt_main)
    interrupt.start()
    solution = RowGeneration().solve(problem)
    interrupt.cancel()
    assert solution.status == "interrupted"
    assert solution.chosen.tolist() == [0]
    assert solution.bound > solution.objective


def test_threads_can_solve_at_the_same_time():
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(60, max_depth=3, random_state=0).fit(X, y)
    problem = RuleListClassifier(model, candidates="nodes", max_rules=6).fit(X, y).problem_
    expected = RowGeneration().solve(problem).objective
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda seed: RowGeneration(seed=seed).solve(problem).objective, range(12)))
    assert_allclose(found, expected, atol=1e-7)


@pytest.mark.parametrize("outlier", [1e4, 1e5, 1e7])
def test_one_huge_score_does_not_hide_the_others(outlier):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = X[:, 0] + rng.normal(size=40) * 0.3
    y[0] = outlier
    forest = read_forest(RandomForestRegressor(6, max_depth=3, random_state=0).fit(X, y))
    pool = make_pool(forest, "nodes")
    coverage = cover(pool, forest.inputs.matrix(X))
    kept = np.flatnonzero(coverage.counts)
    coverage = coverage.subset(kept)
    problem = PartitionProblem(-sse(y, np.ones(40), coverage), coverage, 5)
    assert_allclose(RowGeneration().solve(problem).objective, Exhaustive().solve(problem).objective, rtol=1e-7)


def test_a_rule_that_breaks_a_row_alone_does_not_loosen_the_row():
    rows = LinearRows([[1.0, 1.0, 1.0, 1e9]], -np.inf, 2.0)
    problem = PartitionProblem([1.0, 2.0, 0.5, 9.0], COVERAGE, rows=rows)
    assert RowGeneration().solve(problem).chosen.tolist() == [0, 1]
    assert Exhaustive().solve(problem).chosen.tolist() == [0, 1]


def test_a_huge_score_of_a_rule_that_is_in_no_list_makes_no_false_proof():
    matrix = [[1, 0, 1, 0, 1], [1, 0, 0, 1, 1], [0, 1, 1, 0, 1], [0, 1, 0, 1, 0]]
    for huge in (1e9, 1e25, -1e9):
        solution = RowGeneration().solve(PartitionProblem([0.5, 0.5, 1, 1, huge], matrix))
        assert (solution.objective, solution.bound, solution.optimal) == (2.0, 2.0, True)


def test_rows_whose_entries_differ_by_ten_orders_of_magnitude():
    rows = LinearRows([[1e5, 1e-5, 1e-5, 7]], 100000.00002, 100000.00002)
    problem = PartitionProblem([1, 1, 1, 0], [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]], None, rows)
    assert RowGeneration().solve(problem).chosen.tolist() == [0, 1, 2]


def rows_that_need_another_way():
    """HiGHS ends with the status Unknown unless the rows are scaled."""
    rows = [
        [0, 0, 0, 0, 0, -1.1187967128997969],
        [0.5698155518723063, -0.577738247961445, 0, 1e8, 1e8, 0],
    ]
    extra = LinearRows(rows, [-np.inf, 1e8], [0.5942548677460178, 1e8])
    return PartitionProblem([0.2, 0.3, 0.2, 0.3, 0.1, 0.2], [[0, 1, 1, 1, 0, 1], [1, 0, 0, 1, 1, 0]], None, extra)


def test_rows_with_entries_of_mixed_sizes_are_solved_another_way():
    problem = rows_that_need_another_way()
    solution = RowGeneration().solve(problem)
    assert solution.status == "optimal"
    assert_allclose(solution.objective, Exhaustive().solve(problem).objective)


def test_a_failure_of_highs_keeps_the_list_and_its_bound(monkeypatch):
    coverage, scores = drawn_forest(6, 14, 6, "nodes")
    problem = PartitionProblem(scores, coverage, 4)
    solve, n_solved = Relaxation.solve, []

    def fails(relaxation, deadline):
        if n_solved:
            raise SolverError("HiGHS stopped with the status 'Unknown'.")
        n_solved.append(1)
        return solve(relaxation, deadline)

    monkeypatch.setattr(Relaxation, "solve", fails)
    solution = RowGeneration(first_rows=1).solve(problem)
    assert solution.status == "time_limit"
    assert solution.log[-2].phase == "failure: HiGHS stopped with the status 'Unknown'."
    best = Exhaustive().solve(problem).objective
    assert solution.objective <= best + 1e-9
    assert best - 1e-9 <= solution.bound < np.inf


def test_a_failure_of_highs_before_any_list_is_an_error(monkeypatch):
    def fails(relaxation, deadline):
        raise SolverError("HiGHS stopped with the status 'Unknown'.")

    monkeypatch.setattr(Relaxation, "solve", fails)
    with pytest.raises(SolverError, match="Unknown"):
        RowGeneration().solve(rows_that_need_another_way())


def test_a_row_of_zeros_that_asks_for_more_is_infeasible_and_named():
    rows = LinearRows([[0.0, 0, 0, 0]], 1e-12, np.inf, ("nothing is something",))
    with pytest.raises(InfeasibleError, match="nothing is something"):
        RowGeneration().solve(PartitionProblem(SCORES, COVERAGE, rows=rows))


def test_a_budget_so_tight_that_no_pruned_tree_fits():
    # The leaves of 30 trees on 3 columns of noise: the only short lists are mixtures that no pruning finds.
    coverage, scores = drawn_forest(5, 14, 12, "leaves")
    fewest = len(Exhaustive().solve(PartitionProblem(-np.ones(len(scores)), coverage)).chosen)
    assert_same_optimum(PartitionProblem(scores, coverage, fewest))
    assert_same_optimum(PartitionProblem(scores, coverage, fewest - 1))


def test_time_limits_leave_no_threads_behind():
    coverage, scores = drawn_forest(7, 60, 40, "nodes")
    before = threading.active_count()
    for k in range(50):
        RowGeneration(seed=k).solve(PartitionProblem(scores, coverage, 9), time_limit=0.001 * k)
    assert threading.active_count() == before


def test_the_log_tells_how_the_search_went():
    coverage, scores = drawn_forest(3, 14, 4, "nodes")
    solution = RowGeneration().solve(PartitionProblem(scores, coverage, 5))
    assert solution.log[0].phase == "relaxation, 0 samples violated"  # and its solution is a list
    assert [step.seconds for step in solution.log] == sorted(step.seconds for step in solution.log)
    assert solution.log[-1].bound >= solution.objective - 1e-9


def test_a_rule_above_an_empty_one_with_extra_rows():
    # Fitted on other samples than the forest: some nodes are empty, and the one beside them covers what is above.
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 2, 300)
    forest = read_forest(RandomForestClassifier(20, max_depth=5, random_state=0).fit(X, y))
    pool = make_pool(forest, "nodes")
    coverage = cover(pool, forest.inputs.matrix(X[:60]))
    coverage = coverage.subset(np.flatnonzero(coverage.counts))
    rows = LinearRows(np.ones((1, coverage.n_rules)), -np.inf, 6.0)
    assert RowGeneration().solve(PartitionProblem(rng.random(coverage.n_rules), coverage, rows=rows)).optimal


@pytest.mark.parametrize("settings", [{"first_rows": 0}, {"seed": -1}, {"first_rows": 1.5}])
def test_invalid_settings(settings):
    with pytest.raises(InvalidParameterError, match="integer of at least"):
        RowGeneration(**settings)


def test_a_budget_that_ran_out_of_time_has_the_list_of_a_smaller_one():
    def of(objective, bound):
        return Solution(np.array([round(objective)]), objective, bound, "time_limit", 0.0)

    late, none = TimeLimitError("late"), InfeasibleError("none")
    path = {2: none, 3: late, 4: of(5.0, 9.0), 5: of(4.0, 4.5), 6: late, 7: of(6.0, 8.0)}
    found = _none_worse_than_the_last(dict(path))
    assert (found[2], found[3], found[4], found[7]) == (none, late, path[4], path[7])
    assert (found[5].objective, found[5].bound, found[5].chosen.tolist()) == (5.0, 5.0, [5])
    assert (found[6].objective, found[6].bound, found[6].status) == (5.0, np.inf, "time_limit")


@pytest.mark.parametrize("time_limit", [None, 100.0])
def test_an_explanation_has_the_time_that_is_left(monkeypatch, time_limit):
    left = []

    def explained(solver, problem, seconds, memory):
        left.append(seconds)
        return "there is none"

    monkeypatch.setattr(RowGeneration, "_explain", explained)
    with pytest.raises(InfeasibleError, match="there is none"):
        RowGeneration().solve(PartitionProblem(SCORES, COVERAGE, 1), time_limit)
    assert left == [None] if time_limit is None else 50.0 < left[0] < 100.0


@pytest.mark.parametrize("seed", [3, 5])
def test_samples_that_contradict_a_list_are_added_until_none_does(seed):
    coverage, scores = drawn_forest(seed, 60, 4, "nodes")
    few = np.arange(4)
    kept = np.flatnonzero(coverage.rows(few).sum(axis=0) > 0)
    coverage, scores = coverage.subset(kept), scores[kept]
    whole, part = PartitionProblem(scores, coverage, 6), PartitionProblem(scores, with_few(coverage, few), 6)
    started = time.perf_counter()
    found = RowGeneration().solve(part, time_limit=100.0)
    elapsed = time.perf_counter() - started
    assert whole.accepts(found.chosen)
    assert found.optimal
    assert_allclose(found.objective, RowGeneration().solve(whole).objective)
    assert [step.phase for step in found.log].count("proof") > 1  # of fewer samples first
    seconds = [step.seconds for step in found.log]
    assert seconds == sorted(seconds)
    assert 0 < seconds[-1] <= found.seconds <= elapsed
    # Without time for a proof, a pruned tree of all samples is returned, with the bound on all lists.
    late = RowGeneration().solve(part, time_limit=0.0)
    assert whole.accepts(late.chosen)
    assert late.objective <= found.objective <= late.bound
    assert late.status == "time_limit"


def test_what_is_remembered_is_enough_for_the_largest_budget(monkeypatch):
    memory, largest = RowGeneration.memory, []

    def told(solver, budget):
        largest.append(budget)
        return memory(solver, budget)

    monkeypatch.setattr(RowGeneration, "memory", told)
    RowGeneration().feasible_path(PartitionProblem(SCORES, COVERAGE), [3, 2, 5])
    assert largest == [5]
    mine = RowGeneration().memory(9)
    RowGeneration().feasible_path(PartitionProblem(SCORES, COVERAGE), [3, 2, 5], memory=mine)
    assert largest == [5, 9]
    assert mine.best.tolist() == [0, 1]
