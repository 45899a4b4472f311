"""Branch and cut finds what trying everything finds, from any relaxation, and keeps what it has when time runs out."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from small_problems import drawn_forest, random_sets

from hedgerow import InfeasibleError, LinearRows, PartitionProblem
from hedgerow.optimize.solvers import Exhaustive, Highs, branching, pairs
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


def test_when_time_runs_out_the_list_and_a_valid_bound_are_kept():
    problem = random_sets()
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
        record, tree = tree_of(random_sets())
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


#: Instances of some ten nodes each, which no phase solves alone.
INSTANCES = [(0, 30, 300, 3), (2, 30, 300, 3)]


def solved(instance):
    """The record and the tree of an instance at the end, with the bound of the linear relaxation."""
    record, tree = tree_of(random_sets(*instance))
    tree.relaxation.solve(None)
    linear = tree.relaxation.bound
    assert tree.run()
    return record, tree, linear


@pytest.mark.parametrize("instance", INSTANCES)
def test_each_phase_does_its_part(monkeypatch, instance):
    best = Highs().solve(random_sets(*instance)).objective
    record, tree, linear = solved(instance)
    assert_allclose(record.best_objective, best)
    # The cliques of the root close some of the gap, and what is found there is nearly the best list.
    root = record.log[0]
    assert root.phase == "cliques"
    assert best - 1e-9 <= root.bound <= best + 0.9 * (linear - best)
    assert root.objective >= 0.997 * best
    assert len(tree.relaxation.samples) <= tree.record.problem.n_samples
    assert tree._n_nodes <= 30
    monkeypatch.setattr(pairs, "_MOST_EFFORT", -1)  # few lists are not tried any more
    record, tree, _ = solved(instance)
    assert_allclose(record.best_objective, best)
    assert 20 < tree._n_nodes <= 90
    monkeypatch.setattr(branching, "_ROUNDS", (0, 0))
    record, tree, _ = solved(instance)
    assert_allclose(record.best_objective, best)
    assert record.log[0].bound == pytest.approx(linear)
    assert 40 < tree._n_nodes <= 200


def test_a_dive_finds_a_good_list():
    record, tree = tree_of(random_sets())
    tree.relaxation.solve(None)
    tree.dive()
    assert record.best_objective >= 0.8 * tree.relaxation.bound


def test_dives_start_from_the_first_nodes_and_then_from_every_tenth(monkeypatch):
    monkeypatch.setattr(pairs, "_MOST_EFFORT", -1)
    _, tree = tree_of(random_sets())
    tree.relaxation.solve(None)
    dive, started = tree._dive, []

    def counted(allowed):
        started.append(tree._n_nodes)
        dive(allowed)

    monkeypatch.setattr(tree, "_dive", counted)
    assert tree.run()
    assert started[:4] == [0, 0, 1, 2]  # before and after the cliques of the root
    assert len(started) > 5
    assert all(number % 10 == 0 for number in started[4:])


def test_where_it_takes_long_to_look_at_all_samples_only_whole_solutions_are_looked_at(monkeypatch):
    _, tree = tree_of(random_sets(), [0])
    tree.relaxation.solve(None)
    violated, amount = tree._violated(is_whole=False)
    assert len(violated)
    assert (amount > 1e-6).all()
    assert_allclose(np.delete(tree.relaxation.covered(), violated), 1.0, atol=2e-5)
    assert_allclose(amount, np.abs(tree.relaxation.covered() - 1.0)[violated])
    monkeypatch.setattr(branching, "_CHEAP_LOOK", 0)
    assert not len(tree._violated(is_whole=False)[0])
    assert_allclose(tree._violated(is_whole=True)[0], violated)


def test_the_branches_of_a_pair_keep_two_samples_together_or_apart():
    _, tree = tree_of(random_sets())
    relaxation = tree.relaxation
    relaxation.solve(None)
    everything = np.ones(len(relaxation.active), dtype=bool)
    split = branching.branch_on(relaxation)
    one, other = relaxation.sample_rows[list(split.rows)].toarray() > 0.5
    assert split.share == pytest.approx(relaxation.z[one & other].sum())
    assert 0.3 < split.share < 0.7
    first, second = tree._branches(everything)
    together, apart = one == other, ~(one & other)
    expected = (together, apart) if split.share >= 0.5 else (apart, together)
    np.testing.assert_array_equal((first, second), expected)
