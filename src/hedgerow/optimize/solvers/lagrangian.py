"""Good multipliers for all rows at once, without a linear program.

A linear program over 100,000 columns takes many seconds, and every round adds rows. But for any multipliers of the
samples, the best choice is found by looking: the highest scores less the multipliers of the rule's samples, as many as
the budget allows. Its value is a bound on every list. Where the choice covers a sample more than once, its multiplier
rises; where it leaves one uncovered, it falls; and choices are averaged, so that the steps do not zigzag (the volume
algorithm of Barahona and Anbil). A step looks at each sample once per tree, whatever the number of rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.optimize.problem import PartitionProblem

#: At most so many steps, as long as a stretch of them closes some of the gap to the best list: this share of it.
_STEPS, _PROGRESS = 4000, 0.02
#: The first length of a step, the share to which it shrinks where steps lead nowhere, and where it ends.
_LENGTH, _SHRINK, _SHORTEST = 0.1, 0.66, 1e-3
_GROWTH, _LONGEST = 1.1, 2.0


class _Pace(NamedTuple):
    """How many steps may close little of the gap, how many lead nowhere, and the weights of the latest choice."""

    stretch: int
    patience: int
    least: float
    most: float


#: Where the steps have become too short and still more columns matter than this, which would be too many for linear
#: programs, they begin again at a slower pace, which gets further.
_FEW_COLUMNS = 200_000
_PACES = _Pace(200, 10, 0.02, 0.1), _Pace(600, 20, 0.005, 0.05)


@dataclass(frozen=True, eq=False)
class Multipliers:
    """What multipliers prove.

    Attributes
    ----------
    bound : float
        On every list of the problem.
    reach : float array
        For each rule, a bound on the lists that contain it.
    """

    bound: float
    reach: FloatArray


def lagrangian_bound(
    problem: PartitionProblem,
    best: IntArray | None,
    best_objective: float,
    deadline: float | None,
    tell: Callable[[float], None] | None = None,
) -> Multipliers:
    """Return a bound near that of the linear relaxation; extra rows do not count.

    Parameters
    ----------
    problem : PartitionProblem
    best : int array or None
        The rules of a list, in terms of the problem; the first multipliers share its scores among their samples.
    best_objective : float
        The bound need not be below this.
    deadline : float or None
        In terms of ``time.perf_counter()``.
    tell : callable, optional
        Called with each bound that is lower than those before, so that Ctrl-C leaves the last one known.
    """
    descent = _Descent(problem, _shares(problem, best), best_objective, deadline, tell or _no_one)
    for pace in _PACES:
        if not descent.go(pace) or np.count_nonzero(descent.found.reach > best_objective) <= _FEW_COLUMNS:
            break
    return bound_of(problem, descent.y)[0]


class _Descent:
    """The multipliers that prove the lowest bound so far, and the average of the choices.

    Attributes
    ----------
    y : float array of shape (n_samples,)
    found : Multipliers
        What they prove.
    """

    def __init__(
        self,
        problem: PartitionProblem,
        y: FloatArray,
        best_objective: float,
        deadline: float | None,
        tell: Callable[[float], None],
    ) -> None:
        self.problem, self.y, self.deadline, self.tell = problem, y, deadline, tell
        self.found, chosen = bound_of(problem, y)
        tell(self.found.bound)
        self.average = _covered(problem, chosen)
        self.enough = best_objective
        known = np.isfinite(best_objective)
        self.target = best_objective if known else self.found.bound - abs(self.found.bound) - 1.0

    def go(self, pace: _Pace) -> bool:
        """Take steps; return whether they have become too short, so that a slower pace may get further."""
        length, idle, before = _LENGTH, 0, np.inf
        for step in range(_STEPS):
            if step % pace.stretch == 0:
                if before - self.found.bound < _PROGRESS * (self.found.bound - self.target):
                    return False
                before = self.found.bound
            if length < _SHORTEST:
                return True
            if self.found.bound <= self.enough or (self.deadline is not None and time.perf_counter() > self.deadline):
                return False
            direction = self.average - 1.0
            size = float(direction @ direction)
            if size == 0.0:
                return False
            better, covered = self._step(length * (self.found.bound - self.target) / size * direction)
            idle = 0 if better else idle + 1
            # A step that could have gone further in the same direction makes the next one longer.
            if better and (covered - 1.0) @ direction > 0:
                length = min(_LONGEST, length * _GROWTH)
            if idle == pace.patience:
                length, idle = length * _SHRINK, 0
            self.average += _weight(self.average, covered, pace) * (covered - self.average)
        return False

    def _step(self, change: FloatArray) -> tuple[bool, FloatArray]:
        """Try other multipliers; return whether they prove a lower bound, and how often their choice covers samples."""
        tried = self.y + change
        proved, chosen = _proved(self.problem, tried, self.problem.coverage.quick_sums(tried))
        better = proved.bound < self.found.bound
        if better:
            self.found, self.y = proved, tried
            self.tell(proved.bound)
        return better, _covered(self.problem, chosen)


def _no_one(bound: float) -> None:
    """Be told in vain."""


def _shares(problem: PartitionProblem, best: IntArray | None) -> FloatArray:
    """Return multipliers that share the score of each rule of a list among its samples."""
    y = np.zeros(problem.n_samples)
    for j in () if best is None else best:
        mine = problem.coverage.holds(int(j))
        y[mine] = problem.scores[j] / np.count_nonzero(mine)
    return y


def bound_of(problem: PartitionProblem, y: FloatArray) -> tuple[Multipliers, IntArray]:
    """Return what multipliers prove, and the best choice with them."""
    return _proved(problem, y, problem.coverage.sums(y))


def _proved(problem: PartitionProblem, y: FloatArray, sums: FloatArray) -> tuple[Multipliers, IntArray]:
    """Return the same, given the sum of the multipliers of each rule's samples."""
    reduced = problem.scores - sums
    most = problem.n_rules if problem.max_rules is None else min(problem.max_rules, problem.n_rules)
    chosen = np.flatnonzero(reduced > 0) if most == problem.n_rules else np.argpartition(-reduced, most - 1)[:most]
    # A rule that is not chosen would take the place of the worst that is.
    worst = max(0.0, float(reduced[chosen].min(initial=np.inf))) if len(chosen) == most else 0.0
    chosen = chosen[reduced[chosen] > 0]
    bound = float(y.sum() + reduced[chosen].sum())
    return Multipliers(bound, bound + np.minimum(reduced - worst, 0.0)), chosen


def _covered(problem: PartitionProblem, chosen: IntArray) -> FloatArray:
    return problem.coverage.subset(chosen).dot(np.ones(len(chosen)))


def _weight(average: FloatArray, covered: FloatArray, pace: _Pace) -> float:
    """Return the weight of the latest choice that brings the average closest to covering each sample once."""
    change = covered - average
    best = -float((average - 1.0) @ change) / max(float(change @ change), 1e-12)
    return float(np.clip(best, pace.least, pace.most))
