"""The shapelets and intervals of a rule list, on a typical series of each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.palette import GREY, INK
from hedgerow.features import SeriesFeature
from hedgerow.plotting.lettering import fit, text_width
from hedgerow.plotting.style import class_colors, for_text, matplotlib_or_error, plain, quiet, rule_list_of
from hedgerow.rules.series_examples import Example, SeriesExamples

_MOST_ROWS, _MOST_COLUMNS = 6, 6
#: The width of a column in a new figure, and the height of a line, in inches.
_COLUMN, _LINE = 3.2, 0.18
#: The most lines of a heading; the smallest share of their size to which verdicts shrink before they are wrapped.
_MOST_LINES, _SMALLEST = 3, 0.8


def plot_shapelets(
    rule_list: Any,
    X: Any,
    y: Any = None,
    *,
    axes: Any = None,
    features: Sequence[SeriesFeature | str] | SeriesFeature | str | None = None,
) -> Any:
    """Draw each shapelet of a rule list where it best matches a series of each class; intervals are shaded.

    There is one row per shapelet or interval and one column per class. The
    series is the one whose distance, or statistic, is the median of its class;
    the title compares that value with the rules' thresholds. A shapelet with
    scaled distance is drawn with the mean and the standard deviation of the
    part of the series that it matches.

    Parameters
    ----------
    rule_list : RuleList, or fitted estimator with a ``rule_list_``
        From an ensemble on time series.
    X : array of shape (n_series, length) or (n_series, n_dimensions, length)
    y : array of n_series labels or values, optional
        What divides the series into columns; values are divided at their
        median. If not given, the predictions of the list are used.
    axes : array of matplotlib axes, one row per feature and one column per class, optional
        Where to draw, as far as there is room. If not given, a new figure is
        made with at most six columns and six rows, or more rows if ``features``
        names more. If there are more classes, those predicted by rules with the
        drawn features come first.
    features : feature, name of one, or sequence of these, optional
        Draw these, in this order, instead of all in the order of the rules.

    Returns
    -------
    array of matplotlib axes, one row per feature
    """
    rules, is_new = rule_list_of(rule_list), axes is None
    axes = None if is_new else np.atleast_2d(axes)
    room = (_MOST_ROWS if features is None else None, _MOST_COLUMNS) if is_new else axes.shape
    found = SeriesExamples.of(rules, rules.evaluate(X), y, features, room)
    letters = _Letters.of(found, axes)
    if is_new:
        axes = _new_axes(found, letters)
    colors = class_colors(len(rules.task.labels) or 2)
    for row, examples, verdicts in zip(axes, found.rows, letters.verdicts, strict=False):
        for ax, example, verdict, (_, number) in zip(row, examples, verdicts, found.groups, strict=False):
            _draw(ax, example, colors[number])
            ax.set_title(verdict, loc="left", fontsize=letters.size)
    for ax, heading, (_, number) in zip(axes[0], letters.headings, found.groups, strict=False):
        # Titles, because a layout reserves only their height; the width of other text would move the axes.
        looks = {"fontsize": "medium", "weight": "bold", "color": for_text(colors[number])}
        ax.set_title(plain(heading), loc="center", x=0, ha="left", va="bottom", linespacing=1.35, **looks)
    for row, label in zip(axes, found.labels, strict=False):
        row[0].set_ylabel(plain(label))
    _write_below(axes[len(found.rows) - 1, 0], letters.note, is_new)
    return axes


@dataclass(frozen=True)
class _Letters:
    """All text above and below the axes, in lines that fit there.

    Attributes
    ----------
    headings : list of str
        The names of the columns; each ends with the lines that the verdicts of the first row need.
    verdicts : list of lists of str
        The titles of the axes.
    size : float
        Font size of the verdicts, in points.
    note : list of str
        The lines below the axes.
    """

    headings: list[str]
    verdicts: list[list[str]]
    size: float
    note: list[str]

    @classmethod
    def of(cls, found: SeriesExamples, axes: Any) -> _Letters:
        from matplotlib.font_manager import FontProperties

        if axes is None:
            column, whole = _COLUMN - 0.4, _COLUMN * len(found.groups) + 0.4
        else:
            column, whole = (box.width / axes[0, 0].figure.dpi for box in (axes[0, 0].bbox, axes[0, 0].figure.bbox))
        plain_verdicts = [[example.verdict for example in examples] for examples in found.rows]
        widest = max(text_width(verdict, "medium") for row in plain_verdicts for verdict in row)
        share = min(1.0, column / widest)
        size = FontProperties(size="medium").get_size_in_points() * (share if share >= _SMALLEST else 1.0)
        verdicts = [["\n".join(fit(verdict, column, size)) for verdict in row] for row in plain_verdicts]
        below = "\n" * (1 + max(verdict.count("\n") for verdict in verdicts[0]))
        names = [fit(name, column, "medium", "bold", _n_lines(axes, len(below))) for name, _ in found.groups]
        note = ["Each series has the median value of its class.", *fit(found.note, whole, "small")]
        return cls(["\n".join(name) + below for name in names], verdicts, size, note)


def _n_lines(axes: Any, n_below: int) -> int:
    """Return the most lines of a heading; above axes that no layout moves there may be room for fewer."""
    if axes is None or axes[0, 0].figure.get_layout_engine() is not None:
        return _MOST_LINES
    figure = axes[0, 0].figure
    above = (figure.bbox.y1 - axes[0, 0].bbox.y1) / figure.dpi - matplotlib_or_error().rcParams["axes.titlepad"] / 72
    return max(1, min(_MOST_LINES, int(above / _LINE) - n_below))


def _new_axes(found: SeriesExamples, letters: _Letters) -> Any:
    """Return axes in a new figure, with extra height for more than one line above and below."""
    shape = len(found.rows), len(found.groups)
    n_lines = max(heading.count("\n") for heading in letters.headings) - 1 + len(letters.note) - 1
    size = _COLUMN * shape[1] + 0.6, 1.9 * shape[0] + 0.7 + _LINE * n_lines
    _, axes = matplotlib_or_error().subplots(
        *shape, figsize=size, layout="constrained", squeeze=False, sharex=True, sharey="row"
    )
    return axes


def _draw(ax: Any, example: Example, color: Any) -> None:
    x = example.start + np.arange(len(example.found))
    if example.is_interval:
        # Half a step to each side, so that an interval of one value is visible, and neighbors touch.
        ax.axvspan(x[0] - 0.5, x[-1] + 0.5, color="#EDEDED", zorder=0)
    ax.plot(example.series, color=color, linewidth=1.2, zorder=3)
    if example.spread:
        ax.fill_between(x, example.found - example.spread, example.found + example.spread, color=GREY, alpha=0.3)
    point = "o" if len(x) == 1 else None  # a line of one value is invisible
    ax.plot(x, example.found, color=INK, linewidth=3, alpha=0.75, solid_capstyle="round", marker=point)
    ax.margins(x=0.02)
    quiet(ax)


def _write_below(ax: Any, note: list[str], is_new: bool) -> None:
    """Write below the last row which series these are, and what is left out."""
    text, looks = plain("\n".join(note)), {"color": GREY, "fontsize": "small"}
    if is_new:
        ax.figure.supxlabel(text, x=0.01, ha="left", **looks)
    else:  # the space around given axes is not ours
        ax.annotate(text, (0, -0.3), xycoords="axes fraction", va="top", in_layout=False, **looks)
