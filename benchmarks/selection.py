"""How long choosing takes: the path over all budgets, and searches over minimum coverages and over budgets.

Measured by ``python -m benchmarks.speed path search stop default``.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning

from benchmarks.datasets import load_table, paper_forest, paper_sets, size_sets
from benchmarks.processor_clock import limits_in_processor_time
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
#: Of the sets on which all budgets are tried.
MOST_SEARCHED_ROWS = 800
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


def processor_seconds(function: Any) -> tuple[float, Any]:
    """Return how much processor time a call took, and what it returned."""
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = function()
    return time.process_time() - started, found


def measure_stop(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """The default search over budgets, which stops early, beside one over all budgets; with small forests."""
    results = Results("speed_stop", ("name", "seed"))
    sets = [(n, t) for t in ("classification", "regression") for n, r in size_sets(data, t).items()
            if r <= MOST_SEARCHED_ROWS]  # fmt: skip
    for name, task, seed in show([(*one, seed) for seed in list(seeds)[:1] for one in sets], "stop"):
        if (name, seed) in results:
            continue
        table = load_table(name, task, data, seed)
        classify = task == "classification"
        kind = RuleListClassifierCV if classify else RuleListRegressorCV
        forest = (RandomForestClassifier if classify else RandomForestRegressor)(100, max_depth=3, random_state=seed)
        row: dict[str, Any] = {"name": name, "task": task, "seed": seed, "samples": len(table.y)}
        plain = (RuleListClassifier if classify else RuleListRegressor)(forest, max_rules=None, candidates="leaves")
        bounds = rule_bounds(plain.fit(table.X, table.y).problem_, time_limit=BOUND_SECONDS)
        budgets = range(bounds[0], bounds[1] + 1)  # the same for both, proven or not
        for what, more in (("all", {"patience": None}), ("stop", {})):
            search = kind(forest, max_rules=budgets, random_state=seed, **more)
            cpu, fitted = processor_seconds(lambda search=search, table=table: search.fit(table.X, table.y))
            row |= {
                f"{what}_cpu_s": cpu,
                f"{what}_rules": fitted.best_max_rules_,
                f"{what}_cv_score": fitted.best_score_,
                f"{what}_score": fitted.score(table.X_test, table.y_test),
            }
        row |= {"fewest": bounds[0], "most": bounds[1]}
        results.add(row | {"stopped_at": fitted.stopped_.budget if fitted.stopped_ else None})
    return results


def judge_stop(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the searches that stop early."""
    ratio = frame["stop_cpu_s"] / frame["all_cpu_s"]
    yield (
        f"processor time with / without the early stop, geometric mean of {len(frame)}",
        np.exp(np.log(ratio).mean()),
        "-",
    )
    difference = frame["stop_score"] - frame["all_score"]
    yield "stopped early", f"{frame['stopped_at'].notna().sum()} of {len(frame)}", "-"
    yield "same budget", f"{(frame['stop_rules'] == frame['all_rules']).sum()} of {len(frame)}", "-"
    yield "rules with / without, mean", f"{frame['stop_rules'].mean():.1f} / {frame['all_rules'].mean():.1f}", "-"
    yield "held-out score with - without, mean", difference.mean(), ">= -0.002"
    yield "held-out score: better, equal, worse", " ".join(str(int(n.sum())) for n in (
        difference > 0, difference == 0, difference < 0
    )), "-"  # fmt: skip


def measure_default(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """The search with all defaults on breast cancer, beside the fits of its six forests, in processor time."""
    results = Results("speed_default", ("name",))
    X, y = load_breast_cancer(return_X_y=True)
    for name in show(["breast cancer"], "default"):
        if (name,) in results:
            continue
        with limits_in_processor_time():
            search_s, fitted = processor_seconds(lambda: RuleListClassifierCV(random_state=0).fit(X, y))
        fits_s = 0.0
        for fold in range(6):
            part = np.arange(len(y)) % 5 != fold  # five folds, then all
            forest = RandomForestClassifier(500, max_depth=3, random_state=0)
            fits_s += processor_seconds(lambda forest=forest, part=part: forest.fit(X[part], y[part]))[0]
        row = {"name": name, "search_cpu_s": search_s, "fits_cpu_s": fits_s, "rules": fitted.best_max_rules_}
        results.add(row | {"cv_score": fitted.best_score_, "stopped_at": fitted.stopped_ and fitted.stopped_.budget})
    return results


def judge_default(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the search with all defaults."""
    yield (
        "search / fits of its six forests, processor time",
        (frame["search_cpu_s"] / frame["fits_cpu_s"]).max(),
        "<= 5",
    )
