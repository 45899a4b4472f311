"""All lists, one after the other, the best first, each proven to be the next best.

1. Of rules between which nothing but the score can decide, one is kept, as in the search for the best list.
2. The multipliers of the relaxation bound every list: the bound less the regrets of its rules, none of which is
   negative. So a list that is nearly as good as the best one has rules with small regrets only. The hundred rules with
   the smallest are searched first, then more. Lists with any other rule are worse than a target that is known.
3. A list has exactly one rule for each sample. So a beginning of a list is continued by each of the rules for one of
   the samples that it leaves, the one with the fewest such rules (:mod:`.beginnings` does the same for the best of all
   short lists). The beginning with the highest bound is continued first.
4. Where that takes many steps, the relaxation is solved again for beginnings that come up: what their rules exclude
   lowers the bound of all lists that begin like this.
5. A list comes out once no beginning that is still open has a bound above its objective, and none is missed.

Rules are bits of integers, and only some of the samples are looked at. A list that does not partition all of them shows
which sample to look at next.
"""

from __future__ import annotations

import functools
import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.bits import as_integers
from hedgerow.optimize.solvers.lagrangian import lagrangian_bound
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.twins import best_of_twins
from hedgerow.optimize.solvers.violated_rows import first_samples, pick

_FIRST_ROWS, _SEED = 60, 0
_VIOLATION = 1e-6
#: Objectives that differ by less than this share of the largest score are equal.
CLOSE = 1e-9
#: So many rules are searched first, and then so many times more.
_FEW, _MORE = 100, 4
#: Above this number of rules, multipliers are found without a linear program, and this many rules are searched first.
_MANY_COLUMNS, _CORE = 8000, 2000
#: So many beginnings are continued before the relaxation is solved for others.
_CHEAP_STEPS = 20_000
#: The most beginnings that are kept.
_MOST_OPEN = 2_000_000


class _EndedError(Exception):
    """The search cannot go on: the time is up, or the memory would be."""


@dataclass
class Progress:
    """What is known about the lists that have not come out.

    Attributes
    ----------
    bound : float
        None of them is better than this; minus infinity once all have come out.
    ended_early : bool
        Whether the search ended before the last list that was wanted, for lack of time or memory.
    n_steps : int
        How many beginnings were continued.
    """

    bound: float = np.inf
    ended_early: bool = False
    n_steps: int = 0


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
    search = _Search(scaled, progress, best, floor / unit - CLOSE, deadline)
    known: set[tuple[int, ...]] = set()
    sets_of = problem.coverage.twins
    try:
        for chosen, bound in search.lists():
            progress.bound = bound * unit
            sets = tuple(sorted(sets_of[chosen].tolist()))
            if sets not in known:
                known.add(sets)
                yield chosen
        progress.bound = search.target * unit
    except _EndedError:
        progress.ended_early, progress.bound = True, search.open_bound * unit


