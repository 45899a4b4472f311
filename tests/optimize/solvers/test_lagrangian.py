"""Multipliers for all rows: their bound is never below the best list, and near that of the linear relaxation."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import COVERAGE, SCORES, drawn_forest

from hedgerow import PartitionProblem
from hedgerow.optimize.solvers import Exhaustive, lagrangian
from hedgerow.optimize.solvers.lagrangian import lagrangian_bound
from hedgerow.optimize.solvers.relaxation import Relaxation


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), budget=st.one_of(st.none(), st.integers(3, 6)), knows_best=st.booleans())
def test_no_list_has_more_than_its_bound_nor_than_the_reach_of_its_rules(seed, budget, knows_best):
    coverage, scores = drawn_forest(seed, 12, 3, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    best = Exhaustive().solve(problem)
    start = best.chosen if knows_best else None
    found = lagrangian_bound(problem, start, best.objective - 0.1 if knows_best else -np.inf, None)
    assert found.bound >= best.objective - 1e-9
    assert (found.reach[best.chosen] >= best.objective - 1e-9).all()
    assert (found.reach <= found.bound + 1e-12).all()


def relaxed_bound(problem):
    """The optimum of the linear relaxation over all rows."""
    relaxation = Relaxation(problem, np.arange(problem.n_samples))
    relaxation.solve(None)
    return relaxation.bound


@pytest.fixture
def steps(monkeypatch):
    """A list that gets longer with each step."""
    taken, proved = [], lagrangian._proved

    def counted(*arguments):
        taken.append(1)
        return proved(*arguments)

    monkeypatch.setattr(lagrangian, "_proved", counted)
    return taken


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("budget", [None, 6])
@pytest.mark.parametrize(("knows_the_optimum", "most_steps"), [(False, 400), (True, 150)])
def test_few_steps_lead_to_the_bound_of_the_linear_relaxation(steps, seed, budget, knows_the_optimum, most_steps):
    coverage, scores = drawn_forest(seed, 40, 8, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    optimum = relaxed_bound(problem)
    found = lagrangian_bound(problem, None, optimum if knows_the_optimum else -np.inf, None)
    assert optimum - 1e-7 <= found.bound <= optimum + 1e-3
    assert len(steps) <= most_steps


def test_a_bound_that_meets_the_best_list_ends_the_search():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert lagrangian_bound(problem, np.array([0, 1]), 3.0, None).bound == pytest.approx(3.0)


def test_without_time_there_is_a_bound_all_the_same():
    problem = PartitionProblem(SCORES, COVERAGE)
    found = lagrangian_bound(problem, None, -np.inf, time.perf_counter() - 1)
    assert found.bound >= 3.0
    assert found.reach.shape == (4,)


def test_a_list_that_is_known_shares_its_scores_among_its_samples(steps):
    # With 1 for each sample, no rule is worth more than its samples: the bound is that of the list at once.
    found = lagrangian_bound(PartitionProblem(SCORES, COVERAGE), np.array([0, 1]), -np.inf, time.perf_counter() - 1)
    assert found.bound == pytest.approx(3.0)
    assert len(steps) <= 2


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), budget=st.sampled_from([None, 1, 2, 3, 8, 20]))
def test_what_multipliers_prove_is_the_best_choice_of_any_rules(seed, budget):
    rng = np.random.default_rng(seed)
    matrix = np.column_stack([np.eye(4), rng.random((4, 4)) < 0.5])
    matrix[0, ~matrix.any(axis=0)] = 1
    problem, y = PartitionProblem(rng.normal(size=8).round(1), matrix, budget), rng.normal(size=4).round(1)
    values = {
        chosen: y.sum() + (problem.scores - y @ matrix)[list(chosen)].sum()
        for size in range(min(budget or 8, 8) + 1)
        for chosen in itertools.combinations(range(8), size)
    }
    proved, best = lagrangian.bound_of(problem, y)
    assert proved.bound == pytest.approx(max(values.values()))
    assert values[tuple(sorted(best.tolist()))] == pytest.approx(proved.bound)
    for j in range(8):
        assert proved.reach[j] == pytest.approx(max(value for chosen, value in values.items() if j in chosen))


def test_steps_that_close_nothing_of_the_gap_end(monkeypatch, steps):
    monkeypatch.setattr(lagrangian, "_SHORTEST", 0.0)  # they never become too short
    coverage, scores = drawn_forest(0, 40, 8, "nodes")
    lagrangian_bound(PartitionProblem(scores, coverage), None, -np.inf, None)
    assert 200 < len(steps) <= 810


def test_where_many_columns_matter_the_steps_begin_again_at_a_slower_pace(monkeypatch, steps):
    coverage, scores = drawn_forest(3, 60, 20, "nodes")
    problem = PartitionProblem(scores, coverage, 6)
    quick, n_quick = lagrangian_bound(problem, None, -np.inf, None), len(steps)
    monkeypatch.setattr(lagrangian, "_FEW_COLUMNS", 0)
    slow = lagrangian_bound(problem, None, -np.inf, None)
    assert len(steps) - n_quick > 1.3 * n_quick
    assert relaxed_bound(problem) - 1e-7 <= slow.bound <= quick.bound
