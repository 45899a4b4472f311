"""The scores of a tabular suite beside the paper's, and what they say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.methods import METHODS
from benchmarks.published import paper_table
from benchmarks.results import Results
from benchmarks.table_formats import TextTable, plus_minus, span
from hedgerow.evidence.comparison import signed_rank

#: Not the paper's own data: in no claim about what the paper reports.
STAND_INS = frozenset({"adult", "mtp"})
#: The paper's numbers have two decimals.
ROUNDING = 0.005
#: A method that was measured on a smaller share of the sets than this is not compared: it would cost the others sets.
ENOUGH = 0.8
#: Not lists of rules, but what they are measured by.
REFERENCES = (
    "cart",
    "streed",
    "contree",
    "licketysplit",
    "osrt",
    "cart_taught",
    "licketysplit_taught",
    "forest",
    "deep_forest",
)
#: Whole ensembles, which are never ranked.
ENSEMBLES = ("forest", "deep_forest")


def report(task: str, results: Results) -> str:
    """Return the table beside the paper's, and what it says, as Markdown."""
    frame = results.frame()
    if frame.empty:
        return f"No results of {task} yet."
    table = score_table(task, frame)
    table.notes += _conclusions(task, frame)
    return table.to_markdown()


def by_method(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a measured column, one row per set and seed, one column per method; NaN where it was not measured."""
    wide = frame.pivot_table(index=["name", "seed"], columns="method", values=column)
    return wide[[name for name in METHODS if name in wide]]


def score_table(task: str, frame: pd.DataFrame) -> TextTable:
    """Return mean and standard deviation of the score by set, beside the paper's."""
    scores, published = by_method(frame, "score"), paper_table(task)
    means, spreads = scores.groupby("name").mean(), scores.groupby("name").std()
    others = published["mean"].columns.tolist()
    quoted = published.reindex(means.index)
    rows = []
    for name in means.index:
        ours = [plus_minus(means.loc[name, m], spreads.loc[name, m]) for m in means]
        theirs = [plus_minus(quoted["mean"].loc[name, m], quoted["std"].loc[name, m], 2) for m in others]
        rows.append([name, *ours, *theirs, seeds_of(scores.loc[name])])
    whole = shared_sets(means)
    of_paper = quoted["mean"].loc[whole.index]
    last = [*(plus_minus(x, digits=4) for x in whole.mean()), *(plus_minus(x) for x in of_paper.mean())]
    rows.append([f"mean of {len(whole)}", *last, ""])
    measure = "Accuracy" if task == "classification" else "Mean squared error"
    return TextTable(
        title=f"{measure} on the test part, {task}",
        head=["set", *means, *(f"{name} (paper)" for name in others), "seeds"],
        rows=rows,
        notes=["The last row covers the sets that all methods have, except methods measured on few sets."],
        summary=1,
        best=best_cells(means.drop(columns=list(ENSEMBLES), errors="ignore"), task == "classification"),
    )


def shared_sets(means: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that all methods have, but for those that were measured on too few sets, which become NaN."""
    n_sets = means.notna().sum()
    enough = n_sets.index[n_sets >= ENOUGH * n_sets.max()]
    return means[enough].dropna().reindex(columns=means.columns)


def seeds_of(scores: pd.DataFrame) -> str:
    """Return how many seeds the methods of one set have."""
    counts = scores.notna().sum()
    return span(counts[counts > 0])


def best_cells(means: pd.DataFrame, larger_is_better: bool) -> set[tuple[int, int]]:
    """Return row and column, the first column being the names, of the best of each row, as far as three digits show."""
    rounded = means.round(3)
    best = rounded.max(axis=1) if larger_is_better else rounded.min(axis=1)
    where = np.argwhere(rounded.eq(best, axis=0).to_numpy())
    return {(int(i), int(j) + 1) for i, j in where}


def _conclusions(task: str, frame: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence for each question: against the tree, against the forest, the time, the paper's numbers."""
    scores, spent = by_method(frame, "score"), by_method(frame, "fit_s")
    rules = frame.groupby("method")["rules"].mean()
    yield "rules on average: " + ", ".join(f"{name} {rules[name]:.1f}" for name in scores)
    lists = [name for name in scores if name not in REFERENCES]
    for rival in ("cart", "streed"):
        for name in lists if rival in scores else ():
            means = shared_means(scores, name, rival)
            if len(means):
                yield f"{name} against {rival}: {compare(task, means[name], means[rival])}"
    for name in scores.columns.drop(list(ENSEMBLES), errors="ignore") if "forest" in scores else ():
        means = shared_means(scores, name, "forest")
        times = (spent[name] / spent["forest"]).groupby("name").median()
        if len(means):
            yield (
                f"{name}: mean minus that of the whole forest {(means[name] - means['forest']).mean():+.4f}; "
                f"fit / the forest's fit, median over the sets {times.median():.2f}"
            )
    if "paper" in scores:
        published = paper_table(task).xs("our method", axis=1, level="method")
        ours = scores["paper"].groupby("name").mean().dropna()
        ours = ours[ours.index.isin(published.index)]
        if len(ours):
            yield agreement(ours, published)


def shared_means(scores: pd.DataFrame, *methods: str) -> pd.DataFrame:
    """Return the mean scores by set, over the seeds that all of some methods have."""
    return scores[list(methods)].dropna().groupby("name").mean()


def compare(task: str, ours: pd.Series, theirs: pd.Series) -> str:
    """Return a sentence about the means of two methods over the sets."""
    better = ours > theirs if task == "classification" else ours < theirs
    said = f"mean {ours.mean():.4f} and {theirs.mean():.4f} (difference {ours.mean() - theirs.mean():+.4f}, "
    said += f"ratio {ours.mean() / theirs.mean():.4f}, "
    said += f"geometric mean of ratios {np.exp(np.log(ours / theirs).mean()):.4f}), "
    said += f"better on {better.sum()} of {len(ours)} sets, worse on {(~better & (ours != theirs)).sum()}"
    if len(ours) < 2 or (ours == theirs).all():
        return said
    return said + f", two-sided Wilcoxon p = {signed_rank(ours, theirs):.2g}"


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
