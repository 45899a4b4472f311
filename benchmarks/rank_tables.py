"""Average ranks over the sets, and which methods differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.methods import IN_THE_PAPER
from benchmarks.published import paper_ranks, paper_table
from benchmarks.table_formats import NOTHING, TextTable, span
from benchmarks.tabular_report import ENOUGH, ENSEMBLES, STAND_INS, by_method
from hedgerow.evidence.comparison import Comparison, compare_methods


@dataclass(frozen=True)
class Ranked:
    """A comparison, and what it is of."""

    comparison: Comparison
    sets: list[str]
    seeds: str
    left_out: list[str]

    def draw(self, path: Path) -> None:
        """Write the critical difference diagram."""
        from matplotlib import pyplot as plt

        from hedgerow.plotting import plot_critical_difference

        figure = plot_critical_difference(self.comparison).figure
        figure.savefig(path, dpi=130)
        plt.close(figure)


def rank_lists(task: str, frame: pd.DataFrame, methods: Sequence[str] | None = None) -> Ranked | None:
    """Compare methods on the sets and seeds that all of them have; None if that is not enough for a test.

    The whole forest is not a list of rules and is not ranked.
    """
    scores = by_method(frame, "score").drop(columns=list(ENSEMBLES), errors="ignore")
    if methods is not None:
        scores = scores[[name for name in methods if name in scores]]
    return rank_scores(task, scores)


def rank_scores(task: str, scores: pd.DataFrame) -> Ranked | None:
    """Compare methods by their scores, one column each, on the rows that all of them have; the index has the set."""
    counts = scores.groupby("name").count()
    n_sets = (counts > 0).sum()
    enough = n_sets >= ENOUGH * n_sets.max()
    scores = scores.loc[:, enough[enough].index]
    complete = scores.dropna()
    means = complete.groupby("name").mean()
    if means.shape[0] < 2 or means.shape[1] < 2:
        return None
    return Ranked(
        compare_methods(means, larger_is_better=task == "classification"),
        means.index.tolist(),
        span(complete.groupby("name").size()),
        enough[~enough].index.tolist(),
    )


def rank_published(task: str) -> Ranked:
    """Compare the methods of the paper by its own numbers."""
    means = paper_table(task)["mean"]
    comparison = compare_methods(means, larger_is_better=task == "classification")
    return Ranked(comparison, means.index.tolist(), "30", [])


def rank_table(task: str, ranked: Ranked, what: str) -> TextTable:
    """Return average ranks, the paper's beside them, and the p-values of all pairs."""
    found, published = ranked.comparison, paper_ranks(task)
    rows = []
    for i, name in enumerate(found.names):
        theirs = published.get(IN_THE_PAPER.get(name, name), np.nan)
        pairs = [NOTHING if i == j else f"{p:.3g}" for j, p in enumerate(found.p_values[i])]
        rows.append([name, f"{found.ranks[i]:.2f}", NOTHING if np.isnan(theirs) else f"{theirs:.2f}", *pairs])
    notes = [
        f"{found.n_sets} sets, seeds per set: {ranked.seeds}. Friedman's p = {found.friedman:.2g}.",
        "Pairs: two-sided Wilcoxon signed-rank tests over the sets' means, p-values corrected by Holm's procedure.",
    ]
    stand_ins = sorted(STAND_INS & set(ranked.sets))
    if stand_ins and what != "from the numbers that the paper reports":
        notes.append(f"Data that differ slightly from the paper's: {', '.join(stand_ins)}.")
    if ranked.left_out:
        notes.append(f"Measured on too few sets to be compared: {', '.join(ranked.left_out)}.")
    return TextTable(
        f"Average ranks, {task}: {what}", ["method", "rank", "rank (paper)", *found.names], rows, notes=notes
    )
