"""SCIP on the paper's formulation as it stands."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.formulation import infeasible, to_solution, written_out
from hedgerow.optimize.solvers.lazily import solve_lazily
from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class Scip:
    """Pass the whole formulation to SCIP."""

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition that SCIP finds."""
        return solve_lazily(problem.whole(), time_limit, self._solve)

    def _solve(self, problem: PartitionProblem, time_limit: float | None) -> Solution:
        try:
            from pyscipopt import Model, quicksum
        except ImportError:
            raise ImportError("The solver Scip needs pyscipopt: pip install 'hedgerow[scip]'.") from None
        started = time.perf_counter()
        matrix, lower, upper = written_out(problem)
        model = Model()
        model.hideOutput()
        z = [model.addVar(vtype="B", obj=score) for score in problem.scores.tolist()]
        model.setMaximize()
        for i in range(len(lower)):
            entries = slice(matrix.indptr[i], matrix.indptr[i + 1])
            row = quicksum(a * z[j] for a, j in zip(matrix.data[entries], matrix.indices[entries], strict=True))
            if lower[i] == upper[i]:
                model.addCons(row == upper[i])
            elif np.isfinite(upper[i]):
                model.addCons(row <= upper[i])
            if lower[i] != upper[i] and np.isfinite(lower[i]):
                model.addCons(row >= lower[i])
        if time_limit is not None:
            model.setParam("limits/time", max(0.0, time_limit - (time.perf_counter() - started)))
        model.optimize()
        if model.getStatus() == "infeasible":
            raise infeasible(problem)
        values = np.array([model.getVal(variable) for variable in z]) if model.getNSols() else None
        return to_solution(problem, values, model.getDualbound(), model.getStatus() == "optimal", started)
