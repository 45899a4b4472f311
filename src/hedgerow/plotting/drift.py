"""What share of the rows each rule decides, and each condition holds for, in two tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hedgerow._support.lettering import shorten
from hedgerow._support.palette import AMBER, GREEN, GREY, INK, ORANGE
from hedgerow.evidence.shifts import Drift, Shift
from hedgerow.plotting.style import matplotlib_or_error, plain, quiet

#: The colors of the states; each is named beside its mark, too.
COLORS = {"green": GREEN, "amber": AMBER, "red": ORANGE}
#: The conditions that are drawn, those that moved most, and the longest text beside one.
_MOST_CONDITIONS, _MOST = 12, 46


def plot_drift(found: Drift, *, axes: Any = None) -> Any:
    """Draw the shares of the rules and of the conditions in both tables, joined by a line in the color of their state.

    Parameters
    ----------
    found : Drift
        The result of :func:`hedgerow.evidence.drift`.
    axes : matplotlib axes, optional
        Where to draw. A new figure if not given.

    Returns
    -------
    matplotlib axes
    """
    plt = matplotlib_or_error()
    rows: Sequence[Shift] = (*found.shares, *found.conditions[:_MOST_CONDITIONS])
    if axes is None:
        _, axes = plt.subplots(figsize=(9.5, 1.6 + 0.36 * len(rows)), layout="constrained")
    for place, one in enumerate(rows):
        color = COLORS[one.state]
        axes.plot([one.reference, one.current], [place, place], color=color, linewidth=3, alpha=0.7, zorder=2)
        axes.plot(one.reference, place, "|", color=INK, markersize=13, markeredgewidth=2, zorder=3)
        axes.plot(one.current, place, "o", color=color, markersize=7, zorder=4)
        state = f" {one.index:.3f}" + ("" if one.state == "green" else f" {one.state}")
        axes.annotate(
            state, (1.0, place), xycoords=("axes fraction", "data"), va="center", color=GREY, fontsize="small"
        )
    axes.plot([], [], "|", color=INK, markersize=13, markeredgewidth=2, linestyle="none", label="reference")
    axes.plot([], [], "o", color=GREEN, label="current")
    if len(found.shares) < len(rows):
        axes.axhline(len(found.shares) - 0.5, color=GREY, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [plain(shorten(one.name, _MOST)) for one in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("share of the rows; at the right, the population stability index")
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(plt.matplotlib.ticker.PercentFormatter(1.0))
    quiet(axes)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color="#E6E6E6", linewidth=0.8)
    axes.legend(fontsize="small", frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0)
    return axes