class _Search:
    """The search in scores whose largest is 1."""

    def __init__(
        self,
        problem: PartitionProblem,
        progress: Progress,
        best: IntArray | None,
        floor: float,
        deadline: float | None,
    ) -> None:
        self.problem, self.progress, self.best = problem, progress, best
        self.floor, self.deadline = floor, deadline
        self.rng = np.random.default_rng(_SEED)
        #: Lists above it have all come out, or will be found among the rules that are searched now.
        self.target = np.inf
        #: No list that has not come out is better.
        self.open_bound = np.inf

    def lists(self) -> Iterator[tuple[IntArray, float]]:
        """Yield each list with a bound on all that follow."""
        above = np.inf
        for core, target in self._cores():
            for chosen, bound in self._lists_of(core, target):
                objective = self.problem.objective(chosen)
                if objective <= above + CLOSE:
                    yield chosen, bound
            above = self.target

    def check(self, n_open: int) -> None:
        """Raise if the search has to end."""
        late = self.deadline is not None and time.perf_counter() > self.deadline
        if late or n_open > _MOST_OPEN:
            raise _EndedError

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
        reach = lagrangian_bound(problem.subset(unique), position, highest, self.deadline).reach
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
        self.target = target
        if relaxation is None:
            return
        regrets, bound = -np.minimum(relaxation.reduced, 0.0), relaxation.last_bound
        order, n, above = np.argsort(regrets, kind="stable"), _FEW, np.inf
        while True:
            # A list with any other rule is not better than this.
            lowest = bound - float(regrets[order[n]]) if n < len(order) else -np.inf
            self.target = max(lowest, target)
            columns = np.sort(order[regrets[order] < bound - self.target]) if lowest > target else np.sort(order)
            level = _Level(self, relaxation, columns, bound, regrets[columns])
            for found in level.lists(above):
                yield core[relaxation.active[found]], self.open_bound
            if lowest <= target:
                return
            n, above = n * _MORE, self.target

    def _relaxed(self, core: IntArray, target: float) -> Relaxation | None:
        """Return the relaxation of some rules over all samples, without those that only worse lists have.

        None if it has no solution.
        """
        problem = self.problem.subset(core)
        relaxation = Relaxation(problem, first_samples(problem, _FIRST_ROWS, self.rng))
        while True:
            self.check(0)
            ending = relaxation.solve(self.deadline)
            if ending == "infeasible":
                return None
            if ending == "stopped":
                raise _EndedError
            self.open_bound = min(self.open_bound, max(relaxation.bound, target))
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


@dataclass(frozen=True, eq=False)
class _Beginning:
    """The first rules of lists, by their numbers, and what lists lose by others: a node's own regrets or those of all.

    ``is_tight`` says whether the relaxation was solved for it.
    """

    rules: tuple[int, ...]
    regrets: list[float]
    is_tight: bool


