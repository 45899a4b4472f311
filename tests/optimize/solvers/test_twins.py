"""Of rules that nothing but the score can decide between, one is left."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from wishes import a_max_features, smalls

from hedgerow import LinearRows, PartitionProblem
from hedgerow.optimize.solvers.twins import best_of_each, best_of_twins

#: {0,1} three times, {0} and {1}.
TWINS = [[1, 1, 1, 1, 0], [1, 1, 1, 0, 1]]


def test_of_twins_the_one_with_the_best_score_is_kept():
    unique, best_twin = best_of_twins(PartitionProblem([1.0, 3.0, 2.0, 0.0, 0.0], TWINS))
    assert_array_equal(unique, [1, 3, 4])
    assert_array_equal(best_twin, [1, 1, 1, 3, 4])


@pytest.mark.parametrize(("preference", "kept"), [(None, 0), ([2.0, 1.0, 3.0, 0.0, 0.0], 1)])
def test_scores_that_differ_by_rounding_are_equal_and_the_preference_decides(preference, kept):
    preference = None if preference is None else np.array(preference)
    problem = PartitionProblem([0.3, 0.1 + 0.2, 0.3, 0.0, 0.0], TWINS, preference=preference)
    assert_array_equal(best_of_twins(problem)[0], [kept, 3, 4])


def test_twins_that_an_extra_row_tells_apart_are_both_kept():
    problem = PartitionProblem(np.zeros(5), TWINS, rows=LinearRows([[1, 0, 0, 0, 0]], -np.inf, 0.0))
    assert_array_equal(best_of_twins(problem)[0], [0, 1, 3, 4])


@settings(max_examples=30, deadline=None)
@given(small=smalls(), data=st.data())
def test_rules_left_out_for_a_twin_have_its_samples_and_its_entries(small, data):
    rules = small.free if data.draw(st.booleans()) else _constrained(small, data.draw)
    if rules is None:
        return
    problem = rules.problem
    kept, best = best_of_twins(problem)
    held = problem.coverage.held(np.arange(problem.n_rules))
    assert_array_equal(held, held[best])
    assert_array_equal(np.unique(best), kept)
    assert (problem.scores[best] >= problem.scores - 1e-12).all()
    for rows in problem.lazy:
        some = np.arange(problem.n_rules)
        assert_array_equal(rows.conflicts(best, some), rows.conflicts(some, some))


def _constrained(small, draw):
    wish, means = a_max_features(small, draw)
    return None if small.best(means) is None else small.fit([wish]).posed_


def test_of_rules_that_are_numbered_alike_the_first_of_the_best_is_kept():
    kept, best = best_of_each(np.array([0, 0, 2, 2]), np.array([1.0, 2.0, 5.0, 5.0]), None)
    assert_array_equal(kept, [1, 2])
    assert_array_equal(best, [1, 1, 2, 2])
