"""The rate of each rule on new rows beside that of training, with intervals."""

from __future__ import annotations

from typing import Any

from hedgerow._support.lettering import shorten, wrap
from hedgerow._support.palette import BLUE, GREY, INK, ORANGE
from hedgerow.evidence.validation import Validation
from hedgerow.plotting.style import matplotlib_or_error, plain, quiet

#: The longest line beside a rule, in letters, and the most lines about its conditions.
_MOST, _MOST_LINES = 46, 3


def plot_validation(found: Validation, *, axes: Any = None) -> Any:
    """Draw the rate of each rule on new rows with its interval, and that of training as a mark.

    Parameters
    ----------
    found : Validation
        The result of :func:`hedgerow.evidence.validate`.
    axes : matplotlib axes, optional
        Where to draw. A new figure if not given.

    Returns
    -------
    matplotlib axes
    """
    plt = matplotlib_or_error()
    rows = found.rules
    if axes is None:
        size = (9.5, 1.5 + 0.7 * len(rows))
        _, axes = plt.subplots(figsize=size, layout="constrained")
    ends = [end for row in rows for end in (row.value.value, row.value_in_training) if end == end]
    if not found.is_labels:
        finite = [end for row in rows for end in (row.value.low, row.value.high) if abs(end) < float("inf")]
        low, high = min([*ends, *finite], default=0.0), max([*ends, *finite], default=1.0)
        pad = 0.05 * ((high - low) or 1.0)
        axes.set_xlim(low - pad, high + pad)
    for place, row in enumerate(rows):
        color = ORANGE if found.verdict(row) in ("lower", "higher") else BLUE
        if row.n_rows:
            axes.plot([row.value.low, row.value.high], [place, place], color=color, linewidth=2.2, zorder=2)
            axes.plot(row.value.value, place, "o", color=color, markersize=7, zorder=3)
        axes.plot(row.value_in_training, place, "|", color=INK, markersize=17, markeredgewidth=2, zorder=4)
    axes.plot([], [], "o-", color=BLUE, label=f"new rows, {100 * found.level:g} % interval")
    if found.changed:
        axes.plot([], [], "o-", color=ORANGE, label="new rows, another rate than in training")
    axes.plot([], [], "|", color=INK, markersize=13, markeredgewidth=2, linestyle="none", label="training")
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows])
    for place, row in enumerate(rows):
        count = f" {row.n_rows:,} row{'s' * (row.n_rows != 1)}".replace(",", "\u202f")
        axes.annotate(
            count, (1.0, place), xycoords=("axes fraction", "data"), va="center", color=GREY, fontsize="small"
        )
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("share of the predicted class" if found.is_labels else "mean of the targets")
    if found.is_labels:
        axes.set_xlim(-0.02, 1.02)
        axes.xaxis.set_major_formatter(plt.matplotlib.ticker.PercentFormatter(1.0))
    quiet(axes)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color="#E6E6E6", linewidth=0.8)
    axes.legend(fontsize="small", frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0)
    return axes


def _label(row: Any) -> str:
    what = f"{row.rule}. {row.conditions}" if row.rule else "no rule matches"
    lines = wrap(what, _MOST)
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1]} …"]
    return plain("\n".join([*lines, f"→ {shorten(row.prediction, _MOST)}"]))