class _Level:
    """The lists of some columns of a relaxation."""

    def __init__(
        self, search: _Search, relaxation: Relaxation, columns: IntArray, bound: float, regrets: FloatArray
    ) -> None:
        self.search, self.relaxation, self.columns = search, relaxation, columns
        self.problem = relaxation.problem
        covers = relaxation.sample_rows[:, columns].toarray() > 0.5
        self.rows = as_integers(covers)
        self.excluded = [0] * len(columns)
        self._exclude(self.rows)
        for lazy in self.problem.lazy:
            rules = relaxation.active[columns]
            for k, more in enumerate(as_integers(lazy.conflicts(rules, rules))):
                self.excluded[k] |= more & ~(1 << k)
        self.most = len(columns) if self.problem.max_rules is None else self.problem.max_rules
        self.new_samples: list[int] = []
        self.n_steps = 0
        self._number = 0
        self.open: list[tuple[float, int, int, _Beginning]] = []
        self.found: list[tuple[float, int, IntArray]] = []
        self._push(bound, _Beginning((), regrets.tolist(), is_tight=True))

    def lists(self, above: float) -> Iterator[IntArray]:
        """Yield the columns of each list, down to the target; those above a number have come out before."""
        search = self.search
        while True:
            highest = -self.open[0][0] if self.open else -np.inf
            enough = max(highest, search.target)
            search.open_bound = enough
            while self.found and -self.found[0][0] >= enough - CLOSE:
                objective, _, chosen = heapq.heappop(self.found)
                if -objective <= above + CLOSE:
                    search.open_bound = max(enough, -self.found[0][0] if self.found else -np.inf)
                    yield chosen
            if not self.open or highest < search.target:
                self._keep_samples()
                return
            search.check(len(self.open))
            negative, _, _, beginning = heapq.heappop(self.open)
            self._go_on(-negative, beginning)

    def _push(self, bound: float, beginning: _Beginning) -> None:
        self._number += 1
        heapq.heappush(self.open, (-bound, -len(beginning.rules), self._number, beginning))

    def _go_on(self, bound: float, beginning: _Beginning) -> None:
        """Continue a beginning in all ways, or lower its bound first."""
        self.n_steps += 1
        self.search.progress.n_steps += 1
        mine, gone = 0, 0
        for k in beginning.rules:
            mine |= 1 << k
            gone |= self.excluded[k]
        if mine & gone:
            return
        allowed = ~(mine | gone)
        rows = [row & allowed for row in self.rows if not row & mine]
        if not rows:
            self._complete(bound, beginning)
            return
        left = self.most - len(beginning.rules)
        if left <= 0:
            return
        if not beginning.is_tight and self.n_steps > _CHEAP_STEPS:
            self._tighten(bound, beginning, mine | functools.reduce(int.__or__, rows))
            return
        choices = functools.reduce(int.__and__, rows) if left == 1 else min(rows, key=int.bit_count)
        while choices:
            bit = choices & -choices
            choices ^= bit
            k = bit.bit_length() - 1
            lower = bound - beginning.regrets[k]
            if lower >= self.search.target:
                self._push(lower, _Beginning((*beginning.rules, k), beginning.regrets, is_tight=False))

    def _complete(self, bound: float, beginning: _Beginning) -> None:
        """Keep a list if it partitions all samples; if not, look at one more of these."""
        chosen = self.columns[list(beginning.rules)]
        rules = self.relaxation.active[chosen]
        covered = self.problem.coverage.counts_of(rules)
        if (covered == 1).all():
            if self.problem.satisfies_extra(np.sort(rules)):
                self._number += 1
                heapq.heappush(self.found, (-self.problem.objective(rules), self._number, np.sort(chosen)))
            return
        sample = int(np.argmax(covered > 1)) if (covered > 1).any() else int(np.argmax(covered < 1))
        self._look_at(sample)
        if covered[sample] < 1 and len(beginning.rules) < self.most:
            self._push(bound, beginning)

    def _look_at(self, sample: int) -> None:
        """Take one more sample into account."""
        coverage = self.problem.coverage.subset(self.relaxation.active[self.columns])
        row = as_integers(coverage.held(np.arange(coverage.n_rules))[None, :, sample])
        self.rows += row
        self._exclude(row)
        self.new_samples.append(sample)

    def _exclude(self, rows: list[int]) -> None:
        """Note that the rules of a sample exclude each other."""
        for row in rows:
            rest = row
            while rest:
                bit = rest & -rest
                rest ^= bit
                self.excluded[bit.bit_length() - 1] |= row ^ bit

    def _tighten(self, bound: float, beginning: _Beginning, allowed: int) -> None:
        """Solve the relaxation with the rules that a beginning allows; go on with what it proves."""
        relaxation = self.relaxation
        self._keep_samples()
        mask: BoolArray = np.zeros(len(relaxation.active), dtype=bool)
        mask[self.columns[_positions(allowed, len(self.columns))]] = True
        relaxation.allow(mask)
        ending = relaxation.solve(self.search.deadline)
        if ending == "infeasible":
            return
        if ending == "stopped":
            self._push(bound, beginning)
            raise _EndedError
        regrets = -np.minimum(relaxation.reduced[self.columns], 0.0)
        lower = relaxation.last_bound - float(regrets[list(beginning.rules)].sum())
        if lower >= bound:
            self._push(bound, replace(beginning, is_tight=True))
        elif lower >= self.search.target:
            self._push(lower, _Beginning(beginning.rules, regrets.tolist(), is_tight=True))

    def _keep_samples(self) -> None:
        """Add the rows of the samples that were looked at to the relaxation."""
        if self.new_samples:
            self.relaxation.allow(np.ones(len(self.relaxation.active), dtype=bool))
            self.relaxation.add(np.array(self.new_samples))
            self.new_samples = []


def _positions(bits: int, n: int) -> IntArray:
    """Return the positions of the bits that are set."""
    packed = np.frombuffer(bits.to_bytes(-(-n // 8), "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(packed, count=n, bitorder="little"))
