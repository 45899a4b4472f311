"""The default solver: few rows, few columns, proved on HiGHS.

1. Of rules with the same coverage only the best-scored is kept.
2. The best mixture of pruned trees is a first solution.
3. The linear relaxation starts with a sample of the rows and takes on those
   that its solution violates, until none is. Any multipliers bound the optimum;
   a rule whose reduced cost shows that no list with it beats the best one known
   is dropped for good.
4. If the relaxation's solution is not whole, HiGHS branches on the most promising
   of what is left, then on more, until the bound says that the rest cannot matter;
   and again takes on the rows that its answer violates.

Every answer is checked against all samples before it is returned.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np

from hedgerow.exceptions import InfeasibleError, InvalidParameterError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.row_search import Memory, Search
from hedgerow.rules.solution import Solution

_EXPLAIN_SECONDS = 10.0


@dataclass(frozen=True)
class RowGeneration:
    """Solve by generating rows; exact.

    Parameters
    ----------
    first_rows : int
        How many samples' rows the relaxation starts with.
    core : int
        How many columns the first integer program takes.
    seed : int
        For the choice of rows. The answer's objective does not depend on it.
    """

    first_rows: int = 100
    core: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("first_rows", 1), ("core", 1), ("seed", 0)):
            if not isinstance(getattr(self, name), Integral) or getattr(self, name) < least:
                raise InvalidParameterError(
                    f"{name} must be a whole number of at least {least}; got {getattr(self, name)!r}."
                )

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition, proven optimal unless the time ends before.

        Ctrl-C ends the search as the time limit does, with the status "interrupted".

        Raises
        ------
        InfeasibleError
            If there is none; the message says what would work.
        TimeLimitError
            If the time ends before any is found.
        """
        started = time.perf_counter()
        solution = self._solve(problem, time_limit, Memory())
        if solution is None:
            left = None if time_limit is None else max(0.0, time_limit - (time.perf_counter() - started))
            raise InfeasibleError(self._explain(problem, left))
        return solution

    def solve_path(
        self, problem: PartitionProblem, budgets: Iterable[int], time_limit: float | None = None
    ) -> list[Solution]:
        """Return the best partition for each budget, in the order given.

        The largest budget is solved first: if its best partition needs fewer rules, it is that of all budgets down to
        their number. The others are solved from the smallest up. Each starts from the rows that mattered to the last,
        and from its partition, which the larger budget allows too. The time limit is for each.
        """
        budgets = list(budgets)
        found = self.feasible_path(problem, budgets, time_limit)
        solutions = []
        for budget in budgets:
            solution = found[budget]
            if isinstance(solution, InfeasibleError):
                raise InfeasibleError(self._explain(replace(problem, max_rules=budget), time_limit))
            if isinstance(solution, TimeLimitError):
                raise solution
            solutions.append(solution)
        return solutions

    def feasible_path(
        self, problem: PartitionProblem, budgets: Iterable[int], time_limit: float | None = None
    ) -> dict[int, Solution | InfeasibleError | TimeLimitError]:
        """Return the best partition of each budget as :meth:`solve_path` does, or why there is none."""
        ascending = sorted(set(budgets))
        memory = Memory(largest=ascending[-1])
        found: dict[int, Solution | InfeasibleError | TimeLimitError] = {}
        for budget in (ascending[-1], *ascending[:-1]):
            largest = found.get(ascending[-1])
            if isinstance(largest, Solution) and largest.optimal and len(largest.chosen) <= budget:
                found[budget] = replace(largest, seconds=0.0)
            elif isinstance(largest, InfeasibleError):
                found[budget] = _no_list(budget)
            else:
                found[budget] = self._try(replace(problem, max_rules=budget), time_limit, memory)
        return _none_worse_than_the_last(found)

    def _try(
        self, problem: PartitionProblem, time_limit: float | None, memory: Memory
    ) -> Solution | InfeasibleError | TimeLimitError:
        try:
            solution = self._solve(problem, time_limit, memory)
        except TimeLimitError as error:
            return error
        if solution is None:
            return _no_list(problem.max_rules)
        if solution.status == "interrupted":
            raise KeyboardInterrupt
        return solution

    def _solve(self, problem: PartitionProblem, time_limit: float | None, memory: Memory) -> Solution | None:
        """Return the best partition, None if there is none."""
        search = Search(problem, time_limit, memory, self.first_rows, self.core, self.seed)
        try:
            status = search.run()
        except KeyboardInterrupt:
            if search.best is None:
                raise
            status = "interrupted"
        return None if status is None else search.solution(status)

    def _explain(self, problem: PartitionProblem, seconds: float | None) -> str:
        """Say why there is no partition, and what to change."""
        seconds = _EXPLAIN_SECONDS if seconds is None else min(seconds, _EXPLAIN_SECONDS)
        if problem.rows is not None:
            try:
                self.solve(replace(problem, rows=None), seconds)
            except TimeLimitError:
                pass
            except InfeasibleError as error:
                return str(error)
            named = ", ".join(dict.fromkeys(problem.rows.names)) or "the extra rows"
            return f"No list satisfies the constraints. Without them there is one; relax one of: {named}."
        if problem.max_rules is None:
            return (
                "No choice of candidate rules covers every training sample exactly once. "
                "Lower min_coverage, raise max_conditions, or take candidates='nodes'."
            )
        fewest = replace(problem, scores=-np.ones(problem.n_rules), max_rules=None)
        try:
            solution = self.solve(fewest, seconds)
        except TimeLimitError:
            return f"No list of at most {problem.max_rules} rules exists. Raise max_rules, or take candidates='nodes'."
        except InfeasibleError as error:
            return str(error)
        smallest = len(solution.chosen)
        words = "The smallest budget that works is" if solution.optimal else "A budget that works is"
        return (
            f"No list of at most {problem.max_rules} rules covers every training sample exactly once. "
            f"{words} max_rules={smallest}."
        )


def _no_list(max_rules: int | None) -> InfeasibleError:
    return InfeasibleError(f"No list of at most {max_rules} rules exists.")


def _none_worse_than_the_last(
    found: dict[int, Solution | InfeasibleError | TimeLimitError],
) -> dict[int, Solution | InfeasibleError | TimeLimitError]:
    """Give each budget whose time was over the solution of a smaller one, where that is better."""
    best: Solution | None = None
    for budget in sorted(found):
        solution = found[budget]
        if isinstance(solution, Solution):
            if best is not None and best.objective > solution.objective:
                better = replace(solution, chosen=best.chosen, objective=best.objective)
                solution = found[budget] = replace(better, bound=max(solution.bound, best.objective))
            best = solution
        elif isinstance(solution, TimeLimitError) and best is not None:
            found[budget] = replace(best, bound=np.inf, status="time_limit")
    return found
