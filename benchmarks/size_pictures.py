"""Score against the number of rules, one line per method, with the spread over the sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.case import Method
from benchmarks.methods import METHODS, OF_SIZES
from benchmarks.size_tables import OURS, at_budget, budgets_of, mark
from benchmarks.tabular_report import ENOUGH, ENSEMBLES, by_method

#: What scores are measured by.
_ZERO = "cart"
#: Lines apart from each other on the axis, as factors of the number of rules, so that their bars do not overlap.
_STEP = 1.025
COLORS = ("#4477AA", "#EE6677", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB", "#EE8866", "#44BB99", "#999933", "#882255")
OURS_COLOR, _OTHER_COLOR = "#117733", "#777777"
_LABEL = {"ha": "right", "va": "bottom", "fontsize": 9, "color": "#222222"}


def relative_scores(task: str, frame: pd.DataFrame) -> dict[int, pd.DataFrame]:
    """Return, by budget, the sets' mean scores by method: accuracy minus CART's, or error / CART's.

    Methods that were measured on few of the sets are left out, and so are whole ensembles.
    """
    found = {}
    for budget in budgets_of(frame):
        scores = by_method(at_budget(frame, budget), "score").drop(columns=list(ENSEMBLES), errors="ignore")
        if _ZERO not in scores:
            continue
        seeds = scores.sub(scores[_ZERO], axis=0) if task == "classification" else scores.div(scores[_ZERO], axis=0)
        means = seeds.groupby("name").mean()
        n_sets = means.notna().sum()
        found[budget] = means[n_sets.index[n_sets >= ENOUGH * n_sets.max()]]
    return found


def draw_sizes(task: str, frame: pd.DataFrame, path: Path) -> bool:
    """Draw the mean over the sets and the middle half of them; return whether there was anything to draw."""
    from matplotlib.figure import Figure

    parts = relative_scores(task, frame)
    names = [name for name in METHODS if name != _ZERO and any(name in part for part in parts.values())]
    if not names:
        return False
    figure = Figure(figsize=(9.5, 5.6), layout="constrained")
    axes = figure.subplots()
    # The same in the pictures of both tasks.
    colors = dict(zip([name for name in OF_SIZES if name not in (OURS, _ZERO)], COLORS, strict=False))
    draw_lines(axes, parts, {name: METHODS[name] for name in names}, colors | {OURS: OURS_COLOR}, OURS)
    mark_zero(axes, 0 if task == "classification" else 1, "CART")
    what = "accuracy minus CART's" if task == "classification" else "mean squared error / CART's"
    name_axes(axes, list(parts), f"{what}: mean and middle half of the sets")
    figure.savefig(path, dpi=130)
    return True


def draw_lines(
    axes: Any,
    parts: Mapping[int, pd.DataFrame],
    methods: Mapping[str, Method],
    colors: Mapping[str, str],
    ours: str,
    spread: bool = True,
) -> None:
    """Draw one line per method over the budgets: the mean over the sets and, with ``spread``, the middle half."""
    for place, (name, method) in enumerate(methods.items()):
        known = {budget: part[name].dropna() for budget, part in parts.items() if name in part}
        x = [budget * (_STEP ** (place - len(methods) / 2) if spread else 1) for budget in known]
        means = [values.mean() for values in known.values()]
        color = colors.get(name, _OTHER_COLOR)
        if spread:
            low, high = ([values.quantile(q) for values in known.values()] for q in (0.25, 0.75))
            axes.vlines(x, low, high, color=color, linewidth=2.5 if name == ours else 1, alpha=0.45)
        style: dict[str, Any] = {"linewidth": 2.6, "zorder": 5} if name == ours else {"linewidth": 1.3}
        style |= {"linestyle": ":" if method.is_sum else "-", "label": mark(name, methods)}
        axes.plot(x, means, marker="o", markersize=4, color=color, **style)


def mark_zero(axes: Any, at: float, name: str) -> None:
    """Draw the line of what scores are measured by."""
    axes.axhline(at, color="#222222", linewidth=1)
    axes.annotate(name, (0.995, at), xycoords=("axes fraction", "data"), **_LABEL)


def name_axes(axes: Any, budgets: Sequence[int], what: str, legend: bool = True) -> None:
    """Name the axes and the lines."""
    axes.set_xscale("log")
    axes.set_xticks(budgets, [str(budget) for budget in budgets])
    axes.minorticks_off()
    axes.set_xlabel("most rules or leaves")
    axes.set_ylabel(what)
    axes.spines[["top", "right"]].set_visible(False)
    if legend:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
