"""How faithful the methods' rules are to the forest, averaged over the sets, beside the paper's averages."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.methods import IN_THE_PAPER, METHODS
from benchmarks.published import paper_fidelity
from benchmarks.table_formats import TextTable, plus_minus, span

#: The measures, by what they are called in the table; whether more is better, where that can be said.
MEASURES: dict[str, tuple[str, bool | None]] = {
    "trees_by_condition": ("trees represented by a condition", True),
    "trees_by_path": ("trees represented by a path", True),
    "feature_f1": ("F1 with the top 5 % of the features", True),
    "importance_correlation": ("Kendall's tau of importances", True),
    "disagreement": ("disagreement", False),
    "uncovered": ("share of samples that match no rule", None),
    "overlapping": ("share of samples that match several rules", None),
    "rules": ("rules", None),
}
#: The forest of the paper, and the ensemble of a method itself where it is another.
OF = {"forest": "", "own": " (own ensemble)"}


def fidelity_table(task: str, fidelity: pd.DataFrame, scores: pd.DataFrame) -> TextTable:
    """Return the averages over the sets that every method has, one row per measure."""
    rules = scores[["name", "seed", "method", "rules"]]
    frame = fidelity.merge(rules, on=["name", "seed", "method"], how="left")
    frame["column"] = frame["method"] + frame["of"].map(OF)
    columns = [m + after for after in OF.values() for m in METHODS if (frame["column"] == m + after).any()]
    measures = [name for name in MEASURES if name in frame and frame[name].notna().any()]
    means = frame.groupby(["name", "column"])[measures].mean()
    common = _sets_of_all(frame, columns)
    averages = means[means.index.get_level_values("name").isin(common)].groupby("column").mean().T
    published = paper_fidelity(task)
    others = [name for name in IN_THE_PAPER.values() if name in published]
    rows = [
        [
            MEASURES[name][0],
            *(plus_minus(averages.loc[name].get(column, np.nan)) for column in columns),
            *(plus_minus(published[other].get(name, np.nan)) for other in others),
        ]
        for name in measures
    ]
    return TextTable(
        title=f"Fidelity to the forest on the test part, {task}",
        head=["measure", *columns, *(f"{name} (paper)" for name in others)],
        rows=rows,
        notes=_notes(task, frame, columns, common),
        best=_best(averages, measures, columns),
    )


def _sets_of_all(frame: pd.DataFrame, columns: list[str]) -> list[str]:
    """Return the sets that every column has."""
    n_columns = frame.groupby("name")["column"].nunique()
    return n_columns[n_columns == len(columns)].index.tolist()


def _best(averages: pd.DataFrame, measures: list[str], columns: list[str]) -> set[tuple[int, int]]:
    """Return row and column of the best of each measure, as far as three digits show, among those of the one forest."""
    alike = [column for column in columns if column in averages and not column.endswith(OF["own"])]
    best = set()
    for i, name in enumerate(measures):
        larger, row = MEASURES[name][1], averages.loc[name, alike].round(3)
        if larger is not None and row.notna().any():
            wanted = row.max() if larger else row.min()
            best |= {(i, columns.index(column) + 1) for column in row.index[row == wanted]}
    return best


def _notes(task: str, frame: pd.DataFrame, columns: list[str], common: list[str]) -> list[str]:
    of_set = frame[frame["name"].isin(common)].groupby(["name", "column"])["seed"].nunique()
    apart = (
        "the share of samples with another label"
        if task == "classification"
        else "the mean squared difference of the predictions"
    )
    notes = [
        f"Means over the {len(common)} sets that all columns have; seeds per set: {span(of_set)}. "
        f"Disagreement is {apart}.",
        "All are compared with the paper's forest of the same seed, fitted to the same samples.",
    ]
    if any(column.endswith(OF["own"]) for column in columns):
        notes.append(f"{OF['own'].strip()}: the same rules compared with the ensemble that they come from.")
    return notes
