"""Gurobi on the paper's formulation as it stands: the solver that the paper used."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from hedgerow.exceptions import SolverError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.formulation import infeasible, to_solution, written_out
from hedgerow.optimize.solvers.lazily import solve_lazily
from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class Gurobi:
    """Pass the whole formulation to Gurobi.

    Without a licence, gurobipy accepts up to 2000 rules and 2000 samples.

    Parameters
    ----------
    threads : int
        0 lets Gurobi choose.
    """

    threads: int = 0

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition that Gurobi finds."""
        return solve_lazily(problem.whole(), time_limit, self._solve)

    def _solve(self, problem: PartitionProblem, time_limit: float | None) -> Solution:
        try:
            import gurobipy
            from gurobipy import GRB
        except ImportError:
            raise ImportError("The solver Gurobi needs gurobipy: pip install 'hedgerow[gurobi]'.") from None
        started = time.perf_counter()
        matrix, lower, upper = written_out(problem)
        try:
            with gurobipy.Env(params={"OutputFlag": 0}) as environment, gurobipy.Model(env=environment) as model:
                model.Params.Threads = self.threads
                model.Params.MIPGap = 0.0
                z = model.addMVar(problem.n_rules, vtype=GRB.BINARY, obj=problem.scores)
                model.ModelSense = GRB.MAXIMIZE
                equal = lower == upper
                above, below = ~equal & np.isfinite(lower), ~equal & np.isfinite(upper)
                model.addConstr(matrix[equal] @ z == upper[equal])
                if below.any():
                    model.addConstr(matrix[below] @ z <= upper[below])
                if above.any():
                    model.addConstr(matrix[above] @ z >= lower[above])
                if time_limit is not None:
                    model.Params.TimeLimit = max(0.0, time_limit - (time.perf_counter() - started))
                model.optimize()
                if model.Status in (GRB.INFEASIBLE, GRB.INF_OR_UNBD):
                    raise infeasible(problem)
                values = np.array(z.X) if model.SolCount else None
                return to_solution(problem, values, model.ObjBound, model.Status == GRB.OPTIMAL, started)
        except gurobipy.GurobiError as error:
            raise SolverError(f"Gurobi failed: {error}. The default solver needs no licence.") from error
