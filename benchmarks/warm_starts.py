"""Whether a search gains from warm starts across folds, measured by ``python -m benchmarks.speed warm``.

Each search runs with all defaults in processor time: as it is; with the list that an earlier fold chose for the same
budget as the first one, where it is a list in this fold too; and with the optimum of each program itself, which no warm
start can beat. Only rules of an ensemble that is the same in all folds are found in another fold.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.frozen import FrozenEstimator

from benchmarks.datasets import load_table
from benchmarks.processor_clock import limits_in_processor_time
from benchmarks.results import Results
from benchmarks.selection import processor_seconds
from hedgerow import PartitionProblem, RuleListClassifierCV
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.pipeline.fold import Opened
from hedgerow.presets import default_forest
from hedgerow.tasks import Labels

SETS = ("breast cancer", "wine", "heart-c", "ionosphere")
STARTS = ("none", "fold", "optimum")


@dataclass
class WarmStarts:
    """What the programs of a search begin with, and how long they take.

    Attributes
    ----------
    kind : str
        Of ``STARTS``.
    optima : dict
        The best list of each program, by its budget and scores.
    nodes : array or None
        The nodes of the candidates of the fold that is searched.
    lists : dict
        The nodes of the lists that other folds chose for each budget.
    seconds : float
        Processor time of all programs.
    begun : int
        How many began with a better list than they would have.
    """

    kind: str
    optima: dict[Any, Any]
    nodes: Any = None
    lists: dict[int | None, list[Any]] = field(default_factory=dict)
    seconds: float = 0.0
    begun: int = 0

    def known(self, problem: PartitionProblem) -> Any:
        """Return a list to begin with, or None."""
        if self.kind == "optimum":
            return self.optima.get(_key(problem))
        if self.kind == "none" or not self._is_of_fold(problem):
            return None
        found = [np.flatnonzero(np.isin(self.nodes, nodes)) for nodes in self.lists.get(problem.max_rules, [])]
        whole = [chosen for chosen in found if problem.accepts(chosen)]
        return max(whole, key=problem.objective, default=None)

    def learn(self, problem: PartitionProblem, chosen: Any) -> None:
        """Remember the best list of a program."""
        if self.kind == "none":
            self.optima[_key(problem)] = chosen
        if self._is_of_fold(problem):
            self.lists.setdefault(problem.max_rules, []).append(self.nodes[chosen])

    def _is_of_fold(self, problem: PartitionProblem) -> bool:
        return self.nodes is not None and len(self.nodes) == problem.n_rules


def search(estimator: Any, X: Any, y: Any, starts: WarmStarts) -> Any:
    """Fit a search whose programs begin with what is known."""
    solve, path = RowGeneration._solve, Opened.path

    def warm(solver: Any, problem: Any, time_limit: Any, memory: Any, *more: Any, **others: Any) -> Any:
        known = starts.known(problem)
        if known is not None and (memory.best is None or problem.objective(known) > problem.objective(memory.best)):
            memory.best = known
            starts.begun += 1
        began = time.process_time()
        solution = solve(solver, problem, time_limit, memory, *more, **others)
        starts.seconds += time.process_time() - began
        if solution is not None:
            starts.learn(problem, solution.chosen)
        return solution

    def of_fold(opened: Any, budgets: Any, memory: Any) -> Any:
        starts.nodes = opened.posed.pool.node
        try:
            return path(opened, budgets, memory)
        finally:
            starts.nodes = None

    with patch.object(RowGeneration, "_solve", warm), patch.object(Opened, "path", of_fold), limits_in_processor_time():
        return estimator.fit(X, y)


def measure_warm(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """Searches with and without warm starts across folds."""
    results = Results("speed_warm", ("name", "ensemble", "start"))
    for name, ensemble in show([(name, kind) for name in SETS for kind in ("of each fold", "the same")], "warm"):
        X, y = _data(name, data)
        forest = default_forest(Labels, 0, None)
        if ensemble == "the same":
            forest = FrozenEstimator(forest.fit(X, y))
        optima: dict[Any, Any] = {}
        for start in STARTS:
            skipped = start == "fold" and ensemble == "of each fold"
            if skipped or ((name, ensemble, start) in results and start != "none"):
                continue
            starts = WarmStarts(start, optima)
            estimator = RuleListClassifierCV(forest, random_state=0)
            spent, fitted = processor_seconds(lambda e=estimator, s=starts, X=X, y=y: search(e, X, y, s))
            row = {"name": name, "ensemble": ensemble, "start": start, "search_cpu_s": spent}
            row |= {"programs_cpu_s": starts.seconds, "begun_better": starts.begun, "rules": fitted.best_max_rules_}
            results.add(row | {"cv_score": fitted.best_score_})
    return results


def judge_warm(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the warm starts."""
    by = frame.set_index(["ensemble", "start", "name"])["search_cpu_s"].sort_index()
    for ensemble, start in (("the same", "fold"), ("the same", "optimum"), ("of each fold", "optimum")):
        ratio = by[ensemble, start] / by[ensemble, "none"]
        what = f"processor time with / without, ensemble {ensemble}, start {start}: least, geometric mean, most"
        yield what, f"{ratio.min():.2f}, {np.exp(np.log(ratio).mean()):.2f}, {ratio.max():.2f}", "-"


def _data(name: str, data: Path) -> tuple[Any, Any]:
    known = {"breast cancer": load_breast_cancer, "wine": load_wine}
    if name in known:
        return known[name](return_X_y=True)
    table = load_table(name, "classification", data, 0)
    return table.X, table.y


def _key(problem: PartitionProblem) -> tuple[int | None, int, bytes]:
    return problem.max_rules, problem.n_samples, problem.scores.tobytes()
