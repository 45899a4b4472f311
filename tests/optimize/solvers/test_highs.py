"""HiGHS on the whole formulation finds the same optimum; its models are what they are said to be."""

import highspy
import numpy as np
import pytest
from scipy import sparse

from hedgerow import SolverError, TimeLimitError
from hedgerow.optimize.solvers.highs import Highs, add_rows, build_model


def test_the_objectives_are_those_of_the_default_solver(assert_same_objectives):
    assert_same_objectives(Highs())


def test_a_time_limit_without_a_list(large_problem):
    with pytest.raises(TimeLimitError, match="Raise time_limit"):
        Highs().solve(large_problem, time_limit=1e-9)


ROWS = sparse.csr_array([[2.0, 3.0]]), np.array([-np.inf]), np.array([4.0])


@pytest.mark.parametrize(("integer", "expected"), [(False, [0.5, 1.0]), (True, [0.0, 1.0])])
def test_a_model_of_two_columns_has_the_optimum_found_by_hand(integer, expected):
    # max z0 + 2 z1, 2 z0 + 3 z1 <= 4
    highs = build_model(np.array([1.0, 2.0]), ROWS, integer=integer)
    highs.run()
    assert highs.getSolution().col_value == pytest.approx(expected)


def test_rows_can_be_added_and_bad_ones_are_an_error():
    highs = build_model(np.array([1.0, 2.0]), ROWS, integer=False)
    add_rows(highs, (sparse.csr_array([[0.0, 1.0]]), np.array([0.0]), np.array([0.25])))
    highs.run()
    assert highs.getSolution().col_value == pytest.approx([1.0, 0.25])
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    with pytest.raises(SolverError, match="rejected"):
        add_rows(highs, (sparse.csr_array([[np.inf, 1.0]]), np.array([0.0]), np.array([1.0])))
