"""The default solver: few rows, few columns, and a proof of its own.

1. Among rules with the same coverage, only the one with the best score is kept.
2. The best mixture of pruned trees is the first list (:mod:`.prunings`).
3. Of very many rules, multipliers for all samples show which can matter (:mod:`.lagrangian`).
4. The linear relaxation starts with the rows of a few samples and adds those that its solution violates, until none is
   violated (:mod:`.relaxation`). Any dual multipliers give an upper bound on the optimum. A rule is dropped for good
   once its reduced cost shows that no list with it can beat the best one known.
5. If the relaxation's solution is not a list, or takes long to find, all short lists are tried where that is cheap
   (:mod:`.short_lists`); otherwise branch and cut ends the search (:mod:`.branching`, :mod:`.cliques`).
6. Of equally good lists, one is taken by a rule, where they are few enough to try.

Every list is checked against all samples before it is returned. Of very many samples, the problem has some only; those
that contradict its best list are added until none does.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from hedgerow._support.checks import check_integer
from hedgerow.exceptions import InfeasibleError, SolverError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.memory import Memory
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.row_search import Search
from hedgerow.optimize.solvers.solver import Path
from hedgerow.rules.solution import Solution, Step

logger = logging.getLogger(__name__)

_EXPLAIN_SECONDS = 2.0
_ROUNDING = 1e-6
#: So many pruned trees are tried if time runs out.
_TRIED = 5


@dataclass(frozen=True)
class RowGeneration:
    """Solve exactly, by row generation.

    Parameters
    ----------
    first_rows : int
        Number of samples whose rows the relaxation starts with; more of a small problem.
    seed : int
        Determines which rows are tried first. The optimal objective does not depend on it. Where too many lists have
        that objective to try them all, the one that is found may.
    """

    first_rows: int = 60
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("first_rows", 1), ("seed", 0)):
            check_integer(name, vars(self)[name], least=least)

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition, proven optimal unless the time limit is reached first.

        Ctrl-C ends the search just as the time limit does, with the status "interrupted".

        Raises
        ------
        InfeasibleError
            If there is no partition; the message says what would work.
        TimeLimitError
            If the time limit is reached before any partition is found.
        """
        started, memory = time.perf_counter(), Memory()
        solution = self._solve(problem, time_limit, memory)
        if solution is None:
            left = None if time_limit is None else max(0.0, time_limit - (time.perf_counter() - started))
            raise InfeasibleError(self._explain(problem, left, memory))
        return solution

    def memory(self, largest: int) -> Memory:
        """Return an empty memory, for calls of ``feasible_path`` with one problem and budgets up to the largest."""
        return Memory(largest=largest)

    def feasible_path(
        self,
        problem: PartitionProblem,
        budgets: Iterable[int],
        time_limit: float | None = None,
        memory: Memory | None = None,
    ) -> Path:
        """Return the best partition for each budget, or why there is none.

        The largest budget is solved first. If its best partition has fewer rules than that, it is the best one for all
        budgets down to this number. The other budgets are solved in increasing order. Each starts from the rows that
        mattered to the previous one, and from its partition, which a larger budget allows too. A later call with larger
        budgets goes on from there if it gets the same ``memory``.
        """
        ascending = sorted(set(budgets))
        memory = self.memory(ascending[-1]) if memory is None else memory
        found: Path = {}
        for budget in (ascending[-1], *ascending[:-1]):
            largest = found.get(ascending[-1])
            if isinstance(largest, Solution) and largest.optimal and len(largest.chosen) <= budget:
                found[budget] = replace(largest, seconds=0.0)
            elif isinstance(largest, InfeasibleError):
                found[budget] = _no_list(replace(problem, max_rules=budget))
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
            return _no_list(problem)
        if solution.status == "interrupted":
            raise KeyboardInterrupt
        return solution

    def _solve(
        self,
        problem: PartitionProblem,
        time_limit: float | None,
        memory: Memory,
        thorough: bool = True,
        known: float = np.inf,
    ) -> Solution | None:
        """Return the best partition of all samples, or None if there is none.

        Where the problem has some of the samples only, others that contradict its best partition are added to it, until
        none does. The best partition of fewer samples is at least as good, so its bound is one on all partitions.
        """
        started, log = time.perf_counter(), tuple[Step, ...]()
        rest, left = problem.coverage.ends.rest, time_limit
        for ranks in memory.more:
            problem = problem.with_samples(ranks)
        while True:
            before = time.perf_counter() - started
            solution = _solution(
                Search(problem, left, memory, self.first_rows, self.seed, thorough=thorough, known=known)
            )
            if solution is None or rest is None:
                return solution
            known = min(known, solution.bound)
            log = (*log, *(replace(step, seconds=before + step.seconds) for step in solution.log))
            against = rest.against(problem.coverage.subset(solution.chosen))
            if len(against) and not solution.optimal:
                solution = _of_one_tree(problem, solution)
            if not len(against) or not solution.optimal:
                return replace(solution, seconds=time.perf_counter() - started, log=log)
            logger.info("%d samples contradict the list; they are added", len(against))
            problem = problem.with_samples(against)
            memory.more.append(against)
            memory.prunings = None  # their rules may cover different samples after all
            left = None if time_limit is None else max(0.0, time_limit - (time.perf_counter() - started))

    def _explain(self, problem: PartitionProblem, seconds: float | None, memory: Memory) -> str:
        """Return why there is no partition, and what to change; the rows that showed it are a good start."""
        seconds = _EXPLAIN_SECONDS if seconds is None else min(seconds, _EXPLAIN_SECONDS)
        if problem.is_constrained:
            try:
                self.solve(replace(problem, scores=np.zeros(problem.n_rules), rows=None, lazy=()), seconds)
            except TimeLimitError:
                pass
            except InfeasibleError as error:
                return str(error)
            named = ", ".join(problem.demands) or "the extra rows"
            return f"No list satisfies the constraints, but there is one without them; relax one of: {named}."
        if problem.max_rules is None:
            return (
                "No choice of candidate rules covers every training sample exactly once. "
                "Lower min_coverage, raise max_conditions, or use candidates='nodes'."
            )
        fewest = replace(problem, scores=-np.ones(problem.n_rules), max_rules=None)
        memory = Memory(samples=memory.samples, more=memory.more)
        budget, known = f"No list of at most {problem.max_rules} rules", -(problem.max_rules + 1.0)
        try:
            try:
                solution = self._solve(fewest, seconds, memory, thorough=False, known=known)
            except TimeLimitError:  # few problems need more than the relaxation and a dive
                solution = self._solve(fewest, seconds, memory, known=known)
        except TimeLimitError:
            least = int(np.ceil(-memory.bound - _ROUNDING))
            return f"{budget} exists. It takes at least {least}: raise max_rules, or use candidates='nodes'."
        if solution is None:
            return self._explain(fewest, seconds, memory)
        found, least = len(solution.chosen), int(np.ceil(-solution.bound - _ROUNDING))
        words = f"The smallest budget that works is max_rules={found}."
        if not solution.optimal:
            words = f"A budget that works is max_rules={found}; none below {least} does."
        return f"{budget} covers every training sample exactly once. {words}"


