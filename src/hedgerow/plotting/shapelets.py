"""What a rule list sees in time series: its shapelets and intervals on a typical series of every class."""

from __future__ import annotations

import textwrap
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
    is_new = axes is None
    if not is_new:
        axes = np.atleast_2d(axes)
        room = axes.shape
    found = SeriesExamples.of(rule_list, X, y, features, room)
    if is_new:
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
    _label(axes, found, colors)
    _write_below(axes[len(found.rows) - 1, 0], found.note, is_new)
    return axes


def _draw(ax: Any, example: Example, color: Any) -> None:
    x = example.start + np.arange(len(example.found))
    if example.is_interval:
        ax.axvspan(x[0], x[-1], color="#EDEDED", zorder=0)
    ax.plot(example.series, color=color, linewidth=1.2, zorder=3)
    if example.spread:
        ax.fill_between(x, example.found - example.spread, example.found + example.spread, color=GREY, alpha=0.3)
    ax.plot(x, example.found, color=INK, linewidth=3, alpha=0.75, solid_capstyle="round")
    ax.set_title(example.verdict, loc="left", fontsize="medium")
    ax.margins(x=0.02)
    quiet(ax)


def _label(axes: Any, found: SeriesExamples, colors: list[Any]) -> None:
    """Write what the rows and the columns are."""
    for ax, (name, number) in zip(axes[0], found.groups, strict=False):
        looks = {"weight": "bold", "color": colors[number]}
        ax.annotate(plain(name), (0, 1), (0, 22), xycoords="axes fraction", textcoords="offset points", **looks)
    for row, label in zip(axes, found.labels, strict=False):
        row[0].set_ylabel(plain(label))


def _write_below(ax: Any, note: str, is_new: bool) -> None:
    """Write which series these are, and what is left out, below the last row."""
    text = plain("\n".join(["Each series has the median value of its class.", *textwrap.wrap(note, 80)]))
    looks = {"color": GREY, "fontsize": "small"}
    if is_new:
        ax.figure.supxlabel(text, x=0.01, ha="left", **looks)
    else:  # the room around the axes is not ours
        ax.annotate(text, (0, -0.3), xycoords="axes fraction", va="top", in_layout=False, **looks)
