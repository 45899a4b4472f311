"""Training samples that are prepared once and tried with many settings and budgets.

What is fitted is fitted to these samples alone. Cross-validation opens one fold per split, the trace over budgets a
single one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.exceptions import HedgerowError
from hedgerow.optimize.budgets import feasible_path
from hedgerow.pipeline.build import build
from hedgerow.pipeline.clock import Clock
from hedgerow.pipeline.pose import Posed, pose
from hedgerow.pipeline.prepare import Learned, Prepared, learn, take_candidates
from hedgerow.pipeline.samples import Samples
from hedgerow.pipeline.settings import Settings
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import Smoothing


@dataclass(frozen=True)
class Setting:
    """The settings that are chosen besides the budget. The smoothing does not change which rules are chosen."""

    min_coverage: float
    stability_weight: float
    smoothing: Smoothing | None = None


@dataclass(frozen=True, eq=False)
class Extracted:
    """A rule list, and what it was chosen from."""

    posed: Posed
    solution: Solution
    rule_list: RuleList


class Fold:
    """The ensemble of some samples and its candidates; with "auto", leaves and, where no whole tree fits, nodes.

    Parameters
    ----------
    settings : Settings
    samples : Samples
        The training samples.
    """

    def __init__(self, settings: Settings, samples: Samples) -> None:
        self._settings = settings
        self._weighted, self._n_samples = samples.weight is not None, len(samples.y)
        self._learned: Learned = learn(settings, samples, Clock())
        first = "nodes" if settings.candidates == "nodes" else "leaves"
        self._prepared: dict[str, Prepared] = {first: take_candidates(settings, self._learned, first)}  # type: ignore[arg-type]

    def same_candidates(self, setting: Setting) -> Any:
        """Return a key that is equal for settings with the same lists, up to what their rules predict."""
        if self._weighted:
            return setting.min_coverage, setting.stability_weight
        return max(1, math.ceil(setting.min_coverage * self._n_samples - 1e-9)), setting.stability_weight

    def lists(
        self, setting: Setting, budgets: Sequence[int], smoothings: Sequence[Smoothing | None] | None = None
    ) -> Iterator[tuple[int, dict[Smoothing | None, Extracted] | str]]:
        """Yield each budget with one list per smoothing, solved once, or with the reason why there is none."""
        settings = replace(self._settings, **vars(setting))
        for prepared, mine in self._pools(settings, budgets):
            try:
                posed = pose(prepared, settings, budgets=mine)
                solver, limit = settings.chosen_solver(), settings.time_limit
                path = feasible_path(posed.problem, mine, time_limit=limit, solver=solver)
            except HedgerowError as error:
                yield from ((budget, str(error)) for budget in mine)
                continue
            for budget in mine:
                solution = path[budget]
                if isinstance(solution, HedgerowError):
                    yield budget, str(solution)
                    continue
                lists = {}
                for smoothing in [setting.smoothing] if smoothings is None else smoothings:
                    smoothed = replace(posed, settings=replace(settings, smoothing=smoothing))
                    lists[smoothing] = Extracted(smoothed, solution, build(smoothed, solution))
                yield budget, lists

    def _pools(self, settings: Settings, budgets: Sequence[int]) -> Iterator[tuple[Prepared, list[int]]]:
        """Yield candidates, and the budgets that they are for under the minimum coverage."""
        if settings.candidates != "auto":
            yield self._prepared[settings.candidates], list(budgets)
            return
        smallest = self._prepared["leaves"].smallest_whole_tree(settings.min_coverage)
        large, small = [b for b in budgets if b >= smallest], [b for b in budgets if b < smallest]
        if large:
            yield self._prepared["leaves"], large
        if small:
            if "nodes" not in self._prepared:
                self._prepared["nodes"] = take_candidates(settings, self._learned, "nodes")
            yield self._prepared["nodes"], small
