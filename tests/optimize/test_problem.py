"""A partition problem refuses what cannot be solved, and knows a solution when it sees one."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from small_problems import COVERAGE, SCORES

from hedgerow import InvalidParameterError, LinearRows, PartitionProblem, SolverError
from hedgerow.optimize.problem import stack_rows


def test_it_knows_a_partition():
    problem = PartitionProblem(SCORES, COVERAGE, max_rules=2)
    assert problem.accepts(np.array([0, 1]))
    assert problem.accepts(np.array([2, 3]))
    assert not problem.accepts(np.array([0, 3]))  # nobody has sample 1
    assert not problem.accepts(np.array([1, 2]))  # sample 1 is in both
    assert not PartitionProblem(SCORES, COVERAGE, max_rules=1).accepts(np.array([0, 1]))
    assert problem.objective(np.array([0, 1])) == 3.0


def test_it_knows_the_extra_rows():
    rows = LinearRows([[1, 0, 0, 0]], -np.inf, 0.0)
    problem = PartitionProblem(SCORES, COVERAGE, rows=rows)
    assert not problem.accepts(np.array([0, 1]))
    assert problem.accepts(np.array([2, 3]))


def test_a_wrong_solution_is_refused():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert problem.verify(np.array([1, 0])).tolist() == [0, 1]
    with pytest.raises(SolverError, match="does not partition"):
        problem.verify(np.array([1]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SCORES[:2], COVERAGE), "as many scores"),
        (([1.0, np.nan, 0.0, 0.0], COVERAGE), "finite"),
        (([1.0, 1.0], [[1, 0], [1, 0]]), "Rule 1 covers no sample"),
        (([], np.zeros((3, 0))), "at least one rule and one sample"),
        ((SCORES, COVERAGE, 0), "max_rules must be an integer"),
        ((SCORES, COVERAGE, 1.5), "max_rules must be an integer"),
        ((SCORES, COVERAGE, 2, LinearRows([[1.0, 0.0]], 0, 1)), "one column per rule"),
    ],
)
def test_it_refuses(arguments, message):
    with pytest.raises(InvalidParameterError, match=message):
        PartitionProblem(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[np.nan, 0, 0, 0]], 0, 1), "finite entries"),
        (([[1, 0, 0, 0]], np.nan, 1), "numbers"),
        (([[1]], np.inf, np.inf), "never"),
    ],
)
def test_invalid_rows(arguments, message):
    with pytest.raises(InvalidParameterError, match=message):
        LinearRows(*arguments)


def test_rows_are_made_from_lists_numbers_and_sparse_matrices():
    one = LinearRows([1, 0, 2], -np.inf, 3)
    assert (len(one), one.matrix.shape, one.upper.tolist()) == (1, (1, 3), [3.0])
    many = LinearRows(sparse.csc_array(np.eye(3)), 0, 1)
    assert_array_equal(many.lower, [0, 0, 0])
    assert_array_equal(many.subset(np.array([2, 0])).matrix.toarray(), [[0, 1], [0, 0], [1, 0]])


def test_scaled_rows_have_a_largest_entry_of_one_and_the_same_solutions():
    rows = LinearRows([[0.0, -4.0, 2.0], [0.0, 0.0, 0.0]], [-2.0, 0.0], [np.inf, 0.0]).scaled()
    assert_array_equal(rows.matrix.toarray(), [[0, -1, 0.5], [0, 0, 0]])
    assert_allclose(rows.lower, [-0.5, 0], atol=2e-9)
    assert rows.hold(np.array([0, 2]))
    assert not rows.hold(np.array([1]))


def test_scaled_rows_leave_tiny_entries_out_and_make_up_for_them():
    rows = LinearRows([[1e5, 1e-5, 1e-5, 7.0]], 100000.00002, 100000.00002)
    scaled = rows.scaled()
    assert_array_equal(scaled.matrix.toarray() > 0, [[True, False, False, True]])
    for chosen in ([0, 1, 2], [0], [0, 1]):  # what holds within the tolerance holds in the scaled rows as well
        assert rows.hold(np.array(chosen))
        assert scaled.hold(np.array(chosen))
    assert not scaled.hold(np.array([0, 3]))


def test_bounds_that_are_out_of_reach_are_infinite():
    scaled = LinearRows([[1.0, 2.0]], -1e30, 1e200).scaled()
    assert (scaled.lower[0], scaled.upper[0]) == (-np.inf, np.inf)


def test_a_row_that_no_choice_satisfies_is_contradictory():
    rows = LinearRows([[0.0, 0.0], [1.0, -1.0], [1.0, 2.0]], [1e-12, -1.0, 3.5], np.inf)
    assert_array_equal(rows.contradictory(), [True, False, True])


def test_a_rule_is_impossible_if_it_violates_a_row_of_one_sign_alone():
    rows = LinearRows([[3.0, 2.0, 0.0], [-3.0, -2.0, 0.0], [3.0, 2.0, -9.0]], [-np.inf, -2.5, -np.inf], [2.0, 0.0, 1.0])
    # Each of the first two rows rules out the first rule; in the third, other rules could make up for it.
    assert rows.impossible().tolist() == [True, False, False]


def test_stacked_rows_keep_their_names_and_those_without_get_one():
    named, unnamed = LinearRows([[1, 0]], 0, 1, ("first",)), LinearRows([[0, 1], [1, 1]], 0, 1)
    stacked = stack_rows([named, unnamed])
    assert stacked.names == ("first", "a constraint", "a constraint")
    assert_array_equal(stacked.matrix.toarray(), [[1, 0], [0, 1], [1, 1]])
    assert stack_rows([]) is None


def test_a_subset_has_the_rows_and_preferences_of_its_rules():
    rows = LinearRows([[1, 2, 3, 4]], 0, 5)
    problem = PartitionProblem(SCORES, COVERAGE, 2, rows, np.array([4.0, 3.0, 2.0, 1.0])).subset(np.array([3, 2]))
    assert (problem.n_rules, problem.n_samples, problem.max_rules) == (2, 3, 2)
    assert problem.scores.tolist() == [0.5, 0.5]
    assert problem.preference.tolist() == [1.0, 2.0]
    assert problem.rows.matrix.toarray().tolist() == [[4, 3]]
    assert problem.accepts(np.array([0, 1])) is False  # 4 + 3 is more than 5


def test_a_copy_with_another_budget_shares_the_coverage():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert replace(problem, max_rules=2).coverage is problem.coverage
