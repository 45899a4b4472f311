"""Multipliers for all rows: their bound is never below the best list, and near that of the linear relaxation."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import COVERAGE, SCORES, drawn_forest

from hedgerow import PartitionProblem
from hedgerow.optimize.solvers import Exhaustive
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


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), budget=st.sampled_from([None, 6]))
def test_the_bound_is_near_that_of_the_linear_relaxation(seed, budget):
    coverage, scores = drawn_forest(seed, 40, 8, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    relaxation = Relaxation(problem)
    relaxation.add(np.arange(problem.n_samples))
    relaxation.solve(None)
    found = lagrangian_bound(problem, None, -np.inf, None)
    assert found.bound >= relaxation.bound - 1e-7
    assert found.bound - relaxation.bound < 0.1 * np.abs(scores).max() * max(1.0, abs(relaxation.bound))


def test_a_bound_that_meets_the_best_list_ends_the_search():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert lagrangian_bound(problem, np.array([0, 1]), 3.0, None).bound == pytest.approx(3.0)


def test_without_time_there_is_a_bound_all_the_same():
    problem = PartitionProblem(SCORES, COVERAGE)
    found = lagrangian_bound(problem, None, -np.inf, time.perf_counter() - 1)
    assert found.bound >= 3.0
    assert found.reach.shape == (4,)
