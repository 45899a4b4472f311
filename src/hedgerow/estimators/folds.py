"""One split into training and test samples: prepared once, tried with many settings and budgets.

What is fitted is fitted on the training samples alone; the test samples are
only scored.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow.exceptions import HedgerowError
from hedgerow.optimize.budgets import feasible_path
from hedgerow.smoothing import Smoothing


@dataclass(frozen=True)
class Setting:
    """What is chosen beside the budget. The smoothing has no say in which rules are chosen."""

    min_coverage: float
    stability_weight: float
    smoothing: Smoothing | None = None


@dataclass(frozen=True, eq=False)
class Tried:
    """The score of each budget, NaN where there is none; whether its list is proven; and why there is no score."""

    scores: FloatArray
    proven: BoolArray
    reasons: dict[int, str]

    @classmethod
    def nothing(cls, n_budgets: int) -> Tried:
        """Return what is known before any budget is tried."""
        return cls(np.full(n_budgets, np.nan), np.zeros(n_budgets, dtype=bool), {})


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
        self._estimator.set_params(candidates="leaves" if self.kind == "auto" else self.kind)
        self._prepared = {self.kind: self._estimator._prepare(X, y, sample_weight)}
        self._estimator.set_params(ensemble=self._estimator.forest_)  # fitted once

    def same_candidates(self, setting: Setting) -> Any:
        """Return a key that is equal for settings which have the same lists, up to what their rules answer."""
        X, _, weight = self._data
        if weight is not None:
            return setting.min_coverage, setting.stability_weight
        return max(1, math.ceil(setting.min_coverage * X.shape[0] - 1e-9)), setting.stability_weight

    def lists(self, setting: Setting, budgets: list[int]) -> Iterator[tuple[int, Any]]:
        """Yield each budget with the estimator fitted for it, or with the reason why it cannot be."""
        for budget, found in self.smoothed_lists(setting, [setting.smoothing], budgets):
            yield budget, found if isinstance(found, str) else found[setting.smoothing]

    def smoothed_lists(
        self, setting: Setting, smoothings: Sequence[Smoothing | None], budgets: list[int]
    ) -> Iterator[tuple[int, dict[Smoothing | None, Any] | str]]:
        """Yield each budget with an estimator for each smoothing, solved once, or with the reason why there is none."""
        estimator = copy.copy(self._estimator).set_params(
            min_coverage=setting.min_coverage, stability_weight=setting.stability_weight
        )
        for prepared, mine in self._pools(estimator, budgets):
            try:
                estimator._pose(prepared, mine)
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
                answered = {}
                for smoothing in smoothings:
                    answered[smoothing] = fitted = copy.copy(estimator).set_params(smoothing=smoothing)
                    fitted.rule_list_ = fitted._rule_list(prepared, solution)
                yield budget, answered

    def score(
        self,
        setting: Setting,
        smoothings: Sequence[Smoothing | None],
        budgets: list[int],
        scorer: Any,
        X: Any,
        y: AnyArray,
    ) -> dict[Smoothing | None, Tried]:
        """Return for each smoothing the score of each budget on test samples."""
        tried = {smoothing: Tried.nothing(len(budgets)) for smoothing in smoothings}
        for budget, found in self.smoothed_lists(setting, smoothings, budgets):
            at = budgets.index(budget)
            for smoothing, of_smoothing in tried.items():
                if isinstance(found, str):
                    of_smoothing.reasons[budget] = found
                    continue
                fitted = found[smoothing]
                of_smoothing.proven[at] = fitted.solution_.optimal
                try:
                    of_smoothing.scores[at] = scorer(fitted, X, y)
                except ValueError as error:
                    of_smoothing.reasons[budget] = f"The scoring failed: {error}"
                    continue
                if np.isnan(of_smoothing.scores[at]):
                    of_smoothing.reasons[budget] = "The score is NaN."
        return tried

    def _pools(self, estimator: Any, budgets: list[int]) -> Iterable[tuple[Any, list[int]]]:
        """Yield candidates, and the budgets they are for under the estimator's minimum coverage."""
        if self.kind != "auto":
            yield self._prepared[self.kind], budgets
            return
        leaves = self._prepared["auto"]
        smallest = estimator._smallest_whole_tree(leaves.pool, leaves.coverage, leaves.weight, leaves.n_samples)
        large, small = [b for b in budgets if b >= smallest], [b for b in budgets if b < smallest]
        if large:
            yield leaves, large
        if small:
            if "nodes" not in self._prepared:
                # Rows and targets are those of the first time: a teacher is asked once, and so are trees out of bag.
                self._prepared["nodes"] = self._estimator.set_params(candidates="nodes")._with_candidates(
                    leaves.values, leaves.targets, leaves.answered, leaves.weight, leaves.n_samples
                )
            yield self._prepared["nodes"], small
