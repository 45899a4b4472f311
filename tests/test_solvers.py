"""Every solver that users can import takes extra rows and finds the optimum of a small problem."""

import numpy as np
import pytest
from small_problems import COVERAGE, SCORES

from hedgerow import InfeasibleError, LinearRows, PartitionProblem, solvers

SOLVERS = [getattr(solvers, name)() for name in solvers.__all__ if name != "Solver"]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_the_optimum_of_three_samples(solver):
    solution = solver.solve(PartitionProblem(SCORES, COVERAGE, 2))
    assert solution.chosen.tolist() == [0, 1]
    assert solution.objective == solution.bound == 3.0
    assert solution.optimal


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_extra_rows_and_infeasibility(solver):
    rows = LinearRows([[1, 0, 0, 0], [0, 0, 1, 1]], [-np.inf, 1.0], [0.0, np.inf])
    solution = solver.solve(PartitionProblem(SCORES, COVERAGE, 2, rows))
    assert solution.chosen.tolist() == [2, 3]
    assert solution.optimal
    with pytest.raises(InfeasibleError):
        solver.solve(PartitionProblem(SCORES, COVERAGE, 1))
