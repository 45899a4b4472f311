"""Choosing the budget: how many rules a partition may have at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hedgerow.problem import PartitionProblem
from hedgerow.solution import Solution
from hedgerow.solvers import RowGeneration, Solver


class RuleBounds(tuple[int, int]):
    """The fewest and the most rules of any partition, as a pair.

    Attributes
    ----------
    fewest, most : Solution
        The partitions found, with their proofs.
    proven : bool
        Whether both numbers are proven; if not, the true range is ``interval``.
    interval : pair of int
        No partition has fewer rules than the first or more than the second.
    """

    fewest: Solution
    most: Solution

    def __new__(cls, fewest: Solution, most: Solution) -> RuleBounds:
        """Make the pair of two solutions of the bound problems."""
        self = super().__new__(cls, (len(fewest.chosen), len(most.chosen)))
        self.fewest, self.most = fewest, most
        return self

    @property
    def proven(self) -> bool:
        """Whether both numbers are proven."""
        return self.fewest.optimal and self.most.optimal

    @property
    def interval(self) -> tuple[int, int]:
        """What is proven in any case: at least so many, at most so many."""
        return round(-self.fewest.bound), round(self.most.bound)


def rule_bounds(
    problem: PartitionProblem, *, time_limit: float | None = None, solver: Solver | None = None
) -> RuleBounds:
    """Return the fewest and the most rules of any partition of the problem, budget aside.

    Parameters
    ----------
    problem : PartitionProblem
    time_limit : float, optional
        Seconds for each of the two problems. If they end before the proof,
        ``proven`` is False and ``interval`` says what is known.
    solver : Solver, optional
    """
    solver = RowGeneration() if solver is None else solver
    count = np.ones(problem.n_rules)
    fewest = solver.solve(replace(problem, scores=-count, max_rules=None), time_limit)
    most = solver.solve(replace(problem, scores=count, max_rules=None), time_limit)
    return RuleBounds(fewest, most)
