"""Gurobi on the whole formulation finds the same optimum; without a licence the error says what needs none."""

import sys

import pytest
from small_problems import COVERAGE, SCORES

from hedgerow import PartitionProblem, SolverError
from hedgerow.optimize.solvers.gurobi import Gurobi


def test_the_objectives_are_those_of_the_default_solver(assert_same_objectives):
    assert_same_objectives(Gurobi(threads=1))


def test_a_missing_library_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "gurobipy", None)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[gurobi\]'"):
        Gurobi().solve(PartitionProblem(SCORES, COVERAGE))


def test_a_missing_licence_says_which_solver_needs_none(monkeypatch):
    import gurobipy

    def refuse(self):
        raise gurobipy.GurobiError(10010, "Model too large for size-limited license")

    monkeypatch.setattr(gurobipy.Model, "optimize", refuse)
    with pytest.raises(SolverError, match=r"Model too large.*default solver needs no licence"):
        Gurobi().solve(PartitionProblem(SCORES, COVERAGE))


def test_a_list_that_was_found_before_gurobi_was_stopped_is_not_proven(monkeypatch, large_problem):
    import gurobipy

    optimize = gurobipy.Model.optimize

    def stopped(model):
        model.Params.SolutionLimit = 1
        optimize(model)

    best = Gurobi(threads=1).solve(large_problem)
    monkeypatch.setattr(gurobipy.Model, "optimize", stopped)
    found = Gurobi(threads=1).solve(large_problem)
    assert (found.status, found.optimal) == ("time_limit", False)
    assert found.objective <= best.objective + 1e-7 <= found.bound + 2e-7
