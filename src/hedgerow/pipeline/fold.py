"""Training samples that are prepared once and tried with many settings and budgets.

What is fitted is fitted to these samples alone. Cross-validation opens one fold per split, the trace over budgets a
single one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from sklearn.base import BaseEstimator

from hedgerow.exceptions import HedgerowError
from hedgerow.optimize.budgets import feasible_path, path_memory
from hedgerow.optimize.solvers import Solver
from hedgerow.optimize.solvers.solver import Path
from hedgerow.pipeline.build import build
from hedgerow.pipeline.lesson import Lesson
from hedgerow.pipeline.nested import Nested
from hedgerow.pipeline.pose import Posed, pose
from hedgerow.pipeline.prepare import Learned, LeavesOrNodes, Prepared, learn, take_candidates, take_lesson
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


@dataclass(frozen=True, eq=False)
class Opened:
    """A problem, its solver, and all budgets that it may be solved for."""

    posed: Posed
    solver: Solver
    budgets: list[int]

    def path(self, budgets: list[int], memory: Any) -> Path:
        """Return the best partition of some of the budgets, or why there is none."""
        limit = self.posed.settings.time_limit
        return feasible_path(self.posed.problem, budgets, time_limit=limit, solver=self.solver, memory=memory)


#: What a solver remembers of each problem of a setting, for larger budgets.
Memories = dict[Any, Any]


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
        All that may be asked for. What depends on the budget is prepared for all of them at once.
    """

    def __init__(self, settings: Settings, samples: Samples, budgets: Sequence[int] = ()) -> None:
        self._settings, self._samples, self._budgets = settings, samples, list(budgets)
        self._lessons: dict[Any, Lesson] = {}
        self._learned: dict[Any, Learned] = {}
        self._prepared: dict[Any, Prepared] = {}
        self._choices: dict[Any, LeavesOrNodes] = {}
        self._opened: dict[Any, Opened] = {}
        self._nested = Nested()
        for settled, _ in self._settled(settings, budgets or [settings.max_rules]):
            self._take(settled, "nodes" if settled.candidates == "nodes" else "leaves")

    @property
    def asked(self) -> tuple[int, int]:
        """About how many rows the teachers were asked here, and in how many calls."""
        lessons = [lesson.asked for lesson in self._lessons.values()]
        return sum(n_rows for n_rows, _ in lessons), sum(n_calls for _, n_calls in lessons)

    def same_candidates(self, setting: Setting) -> Any:
        """Return a key that is equal for settings with the same lists, up to what their rules predict."""
        if self._samples.weight is not None or setting.min_coverage is None:
            return setting.min_coverage, setting.stability_weight
        n_samples = len(self._samples.y)
        return max(1, math.ceil(setting.min_coverage * n_samples - 1e-9)), setting.stability_weight

    def lists(
        self,
        setting: Setting,
        budgets: Sequence[int],
        smoothings: Sequence[Smoothing | None] | None = None,
        memories: Memories | None = None,
    ) -> Iterator[tuple[int, dict[Smoothing | None, Extracted] | str]]:
        """Yield each budget with one list per smoothing, solved once, or with the reason why there is none.

        With the ``memories`` of an earlier call for the same setting, larger budgets start from what is known.
        """
        smoothings = [setting.smoothing] if smoothings is None else smoothings
        memories = {} if memories is None else memories
        unsmoothed = self._settings.changed(**vars(setting) | {"smoothing": None})
        for settings, alike in self._settled(unsmoothed, sorted({*self._budgets, *budgets})):
            for kind, mine in self._pools(settings, [budget for budget in budgets if budget in alike]):
                key = (_alike(settings.parameters), kind)
                try:
                    opened = self._open(key, settings, alike)
                    if key not in memories:
                        memories[key] = path_memory(max(opened.budgets), opened.solver)
                    path = self._path(opened, mine, memories[key])
                except HedgerowError as error:
                    yield from ((budget, str(error)) for budget in mine)
                    continue
                for budget in mine:
                    yield budget, _lists(opened.posed, path[budget], smoothings)

    def _path(self, opened: Opened, budgets: list[int], memory: Any) -> Path:
        """Return the best list of each budget; what another minimum coverage tells is not searched again."""
        path = self._nested.path(opened.posed, budgets)
        left = [budget for budget in budgets if budget not in path]
        if left:
            found = opened.path(left, memory)
            self._nested.add(opened.posed, found)
            path |= found
        return path

    def _open(self, key: Any, settings: Settings, budgets: list[int]) -> Opened:
        """Return the problem of some settings; it is posed once."""
        if key not in self._opened:
            posed = pose(self._take(settings, key[1]), settings, budgets=budgets)
            self._opened[key] = Opened(posed, settings.chosen_solver(), budgets)
        return self._opened[key]

    def _settled(self, settings: Settings, budgets: Sequence[int | None]) -> Iterator[tuple[Settings, list[int]]]:
        """Yield settings without a preset, and the budgets that they are for."""
        found: dict[Any, tuple[Settings, list[Any]]] = {}
        for budget in budgets:
            settled = replace(settings, max_rules=budget).settled(self._samples)
            settled = replace(settled, max_rules=settings.max_rules)
            found.setdefault(_alike(settled.parameters), (settled, []))[1].append(budget)
        yield from found.values()

    def _pools(
        self, settings: Settings, budgets: Sequence[int]
    ) -> Iterator[tuple[Literal["leaves", "nodes"], list[int]]]:
        """Yield the kind of candidates, and the budgets that they are for under the minimum coverage."""
        if not budgets:
            return
        if settings.candidates != "auto":
            yield settings.candidates, list(budgets)
            return
        largest = max([*self._budgets, *budgets])
        key = _alike(settings.parameters), largest
        if key not in self._choices:
            leaves, nodes = self._take(settings, "leaves"), partial(self._take, settings, "nodes")
            self._choices[key] = LeavesOrNodes(settings, leaves, nodes, largest)
        large = [budget for budget in budgets if self._choices[key].leaves_suffice(budget)]
        small = [b for b in budgets if b not in large]
        if large:
            yield "leaves", large
        if small:
            yield "nodes", small

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
        prepared = self._prepared[taken]
        # A preset may have another loss for another budget.
        loss = settings.parsed_loss.among(prepared.learned.task.classes)
        return replace(prepared, learned=replace(prepared.learned, loss=loss))


def _lists(
    posed: Posed, solution: Solution | HedgerowError, smoothings: Sequence[Smoothing | None]
) -> dict[Smoothing | None, Extracted] | str:
    """Return one list per smoothing, or why there is none; a smoothing of None stands for what the settings have."""
    if isinstance(solution, HedgerowError):
        return str(solution)
    lists = {}
    for smoothing in smoothings:
        settings = posed.settings if smoothing is None else replace(posed.settings, smoothing=smoothing)
        smoothed = replace(posed, settings=settings)
        lists[smoothing] = Extracted(smoothed, solution, build(smoothed, solution))
    return lists


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
