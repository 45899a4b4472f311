"""How long an expert waits: ``python -m benchmarks.edits``.

On each classification set, a list of at most 4 rules of the paper's forest is fitted, from its leaves (the paper's
settings) and from all its nodes. Then each of its rules is kept, each is forbidden, each feature it uses is forbidden,
a budget of 6 is given, and the first rule gets another threshold and has to stay. Seconds are processor time; the
ratio is that to the fit. The bars are a median of 0.3 s and a worst case of 3 s. The exit code is 1 if one is missed.
Rows are stored as they are measured; a second call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.exceptions import ConvergenceWarning

from benchmarks.datasets import N_TREES, Table, find_data, load_table, paper_forest, paper_sets
from benchmarks.results import DIRECTORY, Results
from hedgerow import HedgerowError, InfeasibleError, PoorListWarning, RuleListClassifier
from hedgerow._support.text_table import aligned

KEYS = ("name", "seed", "candidates", "edit", "which")
BUDGET, LARGER_BUDGET = 4, 6
MEDIAN, WORST = 0.3, 3.0


def measure(name: str, seed: int, candidates: str, data: Path | None, n_trees: int) -> Iterator[dict[str, Any]]:
    """Yield a row per edit of one list."""
    table = load_table(name, "classification", data, seed)
    forest = paper_forest("classification", seed, n_trees).fit(table.X, table.y)
    estimator = RuleListClassifier(forest, max_rules=BUDGET, candidates=candidates, time_limit=60.0)
    started = time.process_time()
    try:
        rules = estimator.fit(table.X, table.y)
    except InfeasibleError:  # the smallest tree is larger
        rules = estimator.set_params(max_rules=LARGER_BUDGET).fit(table.X, table.y)
    of_fit = time.process_time() - started
    for edit, which, wish in edits(rules, table):
        started, began = time.process_time(), time.perf_counter()
        row: dict[str, Any] = {"after": np.nan, "proven": False, "outcome": "list"}
        try:
            found = rules.resolve(**wish)
            row |= {"after": found.solution_.objective, "proven": found.solution_.optimal}
        except HedgerowError as error:
            row["outcome"] = type(error).__name__
        row |= {"seconds": time.process_time() - started, "wall": time.perf_counter() - began, "fit": of_fit}
        keys = {"name": name, "seed": seed, "candidates": candidates, "edit": edit, "which": which}
        yield keys | {"rules": len(rules.pool_), "before": rules.solution_.objective} | row


def edits(rules: Any, table: Table) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the kind of each edit, to what it is done, and the arguments of ``resolve``."""
    used = {condition.feature.name: condition.feature for rule in rules.rule_list_ for condition in rule.simplified}
    for i in range(len(rules.rule_list_)):
        yield "pin", str(i), {"pin": i}
        yield "forbid", str(i), {"forbid": i}
    for name in used:
        yield "forbid feature", name, {"forbid": used[name]}
    yield "max_rules", str(LARGER_BUDGET), {"max_rules": LARGER_BUDGET}
    first = rules.rule_list_[0]
    condition = first.simplified[0]
    values = np.asarray(rules.posed_.learned.values)[:, rules.forest_.features.index(condition.feature)]
    at = float(np.median(values)) if np.median(values) < values.max() else float(values.min())
    side = "upper" if np.isfinite(condition.upper) else "lower"
    yield "move", side, {"pin": first.with_bounds(condition.feature, **{side: at}), "max_rules": LARGER_BUDGET}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is not yet stored, and print a line per kind of edit; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.edits", description=__doc__)
    parser.add_argument("--data", type=Path, help="the directory of the data")
    parser.add_argument("--results", type=Path, default=DIRECTORY, help="where the rows go")
    parser.add_argument("--seeds", type=int, default=1, help="how many splits of each set")
    parser.add_argument("--sets", nargs="*", help="some of the sets")
    parser.add_argument("--trees", type=int, default=N_TREES)
    options = parser.parse_args(arguments)
    for known_warning in (ConvergenceWarning, PoorListWarning):
        warnings.simplefilter("ignore", known_warning)
    data, results = find_data(options.data), Results("edits", KEYS, options.results)
    console = Console(highlight=False, soft_wrap=True)
    known = {key[:3] for key in results.known}
    for seed in range(options.seeds):
        for name, task in paper_sets(data):
            if task != "classification" or (options.sets and name not in options.sets):
                continue
            for candidates in ("leaves", "nodes"):
                if (name, seed, candidates) not in known:
                    results.add(*measure(name, seed, candidates, data, options.trees))
    return report(results, console)


def report(results: Results, console: Console) -> int:
    """Print a line per kind of edit; return 1 if the lists from leaves miss a bar."""
    frame = results.frame()
    lines = [["candidates", "edit", "edits", "lists", "proven", "median", "worst", "median share of fit"]]
    for (candidates, edit), rows in frame.groupby(["candidates", "edit"]):
        share = (rows["seconds"] / rows["fit"]).median()
        counts = [str(len(rows)), str((rows["outcome"] == "list").sum()), str(int(rows["proven"].sum()))]
        times = [f"{rows['seconds'].median():.3f} s", f"{rows['seconds'].max():.2f} s", f"{share:.2f}"]
        lines.append([str(candidates), str(edit), *counts, *times])
    for line in aligned(lines, right=frozenset(range(2, 8))):
        console.print(line)
    paper = frame[frame["candidates"] == "leaves"]["seconds"]
    missed = paper.median() > MEDIAN or paper.max() > WORST
    console.print(f"leaves: median {paper.median():.3f} s (bar {MEDIAN} s), worst {paper.max():.2f} s (bar {WORST} s)")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
