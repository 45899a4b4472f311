"""The best lists of a problem, in order: so many of them, or all that are nearly as good as the best one.

Two lists whose rules have the same sets of samples are one list: they part the samples in the same way, by rules that
only happen to look at something else. Of such lists, the best one is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.enumeration import ordered_lists
from hedgerow.optimize.solvers.ranked_beginnings import CLOSE, Progress
from hedgerow.rules.solution import Solution

#: Whether a list differs enough from each of some others.
Differs = Callable[[IntArray, Sequence[IntArray]], bool]


@dataclass(frozen=True, eq=False)
class BestLists:
    """Lists in order, and what is proven about all others.

    Attributes
    ----------
    chosen : tuple of int arrays
        The rules of each list, the best list first.
    bound : float
        No other list is better than this, but for those that differ too little; minus infinity if there is no other.
    more : bool or None
        Whether there are further lists that are good enough; None if that is not known.
    ended_early : bool
        Whether the search ended for lack of time or memory before it found all that was wanted.
    n_alike : int
        How many lists were left out because they differ too little from better ones.
    """

    chosen: tuple[IntArray, ...]
    bound: float
    more: bool | None
    ended_early: bool
    n_alike: int = 0


def best_lists(
    problem: PartitionProblem,
    most: int,
    *,
    within: float | None = None,
    best: Solution | None = None,
    differs: Differs | None = None,
    time_limit: float | None = None,
) -> BestLists:
    """Return the best lists of a problem, at most so many, each proven to be the next best.

    Parameters
    ----------
    problem : PartitionProblem
    most : int
        How many lists are wanted at most.
    within : float, optional
        How much worse than the best list they may be, as a share of its objective's size.
    best : Solution, optional
        The best list, if it is known. If it is proven, it comes first, whatever others are as good.
    differs : callable, optional
        Which lists are taken: each is asked about in order, beside those that were taken before.
    time_limit : float, optional
        Seconds.

    Examples
    --------
    >>> from hedgerow import PartitionProblem
    >>> problem = PartitionProblem([1.0, 2.0, 0.5, 0.5], [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]])
    >>> [chosen.tolist() for chosen in best_lists(problem, 5).chosen]
    [[0, 1], [2, 3]]
    """
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    ranking = _Ranking(problem, most, within, best, differs, deadline)
    found = None
    while found is None:
        found = ranking.search()
    return found


class _Ranking:
    """The lists that were taken so far."""

    def __init__(
        self,
        problem: PartitionProblem,
        most: int,
        within: float | None,
        best: Solution | None,
        differs: Differs | None,
        deadline: float | None,
    ) -> None:
        self.problem, self.most, self.within = problem, most, within
        self.best, self.differs, self.deadline = best, differs, deadline
        self.taken: list[IntArray] = [best.chosen] if best is not None and best.optimal else []
        self.alike: list[IntArray] = []

    def search(self) -> BestLists | None:
        """Take lists in order until there are enough; None if the problem needed more samples, and the search starts
        again.
        """
        problem, progress, best, floor = self.problem, Progress(), self.best, -np.inf
        if self.within is not None and best is not None:
            floor = _share_below(best.objective, self.within)
        known = {self._sets(chosen) for chosen in (*self.taken, *self.alike)}
        lists = ordered_lists(
            problem, progress, best=None if best is None else best.chosen, floor=floor, deadline=self.deadline
        )
        if self._is_full and self.within is None:
            return self._result(problem.objective(self.taken[0]), None, False)
        for chosen in lists:
            if self._contradicted(chosen):
                return None
            if not self._is_good(chosen):
                return self._result(problem.objective(chosen), False, False)
            if self._sets(chosen) in known:
                continue
            if self.differs is not None and not self.differs(chosen, self.taken):
                self.alike.append(chosen)
            elif self._is_full:
                return self._result(problem.objective(chosen), True, False)
            else:
                self.taken.append(chosen)
                if self._is_full and self.within is None:
                    return self._result(progress.bound, None, False)
        return self._result(progress.bound, None if progress.ended_early else False, progress.ended_early)

    def _result(self, bound: float, more: bool | None, ended_early: bool) -> BestLists:
        return BestLists(tuple(self.taken), bound, more, ended_early, len(self.alike))

    @property
    def _is_full(self) -> bool:
        return len(self.taken) >= self.most

    def _is_good(self, chosen: IntArray) -> bool:
        """Whether a list is near enough to the best one."""
        if self.within is None or not self.taken:
            return True
        best = self.problem.objective(self.taken[0])
        slack = CLOSE * float(np.abs(self.problem.scores).max())
        return self.problem.objective(chosen) >= _share_below(best, self.within) - slack

    def _contradicted(self, chosen: IntArray) -> bool:
        """Whether samples that are not at hand contradict a list; then some of them are added to the problem."""
        rest = self.problem.coverage.ends.rest
        against = None if rest is None else rest.against(self.problem.coverage.subset(chosen))
        if against is None or not len(against):
            return False
        self.problem = self.problem.with_samples(against)
        return True

    def _sets(self, chosen: IntArray) -> tuple[int, ...]:
        """Return what is equal for lists whose rules have the same sets of samples."""
        return tuple(sorted(self.problem.coverage.twins[chosen].tolist()))


def _share_below(objective: float, share: float) -> float:
    """Return the objective that is lower by a share of the size of one."""
    return objective - share * abs(objective)
