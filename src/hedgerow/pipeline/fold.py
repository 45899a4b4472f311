"""Training samples that are prepared once and tried with many settings and budgets.

What is fitted is fitted to these samples alone. Cross-validation opens one fold per split, the trace over budgets a
single one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sklearn.base import BaseEstimator

from hedgerow.exceptions import HedgerowError
from hedgerow.optimize.budgets import feasible_path
from hedgerow.pipeline.build import build
from hedgerow.pipeline.lesson import Lesson
from hedgerow.pipeline.pose import Posed, pose
from hedgerow.pipeline.prepare import Learned, Prepared, learn, leaves_suffice, take_candidates, take_lesson
from hedgerow.pipeline.samples import Samples
from hedgerow.pipeline.settings import Settings
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import Smoothing
from hedgerow.teachers import Teacher


@dataclass(frozen=True)
class Setting:
    """The settings that are chosen besides the budget. The smoothing does not change which rules are chosen.

    A minimum coverage of None is left to the preset.
    """

    min_coverage: float | None
    stability_weight: float
    smoothing: Smoothing | None = None


@dataclass(frozen=True, eq=False)
class Extracted:
    """A rule list, and what it was chosen from."""

    posed: Posed
    solution: Solution
    rule_list: RuleList


class Fold:
    """The ensemble of some samples and its candidates; with "auto", leaves and, where they do not suffice, nodes.

    With a preset, the ensemble and its candidates may depend on the budget. What is the same for several budgets is
    fitted once.

    Parameters
    ----------
    settings : Settings
    samples : Samples
        The training samples.
    budgets : sequence of int
        Those to prepare at once, for settings that depend on the budget.
    """

    def __init__(self, settings: Settings, samples: Samples, budgets: Sequence[int] = ()) -> None:
        self._settings, self._samples = settings, samples
        self._lessons: dict[Any, Lesson] = {}
        self._learned: dict[Any, Learned] = {}
        self._prepared: dict[Any, Prepared] = {}
        for settled, _ in self._settled(settings, budgets or [settings.max_rules]):
            self._take(settled, "nodes" if settled.candidates == "nodes" else "leaves")

    def same_candidates(self, setting: Setting) -> Any:
        """Return a key that is equal for settings with the same lists, up to what their rules predict."""
        if self._samples.weight is not None or setting.min_coverage is None:
            return setting.min_coverage, setting.stability_weight
        n_samples = len(self._samples.y)
        return max(1, math.ceil(setting.min_coverage * n_samples - 1e-9)), setting.stability_weight

    def lists(
        self, setting: Setting, budgets: Sequence[int], smoothings: Sequence[Smoothing | None] | None = None
    ) -> Iterator[tuple[int, dict[Smoothing | None, Extracted] | str]]:
        """Yield each budget with one list per smoothing, solved once, or with the reason why there is none."""
        smoothings = [setting.smoothing] if smoothings is None else smoothings
        unsmoothed = self._settings.changed(**vars(setting) | {"smoothing": None})
        for settings, alike in self._settled(unsmoothed, budgets):
            for prepared, mine in self._pools(settings, alike):
                yield from _solved(prepared, settings, mine, smoothings)

    def _settled(self, settings: Settings, budgets: Sequence[int | None]) -> Iterator[tuple[Settings, list[int]]]:
        """Yield settings without a preset, and the budgets that they are for."""
        found: dict[Any, tuple[Settings, list[Any]]] = {}
        for budget in budgets:
            settled = replace(settings, max_rules=budget).settled(self._samples)
            settled = replace(settled, max_rules=settings.max_rules)
            found.setdefault(_alike(settled.parameters), (settled, []))[1].append(budget)
        yield from found.values()

    def _pools(self, settings: Settings, budgets: Sequence[int]) -> Iterator[tuple[Prepared, list[int]]]:
        """Yield candidates, and the budgets that they are for under the minimum coverage."""
        if settings.candidates != "auto":
            yield self._take(settings, settings.candidates), list(budgets)
            return
        leaves, nodes = self._take(settings, "leaves"), partial(self._take, settings, "nodes")
        large = [b for b in budgets if leaves_suffice(settings, leaves, nodes, b)]
        small = [b for b in budgets if b not in large]
        if large:
            yield leaves, large
        if small:
            yield nodes(), small

    def _take(self, settings: Settings, kind: Any) -> Prepared:
        """Return the leaves or nodes with these settings; they are taken, and the ensemble is fitted, once."""
        taught = _alike(settings.teacher)
        learned = (taught, _alike(settings.ensemble), settings.target)
        taken = (learned, settings.max_conditions, kind)
        if taught not in self._lessons:
            self._lessons[taught] = take_lesson(settings, self._samples)
        if learned not in self._learned:
            self._learned[learned] = learn(settings, self._samples, lesson=self._lessons[taught])
        if taken not in self._prepared:
            self._prepared[taken] = take_candidates(settings, self._learned[learned], kind)
        return self._prepared[taken]


def _solved(
    prepared: Prepared, settings: Settings, budgets: list[int], smoothings: Sequence[Smoothing | None]
) -> Iterator[tuple[int, dict[Smoothing | None, Extracted] | str]]:
    """Yield each budget with one list per smoothing, solved once; None stands for what the settings have."""
    try:
        posed = pose(prepared, settings, budgets=budgets)
        path = feasible_path(posed.problem, budgets, time_limit=settings.time_limit, solver=settings.chosen_solver())
    except HedgerowError as error:
        yield from ((budget, str(error)) for budget in budgets)
        return
    for budget in budgets:
        solution = path[budget]
        if isinstance(solution, HedgerowError):
            yield budget, str(solution)
            continue
        lists = {}
        for smoothing in smoothings:
            smoothed = posed if smoothing is None else replace(posed, settings=replace(settings, smoothing=smoothing))
            lists[smoothing] = Extracted(smoothed, solution, build(smoothed, solution))
        yield budget, lists


def _alike(value: Any) -> Any:
    """Return a key that is equal for models and settings that give the same when they are fitted."""
    if isinstance(value, BaseEstimator):
        return type(value), _alike(value.get_params(deep=False))
    if isinstance(value, Teacher):
        return type(value), _alike(vars(value))
    if isinstance(value, dict):
        return tuple((name, _alike(each)) for name, each in sorted(value.items()))
    if isinstance(value, (list, tuple)):
        return tuple(map(_alike, value))
    return value if isinstance(value, Hashable) else id(value)
