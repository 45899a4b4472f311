"""Drawn forests are within the free licence of Gurobi, and a seed always draws the same."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from benchmarks.instances.drawn import FREE_LICENCE, drawn, within_licence
from hedgerow.candidates.coverage import Coverage, Ends
from hedgerow.optimize.problem import PartitionProblem


@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_problem_is_small_enough_and_the_same_again(seed):
    problem, again = (drawn(np.random.default_rng(seed), most_rows=100, most_trees=20) for _ in range(2))
    assert problem.n_rules <= FREE_LICENCE
    assert problem.n_samples < FREE_LICENCE
    assert_array_equal(problem.scores, again.scores)


def test_whole_trees_are_left_out_until_the_rest_fits():
    group = np.repeat(np.arange(3), 900)
    ends = Ends(np.asfortranarray(np.tile(np.arange(900, dtype=np.uint16)[:, None], 3)), np.full(3, 900))
    first = np.tile(np.arange(900), 3)
    problem = PartitionProblem(np.arange(2700.0), Coverage(ends, group, first, first + 1))
    assert_array_equal(within_licence(problem).scores, np.arange(1800.0))
