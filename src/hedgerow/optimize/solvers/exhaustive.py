"""Every partition, one after the other: the oracle that the other solvers are tested against."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow.exceptions import InfeasibleError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class Exhaustive:
    """Try all partitions, for problems that fit on a page."""

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best of all partitions; the time limit is ignored."""
        started, problem = time.perf_counter(), problem.whole()
        best = max(partitions(problem), key=lambda chosen: problem.objective(np.array(chosen)), default=None)
        if best is None:
            raise InfeasibleError("No partition satisfies the budget and the constraints.")
        chosen = problem.verify(np.array(best))
        objective = problem.objective(chosen)
        return Solution(chosen, objective, objective, "optimal", time.perf_counter() - started)


def partitions(problem: PartitionProblem) -> Iterator[tuple[int, ...]]:
    """Yield every choice of rules that partitions the samples within the budget and the extra rows."""
    members = [frozenset(problem.coverage.members(j).tolist()) for j in range(problem.n_rules)]
    budget = problem.n_rules if problem.max_rules is None else problem.max_rules

    def extend(left: frozenset[int], chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not left:
            if problem.satisfies_extra(np.array(chosen)):
                yield chosen
        elif len(chosen) < budget:
            sample = min(left)
            for j, mine in enumerate(members):
                if sample in mine and mine <= left:
                    yield from extend(left - mine, (*chosen, j))

    yield from extend(frozenset(range(problem.n_samples)), ())
