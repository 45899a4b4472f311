"""What a solver offers.

Every solver has ``solve``. Anything beyond that is an optional ability, with a protocol of its own: a solver has the
ability if it has the method. For a solver without it, :mod:`hedgerow.optimize.budgets` falls back to ``solve``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

from hedgerow.exceptions import InfeasibleError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.rules.solution import Solution

#: The best partition for each budget, or the error that says why there is none.
Path = dict[int, Solution | InfeasibleError | TimeLimitError]


class Solver(Protocol):
    """The one method that every solver needs."""

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition found, verified.

        Raises
        ------
        InfeasibleError
            If there is no partition.
        TimeLimitError
            If the time limit is reached before any partition is found.
        """
        ...


@runtime_checkable
class SolvesPaths(Protocol):
    """The ability to solve for several budgets together, each starting from what the others have found."""

    def feasible_path(self, problem: PartitionProblem, budgets: Iterable[int], time_limit: float | None = None) -> Path:
        """Return the best partition for each budget, or why there is none. The time limit is per budget."""
        ...


@runtime_checkable
class ContinuesPaths(Protocol):
    """The ability to go on with a path: calls with one problem and larger and larger budgets share a memory."""

    def memory(self, largest: int) -> Any:
        """Return an empty memory for budgets up to the largest. It can be pickled."""
        ...

    def feasible_path(
        self, problem: PartitionProblem, budgets: Iterable[int], time_limit: float | None = None, memory: Any = None
    ) -> Path:
        """Return the best partition for each budget, or why there is none, and keep what helps larger budgets."""
        ...
