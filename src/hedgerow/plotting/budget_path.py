"""What each additional rule gains."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.palette import BLUE, GREEN, GREY, ORANGE, PINK
from hedgerow.evidence.budget_trace import BudgetTrace
from hedgerow.exceptions import InvalidParameterError
from hedgerow.plotting.style import matplotlib_or_error, quiet


def plot_budget_path(trace: BudgetTrace, *, axes: Any = None) -> Any:
    """Draw scores, fidelity, loss and stability against the number of rules.

    Parameters
    ----------
    trace : BudgetTrace
        The result of :func:`hedgerow.trace_budgets`.
    axes : three matplotlib axes, optional
        Where to draw: scores, fidelity, objective. A new figure if not given.

    Returns
    -------
    array of three matplotlib axes
    """
    plt = matplotlib_or_error()
    if axes is None:
        _, axes = plt.subplots(1, 3, figsize=(13.5, 4.2), layout="constrained")
    axes = np.ravel(axes)
    if len(axes) != 3:
        raise InvalidParameterError(f"axes must be three axes, for scores, fidelity and objective; got {len(axes)}.")
    _draw_scores(axes[0], trace)
    _draw_fidelity(axes[1], trace)
    _draw_objective(axes[2], trace)
    for one in axes:
        one.set_xlabel("maximum number of rules")
        one.xaxis.set_major_locator(plt.MaxNLocator(integer=True, min_n_ticks=1))
        one.margins(y=0.12)
        quiet(one)
    return axes


def _draw_scores(axes: Any, trace: BudgetTrace) -> None:
    budgets = trace.column("budget")
    parts = [("train", BLUE, "training", trace.ensemble_train_score)]
    if trace.ensemble_validation_score is not None:
        parts.append(("validation", ORANGE, "validation", trace.ensemble_validation_score))
    for name, color, word, of_ensemble in parts:
        axes.plot(budgets, trace.column(f"{name}_score"), "o-", color=color, label=f"list, {word}")
        axes.plot(budgets, trace.column(f"cart_{name}_score"), "x--", color=color, alpha=0.6, label=f"CART, {word}")
        axes.axhline(of_ensemble, color=color, linestyle=":", label=f"ensemble, {word}")
    axes.set_title(f"Score: {trace.score}", loc="left")
    axes.legend(fontsize="small", frameon=False)


def _draw_fidelity(axes: Any, trace: BudgetTrace) -> None:
    budgets, classify = trace.column("budget"), trace.score == "accuracy"
    apart = trace.column("disagreement")
    if classify:
        axes.plot(budgets, 1 - apart, "o-", color=GREEN, label="agrees with the ensemble")
    axes.plot(budgets, trace.column("represented_trees"), "s-", color=PINK, label="trees that share a condition")
    axes.set_ylim(0, 1.05)
    axes.set_ylabel("share")
    axes.set_title("Fidelity to the ensemble", loc="left")
    lines = axes.get_lines()
    if not classify:
        other = axes.twinx()
        lines = [*other.plot(budgets, apart, "o-", color=GREEN, label="distance from its predictions (right)"), *lines]
        other.set_ylim(bottom=0)
        other.set_ylabel("mean squared distance", color=GREEN)
        other.tick_params(axis="y", colors=GREEN)
        other.spines["top"].set_visible(False)
    axes.legend(handles=lines, fontsize="small", frameon=False)


def _draw_objective(axes: Any, trace: BudgetTrace) -> None:
    budgets = trace.column("budget")
    axes.plot(budgets, trace.column("stability"), "o-", color=GREY, label="stability")
    axes.plot(budgets, trace.column("loss"), "s-", color=ORANGE, label="loss")
    axes.set_ylabel("sum over the list, scaled")
    axes.set_title("Terms of the objective", loc="left")
    axes.legend(fontsize="small", frameon=False)
