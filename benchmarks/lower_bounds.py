"""The paper's figure of lower bounds: ``python -m benchmarks.lower_bounds``.

For each of the paper's 36 tabular sets: the fewest rules that part the training
samples, exactly, and the leaves of the smallest tree. Writes
``results/lower_bounds.csv`` and ``results/lower_bounds.png``; a second call goes
on where the first stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.datasets import DEFAULT_DIRECTORY, load_table, paper_forest, paper_sets
from benchmarks.results import DIRECTORY, Results, seconds
from hedgerow import RuleListClassifier, RuleListRegressor, rule_bounds
from hedgerow._support.palette import BLUE, GREY, ORANGE
from hedgerow.optimize.budgets import fewest_rules
from hedgerow.plotting.style import matplotlib_or_error, quiet

SECONDS = 60.0


def measure(data: Path) -> Results:
    """Measure the sets that are not yet measured."""
    results = Results("lower_bounds", ("name",))
    todo = [pair for pair in paper_sets(data) if (pair[0],) not in results]
    for name, task in track(todo, "lower bounds", console=Console(stderr=True)):
        table = load_table(name, task, data, 0)
        rules = RuleListClassifier if task == "classification" else RuleListRegressor
        problem = rules(paper_forest(task), max_rules=None, candidates="leaves").fit(table.X, table.y).problem_
        spent, (found, proven) = seconds(lambda problem=problem: fewest_rules(problem, SECONDS))
        rough = rule_bounds(problem, "heuristic")[0]
        results.add(
            {"name": name, "task": task, "proven": proven, "found": found, "heuristic": rough, "exact_s": spent}
        )
    return results


def draw(frame: Any, path: Path) -> None:
    """Draw the two bounds of each set side by side."""
    plt = matplotlib_or_error()
    frame = frame.sort_values(["task", "found", "heuristic", "name"]).reset_index(drop=True)
    figure, axes = plt.subplots(figsize=(11, 4.6), layout="constrained")
    at = np.arange(len(frame))
    axes.vlines(at, frame["proven"], frame["heuristic"], color="#D0D0D0", linewidth=3, zorder=1)
    axes.scatter(
        at, frame["heuristic"], color=ORANGE, marker="D", label="heuristic: leaves of the smallest tree", zorder=2
    )
    open_ones = frame["proven"] < frame["found"]
    exact = ~open_ones
    axes.scatter(at[exact], frame["found"][exact], color=BLUE, label="exact: fewest rules of any partition", zorder=3)
    if open_ones.any():
        axes.scatter(
            at[open_ones],
            frame["proven"][open_ones],
            color=GREY,
            marker="_",
            s=120,
            label="not fewer, proven in 60 s",
            zorder=3,
        )
    n_first = int((frame["task"] == "classification").sum())
    axes.axvline(n_first - 0.5, color=GREY, linestyle=":")
    top = float(frame["heuristic"].max())
    axes.set_ylim(0, top + 1.5)
    axes.text(0, top + 0.9, "classification, 500 trees of depth 2", color=GREY)
    axes.text(n_first, top + 0.9, "regression, 500 trees of depth 3", color=GREY)
    axes.set_xticks(at, frame["name"], rotation=55, ha="right", rotation_mode="anchor")
    axes.set_ylabel("rules")
    axes.set_xlim(-0.7, len(frame) - 0.3)
    axes.legend(frameon=False, loc="lower right")
    quiet(axes)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main() -> None:
    """Measure, draw, and print the summary."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lower_bounds", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    frame = measure(parser.parse_args().data).frame()
    draw(frame, DIRECTORY / "lower_bounds.png")
    proven = frame["proven"] == frame["found"]
    console = Console()
    console.print(frame.to_string(index=False, float_format="%.4g"), soft_wrap=True, highlight=False)
    equal = (frame["found"] == frame["heuristic"]).sum()
    console.print(f"exact proven: {proven.sum()} of {len(frame)}; heuristic equal to exact: {equal} of {len(frame)}")
    console.print(f"heuristic above exact by at most {(frame['heuristic'] - frame['exact']).max()}")


if __name__ == "__main__":
    main()
