"""One split into training and test samples: prepared once, tried with many settings and budgets.

What is fitted is fitted on the training samples alone; the test samples are
only scored.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.arrays import AnyArray, BoolArray, FloatArray
from hedgerow.exceptions import HedgerowError, InfeasibleError, TimeLimitError
from hedgerow.problem import PartitionProblem
from hedgerow.solution import Solution
from hedgerow.solvers import RowGeneration, Solver


@dataclass(frozen=True)
class Setting:
    """What is chosen beside the budget."""

    min_coverage: float
    stability_weight: float


@dataclass(frozen=True, eq=False)
class Tried:
    """The score of each budget, NaN where there is none; whether its list is proven; and why there is no score."""

    scores: FloatArray
    proven: BoolArray
    reasons: dict[int, str]


class Fold:
    """The ensemble of one fold and its candidates; of "auto", leaves and, where no whole tree fits, nodes.

    Parameters
    ----------
    estimator : RuleListClassifier or RuleListRegressor
        Not fitted; its ensemble is fitted on the training samples.
    X, y, sample_weight :
        The training samples.
    """

    def __init__(self, estimator: Any, X: Any, y: AnyArray, sample_weight: Any = None) -> None:
        self.kind = estimator.candidates
        self._data = (X, y, sample_weight)
        self._estimator = copy.copy(estimator)
        self._prepared = {self.kind: self._prepare("leaves" if self.kind == "auto" else self.kind)}
        self._estimator.set_params(ensemble=self._estimator.forest_)  # fitted once

    def same_candidates(self, setting: Setting) -> Any:
        """Return a key that is equal for settings which ask for the same."""
        X, _, weight = self._data
        if weight is not None:
            return setting
        return max(1, math.ceil(setting.min_coverage * X.shape[0] - 1e-9)), setting.stability_weight

    def lists(self, setting: Setting, budgets: list[int]) -> Iterator[tuple[int, Any]]:
        """Yield each budget with the estimator fitted for it, or with the reason why it cannot be."""
        estimator = copy.copy(self._estimator).set_params(
            min_coverage=setting.min_coverage, stability_weight=setting.stability_weight
        )
        for prepared, mine in self._pools(estimator, budgets):
            try:
                estimator._pose(prepared)
                solver, limit = estimator._solver(), estimator.time_limit
                path = feasible_path(estimator.problem_, mine, time_limit=limit, solver=solver)
            except HedgerowError as error:
                yield from ((budget, str(error)) for budget in mine)
                continue
            for budget in mine:
                solution = path[budget]
                if isinstance(solution, HedgerowError):
                    yield budget, str(solution)
                    continue
                estimator.solution_ = solution
                estimator.rule_list_ = estimator._rule_list(prepared)
                yield budget, estimator

    def score(self, setting: Setting, budgets: list[int], scorer: Any, X: Any, y: AnyArray) -> Tried:
        """Return the score of each budget on test samples."""
        scores, proven = np.full(len(budgets), np.nan), np.zeros(len(budgets), dtype=bool)
        reasons: dict[int, str] = {}
        for budget, fitted in self.lists(setting, budgets):
            if isinstance(fitted, str):
                reasons[budget] = fitted
                continue
            at = budgets.index(budget)
            proven[at] = fitted.solution_.optimal
            try:
                scores[at] = scorer(fitted, X, y)
            except ValueError as error:
                reasons[budget] = f"The scoring failed: {error}"
                continue
            if np.isnan(scores[at]):
                reasons[budget] = "The score is NaN."
        return Tried(scores, proven, reasons)

    def _pools(self, estimator: Any, budgets: list[int]) -> Iterable[tuple[Any, list[int]]]:
        """Yield candidates, and the budgets they are for under the estimator's minimum coverage."""
        if self.kind != "auto":
            yield self._prepared[self.kind], budgets
            return
        leaves = self._prepared["auto"]
        smallest = estimator._smallest_whole_tree(leaves.pool, leaves.coverage, leaves.weight)
        large, small = [b for b in budgets if b >= smallest], [b for b in budgets if b < smallest]
        if large:
            yield leaves, large
        if small:
            if "nodes" not in self._prepared:
                self._prepared["nodes"] = self._prepare("nodes")
            yield self._prepared["nodes"], small

    def _prepare(self, kind: str) -> Any:
        return self._estimator.set_params(candidates=kind)._prepare(*self._data)


def feasible_path(
    problem: PartitionProblem, budgets: Iterable[int], *, time_limit: float | None, solver: Solver
) -> dict[int, Solution | InfeasibleError | TimeLimitError]:
    """Return the best partition for each budget, or why there is none."""
    if isinstance(solver, RowGeneration):
        return solver.feasible_path(problem, budgets, time_limit)
    found: dict[int, Solution | InfeasibleError | TimeLimitError] = {}
    for budget in sorted(set(budgets)):
        try:
            found[budget] = solver.solve(replace(problem, max_rules=budget), time_limit)
        except (InfeasibleError, TimeLimitError) as error:
            found[budget] = error
    return found
