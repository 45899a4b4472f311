"""The best list so far, what is proven about all others, and the time that is left."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.common_step import common_step, rounded_down
from hedgerow.rules.solution import Step, gap_between

logger = logging.getLogger(__name__)

#: A list counts as optimal if the bound is at most this far above it, in units of the largest score.
OPTIMALITY = 1e-7
_HUGE = 1e300


class Record:
    """What one run of the solver knows.

    All scores are in units of the largest one that is left, because all tolerances are absolute.

    Attributes
    ----------
    problem : PartitionProblem
        With the scores in these units.
    unit : float
        The unit, in terms of the scores that were given.
    best : int array or None
        The best list so far.
    best_objective, bound : float
        Its objective, and an upper bound on that of any list; of the rules that are searched now, if not all are.
    others : float
        An upper bound on the lists of other rules.
    step : float or None
        The number of which all objectives are multiples, in the scores that were given; None if there is none.
    deadline : float or None
        In terms of ``time.perf_counter()``.
    log : list of Step
    """

    def __init__(self, problem: PartitionProblem, time_limit: float | None, known: float = np.inf) -> None:
        """Begin with nothing but a bound that is known already, in the scores that were given."""
        self._known = known
        self.started = time.perf_counter()
        self.deadline = None if time_limit is None else self.started + time_limit
        self.given = self.problem = problem
        self.unit = 1.0
        self.best: IntArray | None = None
        self.best_objective = -np.inf
        with np.errstate(over="ignore"):
            self.bound = self._trivial_bound(problem.scores)
        self.others = -np.inf
        self.log: list[Step] = []
        self.step = common_step(problem.scores, problem.most_rules)

    def restart(self, rules: IntArray) -> None:
        """Begin a search among these rules, in units of their largest score; what was proved in other units is void."""
        self.unit = float(np.abs(self.given.scores[rules]).max()) or 1.0
        with np.errstate(over="ignore"):  # those of rules that no list has may be far larger
            scores = np.clip(self.given.scores / self.unit, -_HUGE, _HUGE)
        self.problem = replace(self.given, scores=scores)
        self.step = common_step(self.given.scores[rules], self.given.most_rules)
        if self.best is not None:
            self.best_objective = self.problem.objective(self.best)
        self.bound = max(self.best_objective, self._trivial_bound(scores[rules]))

    def _trivial_bound(self, scores: FloatArray) -> float:
        return min(self.gain(scores), self._known / self.unit)

    def gain(self, scores: FloatArray) -> float:
        """Return the total of the highest scores: no rules of a list have more in all."""
        return float(np.sort(np.maximum(scores, 0.0))[::-1][: self.given.max_rules].sum())

    def offer(self, chosen: IntArray) -> bool:
        """Accept a choice of rules if it is a better list; return whether it is."""
        objective = self.problem.objective(chosen)
        if objective <= self.best_objective or not self.problem.accepts(chosen):
            return False
        self.best, self.best_objective = chosen, objective
        return True

    def prefer(self, chosen: IntArray) -> None:
        """Take a list that is as good as the best one instead of it."""
        objective = self.problem.objective(chosen)
        if objective >= self.best_objective - OPTIMALITY and self.problem.accepts(chosen):
            self.best, self.best_objective = chosen, objective
            self.bound = max(self.bound, objective)

    def rounded(self, bound: float) -> float:
        """Return the bound, rounded down if all objectives are multiples of one number."""
        return bound if self.step is None else rounded_down(bound * self.unit, self.step) / self.unit

    @property
    def enough(self) -> float:
        """A better list has more than this."""
        least = OPTIMALITY / 10
        return self.best_objective + (least if self.step is None else max(least, 0.5 * self.step / self.unit))

    def lower_to(self, bound: float) -> None:
        """Lower the bound, if this one is lower: it may be one on lists better than the best."""
        self.bound = min(self.bound, max(self.rounded(bound), self.best_objective))

    def beats(self, bound: float) -> bool:
        """Whether no list within this bound is better than the best one."""
        return self.best is not None and self.rounded(bound) <= self.best_objective + OPTIMALITY / 10

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.started

    @property
    def proved(self) -> bool:
        """Whether the best list is proven optimal."""
        return self.best is not None and self.bound - self.best_objective <= OPTIMALITY

    @property
    def out_of_time(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def note(self, phase: str, rows: int, columns: int) -> None:
        """Log how far the search is."""
        best = None if self.best is None else self.best_objective * self.unit
        bound = max(self.bound, self.others)
        self.log.append(Step(phase, self.seconds, rows, columns, bound * self.unit, best))
        state = "searching, no list yet"
        if best is not None:
            state = f"proving, gap {100 * gap_between(self.best_objective, bound):.2g} %"
        known = f"bound {bound * self.unit:.6g}" + ("" if best is None else f", best list {best:.6g}")
        logger.info("%s; %s: %d rows, %d columns, %s, %.1f s", state, phase, rows, columns, known, self.seconds)
