"""Other people's solvers on the paper's formulation find the same optimum."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import (
    InfeasibleError,
    LinearRows,
    PartitionProblem,
    RuleListClassifier,
    RuleListRegressor,
    TimeLimitError,
)
from hedgerow.exceptions import SolverError
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.optimize.solvers.gurobi import Gurobi
from hedgerow.optimize.solvers.highs import Highs
from hedgerow.optimize.solvers.scip import Scip

SOLVERS = [Gurobi(threads=1), Highs(), Scip()]

#             {0} {1,2} {0,1} {2}
COVERAGE = [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


@pytest.fixture(scope="module")
def problems():
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(60, max_depth=2, random_state=0).fit(X, y)
    classes = RuleListClassifier(forest, max_rules=4).fit(X, y).problem_
    tight = RuleListClassifier(forest, max_rules=3, candidates="leaves").fit(X, y).problem_
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(40, max_depth=3, random_state=0).fit(X, y)
    values = RuleListRegressor(forest, max_rules=10, candidates="nodes", stability_weight=0.1, loss="sse").fit(X, y)
    return [classes, tight, values.problem_]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_the_objective_is_the_same(solver, problems):
    for problem in problems:
        theirs, ours = solver.solve(problem), RowGeneration().solve(problem)
        assert theirs.optimal
        assert ours.optimal
        assert_allclose(theirs.objective, ours.objective, atol=1e-7)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_extra_rows_and_infeasibility(solver):
    rows = LinearRows([[1, 0, 0, 0], [0, 0, 1, 1]], [-np.inf, 1.0], [0.0, np.inf])
    solution = solver.solve(PartitionProblem([1.0, 2.0, 0.5, 0.5], COVERAGE, 2, rows))
    assert solution.chosen.tolist() == [2, 3]
    assert solution.optimal
    with pytest.raises(InfeasibleError, match="at most 1 rules"):
        solver.solve(PartitionProblem([1.0, 2.0, 0.5, 0.5], COVERAGE, 1))


@pytest.mark.parametrize("solver", [Highs(), Scip()], ids=lambda s: type(s).__name__)
def test_a_time_limit_without_a_list(solver, problems):
    with pytest.raises(TimeLimitError, match="Raise time_limit"):
        solver.solve(problems[2], time_limit=1e-9)


@pytest.mark.parametrize(("solver", "library"), [(Gurobi(), "gurobipy"), (Scip(), "pyscipopt")])
def test_a_missing_library_names_the_extra(solver, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    extra = {"gurobipy": "gurobi", "pyscipopt": "scip"}[library]
    with pytest.raises(ImportError, match=rf"pip install 'hedgerow\[{extra}\]'"):
        solver.solve(PartitionProblem(np.ones(4), COVERAGE))


def test_a_refusal_of_the_licence_says_what_needs_none(monkeypatch):
    import gurobipy

    def refuse(self):
        raise gurobipy.GurobiError(10010, "Model too large for size-limited license")

    monkeypatch.setattr(gurobipy.Model, "optimize", refuse)
    with pytest.raises(SolverError, match=r"Model too large.*default solver needs no licence"):
        Gurobi().solve(PartitionProblem(np.ones(4), COVERAGE))
