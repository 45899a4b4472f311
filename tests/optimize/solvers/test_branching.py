"""Branch and cut finds what trying everything finds, from any relaxation, and keeps what it has when time runs out."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from small_problems import drawn_forest

from hedgerow import InfeasibleError, LinearRows, PartitionProblem
from hedgerow.optimize.solvers import Exhaustive, branching
from hedgerow.optimize.solvers.branching import BranchAndCut
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.relaxation import Relaxation


def all_of_them(violated, amount, relaxation):
    return violated[~np.isin(violated, relaxation.samples)]


def tree_of(problem, samples=None, time_limit=None):
    record, relaxation = Record(problem, time_limit), Relaxation(problem)
    relaxation.add(np.arange(problem.n_samples) if samples is None else np.asarray(samples))
    return record, BranchAndCut(relaxation, record, np.arange(problem.n_rules), all_of_them)


def drawn_matrix(seed, n_samples=9, n_rules=40):
    rng = np.random.default_rng(seed)
    matrix = rng.random((n_samples, n_rules)) < 0.3
    matrix[rng.integers(n_samples, size=n_rules), np.arange(n_rules)] = True
    matrix = np.unique(matrix, axis=1)
    return matrix, rng.normal(size=matrix.shape[1]), rng


def optimum(problem):
    try:
        return Exhaustive().solve(problem).objective
    except InfeasibleError:
        return None


def assert_finds_the_optimum(problem, samples=None):
    record, tree = tree_of(problem, samples)
    tree.relaxation.solve(None)
    assert tree.run()
    expected = optimum(problem)
    if expected is None:
        assert record.best is None
    else:
        assert_allclose([record.best_objective, record.bound], expected, atol=1e-8)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), budget=st.one_of(st.none(), st.integers(2, 6)))
def test_any_matrix(seed, budget):
    matrix, scores, _ = drawn_matrix(seed)
    assert_finds_the_optimum(PartitionProblem(scores, matrix, budget))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n_rows=st.integers(1, 8))
def test_rows_that_the_relaxation_starts_without_are_added_where_needed(seed, n_rows):
    matrix, scores, rng = drawn_matrix(seed)
    assert_finds_the_optimum(PartitionProblem(scores, matrix), rng.choice(9, n_rows, replace=False))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), equal=st.booleans())
def test_extra_rows_that_tell_twins_apart(seed, equal):
    matrix, scores, rng = drawn_matrix(seed, 6, 12)
    matrix, scores = np.repeat(matrix, 2, axis=1), np.repeat(scores, 2)
    entries = rng.integers(0, 3, len(scores)).astype(float)
    rows = LinearRows([entries], 4.0 if equal else -np.inf, 4.0)
    assert_finds_the_optimum(PartitionProblem(scores, matrix, rows=rows))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_without_cliques_the_tree_finds_the_same(seed):
    coverage, scores = drawn_forest(seed, 14, 4, "nodes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branching, "MOST_PAIRS", 0)
        assert_finds_the_optimum(PartitionProblem(scores, coverage, 5))


def hard_problem():
    """Pairs and triples of 24 samples: thousands of lists, and a weak relaxation."""
    rng = np.random.default_rng(0)
    columns = [np.isin(np.arange(24), rng.choice(24, rng.integers(2, 4), replace=False)) for _ in range(400)]
    return PartitionProblem(rng.random(424) + 0.5, np.column_stack([*columns, np.eye(24)]).astype(float))


def test_when_time_runs_out_the_list_and_a_valid_bound_are_kept():
    problem = hard_problem()
    _, complete = tree_of(problem)
    complete.relaxation.solve(None)
    assert complete.run()
    optimal = complete.record.best_objective
    record, tree = tree_of(problem, time_limit=0.05)
    tree.relaxation.solve(None)
    finished = tree.run()
    assert record.bound >= optimal - 1e-7
    assert record.best_objective <= optimal + 1e-7
    assert finished or record.out_of_time


def test_the_same_problem_has_the_same_tree():
    steps = []
    for _ in range(2):
        record, tree = tree_of(hard_problem())
        tree.relaxation.solve(None)
        tree.run()
        steps.append([(step.phase, step.rows, step.columns, step.bound, step.objective) for step in record.log])
    assert steps[0] == steps[1]


def test_the_last_step_of_a_tree_is_in_the_log():
    rng = np.random.default_rng(6)
    fours = [np.isin(np.arange(24), rng.choice(24, 4, replace=False)) for _ in range(500)]
    matrix = np.column_stack([*fours, np.eye(24, dtype=bool)]).astype(float)
    size = matrix.sum(axis=0)
    record, tree = tree_of(PartitionProblem(size + 0.3 * rng.random(524) - (size == 1), matrix))
    tree.relaxation.solve(None)
    assert tree.run()
    assert re.fullmatch(r"branching, \d+ nodes, \d+ open", record.log[-1].phase)
    assert record.log[-1].bound == pytest.approx(record.best_objective)
