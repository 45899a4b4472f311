"""Constraints that take too many rows to write down, for solvers that take all rows at once.

The problem is solved without them. Rows that the solution violates are added, and it is solved again, until none is.
Each solution is the best of a problem that allows more, so the last one is the best of all.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hedgerow.exceptions import TimeLimitError
from hedgerow.optimize.problem import LinearRows, PartitionProblem, stack_rows
from hedgerow.rules.solution import Solution

SolveOnce = Callable[[PartitionProblem, float | None], Solution]


def solve_lazily(problem: PartitionProblem, time_limit: float | None, solve: SolveOnce) -> Solution:
    """Return the best partition, by a function that solves a problem whose rows are all written down."""
    started, written, left = time.perf_counter(), replace(problem, lazy=()), time_limit
    while True:
        solution = solve(written, left)
        if problem.satisfies_extra(solution.chosen):
            return replace(solution, seconds=time.perf_counter() - started)
        left = None if time_limit is None else time_limit - (time.perf_counter() - started)
        if not solution.optimal or (left is not None and left <= 0):
            raise TimeLimitError(
                f"No list that satisfies {'; '.join(problem.demands)} was found within {time_limit:.1f} s. Raise "
                "time_limit, or take the default solver."
            )
        z = np.zeros(problem.n_rules)
        z[solution.chosen] = 1.0
        alone = LinearRows(z, -np.inf, len(solution.chosen) - 1.0, ("another list",))
        parts = [written.rows, problem.lazily_violated(z) or alone]
        written = replace(written, rows=stack_rows([part for part in parts if part is not None]))
