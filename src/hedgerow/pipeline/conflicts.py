"""Why no list satisfies all constraints: a smallest set of them in conflict, and how far each would have to give way.

1. Constraints are taken apart, such as the recalls of several labels; the budget counts as one of them.
2. One after the other is left out for good if there is still no list without it. What is left contradicts itself, and
   would not without any one of them. Then sets with fewer constraints are tried, as long as there is time.
3. How far one of them would have to give way is what is best for it among the lists that satisfy the others. That is an
   integer program of its own, or a bisection of a few: each is proven, as long as there is time. If there is not, what
   is known to be possible is told.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow.constraints import Candidates, Demand, Gradual, check_constraints, demand_of, parts_of, words_of
from hedgerow.exceptions import Conflict, InfeasibleError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.rules.solution import Solution

#: Seconds for everything at most, and which share of that is for the sets of constraints, and for one integer program.
_SECONDS, _FOR_SETS, _FOR_ONE = 6.0, 0.5, 0.2
#: So many sets of constraints are tried to find one with fewer of them.
_MOST_SETS = 500
#: Digits of a bound that are told; it is rounded so that it is possible.
_DIGITS = 4
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Budget:
    """The budget as a constraint."""

    max_rules: int

    def __repr__(self) -> str:
        return f"max_rules={self.max_rules}"


@dataclass(frozen=True)
class Reached:
    """A bound that is possible, and whether it is proven that no nearer one is."""

    value: float
    proven: bool


Set = frozenset[int]


class Wanted:
    """Constraints on the lists of one problem.

    Parameters
    ----------
    problem : PartitionProblem
        Without the constraints.
    candidates : Candidates
        Its rules.
    targets : array or Tally
        As constraints of a user's own get them.
    constraints : sequence
    seconds : float or None
        How long the search for an explanation may take; None for the usual.
    proven : bool
        Whether it is known that no list satisfies all of them.
    """

    def __init__(
        self,
        problem: PartitionProblem,
        candidates: Candidates,
        targets: Any,
        constraints: Sequence[Any],
        seconds: float | None = None,
        proven: bool = False,
    ) -> None:
        self.problem, self.candidates, self.targets = problem, candidates, targets
        self.parts: list[Any] = [part for one in constraints for part in parts_of(one)]
        if problem.max_rules is not None:
            self.parts.append(Budget(problem.max_rules))
        self._everything = frozenset(range(len(self.parts)))
        self._seconds = _SECONDS if seconds is None else min(seconds, _SECONDS)
        self._ends = time.monotonic() + self._seconds
        self._pauses = self._ends - (1 - _FOR_SETS) * self._seconds
        self._demands: dict[int, tuple[Any, Demand]] = {}
        self._found: dict[Set, Solution] = {}
        self._known: dict[Set, bool | None] = {self._everything: False} if proven else {}

    def error(self) -> InfeasibleError:
        """Return the error that says what contradicts what, or why there is no list at all."""
        smallest = self._smallest() if self._possible(self._everything) is False else self._everything
        if self._known.get(smallest) is not False or all(isinstance(self.parts[i], Budget) for i in smallest):
            return self._of_no_list()
        conflicts = tuple(self._gives_way(i, smallest) for i in self._in_turn(smallest))
        told, several = "; ".join(map(str, conflicts)), len(conflicts) > 1
        words = "all constraints. These contradict each other:" if several else "the constraint"
        way_out = "Change one of them, or leave it out." if several else "Change it, or leave it out."
        advice = dict.fromkeys(getattr(one.constraint, "advice", "") for one in conflicts)
        message = f"No list satisfies {words} {told}. {way_out} {' '.join(advice)}"
        return InfeasibleError(" ".join(message.split()), conflicts=conflicts)

    def _in_turn(self, conflict: Set) -> Iterator[int]:
        """Yield each constraint; the next equal share of the time that is left is about it."""
        for n_done, i in enumerate(sorted(conflict)):
            now = time.monotonic()
            self._pauses = now + (self._ends - now) / (len(conflict) - n_done)
            yield i

    # Sets of constraints

    def _smallest(self) -> Set:
        """Return a smallest set that no list satisfies, as far as time allows."""
        found = self._everything
        for i in sorted(found):
            if self._possible(found - {i}) is False:
                found -= {i}
        tried = 0
        for size in range(len(found)):
            for some in itertools.combinations(sorted(self._everything), size):
                tried += 1
                if tried > _MOST_SETS or self._left <= 0:
                    return found
                if self._possible(frozenset(some)) is False:
                    return frozenset(some)
        return found

    def _possible(self, some: Set) -> bool | None:
        """Return whether some list satisfies these; None if there was no time to find out."""
        if some not in self._known:
            if any(known and some <= other for other, known in self._known.items()):
                return True
            if any(known is False and some >= other for other, known in self._known.items()):
                return False
            try:
                found = self._best([self.parts[i] for i in some])
                self._known[some] = found is not None
                if found is not None:
                    self._found[some] = found
            except TimeLimitError:
                self._known[some] = None
        return self._known[some]

    @property
    def _left(self) -> float:
        return self._pauses - time.monotonic()

    def _best(self, parts: Sequence[Any], scores: FloatArray | None = None) -> Solution | None:
        """Return the list with the highest total among those that satisfy these; None if there is none."""
        budgets = [part.max_rules for part in parts if isinstance(part, Budget)]
        try:
            demand = Demand.of_all([self._demand(one) for one in _merged(parts)])
        except InfeasibleError:
            return None
        n = self.problem.n_rules
        kept = np.arange(n) if demand.allowed is None else np.flatnonzero(demand.allowed)
        if not len(kept):
            return None
        demand, scores = demand.subset(kept), np.zeros(n) if scores is None else scores
        problem = replace(self.problem, scores=scores, max_rules=min(budgets, default=None)).subset(kept)
        problem = replace(problem, rows=demand.rows, lazy=demand.lazy)
        seconds = min(self._left, _FOR_ONE * self._seconds)
        if seconds <= 0:
            raise TimeLimitError
        found = RowGeneration().feasible_path(problem, [problem.max_rules], seconds)[problem.max_rules]  # type: ignore[list-item,index]
        if isinstance(found, TimeLimitError):
            raise found
        return None if isinstance(found, InfeasibleError) else replace(found, chosen=kept[found.chosen])

    def _demand(self, part: Any) -> Demand:
        if id(part) not in self._demands:  # the constraint is kept, so that no other gets its number
            self._demands[id(part)] = part, demand_of(part, self.candidates, self.targets)
        return self._demands[id(part)][1]

    # How far one gives way

    def _gives_way(self, i: int, conflict: Set) -> Conflict:
        """Return a constraint of a conflict, and what would be possible instead."""
        part, others = self.parts[i], self._everything - {i}
        with_all = self._possible(others) is True
        name = _named(part)
        try:
            reached = self._reached(part, others if with_all else conflict - {i})
        except TimeLimitError:
            return Conflict(part, name, None, "there was no time to find out what is possible", proven=False)
        if reached is None:
            return Conflict(part, name, None, "")
        is_higher = isinstance(part, Budget) or part.rises
        value = f"{reached.value:.10g}"
        if reached.proven:
            told, more = f"it takes at least {value}" if is_higher else f"at most {value} is possible", ""
        else:
            told, more = (f"{value} is enough", "less") if is_higher else (f"at least {value} is possible", "more")
            more = f" (the time was up before {more} was ruled out)"
        alone = ", even without the others" if len(conflict) == 1 else " with the others of these"
        told += (" with the others" if with_all else alone) + more
        return Conflict(part, name, reached.value, told, proven=reached.proven)

    def _reached(self, part: Any, others: Set) -> Reached | None:
        """Return the nearest bound of a constraint that is possible with the others; None if there is none."""
        beside = [self.parts[k] for k in others]
        if isinstance(part, Budget):
            found = self._best(beside, -np.ones(self.problem.n_rules))
            return None if found is None else Reached(float(len(found.chosen)), found.optimal)
        if not isinstance(part, Gradual):
            return None
        levels = part.levels(self.candidates)
        if levels:
            return self._by_bisection(part, levels, others)
        sign = -1.0 if part.rises else 1.0
        rows = self._demand(part).rows
        if rows is None or len(rows) != 1:
            return None
        entries = rows.matrix.toarray()[0]
        found = self._best(beside, sign * entries)
        if found is None:
            return None
        return Reached(_rounded(float(entries[found.chosen].sum()), up=part.rises), found.optimal)

    def _by_bisection(self, part: Gradual, levels: Sequence[float], others: Set) -> Reached | None:
        """Return the first of the bounds, each weaker than the one before, that is possible.

        A bound for which there is no time is taken for impossible, so that a weaker one may still be found.
        """
        beside = [self.parts[k] for k in others]
        known = next((found for some, found in self._found.items() if others <= some), None)
        weak = len(levels) if known is None else self._first_granted(part, levels, known, len(levels))
        if weak == len(levels):
            found = self._best([*beside, part.at(levels[-1])])
            if found is None:
                return None
            weak = self._first_granted(part, levels, found, weak - 1)
        strict = impossible = -1
        while weak - strict > 1:
            middle = (strict + weak) // 2
            try:
                found = self._best([*beside, part.at(levels[middle])])
            except TimeLimitError:
                strict = middle
                continue
            if found is None:
                strict = impossible = middle
            else:
                weak = self._first_granted(part, levels, found, middle)
        return Reached(float(levels[weak]), proven=impossible == weak - 1)

    def _first_granted(self, part: Gradual, levels: Sequence[float], found: Solution, last: int) -> int:
        """Return the position of the first bound that a list grants; of those before the last, which it does."""
        first = 0
        while first < last:
            middle = (first + last) // 2
            demand = self._demand(part.at(levels[middle]))
            problem = replace(self.problem, rows=demand.rows, lazy=demand.lazy)
            allowed = demand.allowed is None or demand.allowed[found.chosen].all()
            if allowed and problem.satisfies_extra(found.chosen):
                last = middle
            else:
                first = middle + 1
        return last

    def _of_no_list(self) -> InfeasibleError:
        """Return the error of the problem without constraints."""
        try:
            RowGeneration().solve(replace(self.problem, scores=np.zeros(self.problem.n_rules)), max(1.0, self._left))
        except InfeasibleError as error:
            return error
        except TimeLimitError:
            pass
        named = "; ".join(map(_named, self.parts))
        return InfeasibleError(f"No list satisfies all constraints: {named}. Leave one out, or change it.")


def _merged(parts: Sequence[Any]) -> list[Any]:
    """Return constraints without the budget; those that belong together as one."""
    return check_constraints([part for part in parts if not isinstance(part, Budget)])


def _named(part: Any) -> str:
    """Return a constraint as it was written or, if that would be long, what it asks."""
    has_rule = getattr(part, "rule", None) is not None
    short = type(part).__module__.startswith("hedgerow.") and not has_rule and not callable(getattr(part, "values", 0))
    return repr(part) if short else words_of(part)


def _rounded(value: float, *, up: bool) -> float:
    """Return a number with few digits that is on the safe side of a value."""
    if value == 0 or not np.isfinite(value):
        return value
    digits = _DIGITS if abs(value) <= 1 else _DIGITS - 1 - int(np.floor(np.log10(abs(value))))
    unit = 10.0 ** -max(0, digits)
    steps = value / unit
    return float(round((np.ceil(steps - _ROUNDING) if up else np.floor(steps + _ROUNDING)) * unit, 12))
