"""Lists of some rules, put together rule by rule, the best first.

A list has exactly one rule for each sample. So a beginning of a list is continued by each of the rules for one of the
samples that it leaves, the one with the fewest such rules whose regrets the target allows (:mod:`.beginnings` does the
same for the best of all short lists). The beginning with the highest bound is continued first: the bound of all lists
less the regrets of its rules. A list comes out once no open beginning has a bound above its objective.

Rules are bits of integers, and only some of the samples are looked at. A list that does not partition all of them shows
which sample to look at next.

Where that takes many steps, cliques are added to the relaxation (:mod:`.cliques`), and the search begins again with
better multipliers, from the middle of the optimal ones (:mod:`.interior`). Where all scores are multiples of one
number, bounds are rounded down to one.
"""

from __future__ import annotations

import bisect
import functools
import heapq
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow._support.equal_rows import first_of_each
from hedgerow.optimize.solvers.bits import as_integers, as_rows
from hedgerow.optimize.solvers.cliques import enlarged, violated_cliques
from hedgerow.optimize.solvers.common_step import SLACK, rounded_down
from hedgerow.optimize.solvers.relaxation import Relaxation

#: Objectives that differ by less than this share of the largest score are equal.
CLOSE = 1e-9
#: So many beginnings are continued before cliques are added to the relaxation, so many at a time and in so many rounds,
#: as long as a round closes this share of the gap to the target.
_STEPS_BEFORE_CUTS, _CLIQUES, _ROUNDS, _PROGRESS = 2000, 100, 40, 0.005
#: How close to the optimum the bound of central multipliers must be, as a share of its distance from the target, or
#: from so much below it.
_PRECISION, _FAR = 0.001, 1.0
#: The most beginnings that are kept.
_MOST_OPEN = 2_000_000


class EndedError(Exception):
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


@dataclass
class Aim:
    """How far a search goes, and how far it is.

    Attributes
    ----------
    progress : Progress
    step : float or None
        The number of which all scores are multiples, if there is one.
    deadline : float or None
    target : float
        Lists above it have all come out, or will be found among the rules that are searched now.
    open_bound : float
        No list that has not come out is better.
    """

    progress: Progress
    step: float | None = None
    deadline: float | None = None
    target: float = np.inf
    open_bound: float = np.inf

    def rounded(self, bound: float) -> float:
        """Return the highest objective that a list within a bound can have, if all are multiples of one number."""
        return rounded_down(bound, self.step)

    @property
    def lowest(self) -> float:
        """The lowest bound of beginnings that may have a list down to the target."""
        return (self.target if self.step is None else self.target - SLACK * self.step) - CLOSE

    def check(self, n_open: int) -> None:
        """Raise if the search has to end."""
        late = self.deadline is not None and time.perf_counter() > self.deadline
        if late or n_open > _MOST_OPEN:
            raise EndedError


