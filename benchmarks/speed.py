"""How fast: ``python -m benchmarks.speed [TABLE ...]``.

Tables: paper (the paper's settings, in processor time), nodes (pools of
all nodes), growth (rows and trees), bounds (fewest and most rules), predict,
path (all budgets between the bounds), search (cross-validation over coverages),
stop (cross-validation over budgets, with and without the early stop), default
(cross-validation with all defaults), warm (the same with warm starts across folds), all in processor time,
read (500 trees of each library), deep (what 1,000 trees of 255 leaves cost).
Every time is a wall time on one thread, and every ratio is of times of one run.
Rows are stored as they are measured; a second call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.progress import Progress
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from benchmarks.datasets import DEFAULT_DIRECTORY, load_series, load_table, manifest, paper_forest, paper_sets
from benchmarks.models import judge_deep, judge_read, measure_deep, measure_read
from benchmarks.results import Results, seconds
from benchmarks.selection import (
    judge_default,
    judge_path,
    judge_search,
    judge_stop,
    measure_default,
    measure_path,
    measure_search,
    measure_stop,
    processor_seconds,
)
from benchmarks.warm_starts import judge_warm, measure_warm
from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.optimize.budgets import rule_bounds

SEEDS = (0, 1, 2)
NODE_SECONDS = 60.0


def extract(estimator: Any, X: Any, y: Any) -> dict[str, Any]:
    """Return one row about an extraction: its time, its parts, its proof."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        total, fitted = seconds(lambda: estimator.fit(X, y))
    solution = fitted.solution_
    parts = {f"{part}_s": spent for part, spent in fitted.seconds_.items()}
    return {
        "samples": fitted.problem_.n_samples,
        "candidates": fitted.problem_.n_rules,
        "extract_s": total,
        **parts,
        "status": solution.status,
        "gap": solution.gap,
        "objective": solution.objective,
        "rules": len(solution.chosen),
    }


