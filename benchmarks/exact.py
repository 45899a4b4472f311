"""What is true of a small partition problem, found from all its lists in exact rational arithmetic.

The given floating-point numbers are taken as the rational numbers that they are. Two readings of the extra rows are
needed, because :meth:`hedgerow.optimize.problem.LinearRows.hold` allows for rounding errors: a list is *sound* if it
satisfies every row exactly, and *near* if it does up to ``ROW_TOLERANCE`` of the largest entry that it meets in the
row. A near list may be returned; that there is no list may be said only where no list is sound.

An answer may be off by ``TOLERANCE`` of the largest score that can matter: that of any sound list whose objective is as
good as that of the answer, up to the same share of the list's own largest score. So neither a rule that can be in no
list counts, nor one so bad that no list with it comes near the answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hedgerow.optimize.problem import LinearRows, PartitionProblem

#: What a proof may be off by, as a share of the largest score; the solver's own is 1e-7, and sums are rounded.
TOLERANCE = Fraction(2, 10**7)
#: What a row may be violated by, as a share of the largest of its entries in a list; the problem's own is 1e-9.
ROW_TOLERANCE = Fraction(11, 10**10)
#: More partitions than this are too many to go through.
MOST_PARTITIONS = 20_000

List = tuple[int, ...]


class TooManyError(ValueError):
    """A problem with more partitions than can be gone through."""


@dataclass(frozen=True)
class Truth:
    """What is true of a problem.

    Attributes
    ----------
    fewest : int or None
        The rules of the smallest partition, whatever the budget and the extra rows; None if there is none.
    best : tuple of int or None
        The best of the sound lists; None if there is none.
    optimum : Fraction
        Its objective.
    sound : tuple of pairs of Fraction
        The objective of every sound list, and the largest size of a score in it.
    """

    fewest: int | None
    best: List | None
    optimum: Fraction
    sound: tuple[tuple[Fraction, Fraction], ...]

    def largest(self, objective: Fraction) -> Fraction:
        """Return the largest size of a score that can matter beside an answer with this objective."""
        return max(size for value, size in self.sound if value + TOLERANCE * size >= objective)


def partitions(problem: PartitionProblem) -> list[List]:
    """Return all choices of rules that partition the samples, whatever the budget and the extra rows."""
    matrix = problem.coverage.matrix().toarray() > 0
    masks = [sum(1 << int(i) for i in np.flatnonzero(column)) for column in matrix.T]
    with_sample = [[j for j, mask in enumerate(masks) if mask >> i & 1] for i in range(problem.n_samples)]
    found: list[List] = []

    def extend(left: int, chosen: List) -> None:
        if not left:
            found.append(chosen)
            if len(found) > MOST_PARTITIONS:
                raise TooManyError(f"There are more than {MOST_PARTITIONS} partitions.")
            return
        for j in with_sample[(left & -left).bit_length() - 1]:
            if masks[j] & ~left == 0:
                extend(left ^ masks[j], (*chosen, j))

    extend((1 << problem.n_samples) - 1, ())
    return [tuple(sorted(chosen)) for chosen in found]


def total(problem: PartitionProblem, chosen: Any) -> Fraction:
    """Return the exact objective of a list."""
    return sum((Fraction(float(problem.scores[j])) for j in chosen), Fraction(0))


def size(problem: PartitionProblem, chosen: Any) -> Fraction:
    """Return the largest size of a score in a list."""
    return max((abs(Fraction(float(problem.scores[j]))) for j in chosen), default=Fraction(0))


def holds(rows: LinearRows | None, chosen: Any, tolerance: Fraction = Fraction(0)) -> bool:
    """Whether a list satisfies every extra row, up to a share of the largest entry that it meets."""
    if rows is None:
        return True
    matrix = rows.matrix.tocsr()
    for i in range(len(rows)):
        here = slice(matrix.indptr[i], matrix.indptr[i + 1])
        entries = dict(zip(matrix.indices[here].tolist(), matrix.data[here].tolist(), strict=True))
        mine = [Fraction(entries[j]) for j in chosen if j in entries]
        slack = tolerance * max(map(abs, mine), default=Fraction(0))
        activity = sum(mine, Fraction(0))
        lower, upper = float(rows.lower[i]), float(rows.upper[i])
        if math.isfinite(lower) and activity < Fraction(lower) - slack:
            return False
        if math.isfinite(upper) and activity > Fraction(upper) + slack:
            return False
    return True


def find_truth(problem: PartitionProblem) -> Truth:
    """Go through all lists of a problem."""
    every = partitions(problem)
    fewest = min(map(len, every), default=None)
    budget = problem.n_rules if problem.max_rules is None else problem.max_rules
    sound = [chosen for chosen in every if len(chosen) <= budget and holds(problem.rows, chosen)]
    if not sound:
        return Truth(fewest, None, Fraction(0), ())
    best = max(sound, key=lambda chosen: total(problem, chosen))
    told = tuple((total(problem, chosen), size(problem, chosen)) for chosen in sound)
    return Truth(fewest, best, total(problem, best), told)


def faults(problem: PartitionProblem, truth: Truth, solution: Any) -> Iterator[str]:
    """Yield what is wrong with a solution."""
    chosen, objective, bound = solution.chosen, float(solution.objective), float(solution.bound)
    if math.isnan(objective) or math.isnan(bound) or not solution.gap >= 0:
        yield "gap"
        return
    matrix = problem.coverage.matrix().toarray()
    within = problem.max_rules is None or len(chosen) <= problem.max_rules
    if not within or np.any(matrix[:, chosen].sum(axis=1) != 1) or not holds(problem.rows, chosen, ROW_TOLERANCE):
        yield "wrong list"
        return
    exact, rounding = total(problem, chosen), Fraction(1, 10**12) * len(chosen) * size(problem, chosen)
    if abs(Fraction(objective) - exact) > rounding:
        yield "wrong objective"
    if truth.best is not None:
        yield from _faults_of_proof(truth, exact, solution)
    if solution.status != "optimal":
        yield "no proof"


def _faults_of_proof(truth: Truth, exact: Fraction, solution: Any) -> Iterator[str]:
    """Yield what is wrong with what a solution of this exact objective says about other lists."""
    bound, proof = float(solution.bound), solution.status == "optimal"
    # A list that is near, but not sound, may be better than all sound ones.
    slack = TOLERANCE * truth.largest(min(exact, truth.optimum))
    if proof and truth.optimum - exact > slack:
        yield "wrong proof"
    elif bound == -math.inf or (math.isfinite(bound) and truth.optimum - Fraction(bound) > slack):
        yield "wrong bound"


def faults_of_infeasible(problem: PartitionProblem, truth: Truth, message: str) -> Iterator[str]:
    """Yield what is wrong with saying that there is no list, and with the budget that is named instead."""
    if truth.best is not None:
        yield "wrong infeasible"
    advice = re.search(r"smallest budget that works is max_rules=(\d+)", message)
    if advice and int(advice[1]) != truth.fewest:
        yield "wrong advice"
