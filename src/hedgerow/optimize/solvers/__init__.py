"""How a partition problem is solved: one file a solver.

A solver is a frozen dataclass with ``solve(problem, time_limit) -> Solution``.
It returns a verified solution, or raises :class:`~hedgerow.exceptions.InfeasibleError`
or, if the time was over before any was found, :class:`~hedgerow.exceptions.TimeLimitError`.
"""

from __future__ import annotations

from typing import Protocol

from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.exhaustive import Exhaustive
from hedgerow.optimize.solvers.gurobi import Gurobi
from hedgerow.optimize.solvers.highs import Highs
from hedgerow.optimize.solvers.row_generation import RowGeneration
from hedgerow.optimize.solvers.scip import Scip
from hedgerow.rules.solution import Solution

__all__ = ["Exhaustive", "Gurobi", "Highs", "RowGeneration", "Scip", "Solver"]


class Solver(Protocol):
    """What the estimators need of a solver."""

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition found."""
        ...