def measure_paper(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """The paper's settings on its 36 tabular sets, in processor time, the small sets first."""
    results = Results("speed_paper", ("name", "seed"))
    sizes = manifest(data).set_index("name")["records"].to_dict()
    sets = sorted(paper_sets(data), key=lambda pair: sizes[pair[0]])
    todo = [(name, task, seed) for seed in seeds for name, task in sets]
    for name, task, seed in show(todo, "paper"):
        if (name, seed) in results:
            continue
        table = load_table(name, task, data, seed)
        classify = task == "classification"
        forest = paper_forest(task, seed)
        fit_seconds, _ = processor_seconds(lambda forest=forest, table=table: forest.fit(table.X, table.y))
        apply_seconds, _ = processor_seconds(lambda forest=forest, table=table: forest.apply(table.X))
        estimator = (RuleListClassifier if classify else RuleListRegressor)(
            forest, max_rules=4 if classify else 15, candidates="leaves", time_limit=600, random_state=0
        )
        extract_seconds, fitted = processor_seconds(lambda e=estimator, table=table: e.fit(table.X, table.y))
        solution, problem = fitted.solution_, fitted.problem_
        results.add(
            {
                "name": name,
                "task": task,
                "seed": seed,
                "columns": table.X.shape[1],
                "samples": problem.n_samples,
                "candidates": problem.n_rules,
                "fit_s": fit_seconds,
                "apply_s": apply_seconds,
                "extract_s": extract_seconds,
                "status": solution.status,
                "gap": solution.gap,
                "objective": solution.objective,
                "rules": len(solution.chosen),
            }
        )
    return results


def measure_nodes(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """Pools of all nodes: the hard instances."""
    results = Results("speed_nodes", ("name", "weight"))
    todo = [
        (name, task, weight)
        for name, task in paper_sets(data)
        for weight in ((0.0,) if task == "classification" else (0.0, 0.1))
    ]
    for name, task, weight in show(todo, "nodes"):
        if (name, weight) in results:
            continue
        table = load_table(name, task, data, 0)
        if task == "classification":
            forest: Any = RandomForestClassifier(300, max_depth=3, random_state=0)
            settings: dict[str, Any] = {"max_rules": 4, "max_conditions": 3}
            estimator: Any = RuleListClassifier
        else:
            forest = RandomForestRegressor(200, max_depth=5, random_state=0)
            settings = {"max_rules": 15, "max_conditions": 5, "loss": "sse"}
            estimator = RuleListRegressor
        fit_seconds, _ = seconds(lambda forest=forest, table=table: forest.fit(table.X, table.y))
        rules = estimator(
            forest,
            candidates="nodes",
            stability_weight=weight,
            time_limit=NODE_SECONDS,
            random_state=0,
            **settings,
        )
        row = {"name": name, "task": task, "weight": weight, "fit_s": fit_seconds}
        results.add(row | extract(rules, table.X, table.y))
    return results


GROWTH = [(n, 500) for n in (1_000, 10_000, 100_000, 1_000_000)] + [(10_000, n) for n in (50, 5_000)]


def measure_growth(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """More rows, more trees: time and memory, each case in a process of its own."""
    results = Results("speed_growth", ("samples", "trees"))
    for n_samples, n_trees in show(GROWTH, "growth"):
        if (n_samples, n_trees) not in results:
            command = [sys.executable, "-m", "benchmarks.speed", "--one-growth", str(n_samples), str(n_trees)]
            shown = subprocess.run(command, capture_output=True, text=True, check=True)
            results.add(json.loads(shown.stdout.splitlines()[-1]))
    return results


def one_growth(n_samples: int, n_trees: int) -> dict[str, Any]:
    """Return one row of the growth table."""
    X, y = make_classification(n_samples, 20, n_informative=8, random_state=0)
    forest = RandomForestClassifier(n_trees, max_depth=2, max_samples=min(n_samples, 1000), random_state=0).fit(X, y)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    apply_seconds, _ = seconds(lambda: forest.apply(X[:100_000]))
    row = extract(RuleListClassifier(forest, max_rules=4, candidates="leaves", random_state=0), X, y)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    apply_seconds *= max(1.0, n_samples / 100_000)  # scikit-learn's own result would need 8 bytes a sample and tree
    return row | {
        "samples": n_samples,
        "trees": n_trees,
        "apply_s": apply_seconds,
        "data_mb": X.nbytes / 2**20,
        "before_mb": before / 2**10,
        "peak_mb": peak / 2**10,
    }


def measure_bounds(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """Fewest and most rules, exactly, for small tables and for series taken as columns."""
    results = Results("speed_bounds", ("name",))
    frame = manifest(data)
    complete = frame["note"].str.extract(r"complete rows (\d+)", expand=False).astype(float)
    small = frame[(frame["task"] != "timeseries") & (complete <= 1000)]
    series = frame[frame["task"] == "timeseries"]
    todo = [*zip(small["name"], small["task"], strict=True), *zip(series["name"], series["task"], strict=True)]
    for name, task in show(todo, "bounds"):
        if (name,) in results:
            continue
        if task == "timeseries":
            X, y = load_series(name, data)
        else:
            table = load_table(name, task, data, 0)
            X, y = table.X, table.y
        kind = RandomForestRegressor if task == "regression" else RandomForestClassifier
        rules = RuleListRegressor if task == "regression" else RuleListClassifier
        forest = kind(100, max_depth=3, random_state=0).fit(X, y)
        problem = rules(forest, max_rules=8, candidates="leaves").fit(X, y).problem_
        spent, bounds = seconds(lambda problem=problem: rule_bounds(problem, time_limit=60))
        row = {"name": name, "task": task, "samples": problem.n_samples, "candidates": problem.n_rules}
        results.add(row | {"bounds_s": spent, "fewest": bounds[0], "most": bounds[1], "proven": bounds.proven})
    return results


def measure_predict(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """A list's predict beside that of a tree with as many leaves, on a million rows."""
    results = Results("speed_predict", ("rules",))
    X, y = make_classification(1_000_000, 20, n_informative=8, random_state=0)
    for n_rules in show((4, 8, 15), "predict"):
        if (n_rules,) in results:
            continue
        forest = RandomForestClassifier(50, max_depth=4, random_state=0).fit(X[:5000], y[:5000])
        rules = RuleListClassifier(forest, max_rules=n_rules, random_state=0).fit(X[:5000], y[:5000])
        tree = DecisionTreeClassifier(max_leaf_nodes=len(rules.rule_list_), random_state=0).fit(X[:5000], y[:5000])
        ours = min(seconds(lambda rules=rules: rules.predict(X))[0] for _ in range(5))
        theirs = min(seconds(lambda tree=tree: tree.predict(X))[0] for _ in range(5))
        results.add({"rules": n_rules, "list_s": ours, "cart_s": theirs, "ratio": ours / theirs})
    return results


def judge_paper(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the paper's settings."""
    fit, apply = frame["extract_s"] / frame["fit_s"], frame["extract_s"] / frame["apply_s"]
    proven = (frame["status"] == "optimal") & (frame["gap"] == 0)
    large = frame["samples"] / 0.75 > 10_000
    yield "proven optimal", f"{proven.sum()} of {len(frame)}", "all"
    yield "extraction / forest fit, median over the sets", fit.groupby(frame["name"]).median().median(), "<= 0.08"
    yield "extraction / forest fit, worst", f"{fit.max():.3f} ({frame['name'][fit.idxmax()]})", "<= 0.5"
    if large.any():
        worst = f"{apply[large].max():.3f} ({frame['name'][apply[large].idxmax()]})"
        yield "extraction / one apply pass, > 10,000 rows, worst", worst, "<= 3"


def judge_nodes(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the node pools."""
    proven = frame["status"] == "optimal"
    yield "proven optimal within 60 s", f"{proven.sum()} of {len(frame)} = {100 * proven.mean():.1f} %", ">= 90 %"
    yield "largest gap of the rest", frame["gap"].max(), "-"
    yield "longest solve with a limit of 60 s", frame["solve_s"].max(), "<= 67"
    kin = frame[(frame["name"] == "kin8nm") & (frame["weight"] == 0)]
    if len(kin):
        row = kin.iloc[0]
        yield "kin8nm, seconds to the end", f"{row['solve_s']:.2f} ({row['status']}, gap {row['gap']:.2g})", "<= 15"


def judge_growth(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the growth table."""
    by = frame.set_index(["samples", "trees"])["extract_s"]
    if (1_000_000, 500) in by.index and (100_000, 500) in by.index:
        yield "time from 100k to 1M rows", by[1_000_000, 500] / by[100_000, 500], "<= 12"


def judge_bounds(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of the bounds."""
    yield "bounds proven exact", f"{frame['proven'].sum()} of {len(frame)}", "all"
    yield "slowest", f"{frame['bounds_s'].max():.2f} s ({frame['name'][frame['bounds_s'].idxmax()]})", "<= 30 s"


def judge_predict(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of prediction."""
    yield "list predict / CART predict, 1M rows, worst", frame["ratio"].max(), "<= 3"


TABLES: dict[str, tuple[Any, Any]] = {
    "paper": (measure_paper, judge_paper),
    "nodes": (measure_nodes, judge_nodes),
    "growth": (measure_growth, judge_growth),
    "bounds": (measure_bounds, judge_bounds),
    "predict": (measure_predict, judge_predict),
    "path": (measure_path, judge_path),
    "search": (measure_search, judge_search),
    "stop": (measure_stop, judge_stop),
    "default": (measure_default, judge_default),
    "warm": (measure_warm, judge_warm),
    "read": (measure_read, judge_read),
    "deep": (measure_deep, judge_deep),
}


def main() -> None:
    """Measure the tables that are asked for, and print them with their bars."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__.partition("\n\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; default: all")
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="seeds of the paper's table")
    parser.add_argument("--one-growth", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = set(options.tables) - set(TABLES)
    if unknown:
        parser.error(f"no table {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    if options.one_growth:
        print(json.dumps(one_growth(*options.one_growth)))  # noqa: T201
        return
    console = Console()
    with Progress(console=Console(stderr=True)) as progress:

        def show(items: Iterable[Any], what: str) -> Iterable[Any]:
            return progress.track(list(items), description=what)

        done = {name: TABLES[name][0](options.data, options.seeds, show) for name in options.tables or TABLES}
    for name, results in done.items():
        frame = results.frame()
        with pd.option_context("display.width", 250, "display.max_columns", 40, "display.max_rows", 200):
            console.print(frame.to_string(index=False, float_format="%.4g"), soft_wrap=True, highlight=False)
        for what, measured, bar in TABLES[name][1](frame):
            shown = f"{measured:.4g}" if isinstance(measured, float) else measured
            console.print(f"{name}: {what}: {shown} (bar: {bar})", soft_wrap=True, highlight=False)


if __name__ == "__main__":
    main()
