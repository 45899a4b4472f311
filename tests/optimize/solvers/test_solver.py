"""A solver has an ability if it has its method."""

import pytest

from hedgerow.optimize.solvers import Exhaustive, Gurobi, Highs, RowGeneration, Scip
from hedgerow.optimize.solvers.solver import SolvesPaths


@pytest.mark.parametrize("solver", [Exhaustive(), Gurobi(), Highs(), Scip()], ids=lambda s: type(s).__name__)
def test_most_solvers_solve_one_budget_at_a_time(solver):
    assert not isinstance(solver, SolvesPaths)


def test_the_default_solver_solves_paths():
    assert isinstance(RowGeneration(), SolvesPaths)