def _solution(search: Search) -> Solution | None:
    """Return what a search finds, or None if there is no partition; Ctrl-C ends it as the time limit does.

    So does a linear program that HiGHS cannot solve: the log says so.
    """
    try:
        status = search.run()
    except KeyboardInterrupt:
        if search.record.best is None:
            raise
        status = "interrupted"
    except SolverError as error:
        if search.record.best is None:
            raise
        search.record.note(f"failure: {error}", 0, search.record.problem.n_rules)
        status = "time_limit"
    search.memory.bound = search.record.bound
    return None if status is None else search.solution(status)


def _of_one_tree(problem: PartitionProblem, unfinished: Solution) -> Solution:
    """Return the best pruned tree that holds for all samples, with the bound of a search that found no list."""
    rest = problem.coverage.ends.rest
    assert rest is not None
    prunings = Prunings(problem.coverage, problem.scores, np.arange(problem.n_rules), problem.max_rules)
    for chosen in itertools.islice(prunings.best(problem.max_rules), _TRIED):
        if problem.accepts(chosen) and not len(rest.against(problem.coverage.subset(chosen))):
            return replace(unfinished, chosen=problem.verify(chosen), objective=problem.objective(chosen))
    raise TimeLimitError("No list of all samples was found within the time limit. Raise time_limit or max_rules.")


def _no_list(problem: PartitionProblem) -> InfeasibleError:
    demanded = f" within the constraints: {'; '.join(problem.demands)}" if problem.is_constrained else ""
    return InfeasibleError(f"No list of at most {problem.max_rules} rules exists{demanded}.")


def _none_worse_than_the_last(found: Path) -> Path:
    """Give each budget that ran out of time the solution of a smaller one, where that is better."""
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
