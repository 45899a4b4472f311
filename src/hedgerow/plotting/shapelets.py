"""What a rule list sees in time series: its shapelets and intervals on a typical series of every class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hedgerow.plotting.style import GREY, INK, class_colors, matplotlib_or_error, plain, quiet
from hedgerow.rule_list import RuleList
from hedgerow.series_examples import Example, SeriesExamples, SeriesFeature

_MOST_ROWS, _MOST_COLUMNS = 6, 6


def plot_shapelets(
    rule_list: RuleList,
    X: Any,
    y: Any = None,
    *,
    axes: Any = None,
    features: Sequence[SeriesFeature | str] | None = None,
) -> Any:
    """Draw each shapelet of a rule list where it matches a series of each class best; intervals are shaded.

    One row a shapelet or interval, one column a class. The series is the one
    whose distance, or statistic, is the median of its class; above it stands
    how that compares with the rules' thresholds. A shapelet with scaled
    distance is drawn with the mean and the spread of the stretch it matches.

    Parameters
    ----------
    rule_list : RuleList
        From an ensemble on time series.
    X : array of shape (n_series, length) or (n_series, n_dimensions, length)
    y : array of n_series labels or values, optional
        What parts the series into columns; of values, those up to the median
        and those above. The list's own answers if not given.
    axes : array of matplotlib axes, a row a feature and a column a class, optional
        Where to draw, as far as there is room. If not given, a new figure of at
        most six columns and six rows; of more, if ``features`` names more.
    features : sequence of features or of their names, optional
        Draw these, in this order, instead of all in the order of the rules.

    Returns
    -------
    array of matplotlib axes, a row a feature
    """
    room = (_MOST_ROWS if features is None else len(features), _MOST_COLUMNS)
    if axes is not None:
        axes = np.atleast_2d(axes)
        room = axes.shape
    found = SeriesExamples.of(rule_list, X, y, features, room)
    if axes is None:
        shape = len(found.rows), len(found.groups)
        size = 3.2 * shape[1] + 0.6, 1.9 * shape[0] + 0.7
        _, axes = matplotlib_or_error().subplots(
            *shape, figsize=size, layout="constrained", squeeze=False, sharex=True, sharey="row"
        )
    n_classes = 2 if rule_list.classes is None else len(rule_list.classes)
    colors = class_colors(max([n_classes, *(number + 1 for _, number in found.groups)]))
    for row, examples in zip(axes, found.rows, strict=False):
        for ax, example, (_, number) in zip(row, examples, found.groups, strict=False):
            _draw(ax, example, colors[number])
    _write(axes, found, colors)
    return axes


def _draw(ax: Any, example: Example, color: Any) -> None:
    x = example.start + np.arange(len(example.found))
    if example.is_interval:
        ax.axvspan(x[0], x[-1], color="#EDEDED", zorder=0)
    ax.plot(example.series, color=color, linewidth=1.2)
    if example.spread:
        ax.fill_between(x, example.found - example.spread, example.found + example.spread, color=GREY, alpha=0.3)
    ax.plot(x, example.found, color=INK, linewidth=2.8, alpha=0.85, solid_capstyle="round")
    ax.set_title(example.verdict, loc="left", fontsize="medium")
    quiet(ax)


def _write(axes: Any, found: SeriesExamples, colors: list[Any]) -> None:
    """Write what the rows and columns are, and what is left out."""
    beside = {"xycoords": "axes fraction", "textcoords": "offset points"}
    for ax, (name, number) in zip(axes[0], found.groups, strict=False):
        ax.annotate(plain(name), (0, 1), (0, 24), **beside, weight="bold", color=colors[number], va="bottom")
    for row, label in zip(axes, found.labels, strict=False):
        row[0].set_ylabel(plain(label))
    below = "Each series has the median value of its class."
    text = f"{below}\n{plain(found.note)}" if found.note else below
    last = axes[len(found.rows) - 1, 0]
    last.annotate(text, (0, 0), (0, -24), **beside, color=GREY, fontsize="small", va="top", annotation_clip=False)
