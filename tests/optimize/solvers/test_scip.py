"""SCIP on the whole formulation finds the same optimum."""

import sys

import pytest
from small_problems import COVERAGE, SCORES

from hedgerow import PartitionProblem, TimeLimitError
from hedgerow.optimize.solvers.scip import Scip


def test_the_objectives_are_those_of_the_default_solver(assert_same_objectives):
    assert_same_objectives(Scip())


def test_a_time_limit_without_a_list(large_problem):
    with pytest.raises(TimeLimitError, match="Raise time_limit"):
        Scip().solve(large_problem, time_limit=1e-9)


def test_a_missing_library_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyscipopt", None)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[scip\]'"):
        Scip().solve(PartitionProblem(SCORES, COVERAGE))
