"""How good the best lists are, and how much each relies on which feature."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.palette import BLUE, GREY, ORANGE
from hedgerow.exceptions import InvalidParameterError
from hedgerow.plotting.style import matplotlib_or_error, plain, quiet
from hedgerow.rules.alternatives import Alternatives, Reliance

#: The most features that are drawn: those with the highest reliance.
_MOST = 15


def plot_alternatives(alternatives: Alternatives, *, axes: Any = None) -> Any:
    """Draw the objective of each list, and the reliance on each feature as an interval over the lists.

    Parameters
    ----------
    alternatives : Alternatives
        The result of :meth:`hedgerow.RuleListClassifier.alternatives`.
    axes : two matplotlib axes, optional
        Where to draw: objectives, reliance. A new figure if not given.

    Returns
    -------
    array of two matplotlib axes
    """
    if not isinstance(alternatives, Alternatives):
        raise InvalidParameterError(
            f"Only what estimator.alternatives(...) returned can be drawn; got {type(alternatives).__qualname__}."
        )
    plt, shown = matplotlib_or_error(), alternatives.reliances[:_MOST]
    if axes is None:
        height = 1.6 + 0.32 * max(len(shown), 6)
        _, axes = plt.subplots(1, 2, figsize=(11, height), layout="constrained", width_ratios=[1, 1.3])
    axes = np.ravel(axes)
    if len(axes) != 2:
        raise InvalidParameterError(f"axes must be two axes, for objectives and reliance; got {len(axes)}.")
    _draw_objectives(axes[0], alternatives)
    axes[0].xaxis.set_major_locator(plt.MaxNLocator(integer=True, min_n_ticks=1))
    _draw_reliance(axes[1], alternatives, shown)
    return axes


def _draw_objectives(axes: Any, alternatives: Alternatives) -> None:
    """Draw how far each list is below the best one, and its training score beside it."""
    places = np.arange(1, len(alternatives) + 1)
    below = 100 * np.array(alternatives.shares)
    axes.plot(places, -below, "o-", color=BLUE, label="objective, below the best (%)")
    axes.set_xlabel("list")
    axes.set_ylabel("objective, below the best (%)", color=BLUE)
    axes.tick_params(axis="y", colors=BLUE)
    axes.set_title("How good the lists are", loc="left")
    quiet(axes)
    other = axes.twinx()
    other.plot(places, alternatives.scores, "s--", color=ORANGE, label=f"training {alternatives.score_name}")
    other.set_ylabel(f"training {alternatives.score_name}", color=ORANGE)
    other.tick_params(axis="y", colors=ORANGE)
    other.spines["top"].set_visible(False)
    other.margins(y=0.12)
    axes.margins(y=0.12)


def _draw_reliance(axes: Any, alternatives: Alternatives, shown: tuple[Reliance, ...]) -> None:
    """Draw a line per feature, from the lowest to the highest reliance, with a point per list."""
    for i, one in enumerate(shown):
        axes.plot([one.lowest, one.highest], [i, i], color=GREY, linewidth=4, alpha=0.35, solid_capstyle="round")
        axes.plot(one.of, [i] * len(one.of), "o", color=BLUE, alpha=0.6, markersize=5)
        axes.plot(one.of[0], i, "D", color=ORANGE, markersize=6)
    axes.set_yticks(range(len(shown)), [plain(one.name) for one in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlabel(f"loss of {alternatives.score_name} if the feature's values are shuffled")
    axes.set_title("What the lists rely on", loc="left")
    quiet(axes)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color="#E6E6E6", linewidth=0.8)
    if shown:
        points = [axes.lines[-1], axes.lines[-2]]
        axes.legend(points, ["the best list", "another list"], fontsize="small", frameon=False, loc="lower right")
