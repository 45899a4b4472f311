"""The formulation written out is the paper's, and no wrong result gets through."""

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from small_problems import COVERAGE, SCORES

from hedgerow import InfeasibleError, LinearRows, PartitionProblem, SolverError, TimeLimitError
from hedgerow.optimize.solvers.formulation import infeasible, side_rows, to_solution, written_out


def test_each_sample_has_a_row_then_the_budget_then_the_extra_rows_scaled_to_one():
    rows = LinearRows([[0.0, 4.0, 0.0, 2.0]], -np.inf, 6.0)
    matrix, lower, upper = written_out(PartitionProblem(SCORES, COVERAGE, 2, rows))
    assert_array_equal(matrix.toarray(), [*COVERAGE, [1, 1, 1, 1], [0, 1, 0, 0.5]])
    assert_array_equal(lower, [1, 1, 1, -np.inf, -np.inf])
    assert_allclose(upper, [1, 1, 1, 2, 1.5])


def test_without_a_budget_and_extra_rows_only_the_samples_have_rows():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert side_rows(problem) == []
    assert_array_equal(written_out(problem)[0].toarray(), COVERAGE)


def test_the_error_names_the_budget():
    assert isinstance(infeasible(PartitionProblem(SCORES, COVERAGE, 1)), InfeasibleError)
    assert "of at most 1 rules" in str(infeasible(PartitionProblem(SCORES, COVERAGE, 1)))
    assert "of at most" not in str(infeasible(PartitionProblem(SCORES, COVERAGE)))


def test_nearly_integral_values_are_a_solution_and_a_bound_is_never_below_it():
    problem, started = PartitionProblem(SCORES, COVERAGE), time.perf_counter()
    values = np.array([1 - 1e-7, 1.0, 1e-7, 0.0])
    proved = to_solution(problem, values, 3.5, True, started)
    assert (proved.chosen.tolist(), proved.objective, proved.bound, proved.status) == ([0, 1], 3.0, 3.0, "optimal")
    stopped = to_solution(problem, values, 3.5, False, started)
    assert (stopped.bound, stopped.status) == (3.5, "time_limit")
    assert to_solution(problem, values, 2.9, False, started).bound == 3.0


def test_values_that_are_not_a_partition_and_missing_values_are_errors():
    problem = PartitionProblem(SCORES, COVERAGE)
    with pytest.raises(SolverError, match="does not partition"):
        to_solution(problem, np.array([1.0, 0.0, 1.0, 0.0]), 3.0, True, time.perf_counter())
    with pytest.raises(TimeLimitError, match="Raise time_limit"):
        to_solution(problem, None, 3.0, False, time.perf_counter())
