"""Pruned trees and mixtures of them are partitions, and the best of each tree is found without an integer program."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from small_problems import drawn_forest

from hedgerow import PartitionProblem
from hedgerow.candidates.coverage import Coverage, Ends
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.twins import best_of_twins

# Two trees over four samples. The first splits {0,1} further, the second {2,3}.
ENDS = Ends(np.array([[0, 0], [1, 0], [2, 1], [2, 2]], dtype=np.uint8), np.array([3, 3]))
#            all, {0,1}, {0}, {1}, {2,3}, then all, {0,1}, {2,3}, {2}, {3}
FIRST, LAST = [0, 0, 0, 1, 2, 0, 0, 1, 1, 2], [3, 2, 1, 2, 3, 3, 1, 3, 2, 3]
TWO_TREES = Coverage(ENDS, np.repeat([0, 1], 5), np.array(FIRST), np.array(LAST))
SCORES = np.array([-5.0, -1, 1, 1, -1, -5, -2, -2, 1, 1])
BEST_TWIN = best_of_twins(PartitionProblem(SCORES, TWO_TREES))[1]


@pytest.mark.parametrize(
    ("budget", "chosen"), [(None, {2, 3, 8, 9}), (4, {2, 3, 8, 9}), (3, {1, 8, 9}), (2, {1, 4}), (1, {0})]
)
def test_trees_are_mixed_where_they_have_the_same_samples(budget, chosen):
    prunings = Prunings(TWO_TREES, SCORES, BEST_TWIN, budget)
    found = next(prunings.best(budget))
    problem = PartitionProblem(SCORES, TWO_TREES, budget)
    assert problem.accepts(found)
    assert_allclose(problem.objective(found), problem.objective(np.array(sorted(chosen))))
    assert_allclose(problem.objective(found), Exhaustive().solve(problem).objective)


def test_one_table_serves_all_budgets_up_to_the_largest():
    prunings = Prunings(TWO_TREES, SCORES, BEST_TWIN, 4)
    assert [SCORES[next(prunings.best(budget))].sum() for budget in (1, 2, 3, 4)] == [-5, -2, 1, 4]


def test_what_is_not_above_a_known_score_is_left_out():
    prunings = Prunings(TWO_TREES, SCORES, BEST_TWIN, None)
    assert list(prunings.best(None, above=3.9))
    assert not list(prunings.best(None, above=4.0))


def test_after_the_deadline_there_are_no_mixtures():
    assert not list(Prunings(TWO_TREES, SCORES, BEST_TWIN, None, time.perf_counter() - 1).best(None))


def test_a_tree_that_is_not_whole_gives_nothing():
    left = np.array([2, 3])  # {0} and {1} of the first tree
    assert not list(Prunings(TWO_TREES.subset(left), SCORES[left], np.arange(2), None).best(None))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n_samples=st.integers(2, 12), budget=st.one_of(st.none(), st.integers(1, 5)))
def test_the_best_pruning_of_one_tree_is_its_optimum(seed, n_samples, budget):
    coverage, scores = drawn_forest(seed, n_samples, 1, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    best = next(Prunings(coverage, scores, np.arange(len(scores)), budget).best(budget))
    assert problem.accepts(best)
    assert_allclose(problem.objective(best), Exhaustive().solve(problem).objective, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), budget=st.one_of(st.none(), st.integers(1, 5)))
def test_a_mixture_is_a_partition_and_no_worse_than_any_tree_alone(seed, budget):
    coverage, scores = drawn_forest(seed, 10, 3, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    mixture = next(Prunings(coverage, scores, best_of_twins(problem)[1], budget).best(budget))
    assert problem.accepts(mixture)
    for tree in range(3):
        alone = Exhaustive().solve(problem.subset(np.flatnonzero(coverage.group == tree)))
        assert problem.objective(mixture) >= alone.objective - 1e-9
