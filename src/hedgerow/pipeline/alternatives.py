"""The other lists that are as good, or nearly: found, built and compared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow._support.checks import check_integer, check_time_limit, is_number
from hedgerow.candidates.margins import Gaps
from hedgerow.candidates.tally import of_first
from hedgerow.exceptions import InvalidParameterError, TimeLimitError
from hedgerow.features import Feature
from hedgerow.optimize.alternatives import BestLists, best_lists
from hedgerow.pipeline.build import build, training_score
from hedgerow.pipeline.fold import Extracted
from hedgerow.pipeline.pose import Posed
from hedgerow.pipeline.samples import Streamed
from hedgerow.rules.alternatives import Alternatives
from hedgerow.rules.reliance import reliances
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution

#: How many lists are returned if nothing is said; and at most, if they are to be within a share of the best one.
USUAL, MOST = 10, 1000
#: Seconds, if neither the call nor the estimator says how many.
SECONDS = 60.0


def find_alternatives(
    extracted: Extracted,
    k: int | None,
    within: float | None,
    differ_by: float | None,
    time_limit: float | None,
) -> Alternatives:
    """Return the best lists of a problem: so many, or all within a share of the best objective."""
    posed, solution = extracted.posed, extracted.solution
    check_integer("k", k, optional=True)
    _check_share("within", within, math.inf)
    _check_share("differ_by", differ_by, 1.0)
    check_time_limit(time_limit)
    most = (USUAL if within is None else MOST) if k is None else k
    limits = (time_limit, posed.settings.time_limit, SECONDS)
    found = best_lists(
        posed.problem,
        most,
        within=within,
        best=solution,
        differs=None if differ_by is None else Distances(posed, differ_by).differs,
        time_limit=next(limit for limit in limits if limit is not None),
    )
    if not found.chosen:
        raise TimeLimitError("No list was proven to be the best one within the time limit. Raise time_limit.")
    solutions = _solutions(posed, solution, found)
    # The list of the estimator itself is known.
    lists = tuple(extracted.rule_list if one is solution else build(posed, one) for one in solutions)
    return Alternatives(
        rule_lists=lists,
        scores=tuple(training_score(posed, one, built) for one, built in zip(solutions, lists, strict=True)),
        score_name=posed.learned.task.score_name,
        asked=most,
        within=within,
        differ_by=differ_by,
        more=found.more,
        ended_early=found.ended_early,
        bound=found.bound,
        n_alike=found.n_alike,
        reliance_of=_reliances(posed, lists),
    )


def _check_share(name: str, share: float | None, most: float) -> None:
    if share is None:
        return
    if not is_number(share) or not 0 <= share < most:
        below = "" if math.isinf(most) else f" and below {most:g}"
        raise InvalidParameterError(f"{name} must be a share of at least 0{below}, such as 0.02; got {share!r}.")


def _solutions(posed: Posed, solution: Solution, found: BestLists) -> list[Solution]:
    """Return the lists as solutions; the first is proven optimal, the others are alternatives."""
    first, *others = found.chosen
    objective = posed.problem.objective(first)
    best = solution
    if not (solution.optimal and np.array_equal(np.sort(first), solution.chosen)):
        best = Solution(np.sort(first), objective, objective, "optimal", 0.0)
    below = [min(objective, posed.problem.objective(chosen)) for chosen in others]
    return [
        best,
        *(Solution(np.sort(c), o, objective, "alternative", 0.0) for c, o in zip(others, below, strict=True)),
    ]


def _reliances(posed: Posed, lists: Sequence[RuleList]) -> tuple[Mapping[Feature, float], ...] | None:
    """Return how much each list relies on each of its features; None if the rows are read in chunks."""
    learned, samples = posed.learned, posed.learned.samples
    if isinstance(samples, Streamed) or isinstance(learned.values, Gaps):
        return None
    n, values = learned.n_samples, learned.values
    place: dict[Feature, int] = {}
    for k, feature in enumerate(learned.forest.features):
        place.setdefault(feature, k)
    y, weight = samples.y[samples.counted > 0], of_first(learned.weight, n)
    return tuple(reliances(one, lambda feature: values[:n, place[feature]], y, weight) for one in lists)


class Distances:
    """Which lists part the training samples in ways that are different enough.

    Two lists differ by the share of the training samples that have to change their rule so that both lists part the
    samples in the same way: rules of the one are matched with rules of the other so that as many samples as possible
    are in rules that belong together, and the others count.

    Parameters
    ----------
    posed : Posed
    least : float
        The share by which lists have to differ.
    """

    def __init__(self, posed: Posed, least: float) -> None:
        if isinstance(posed.learned.samples, Streamed):
            raise InvalidParameterError(
                f"{posed.learned.samples.X} is read piece by piece, but differ_by compares lists sample by sample. "
                "Leave it out, or fit on a sample of the rows in memory."
            )
        n = posed.learned.n_samples
        self._coverage = posed.coverage.of_first(n)
        self._weight: FloatArray = of_first(posed.learned.weight, n)
        self._least = least
        self._known: dict[tuple[int, ...], IntArray] = {}

    def differs(self, chosen: IntArray, others: Sequence[IntArray]) -> bool:
        """Whether a list differs enough from all others."""
        mine = self._rule_of_each(chosen)
        for other in others:
            key = tuple(other.tolist())
            if key not in self._known:
                self._known[key] = self._rule_of_each(other)
            if self._between(mine, self._known[key]) < self._least - 1e-12:
                return False
        return True

    def _rule_of_each(self, chosen: IntArray) -> IntArray:
        which = np.zeros(self._coverage.n_samples, dtype=np.int64)
        for i, j in enumerate(chosen):
            which[self._coverage.holds(int(j))] = i
        return which

    def _between(self, one: IntArray, other: IntArray) -> float:
        shape = int(one.max()) + 1, int(other.max()) + 1
        both = np.bincount(one * shape[1] + other, self._weight, minlength=shape[0] * shape[1]).reshape(shape)
        pairs: tuple[Any, Any] = linear_sum_assignment(both, maximize=True)
        return float(1.0 - both[pairs].sum() / self._weight.sum())
