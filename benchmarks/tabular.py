"""The paper's experiments on tables, and the same budgets for other methods.

For each set and seed: a random 75/25 split, each method of
:mod:`benchmarks.methods` fitted to the training part, its accuracy or mean
squared error on the test part, its number of rules and the seconds of its fit.
The test targets are seen by nothing but the score.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, mean_squared_error

from benchmarks.datasets import Table, load_table, paper_sets
from benchmarks.methods import BUDGETS, DEFAULT, METHODS, count_rules
from benchmarks.published import paper_table
from benchmarks.results import DIRECTORY, Results, seconds

#: Not the paper's own data: in no claim about what the paper reports.
STAND_INS = frozenset({"adult", "mtp"})
#: The paper's numbers have two decimals.
ROUNDING = 0.005
Show = Callable[[Iterable[Any], str], Iterable[Any]]


def measure(
    task: str,
    data: Path,
    seeds: Iterable[int],
    show: Show,
    methods: Sequence[str] = DEFAULT,
    sets: Sequence[str] | None = None,
    directory: Path = DIRECTORY,
) -> Results:
    """Run what is not yet in the results, seed by seed, the smallest sets first."""
    results = Results(task, ("name", "seed", "method"), directory)
    known = [name for name, of in paper_sets(data) if of == task and (sets is None or name in sets)]
    wanted = [(name, seed) for seed in seeds for name in known]
    todo = [(*key, [m for m in methods if (*key, m) not in results]) for key in wanted]
    for name, seed, missing in show([each for each in todo if each[2]], task):
        table = load_table(name, task, data, seed)
        for method in missing:
            results.add({"name": name, "seed": seed, "method": method} | measure_one(method, table, seed))
    return results


def fit(method: str, table: Table, seed: int) -> Any:
    """Return the method's model, fitted to the training part."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return METHODS[method](table.task, BUDGETS[table.task], seed).fit(table.X, table.y)


def measure_one(method: str, table: Table, seed: int) -> dict[str, Any]:
    """Return one row: score on the test part, number of rules, seconds of the fit."""
    spent, model = seconds(lambda: fit(method, table, seed))
    score = accuracy_score if table.task == "classification" else mean_squared_error
    row = {"score": score(table.y_test, model.predict(table.X_test)), "rules": count_rules(model), "fit_s": spent}
    solution = getattr(model, "solution_", None)
    return row | ({} if solution is None else {"status": solution.status, "gap": solution.gap})


def report(task: str, results: Results) -> str:
    """Return the table beside the paper's, and what it says, as Markdown."""
    frame = results.frame()
    methods = [name for name in METHODS if name in set(frame["method"])]
    by_seed = frame.pivot_table(index=["name", "seed"], columns="method", values="score")[methods].dropna()
    means, spreads = by_seed.groupby("name").mean(), by_seed.groupby("name").std()
    published = paper_table(task)
    others = published["mean"].columns.tolist()
    heads = ["set", *methods, *(f"{name} (paper)" for name in others), "seeds"]
    lines = [_row(heads), _row(["---"] * len(heads))]
    counts = by_seed.groupby("name").size()
    for name in means.index:
        ours = [_plus_minus(means.loc[name, m], spreads.loc[name, m], 3) for m in methods]
        theirs = [_plus_minus(published["mean"].loc[name, m], published["std"].loc[name, m], 2) for m in others]
        lines.append(_row([name, *ours, *theirs, str(counts[name])]))
    averages = [f"{means[m].mean():.4f}" for m in methods]
    quoted = [f"{published['mean'].loc[means.index, m].mean():.3f}" for m in others]
    lines.append(_row([f"*mean of {len(means)}*", *averages, *quoted, ""]))
    lines += ["", *(f"- {line}" for line in _conclusions(task, frame, means, published))]
    return "\n".join(lines)


def _conclusions(task: str, frame: pd.DataFrame, means: pd.DataFrame, published: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence for each question: against the tree, against the forest, the time, the paper's numbers."""
    rules = frame.groupby("method")["rules"].mean()
    yield "rules on average: " + ", ".join(f"{name} {rules[name]:.1f}" for name in means)
    for rival in ("cart", "streed"):
        for name in means.columns.drop(["cart", "streed", "forest"], errors="ignore"):
            if rival in means:
                yield f"{name} against {rival}: {compare(task, means[name], means[rival])}"
    if "forest" not in means:
        return
    fit_seconds = frame.pivot_table(index=["name", "seed"], columns="method", values="fit_s")
    for name in means.columns.drop("forest"):
        times = (fit_seconds[name] / fit_seconds["forest"]).groupby("name").median()
        yield (
            f"{name}: mean minus that of the whole forest {means[name].mean() - means['forest'].mean():+.4f}; "
            f"fit / the forest's fit, median over the sets {times.median():.2f}"
        )
    if "paper" in means:
        yield agreement(means["paper"], published.xs("our method", axis=1, level="method"))


def compare(task: str, ours: pd.Series, theirs: pd.Series) -> str:
    """Return a sentence about the means of two methods over the sets."""
    better = ours > theirs if task == "classification" else ours < theirs
    said = f"mean {ours.mean():.4f} and {theirs.mean():.4f} (difference {ours.mean() - theirs.mean():+.4f}, "
    said += f"ratio {ours.mean() / theirs.mean():.4f}, "
    said += f"geometric mean of ratios {np.exp(np.log(ours / theirs).mean()):.4f}), "
    said += f"better on {better.sum()} of {len(ours)} sets, worse on {(~better & (ours != theirs)).sum()}"
    if len(ours) < 2 or (ours == theirs).all():
        return said
    return said + f", two-sided Wilcoxon p = {wilcoxon(ours, theirs).pvalue:.2g}"


def agreement(ours: pd.Series, published: pd.DataFrame) -> str:
    """Return on how many sets our mean is within two of the paper's standard deviations of the paper's mean."""
    paper = published.loc[ours.index]
    apart = (ours - paper["mean"]).abs()
    near, rounded = apart <= 2 * paper["std"], apart <= 2 * (paper["std"] + ROUNDING) + ROUNDING
    like = ~ours.index.isin(STAND_INS)
    return (
        f"paper: within 2 of the published standard deviations on {near.sum()} of {len(ours)} sets "
        f"({near[like].sum()} of {like.sum()} without stand-ins), {rounded.sum()} if the published numbers are "
        f"taken as rounded; not on: {', '.join(ours.index[~near]) or 'none'}"
    )


def _plus_minus(mean: float, spread: float, digits: int) -> str:
    return f"{mean:.{digits}f}" + ("" if np.isnan(spread) else f" ± {spread:.{digits}f}")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def suite(task: str) -> tuple[Callable[..., Results], Callable[[Results], str]]:
    """Return the two functions of a suite: what measures, and what reports."""
    return partial(measure, task), partial(report, task)
