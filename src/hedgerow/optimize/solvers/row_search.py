"""One run of the default solver: rows are added and columns dropped until a bound proves the best list.

The method is described in :mod:`hedgerow.optimize.solvers.row_generation`.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace

import highspy
import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.exceptions import SolverError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.interruptible import Ending, run
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.rules.solution import Solution, Status, gap_between

logger = logging.getLogger(__name__)

#: A solution counts as optimal if the bound is at most this far above it, in units of the largest score.
OPTIMALITY = 1e-7
_VIOLATION = 1e-6
# For central multipliers: how far the rows may be from 1, and how close to the optimum the bound must be, as a share
# of its distance from the best list.
_ROUGH = 0.01
_ROUGH_PRECISION, _FINE_PRECISION = 0.3, 0.1
# They pay off where the simplex method needs many pivots over many columns, and the rows are few enough for dense
# linear algebra.
_MANY_PIVOTS, _FEW_COLUMNS, _MOST_CENTRAL_ROWS = 300, 500, 3000
_SMALL_PROGRAM = 1000
_GRACE = 0.5
_NO_PROOF = "The search ended without a proof. This is a bug; please report it with the data."


@dataclass
class Memory:
    """What one budget passes on to the next: the rows that mattered, its solution, the mixtures of pruned trees."""

    largest: int | None = None
    samples: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    best: IntArray | None = None
    prunings: Prunings | None = None


class Search:
    """One run: the best solution so far, the bound and the deadline."""

    def __init__(
        self, problem: PartitionProblem, time_limit: float | None, memory: Memory, first_rows: int, core: int, seed: int
    ) -> None:
        self.given, self.memory, self.first_rows, self.core = problem, memory, first_rows, core
        self.started = time.perf_counter()
        self.deadline = None if time_limit is None else self.started + time_limit
        self.rng = np.random.default_rng(seed)
        self.best: IntArray | None = None
        self.best_objective = -np.inf
        self.unit, self.problem = 1.0, problem
        best_first = np.sort(np.maximum(problem.scores, 0.0))[::-1]
        self.bound = float(best_first[: problem.max_rules].sum())
        self.whole_scores = bool(np.all(problem.scores == np.round(problem.scores)))

    def run(self) -> Status | None:
        """Search; return the status, or None if the problem is proven infeasible."""
        unique, best_twin = best_of_twins(self.problem)
        if self.memory.best is not None:
            self._offer(self.memory.best)
        self._try_prunings(best_twin)
        if self.bound == self.best_objective:
            return "optimal"
        if self._out_of_time():
            return "time_limit"
        unique = self._of_use(unique)
        if not len(unique):
            return self._without_any()
        # Scaled by the largest score that is left, because all tolerances are absolute.
        self.unit = float(np.abs(self.problem.scores[unique]).max()) or 1.0
        self.problem = replace(self.given, scores=self.given.scores / self.unit)
        self.best_objective, self.bound = self.best_objective / self.unit, self.bound / self.unit
        relaxation = Relaxation(self.problem.subset(unique))
        n_first = min(self.first_rows, self.problem.n_samples)
        drawn = self.rng.choice(self.problem.n_samples, n_first, replace=False)
        relaxation.add(np.sort(drawn) if not len(self.memory.samples) else self.memory.samples)
        relaxed = self._relax(relaxation, unique)
        self.memory.samples = relaxation.binding()
        if relaxed == "infeasible" or self._branch(relaxation, unique) == "infeasible":
            if self.best is not None and np.isin(self.best, unique[relaxation.active]).all():
                raise SolverError(_NO_PROOF)  # the best list is a solution
            return self._without_any()
        if not self._proved() and not self._out_of_time():
            raise SolverError(_NO_PROOF)
        return "optimal" if self._proved() else "time_limit"

    def _of_use(self, rules: IntArray) -> IntArray:
        """Drop the rules that violate a row on their own, or that cost more than all others can gain."""
        useful = np.minimum(self.problem.scores, 0.0) + self.bound > self.best_objective
        if self.problem.rows is not None:
            useful &= ~self.problem.rows.impossible()
        if self.best is not None:
            useful[self.best] = True
        return rules[useful[rules]]

    def _without_any(self) -> Status | None:
        """Return the status if the remaining columns have no solution: the best list is optimal, or there is none."""
        if self.best is None:
            return None
        self.bound = self.best_objective
        return "optimal"

    def solution(self, status: Status) -> Solution:
        """Return the best solution found, verified."""
        seconds = time.perf_counter() - self.started
        if self.best is None:
            raise TimeLimitError(
                f"No list was found within {seconds:.1f} s. Raise time_limit or max_rules, or use candidates='nodes', "
                "with which every tree has a list of any length."
            )
        chosen = self.memory.best = self.given.verify(self.best)
        objective = self.given.objective(chosen)
        close = status == "optimal" and self.bound - self.best_objective <= OPTIMALITY / 10
        bound = objective if close else max(self.bound * self.unit, objective)
        return Solution(chosen, objective, bound, status, seconds)

    def _state(self) -> str:
        """Say for the log how far the search is."""
        if self.best is None:
            return "searching, no list yet"
        return f"proving, gap {100 * gap_between(self.best_objective, self.bound):.2g} %"

    def _try_prunings(self, best_twin: IntArray) -> None:
        problem, memory = self.problem, self.memory
        if memory.prunings is None:
            # Even the shortest time limit should end with a list.
            deadline = None if self.deadline is None else self.deadline + _GRACE
            largest = memory.largest or problem.max_rules
            memory.prunings = Prunings(problem.coverage, problem.scores, best_twin, largest, deadline)
        for pruning in memory.prunings.best(problem.max_rules, self.best_objective):
            if self._offer(pruning):
                logger.info("best mixture of pruned trees: %d rules, objective %.6g", len(pruning), self.best_objective)
                return

    def _relax(self, relaxation: Relaxation, unique: IntArray) -> Ending:
        """Solve the relaxation over all rows.

        Each round is a warm-started simplex solve. Where that takes many pivots, some rounds are solved approximately
        instead, by central multipliers, which are cheap and good at dropping columns.
        """
        central = False
        while True:
            ending: Ending = "solved"
            if central:
                relaxation.center(self.best_objective, _ROUGH_PRECISION, self.deadline)
            else:
                ending = relaxation.solve(self.deadline)
            if ending == "infeasible":
                return ending
            self._lower_bound_to(relaxation.bound)
            if ending == "stopped" or self._proved() or self._out_of_time():
                return "stopped"
            amount = relaxation.problem.coverage.dot(np.where(relaxation.z > 1e-12, relaxation.z, 0.0))
            violated = np.flatnonzero(np.abs(amount - 1.0) > (_ROUGH if central else _VIOLATION))
            logger.info(
                "%s; relaxation: %d rows, %d columns, bound %.6g, %d samples violated",
                self._state(), len(relaxation.samples), len(relaxation.active), self.bound * self.unit, len(violated),
            )  # fmt: skip
            if not central and not len(violated):
                whole = np.flatnonzero(relaxation.z > 0.5)
                if np.all(np.abs(relaxation.z[whole] - 1.0) < _VIOLATION):
                    self._offer(unique[whole])
                if self._proved():
                    return "stopped"
            self._drop_columns(relaxation, unique)
            rows = self._pick(violated, np.abs(amount[violated] - 1.0), relaxation)
            if central and len(rows) < self.first_rows:
                central = False  # nearly done; the simplex method solves the rest exactly
                continue
            if not len(rows):
                return "solved"
            relaxation.add(rows)
            central = relaxation.pivots > _MANY_PIVOTS and self._can_center(relaxation)

    def _can_center(self, relaxation: Relaxation) -> bool:
        """Whether central multipliers can be computed, and are likely to drop columns."""
        if self.best is None or self.problem.rows is not None:
            return False
        return len(relaxation.active) > _FEW_COLUMNS and len(relaxation.samples) <= _MOST_CENTRAL_ROWS

    def _branch(self, relaxation: Relaxation, unique: IntArray) -> Ending:
        """Solve the rest by integer programs.

        The first has only the most promising columns: all that can be in a list better than some target. If it finds
        such a list, that is the optimum; if not, the target is a bound, and the next program has more columns.
        """
        n_columns, centred_for = self.core, -np.inf
        while not self._proved() and not self._out_of_time():
            if self.best_objective > centred_for and self._can_center(relaxation):
                # With a better list, new multipliers drop more columns.
                centred_for = self.best_objective
                relaxation.center(self.best_objective, _FINE_PRECISION, self.deadline)
                self._lower_bound_to(relaxation.bound)
                self._drop_columns(relaxation, unique)
                continue
            worth = np.sort(relaxation.last_bound + np.minimum(relaxation.reduced, 0.0))[::-1]
            n_worth = np.count_nonzero(worth > self.best_objective)
            everything = 2 * n_columns >= n_worth
            target = self.best_objective if everything else float(worth[n_columns])
            found = self._solve_core(relaxation, relaxation.promising(target, self.deadline), unique)
            self._lower_bound_to(max(found, target))
            if everything and self.best is None and found == -np.inf:
                return "infeasible"
            if everything and not self._proved() and not self._out_of_time():
                raise SolverError(_NO_PROOF)
            n_columns *= 2
        return "stopped"

    def _solve_core(self, relaxation: Relaxation, inside: BoolArray, unique: IntArray) -> float:
        """Find the best list among some of the active columns; return the bound proved for them."""
        columns = np.flatnonzero(inside)
        while len(columns):
            highs = relaxation.model(columns, integer=True)
            highs.setOptionValue("mip_rel_gap", 0.0)
            highs.setOptionValue("mip_abs_gap", OPTIMALITY / 10)
            # HiGHS's presolve pays off on small programs; on large ones it takes longer than it saves.
            highs.setOptionValue("presolve", "on" if len(columns) < _SMALL_PROGRAM else "off")
            rules = unique[relaxation.active[columns]]
            if self.best is not None and np.isin(self.best, rules).all():
                start = highspy.HighsSolution()
                start.col_value = np.isin(rules, self.best).astype(np.float64).tolist()
                highs.setSolution(start)
            ran = run(highs, self.deadline)
            if ran.ending == "infeasible":
                return -np.inf
            bound = ran.bound
            if ran.values is None:
                ran.pass_on_interrupt()
                return bound
            chosen = relaxation.active[columns[ran.values > 0.5]]
            violated = np.flatnonzero(relaxation.problem.coverage.counts_of(chosen) != 1)
            logger.info(
                "%s; integer program: %d rows, %d columns, bound %.6g, %d samples violated",
                self._state(), len(relaxation.samples), len(columns), bound * self.unit, len(violated),
            )  # fmt: skip
            if not len(violated):
                self._offer(unique[chosen])
            ran.pass_on_interrupt()
            if ran.ending == "stopped" or not len(violated):
                return bound
            added = self._pick(violated, np.ones(len(violated)), relaxation)
            if not len(added):
                raise SolverError(_NO_PROOF)  # HiGHS violated a row that it was given
            relaxation.add(added)
        return -np.inf

    def _pick(self, violated: IntArray, amount: FloatArray, relaxation: Relaxation) -> IntArray:
        """Choose new rows to add: half the most violated, half at random, no two identical."""
        known = np.zeros(self.problem.n_samples, dtype=bool)
        known[relaxation.samples] = True
        new = ~known[violated]
        violated, amount = violated[new], amount[new]
        half = (max(self.first_rows, len(relaxation.samples) // 2) + 1) // 2
        if len(violated) > 2 * half:
            most = np.argpartition(-amount, half)[:half]
            drawn = self.rng.integers(len(violated), size=half)  # a row drawn twice is added once
            violated = violated[np.unique(np.concatenate([most, drawn]))]
        _, first = np.unique(relaxation.problem.coverage.ends.ranks[violated], axis=0, return_index=True)
        return violated[np.sort(first)]

    def _drop_columns(self, relaxation: Relaxation, unique: IntArray) -> None:
        """Drop the rules that cannot be in a list better than the best."""
        if self.best is None:
            return
        hopeless = relaxation.last_bound + np.minimum(relaxation.reduced, 0.0) <= self.best_objective + OPTIMALITY / 10
        # The best list itself stays in, so that the integer program can start from it.
        relaxation.keep(~hopeless | np.isin(unique[relaxation.active], self.best))

    def _offer(self, chosen: IntArray) -> bool:
        """Accept a choice of rules if it is a better solution; return whether it is."""
        objective = self.problem.objective(chosen)
        if objective <= self.best_objective or not self.problem.accepts(chosen):
            return False
        self.best, self.best_objective = chosen, objective
        return True

    def _lower_bound_to(self, bound: float) -> None:
        if self.whole_scores and np.isfinite(bound):
            bound = float(np.floor(bound * self.unit + 1e-6)) / self.unit
        self.bound = min(self.bound, bound)

    def _proved(self) -> bool:
        return self.best is not None and self.bound - self.best_objective <= OPTIMALITY

    def _out_of_time(self) -> bool:
        return self.deadline is not None and time.perf_counter() >= self.deadline


def best_of_twins(problem: PartitionProblem) -> tuple[IntArray, IntArray]:
    """Return the columns to keep, and for each column the one with the best score and the same coverage."""
    everything = np.arange(problem.n_rules)
    if problem.rows is not None:  # a constraint may distinguish twins
        return everything, everything
    twins = problem.coverage.twins
    preference = everything if problem.preference is None else problem.preference
    # Sums of the same numbers in a different order differ in the last digits.
    scores = np.round(problem.scores / (np.max(np.abs(problem.scores)) or 1.0), 12)
    order = np.lexsort((everything, preference, -scores, twins))
    numbers, first = np.unique(twins[order], return_index=True)
    best = np.empty(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    best[numbers] = order[first]
    return np.sort(best[numbers]), best[twins]
