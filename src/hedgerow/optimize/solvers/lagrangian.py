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

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.optimize.problem import PartitionProblem

#: At most so many steps, as long as this many close some of the gap to the best list: this share of it.
_STEPS, _STRETCH, _PROGRESS = 4000, 200, 0.02
#: The first length of a step, the share to which it shrinks after so many steps that led nowhere, and where it ends.
_LENGTH, _SHRINK, _PATIENCE, _SHORTEST = 0.1, 0.66, 10, 1e-3
_GROWTH, _LONGEST = 1.1, 2.0
#: The weight of the latest choice in the average: at most this, and at least that.
_MOST_WEIGHT, _LEAST_WEIGHT = 0.1, 0.02


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
    y = _shares(problem, best)
    found, chosen = bound_of(problem, y)
    tell = tell or _no_one
    tell(found.bound)
    average = _covered(problem, chosen)
    length, idle = _LENGTH, 0
    target = best_objective if np.isfinite(best_objective) else found.bound - abs(found.bound) - 1.0
    before = np.inf
    for step in range(_STEPS):
        if step % _STRETCH == 0:
            if before - found.bound < _PROGRESS * (found.bound - target):
                break
            before = found.bound
        direction = average - 1.0
        size = float(direction @ direction)
        if size == 0.0 or found.bound <= best_objective or length < _SHORTEST:
            break
        if deadline is not None and time.perf_counter() > deadline:
            break
        tried = y + length * (found.bound - target) / size * direction
        proved, chosen = bound_of(problem, tried)
        covered = _covered(problem, chosen)
        if proved.bound < found.bound:
            # A step that could have gone further in the same direction makes the next one longer.
            length = min(_LONGEST, length * _GROWTH) if (covered - 1.0) @ direction > 0 else length
            found, y, idle = proved, tried, 0
            tell(found.bound)
        else:
            idle += 1
        if idle == _PATIENCE:
            length, idle = length * _SHRINK, 0
        average += _weight(average, covered) * (covered - average)
    return found


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
    reduced = problem.scores - problem.coverage.sums(y)
    most = problem.n_rules if problem.max_rules is None else min(problem.max_rules, problem.n_rules)
    chosen = np.flatnonzero(reduced > 0) if most == problem.n_rules else np.argpartition(-reduced, most - 1)[:most]
    # A rule that is not chosen would take the place of the worst that is.
    worst = max(0.0, float(reduced[chosen].min(initial=np.inf))) if len(chosen) == most else 0.0
    chosen = chosen[reduced[chosen] > 0]
    bound = float(y.sum() + reduced[chosen].sum())
    return Multipliers(bound, bound + np.minimum(reduced - worst, 0.0)), chosen


def _covered(problem: PartitionProblem, chosen: IntArray) -> FloatArray:
    return problem.coverage.subset(chosen).dot(np.ones(len(chosen)))


def _weight(average: FloatArray, covered: FloatArray) -> float:
    """Return the weight of the latest choice that brings the average closest to covering each sample once."""
    change = covered - average
    best = -float((average - 1.0) @ change) / max(float(change @ change), 1e-12)
    return float(np.clip(best, _LEAST_WEIGHT, _MOST_WEIGHT))
