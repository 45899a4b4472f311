"""Agreement with a model against the number of rules: the means, and what they are beside a surrogate tree's."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.explainers import EXPLAINERS
from benchmarks.explaining_tables import APART, OURS, RIVAL, compared, measure, shared_means, task_of
from benchmarks.size_pictures import COLORS, OURS_COLOR, draw_lines, mark_zero, name_axes
from benchmarks.size_tables import budgets_of


def draw_agreement(suite: str, frame: pd.DataFrame, path: Path) -> bool:
    """Draw both pictures side by side; return whether there was anything to draw."""
    from matplotlib.figure import Figure

    task = task_of(suite)
    parts = {budget: shared_means(compared(frame, budget)) for budget in budgets_of(frame)}
    shown = {name: one for name, one in EXPLAINERS.items() if any(name in part for part in parts.values())}
    if OURS not in shown or RIVAL not in shown:
        return False
    beside = {budget: _beside(task, part) for budget, part in parts.items() if RIVAL in part}
    figure = Figure(figsize=(13, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    others = [name for name in EXPLAINERS if name not in (OURS, RIVAL, *APART)]
    colors = dict(zip(others, COLORS, strict=False)) | {OURS: OURS_COLOR, RIVAL: "#222222"}
    draw_lines(left, parts, shown, colors, OURS, spread=False)
    name_axes(left, list(parts), f"{measure(task)}, mean of the sets", legend=False)
    draw_lines(right, beside, {name: one for name, one in shown.items() if name != RIVAL}, colors, OURS)
    mark_zero(right, 0 if task == "classification" else 1, RIVAL)
    how = f"minus {RIVAL}'s" if task == "classification" else f"divided by {RIVAL}'s"
    name_axes(right, list(parts), f"{how}: mean and middle half of the sets", legend=False)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    figure.savefig(path, dpi=120)
    return True


def _beside(task: str, part: pd.DataFrame) -> pd.DataFrame:
    return part.sub(part[RIVAL], axis=0) if task == "classification" else part.div(part[RIVAL], axis=0)
