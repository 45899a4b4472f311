"""The ten best lists: ``python -m benchmarks.alternatives``.

On each classification set, a list of at most 4 rules of the paper's forest is fitted, from its leaves (the paper's
settings) and from all its nodes. Then the ten best lists are found; the ten best that differ by at least 5 % of the
training samples; and all within 5 % of the best objective. Seconds are processor time: of the search alone, beside that
of the solver for the best list, and of the whole call, with lists built and compared, beside that of ``fit``. The bar
is ten times the first solve. The exit code is 1 if it is missed. Rows are stored as they are measured; a second call
goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from sklearn.exceptions import ConvergenceWarning

from benchmarks.datasets import N_TREES, find_data, load_table, paper_forest, paper_sets
from benchmarks.results import DIRECTORY, Results
from hedgerow import InfeasibleError, PoorListWarning, RuleListClassifier
from hedgerow._support.text_table import aligned
from hedgerow.optimize.alternatives import best_lists

KEYS = ("name", "seed", "candidates", "asked")
BUDGET, LARGER_BUDGET = 4, 6
BAR = 10.0
#: What is asked for, and how it is called.
ASKED: dict[str, dict[str, Any]] = {
    "10 best": {"k": 10},
    "10 best, 5 % apart": {"k": 10, "differ_by": 0.05},
    "within 5 %": {"within": 0.05},
}


def measure(name: str, seed: int, candidates: str, data: Path | None, n_trees: int) -> Iterator[dict[str, Any]]:
    """Yield a row per question about one list."""
    table = load_table(name, "classification", data, seed)
    forest = paper_forest("classification", seed, n_trees).fit(table.X, table.y)
    estimator = RuleListClassifier(forest, max_rules=BUDGET, candidates=candidates, time_limit=60.0)
    started = time.process_time()
    try:
        rules = estimator.fit(table.X, table.y)
    except InfeasibleError:  # the smallest tree is larger
        rules = estimator.set_params(max_rules=LARGER_BUDGET).fit(table.X, table.y)
    of_fit = time.process_time() - started
    started = time.process_time()
    solution = rules.to_settings().chosen_solver().solve(rules.problem_, 60.0)
    of_solver = time.process_time() - started
    started = time.process_time()
    best_lists(rules.problem_, 10, best=solution, time_limit=60.0)
    of_search = time.process_time() - started
    for asked, arguments in ASKED.items():
        started, began = time.process_time(), time.perf_counter()
        found = rules.alternatives(**arguments, time_limit=60.0)
        seconds, wall = time.process_time() - started, time.perf_counter() - began
        yield {
            "name": name,
            "seed": seed,
            "candidates": candidates,
            "asked": asked,
            "rules": len(rules.pool_),
            "fit": of_fit,
            "solver": of_solver,
            "search": of_search if asked == "10 best" else float("nan"),
            "seconds": seconds,
            "wall": wall,
            "found": len(found),
            "proven": not found.ended_early,
            "more": found.more,
            "alike": found.n_alike,
            "last_share": found.shares[-1],
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is not yet stored, and print a line per question; return 1 if the bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alternatives", description=__doc__)
    parser.add_argument("--data", type=Path, help="the directory of the data")
    parser.add_argument("--results", type=Path, default=DIRECTORY, help="where the rows go")
    parser.add_argument("--seeds", type=int, default=1, help="how many splits of each set")
    parser.add_argument("--sets", nargs="*", help="some of the sets")
    parser.add_argument("--trees", type=int, default=N_TREES)
    options = parser.parse_args(arguments)
    for known_warning in (ConvergenceWarning, PoorListWarning):
        warnings.simplefilter("ignore", known_warning)
    data, results = find_data(options.data), Results("alternatives", KEYS, options.results)
    known = {key[:3] for key in results.known}
    for seed in range(options.seeds):
        for name, task in paper_sets(data):
            if task != "classification" or (options.sets and name not in options.sets):
                continue
            for candidates in ("leaves", "nodes"):
                if (name, seed, candidates) not in known:
                    results.add(*measure(name, seed, candidates, data, options.trees))
    return report(results, Console(highlight=False, soft_wrap=True))


def report(results: Results, console: Console) -> int:
    """Print a line per question; return 1 if the bar is missed."""
    frame = results.frame()
    lines = [["candidates", "asked", "lists", "found", "proven", "median", "worst", "times fit", "worst"]]
    for (candidates, asked), rows in frame.groupby(["candidates", "asked"]):
        times = rows["seconds"] / rows["fit"]
        counts = [str(len(rows)), f"{rows['found'].median():g}", str(int(rows["proven"].sum()))]
        seconds = [f"{rows['seconds'].median():.3f} s", f"{rows['seconds'].max():.2f} s"]
        lines.append([str(candidates), str(asked), *counts, *seconds, f"{times.median():.2f}", f"{times.max():.2f}"])
    for line in aligned(lines, right=frozenset(range(2, 9))):
        console.print(line)
    ten = frame[frame["asked"] == "10 best"]
    searched, whole = ten["search"] / ten["solver"], ten["seconds"] / ten["fit"]
    console.print(
        f"ten best, search over solver: median {searched.median():.1f}, worst {searched.max():.1f} (bar {BAR:g})"
    )
    console.print(f"ten best, call over fit: median {whole.median():.2f}, worst {whole.max():.2f} (bar {BAR:g})")
    return int(max(searched.max(), whole.max()) > BAR)


if __name__ == "__main__":
    sys.exit(main())
