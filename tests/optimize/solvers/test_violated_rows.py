"""The rows that a relaxation starts with differ; the rows that are added are violated, new, and differ."""

import numpy as np
from numpy.testing import assert_array_equal
from small_problems import COVERAGE, drawn_forest

from hedgerow import PartitionProblem
from hedgerow.candidates.coverage import Coverage
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.violated_rows import first_samples, pick


def rng():
    return np.random.default_rng(0)


def test_a_small_problem_starts_with_all_samples_that_differ():
    problem = PartitionProblem(np.zeros(4), np.repeat(COVERAGE, 3, axis=0))
    assert_array_equal(first_samples(problem, 1, rng()), [0, 3, 6])


def test_a_larger_one_starts_with_some():
    coverage = Coverage.from_matrix(np.tri(700, 800, dtype=int).T[:, ::-1])
    drawn = first_samples(PartitionProblem(np.zeros(700), coverage), 10, rng())
    assert len(np.unique(drawn)) == 10
    assert_array_equal(drawn, np.sort(drawn))


def relaxation(n_known):
    coverage, scores = drawn_forest(0, 200, 20, "nodes")
    return Relaxation(PartitionProblem(scores, coverage), np.arange(n_known))


def test_what_is_known_is_not_added_again():
    assert_array_equal(pick(np.arange(6), np.ones(6), relaxation(4), 60, rng()), [4, 5])


def test_of_many_the_most_violated_are_added_and_some_others():
    amount = np.where(np.arange(200) == 150, 1.0, 0.1)
    added = pick(np.arange(200), amount, relaxation(0), 8, rng())
    assert 150 in added
    assert 4 <= len(added) <= 8


def test_of_samples_in_the_same_rules_one_is_added():
    problem = PartitionProblem(np.zeros(4), np.repeat(COVERAGE, 3, axis=0))
    added = pick(np.arange(9), np.ones(9), Relaxation(problem), 60, rng())
    assert_array_equal(added, [0, 3, 6])
