"""The best list of very few rules, by trying all of them.

Budgets of four rules or so are too tight for a relaxation: it is far from integral, and the search for a first list may
take for ever. But all lists that short can be tried:

1. Take a sample that few rules cover. Exactly one of them is in a list. Each of them leaves samples uncovered; take one
   of those that few disjoint rules cover; and so on (:mod:`.beginnings`). This gives each beginning of a list once.
2. The last rule of a list covers all that its beginning leaves, so it is looked up by its fingerprint
   (:mod:`.fingerprints`). So are its last two: all pairs of rules are compared with what all beginnings leave.

With 500 trees of depth 3, some 4,000 rules, there are about 400 beginnings of one rule, 10,000 of two, and
8 million pairs. Multipliers of a relaxation reduce them further: a list that is better than a known one cannot have
rules whose reduced costs add up to more than the gap (``regrets`` and ``bound``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.candidates.coverage import ranges
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.beginnings import Beginnings, Nursery
from hedgerow.optimize.solvers.fingerprints import OutOfTimeError, Wanted, check_clock, matching_pairs

#: So many pairs of rules, or of a rule and the beginning of a list, are looked at in about two seconds.
EFFORT = 300_000_000
# Scores that differ by less than this share of the largest are equal: in decimal places.
_PLACES = 12
# What is this close to being good enough, in units of the largest score, may be so but for rounding errors.
_CLOSE = 1e-9
# Lists that are compared at once.
_BLOCK = 1 << 18


@dataclass(frozen=True, eq=False)
class ShortList:
    """The best list found, and how many rules the lists have that were all tried.

    Attributes
    ----------
    chosen : int array or None
        The rules in increasing order; None if no list was found.
    tried : int
        All lists of at most this many rules were tried: none of them is better than ``chosen``, or there is none.
    """

    chosen: IntArray | None
    tried: int


def best_short_list(
    problem: PartitionProblem,
    columns: IntArray,
    max_rules: int,
    *,
    deadline: float | None = None,
    above: float = -np.inf,
    regrets: FloatArray | None = None,
    bound: float = np.inf,
    effort: float = EFFORT,
) -> ShortList:
    """Return the best partition of at most ``max_rules`` of some rules, which also satisfies the extra rows.

    Among partitions of equal score, it is the one with the fewest rules, then with the lowest total preference, then
    with the first rules.

    Parameters
    ----------
    problem : PartitionProblem
        Its budget is ignored.
    columns : int array
        The rules to choose from, without repetition.
    max_rules : int
    deadline : float, optional
        On the clock of ``time.perf_counter``.
    above : float
        Partitions with a lower score are left out.
    regrets : float array of shape (n_columns,), optional
        None is negative, and no partition has a score above ``bound`` minus the regrets of its rules. For multipliers
        that prove a bound, the regrets are ``-np.minimum(reduced, 0)``. Without them, they are the negative scores.
    bound : float
    effort : float
        How many pairs of rules, or of a rule and the beginning of a list, may be looked at. What would take more is
        not begun, so that the answer does not depend on the speed of the machine. Memory is bounded, too: some 500 MB.
    """
    if regrets is None:
        scores = problem.scores[columns]
        regrets, bound = np.maximum(-scores, 0.0), float(np.sort(np.maximum(scores, 0.0))[::-1][:max_rules].sum())
    possible = regrets <= bound - above + _CLOSE * np.abs(problem.scores[columns]).max(initial=0.0)
    if problem.rows is not None:
        possible &= ~problem.rows.impossible()[columns]
    if not possible.any():
        return ShortList(None, max_rules)
    effort -= problem.n_samples * len(np.unique(problem.coverage.group[columns[possible]]))  # to add up all samples
    if effort < 0:
        return ShortList(None, 0)
    trial = _Trial(problem, columns[possible], regrets[possible], bound, above, deadline)
    tried = trial.run(max_rules, effort)
    return ShortList(trial.best, tried)


class _Trial:
    """One run: the beginnings of each length, and the best list so far."""

    def __init__(
        self,
        problem: PartitionProblem,
        columns: IntArray,
        regrets: FloatArray,
        bound: float,
        above: float,
        deadline: float | None,
    ) -> None:
        self.problem, self.columns, self.deadline = problem, columns, deadline
        self.scores = problem.scores[columns]
        self.unit = float(np.abs(self.scores).max()) or 1.0
        self.floor, self.bound = above, bound
        self.best: IntArray | None = None
        self.best_rank: tuple[float, ...] = (np.inf,)
        self.nursery = Nursery(problem.coverage.subset(columns), self.scores, regrets, deadline)
        self.last_rules = Wanted.of(self.nursery.keys)

    def run(self, max_rules: int, effort: float) -> int:
        """Try lists of more and more rules; return up to how many rules all were tried."""
        tried = 0
        try:
            for n_rules in self._sizes(max_rules, effort):
                tried = n_rules
        except OutOfTimeError:
            pass
        return tried

    def _sizes(self, max_rules: int, effort: float) -> Iterator[int]:
        """Yield up to how many rules all lists were tried."""
        begun = self.nursery.none()
        self._add_last_rule(begun)
        yield 1
        while begun.n_rules < max_rules - (2 if begun.n_rules else 1):
            needed = self.nursery.effort(begun)
            n_more = max_rules - begun.n_rules - 1
            longer = self.nursery.grow(begun, n_more, self._slack()) if needed <= effort else None
            if longer is None:
                break
            begun, effort = longer, effort - needed
            self._add_last_rule(begun)
            yield begun.n_rules + 1
            # Those that are left have two more rules at least.
            begun = begun.subset(np.flatnonzero(begun.regrets <= self._slack() - 2 * self.nursery.least_regret))
            if not len(begun):
                yield max_rules
                return
        if begun.n_rules and begun.n_rules + 2 <= max_rules and self._add_last_pair(begun, effort):
            yield begun.n_rules + 2

    def _slack(self) -> float:
        """Return how much the regrets of a list may add up to."""
        return self.bound - self.floor + _CLOSE * self.unit

    def _add_last_rule(self, begun: Beginnings) -> None:
        """Try the lists that are one rule longer than these beginnings."""
        every = np.arange(len(self.columns))
        found, which = self.last_rules.find(begun.left)
        self._compare(begun.rules[found], begun.scores[found], self.last_rules, which, every[:, None], self.scores)

    def _add_last_pair(self, begun: Beginnings, effort: float) -> bool:
        """Try the lists that are two rules longer than these beginnings; return False if that takes too long."""
        order, first, last = self._pairs(begun)
        if np.maximum(last - first, 0).sum() > effort:
            return False
        wanted = Wanted.of(begun.left)
        for i, j, which in matching_pairs(self.nursery.keys[order], first, last, wanted, self.deadline):
            pair = np.column_stack([order[i], order[j]])
            self._compare(pair, self.scores[pair].sum(axis=1), wanted, which, begun.rules, begun.scores)
        return True

    def _pairs(self, begun: Beginnings) -> tuple[IntArray, IntArray, IntArray]:
        """Return an order of the rules, and for each the range of those that may be in a list with it.

        Their counts must fill what some beginning leaves, and their regrets must allow it. Of the orders by the one and
        by the other, the one with fewer pairs is taken.
        """
        nursery, rules = self.nursery, self.nursery.later_rules()
        after = np.arange(1, len(rules) + 1)
        by_count = rules[np.argsort(nursery.counts[rules], kind="stable")]
        counts = nursery.counts[by_count]
        left = nursery.n_samples - begun.counts
        first = np.maximum(after, np.searchsorted(counts, left.min() - counts, "left"))
        last = np.searchsorted(counts, left.max() - counts, "right")
        by_regret = rules[np.argsort(nursery.regrets[rules], kind="stable")]
        regrets = nursery.regrets[by_regret]
        last_by_regret = np.searchsorted(regrets, self._slack() - begun.regrets.min() - regrets, "right")
        if np.maximum(last_by_regret - after, 0).sum() < np.maximum(last - first, 0).sum():
            return by_regret, after, last_by_regret
        return by_count, first, last

    def _compare(
        self,
        rules: IntArray,
        scores: FloatArray,
        wanted: Wanted,
        which: IntArray,
        other_rules: IntArray,
        other_scores: FloatArray,
    ) -> None:
        """Compare all lists of some rules and others that want the same number with the best list."""
        highest = scores + wanted.highest(other_scores)[which]
        worth = np.flatnonzero(highest >= self.floor - _CLOSE * self.unit)
        worth = worth[np.argsort(-highest[worth], kind="stable")]
        n_lists = np.cumsum(wanted.counts[which[worth]])
        for part in np.split(worth, np.searchsorted(n_lists, np.arange(_BLOCK, n_lists[-1:].sum(), _BLOCK))):
            part = part[highest[part] >= self.floor - _CLOSE * self.unit]
            starts, counts = wanted.starts[which[part]], wanted.counts[which[part]]
            others = wanted.order[ranges(starts, starts + counts)]
            self._offer(np.column_stack([np.repeat(rules[part], counts, axis=0), other_rules[others]]))
            check_clock(self.deadline)

    def _offer(self, lists: IntArray) -> None:
        """Take the best of these lists that is a partition, if it is better than the best so far."""
        lists = np.sort(self.columns[lists], axis=1)
        problem = self.problem
        scores = np.round(problem.scores[lists].sum(axis=1) / self.unit, _PLACES)
        keep = scores >= np.round(self.floor / self.unit, _PLACES)
        lists, scores = lists[keep], scores[keep]
        preference = np.zeros(len(lists))
        if problem.preference is not None:
            preference = np.round(problem.preference[lists].sum(axis=1), _PLACES)
        for k in np.lexsort((*lists.T[::-1], preference, -scores)):
            rank = (-scores[k], lists.shape[1], preference[k], *lists[k])
            if rank >= self.best_rank:
                return
            if self._is_list(lists[k]):
                self.best, self.best_rank = lists[k], rank
                self.floor = max(self.floor, problem.objective(lists[k]))
                return
            check_clock(self.deadline)

    def _is_list(self, chosen: IntArray) -> bool:
        problem = self.problem
        if problem.rows is not None and not problem.rows.hold(chosen):
            return False
        return bool(np.all(problem.coverage.counts_of(chosen) == 1)) and problem.satisfies_extra(chosen)
