"""What is drawn is the same again, of every kind, and both feasible and infeasible."""

from collections import Counter

import numpy as np
from numpy.testing import assert_array_equal

from benchmarks.attack_draws import COVERAGES, ROWS, SCORES, draw, written
from benchmarks.exact import find_truth
from hedgerow.optimize.problem import LinearRows, PartitionProblem


def test_a_seed_draws_one_problem():
    (one, kinds), (other, same) = draw(7), draw(7)
    assert kinds == same
    assert written(one) == written(other)


def test_every_kind_is_drawn_and_lists_exist_about_half_the_time():
    drawn = [draw(seed) for seed in range(400)]
    for place, kinds in enumerate((COVERAGES, SCORES, (*ROWS, "none"))):
        assert {names[place] for _, names in drawn} == set(kinds)
    feasible = Counter(find_truth(problem).best is not None for problem, _ in drawn)
    assert 0.3 < feasible[True] / 400 < 0.7


def test_what_is_written_makes_the_problem_again():
    problem, _ = next(one for one in map(draw, range(100)) if one[0].rows is not None)
    names = {"PartitionProblem": PartitionProblem, "LinearRows": LinearRows, "inf": np.inf}
    again = eval(written(problem), names)
    assert_array_equal(again.scores, problem.scores)
    assert_array_equal(again.rows.matrix.toarray(), problem.rows.matrix.toarray())
    assert_array_equal(again.coverage.matrix().toarray(), problem.coverage.matrix().toarray())
