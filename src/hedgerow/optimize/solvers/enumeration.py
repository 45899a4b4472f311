"""All lists, one after the other, the best first, each proven to be the next best.

1. Of rules between which nothing but the score can decide, one is kept, as in the search for the best list.
2. The multipliers of the relaxation bound every list: the bound less the regrets of its rules, none of which is
   negative. So a list that is nearly as good as the best one has rules with small regrets only. The hundred rules with
   the smallest are searched first, then more. Lists with any other rule are worse than a target that is known.
3. Their lists are put together, rule by rule (:mod:`.ranked_beginnings`). A list comes out once no beginning that is
   still open has a bound above its objective, so that none is missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.common_step import common_step
from hedgerow.optimize.solvers.lagrangian import lagrangian_bound
from hedgerow.optimize.solvers.ranked_beginnings import CLOSE, Aim, EndedError, Progress, RankedBeginnings
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.twins import best_of_twins
from hedgerow.optimize.solvers.violated_rows import first_samples, pick

_FIRST_ROWS, _SEED = 60, 0
_VIOLATION = 1e-6
#: So many rules are searched first, and then so many times more.
_FEW, _MORE = 100, 4
#: Above this number of rules, multipliers are found without a linear program, and this many rules are searched first.
_MANY_COLUMNS, _CORE = 8000, 2000


def ordered_lists(
    problem: PartitionProblem,
    progress: Progress,
    *,
    best: IntArray | None = None,
    floor: float = -np.inf,
    deadline: float | None = None,
) -> Iterator[IntArray]:
    """Yield the rules of each list, the best list first; of lists with the same sets of samples, the best one.

    Parameters
    ----------
    problem : PartitionProblem
        With all samples; those that are not at hand are ignored.
    progress : Progress
        Is updated before each list comes out, and at the end.
    best : int array, optional
        The rules of a good list, if one is known: that helps with very many rules.
    floor : float
        Lists with a lower objective are not wanted.
    deadline : float, optional
        In terms of ``time.perf_counter()``.
    """
    unit = float(np.abs(problem.scores).max()) or 1.0
    scaled = replace(problem, scores=problem.scores / unit)
    aim = Aim(progress, common_step(scaled.scores, problem.most_rules), deadline)
    search = _Search(scaled, aim, best, floor / unit - CLOSE)
    known: set[tuple[int, ...]] = set()
    sets_of = problem.coverage.twins
    try:
        for chosen, bound in search.lists():
            progress.bound = bound * unit
            sets = tuple(sorted(sets_of[chosen].tolist()))
            if sets not in known:
                known.add(sets)
                yield chosen
        progress.bound = aim.target * unit
    except EndedError:
        progress.ended_early, progress.bound = True, aim.open_bound * unit


class _Search:
    """The search in scores whose largest is 1."""

    def __init__(self, problem: PartitionProblem, aim: Aim, best: IntArray | None, floor: float) -> None:
        self.problem, self.aim, self.best, self.floor = problem, aim, best, floor
        self.rng = np.random.default_rng(_SEED)

    def lists(self) -> Iterator[tuple[IntArray, float]]:
        """Yield each list with a bound on all that follow."""
        above = np.inf
        for core, target in self._cores():
            for chosen, bound in self._lists_of(core, target):
                objective = self.problem.objective(chosen)
                if objective <= above + CLOSE:
                    yield chosen, bound
            above = self.aim.target

    def _cores(self) -> Iterator[tuple[IntArray, float]]:
        """Yield more and more rules, with the objective above which lists have no others."""
        problem = self.problem
        unique, _ = best_of_twins(problem)
        if problem.rows is not None:
            unique = unique[~problem.rows.impossible()[unique]]
        if not len(unique):
            return
        if len(unique) <= _MANY_COLUMNS:
            yield unique, self.floor
            return
        position = None if self.best is None else np.flatnonzero(np.isin(unique, self.best))
        highest = -np.inf if self.best is None else problem.objective(self.best)
        reach = lagrangian_bound(problem.subset(unique), position, highest, self.aim.deadline).reach
        n_core = _CORE
        while True:
            wanted = np.flatnonzero(reach >= self.floor)
            if n_core >= len(wanted):
                if len(wanted):
                    yield unique[wanted], self.floor
                return
            target = float(np.partition(reach, -n_core - 1)[-n_core - 1])
            if (reach > target).any():
                yield unique[reach > target], target
            n_core *= _MORE

    def _lists_of(self, core: IntArray, target: float) -> Iterator[tuple[IntArray, float]]:
        """Yield the lists of some rules down to a target."""
        relaxation = self._relaxed(core, target)
        self.aim.target = target
        if relaxation is None:
            return
        regrets, bound = -np.minimum(relaxation.reduced, 0.0), relaxation.last_bound
        order, n, above = np.argsort(regrets, kind="stable"), _FEW, np.inf
        while True:
            # A list with any other rule is not better than this.
            lowest = bound - float(regrets[order[n]]) if n < len(order) else -np.inf
            self.aim.target = max(lowest, target)
            columns = np.sort(order[regrets[order] < bound - self.aim.target]) if lowest > target else np.sort(order)
            level = RankedBeginnings(self.aim, relaxation, columns, bound, regrets[columns])
            for found in level.lists(above):
                yield core[relaxation.active[found]], self.aim.open_bound
            if lowest <= target:
                return
            n, above = n * _MORE, self.aim.target

    def _relaxed(self, core: IntArray, target: float) -> Relaxation | None:
        """Return the relaxation of some rules over all samples, without those that only worse lists have.

        None if it has no solution.
        """
        problem = self.problem.subset(core)
        relaxation = Relaxation(problem, first_samples(problem, _FIRST_ROWS, self.rng))
        while True:
            self.aim.check(0)
            ending = relaxation.solve(self.aim.deadline)
            if ending == "infeasible":
                return None
            if ending == "stopped":
                raise EndedError
            self.aim.open_bound = min(self.aim.open_bound, max(relaxation.bound, target))
            amount = relaxation.covered()
            violated = np.flatnonzero(np.abs(amount - 1.0) > _VIOLATION)
            rows = pick(violated, np.abs(amount[violated] - 1.0), relaxation, _FIRST_ROWS, self.rng)
            extra = problem.lazily_violated(relaxation.over_all())
            if not len(rows) and extra is None:
                relaxation.keep(relaxation.reach >= target)
                return relaxation
            relaxation.keep(relaxation.reach >= target)
            if len(rows):
                relaxation.add(rows)
            if extra is not None:
                relaxation.add_extra(extra)