class RankedBeginnings:
    """The lists of some columns of a relaxation.

    The columns are in the order of their regrets, so that those with the smallest are the lowest bits.
    """

    def __init__(self, aim: Aim, relaxation: Relaxation, columns: IntArray, bound: float, regrets: FloatArray) -> None:
        self.aim, self.relaxation, self.problem = aim, relaxation, relaxation.problem
        self.most = len(columns) if self.problem.max_rules is None else self.problem.max_rules
        self.n_steps, self._is_cut = 0, False
        self._number = itertools.count()
        self._begin(columns, bound, regrets)

    def _begin(self, columns: IntArray, bound: float, regrets: FloatArray) -> None:
        """Begin with these multipliers."""
        order = np.argsort(regrets, kind="stable")
        self.columns, self.regrets = columns[order], regrets[order].tolist()
        covers = self.relaxation.sample_rows[:, self.columns].toarray() > 0.5
        self.rows = as_integers(covers[first_of_each(covers)])
        self.excluded = [0] * len(columns)
        self._exclude(self.rows)
        for lazy in self.problem.lazy:
            rules = self.relaxation.active[self.columns]
            for k, more in enumerate(as_integers(lazy.conflicts(rules, rules))):
                self.excluded[k] |= more & ~(1 << k)
        self.new_samples: list[int] = []
        self.open: list[tuple[float, int, int, tuple[int, ...]]] = []
        self.found: list[tuple[float, int, IntArray]] = []
        self._push(bound, ())

    def lists(self, above: float) -> Iterator[IntArray]:
        """Yield the columns of each list, down to the target; those above a number have come out before."""
        aim = self.aim
        while True:
            highest = aim.rounded(-self.open[0][0]) if self.open else -np.inf
            enough = max(highest, aim.target)
            aim.open_bound = enough
            while self.found and -self.found[0][0] >= enough - CLOSE:
                objective, _, chosen = heapq.heappop(self.found)
                if -objective <= above + CLOSE:
                    aim.open_bound = max(enough, -self.found[0][0] if self.found else -np.inf)
                    yield chosen
            if not self.open or highest < aim.target:
                self._keep_samples()
                return
            aim.check(len(self.open))
            if self.n_steps > _STEPS_BEFORE_CUTS and not self._is_cut:
                self._start_again()
                continue
            negative, _, _, beginning = heapq.heappop(self.open)
            self._go_on(-negative, beginning)

    def _push(self, bound: float, beginning: tuple[int, ...]) -> None:
        heapq.heappush(self.open, (-bound, -len(beginning), next(self._number), beginning))

    def _go_on(self, bound: float, beginning: tuple[int, ...]) -> None:
        """Continue a beginning in all ways."""
        self.n_steps += 1
        self.aim.progress.n_steps += 1
        mine, gone = 0, 0
        for k in beginning:
            mine |= 1 << k
            gone |= self.excluded[k]
        if mine & gone:
            return
        # Rules that lose more than what is left to lose are not allowed either.
        affordable = bisect.bisect_right(self.regrets, bound - self.aim.lowest)
        allowed = ~(mine | gone) & ((1 << affordable) - 1)
        rows = [row & allowed for row in self.rows if not row & mine]
        left = self.most - len(beginning)
        if not rows:
            self._complete(bound, beginning)
        elif left == 1:
            self._continue(bound, beginning, functools.reduce(int.__and__, rows))
        elif left > 1:
            self._continue(bound, beginning, min(rows, key=int.bit_count))

    def _continue(self, bound: float, beginning: tuple[int, ...], choices: int) -> None:
        """Continue a beginning by each of some rules."""
        while choices:
            bit = choices & -choices
            choices ^= bit
            k = bit.bit_length() - 1
            self._push(bound - self.regrets[k], (*beginning, k))

    def _complete(self, bound: float, beginning: tuple[int, ...]) -> None:
        """Keep a list if it partitions all samples; if not, look at one more of these."""
        chosen = self.columns[list(beginning)]
        rules = self.relaxation.active[chosen]
        covered = self.problem.coverage.counts_of(rules)
        if (covered == 1).all():
            if self.problem.satisfies_extra(np.sort(rules)):
                heapq.heappush(self.found, (-self.problem.objective(rules), next(self._number), np.sort(chosen)))
            return
        sample = int(np.argmax(covered > 1)) if (covered > 1).any() else int(np.argmax(covered < 1))
        self._look_at(sample)
        if covered[sample] < 1 and len(beginning) < self.most:
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

    def _keep_samples(self) -> None:
        """Add the rows of the samples that were looked at to the relaxation."""
        if self.new_samples:
            self.relaxation.allow(np.ones(len(self.relaxation.active), dtype=bool))
            self.relaxation.add(np.array(self.new_samples))
            self.new_samples = []

    def _start_again(self) -> None:
        """Start again with multipliers that also know which rules exclude each other."""
        self._is_cut = True
        self._keep_samples()
        bound, regrets = self._cut()
        self._begin(self.columns, bound, regrets)  # lists that have come out are skipped

    def _cut(self) -> tuple[float, FloatArray]:
        """Return a bound on all lists, and the regrets, with cliques as rows."""
        relaxation, pairs = self.relaxation, as_rows(self.excluded, len(self.excluded))
        mask = np.zeros(len(relaxation.active), dtype=bool)
        mask[self.columns] = True
        relaxation.allow(mask)
        bound, regrets = np.inf, np.zeros(len(self.columns))
        for _ in range(_ROUNDS):
            ending = relaxation.solve(self.aim.deadline)
            if ending == "stopped":
                raise EndedError
            if ending == "infeasible":
                return -np.inf, regrets
            gained = bound - relaxation.last_bound
            if gained > 0:
                bound, regrets = relaxation.last_bound, -np.minimum(relaxation.reduced[self.columns], 0.0)
            cliques = violated_cliques(pairs, relaxation.z[self.columns], _CLIQUES)
            if not len(cliques) or gained < _PROGRESS * (bound - self.aim.target):
                break
            relaxation.drop_idle_cliques()
            larger = enlarged(cliques, pairs, np.argsort(-relaxation.reduced[self.columns], kind="stable"))
            rows = np.zeros((len(larger), len(relaxation.active)), dtype=bool)
            rows[:, self.columns] = larger
            relaxation.add_cliques(rows)
        if not self.problem.is_constrained:
            # Those of the simplex method are one extreme of many, in which most rules have no regret.
            below = max(self.aim.target, bound - _FAR)
            relaxation.center(below, _PRECISION, self.aim.deadline, dropping=False)
            if np.isfinite(relaxation.last_bound):
                bound, regrets = relaxation.last_bound, -np.minimum(relaxation.reduced[self.columns], 0.0)
        return bound, regrets
