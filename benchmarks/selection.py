"""How long choosing takes: the path over all budgets, and the search over minimum coverages.

Measured by ``python -m benchmarks.speed path search``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from benchmarks.datasets import load_table, paper_forest, paper_sets
from benchmarks.results import Results, seconds
from hedgerow import (
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    RuleListRegressorCV,
    budget_path,
    rule_bounds,
)
from hedgerow.optimize.solvers import RowGeneration

MOST_ROWS = 10_000
BOUND_SECONDS = 20.0
BUDGET_SECONDS = 10.0
#: The paper's range, ten steps.
MIN_COVERAGES = tuple(np.linspace(0.001, 0.01, 10).round(3).tolist())


def measure_path(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """The path over all budgets between the bounds, beside each budget alone."""
    results = Results("speed_path", ("name",))
    for name, task in show(paper_sets(data), "path"):
        if (name,) in results:
            continue
        table = load_table(name, task, data, 0)
        if len(table.y) + len(table.y_test) > MOST_ROWS:
            continue
        rules = RuleListClassifier if task == "classification" else RuleListRegressor
        fitted = rules(paper_forest(task), max_rules=None, candidates="leaves").fit(table.X, table.y)
        problem = fitted.problem_
        bounds_s, bounds = seconds(lambda problem=problem: rule_bounds(problem, time_limit=BOUND_SECONDS))
        budgets = list(range(bounds[0], bounds[1] + 1))
        path_s, path = seconds(
            lambda problem=problem, budgets=budgets: budget_path(problem, budgets, time_limit=BUDGET_SECONDS)
        )
        alone = [RowGeneration().solve(replace(problem, max_rules=budget), BUDGET_SECONDS) for budget in budgets]
        row = {
            "name": name,
            "samples": problem.n_samples,
            "fewest": bounds[0],
            "most": bounds[1],
            "bounds_proven": bounds.proven,
            "bounds_s": bounds_s,
            "path_s": path_s,
            "dearest_s": max(solution.seconds for solution in alone),
            "all_alone_s": sum(solution.seconds for solution in alone),
            "proven": sum(solution.optimal for solution in path),
            "largest_difference": max(abs(a.objective - b.objective) for a, b in zip(path, alone, strict=True)),
        }
        results.add(row)
    return results


def judge_path(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the paths."""
    ratio = frame["path_s"] / frame["dearest_s"]
    budgets = frame["most"] - frame["fewest"] + 1
    yield f"path / dearest single budget, median of {len(frame)} sets", ratio.median(), "<= 3"
    yield "path / dearest single budget, worst", f"{ratio.max():.2f} ({frame['name'][ratio.idxmax()]})", "-"
    yield "path / all budgets alone, median", (frame["path_s"] / frame["all_alone_s"]).median(), "-"
    yield "budgets proven optimal", f"{frame['proven'].sum()} of {budgets.sum()}", "-"
    yield "largest difference of objectives, path and alone", frame["largest_difference"].max(), "-"


def measure_search(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """The paper's tuning: five folds, ten minimum coverages, one budget; beside the fits of its forests."""
    results = Results("speed_search", ("name",))
    for name, task in show(paper_sets(data), "search"):
        if (name,) in results:
            continue
        table = load_table(name, task, data, 0)
        kind, budget = (RuleListClassifierCV, 4) if task == "classification" else (RuleListRegressorCV, 15)
        search = kind(
            paper_forest(task), max_rules=[budget], min_coverages=MIN_COVERAGES, candidates="leaves", time_limit=60
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            search_s, fitted = seconds(lambda search=search, table=table: search.fit(table.X, table.y))
        # Five forests on four fifths of the samples, and one on all.
        whole_s, _ = seconds(lambda table=table, task=task: paper_forest(task).fit(table.X, table.y))
        part = np.random.default_rng(0).permutation(len(table.y))[: len(table.y) * 4 // 5]
        part_s, _ = seconds(
            lambda table=table, task=task, part=part: paper_forest(task).fit(table.X.iloc[part], table.y[part])
        )
        row = {
            "name": name,
            "task": task,
            "samples": len(table.y),
            "search_s": search_s,
            "fits_s": 5 * part_s + whole_s,
            "min_coverage": fitted.best_min_coverage_,
            "skipped": int(np.count_nonzero(fitted.cv_results_["skipped"])),
        }
        results.add(row)
    return results


def judge_search(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the searches."""
    ratio = frame["search_s"] / frame["fits_s"]
    yield (
        f"search / fits of its forests, worst of {len(frame)}",
        f"{ratio.max():.2f} ({frame['name'][ratio.idxmax()]})",
        "<= 10",
    )
    yield "search / fits of its forests, median", ratio.median(), "<= 10"
