"""How a partition problem is solved: one file a solver.

A solver is a frozen dataclass with ``solve(problem, time_limit) -> Solution``.
It returns a verified solution, or raises :class:`~hedgerow.exceptions.InfeasibleError`
or, if the time was over before any was found, :class:`~hedgerow.exceptions.TimeLimitError`.
"""

from __future__ import annotations

from typing import Protocol

from hedgerow.problem import PartitionProblem
from hedgerow.solution import Solution
from hedgerow.solvers.exhaustive import Exhaustive
from hedgerow.solvers.row_generation import RowGeneration

__all__ = ["Exhaustive", "RowGeneration", "Solver"]


class Solver(Protocol):
    """What the estimators need of a solver."""

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition found."""
        ...
