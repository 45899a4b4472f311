"""The rule list as a tree of its conditions."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.palette import GREY, INK
from hedgerow.exceptions import warn
from hedgerow.plotting.lettering import FONT_SIZE
from hedgerow.plotting.style import class_colors, matplotlib_or_error, plain, rule_list_of
from hedgerow.plotting.tree_page import SIZES, TreePage
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import samples_of
from hedgerow.rules.tree_layout import Box

#: Smaller letters, in points, cannot be read.
_SMALLEST = 5.0


def plot_tree(rule_list: Any, *, ax: Any = None) -> Any:
    """Draw a rule list as a tree, with questions from left to right and the rules on the right.

    Every rule that can match first is drawn once, with its number in the list,
    its prediction, the share of that class, and a bar for its share of the
    training samples. A list whose rules are not the leaves of one tree is drawn
    as several trees; see :mod:`hedgerow.rules.rule_tree`.

    Parameters
    ----------
    rule_list : RuleList, or fitted estimator with a ``rule_list_``
    ax : matplotlib axes, optional
        Where to draw. The tree is made as large as fits, with a warning if it is then too small to read. If not given,
        a new figure is made, as large as the tree needs.

    Returns
    -------
    matplotlib axes
    """
    plt, rules = matplotlib_or_error(), rule_list_of(rule_list)
    if ax is None:
        page = TreePage.of(rules)
        figure = plt.figure(figsize=(page.width, page.height))
        ax = figure.add_axes((0, 0, 1, 1))
    else:
        page = TreePage.within(rules, *_size(ax))
        _check_letters(rules, page, *_size(ax))
    _Pen(ax, rules, page).draw()
    ax.set(xlim=(0, page.width), ylim=(page.height, 0), aspect="equal", anchor="NW")
    ax.axis("off")
    return ax


def _size(ax: Any) -> tuple[float, float]:
    """Return the width and height of axes, in inches."""
    return ax.bbox.width / ax.figure.dpi, ax.bbox.height / ax.figure.dpi


def _check_letters(rule_list: RuleList, page: TreePage, width: float, height: float) -> None:
    """Warn if letters are too small to read, and say what size would be large enough."""
    points = FONT_SIZE * page.scale(width, height)
    if points < _SMALLEST:
        own = TreePage.of(rule_list)
        warn(
            f"The tree does not fit into axes of {width:.1f} x {height:.1f} inches: its text would be {points:.1f} "
            f"points high, too small to read. Pass axes of about {own.width:.1f} x {own.height:.1f} inches, or leave "
            "ax out, and plot_tree makes a figure that is large enough."
        )


class _Pen:
    """Draws boxes and lines at one size and in the colors of one list."""

    def __init__(self, ax: Any, rule_list: RuleList, page: TreePage) -> None:
        self.ax, self.rule_list, self.page = ax, rule_list, page
        self.scale = page.scale(*_size(ax))
        self.colors = _colors(rule_list)

    def draw(self) -> None:
        for box in self.page.boxes.boxes:
            if box.children:
                self._draw_question(box)
            elif box.rule >= 0:
                self._draw_rule(box)
            else:
                self._draw_text(box, SIZES.pad / 2, color=GREY, style="italic")
        height = len(self.page.note) * SIZES.line
        note = "\n".join(self.page.note)
        self._write(1.5 * SIZES.pad, self.page.height - height / 2 - SIZES.pad, note, color=GREY)

    def _draw_question(self, box: Box) -> None:
        for word, points in box.edges:
            x, y = zip(*points, strict=True)
            self.ax.plot(x, y, color="#B0B0B0", linewidth=1.1 * self.scale, zorder=1, solid_joinstyle="round")
            self._write(x[1] + SIZES.stub / 2, y[-1] - 0.08, word, color=GREY, size=0.85)
        self._frame(box, "white", GREY)
        for line in box.lines:
            if line.curve:
                self._draw_curve(line.curve, box, box.y + line.y)
            else:
                self._write(box.x + SIZES.pad, box.y + line.y + SIZES.line / 2, line.text)

    def _draw_curve(self, curve: tuple[float, ...], box: Box, top: float) -> None:
        values = np.array(curve)
        x = np.linspace(box.x + SIZES.pad, box.x + box.width - SIZES.pad, len(values))
        y = top + SIZES.pad + (SIZES.curve_height - 2 * SIZES.pad) * (values.max() - values) / (np.ptp(values) or 1.0)
        self.ax.plot(x, y, color=INK, linewidth=2 * self.scale, solid_capstyle="round")

    def _draw_rule(self, box: Box) -> None:
        rule, color = self.rule_list[box.rule], self.colors[box.rule]
        self._frame(box, color, color)
        self._draw_text(box, SIZES.pad, weight="bold", color=_readable_on(color))
        x, length = self.page.bars, self.page.bar * rule.share / max(other.share for other in self.rule_list)
        self._write(self.page.numbers, box.middle, f"rule {box.rule + 1}", color=GREY)
        self.ax.barh(box.middle, length, 0.12, left=x, color=color)
        self._write(x + length + SIZES.pad, box.middle, samples_of(rule))

    def _draw_text(self, box: Box, indent: float, **looks: Any) -> None:
        self._write(box.x + indent, box.middle, "\n".join(line.text for line in box.lines), **looks)

    def _frame(self, box: Box, fill: Any, edge: Any) -> None:
        from matplotlib.patches import FancyBboxPatch

        shape = (box.x, box.y), box.width, box.height, "round,pad=0,rounding_size=0.06"
        self.ax.add_patch(FancyBboxPatch(*shape, facecolor=fill, edgecolor=edge, linewidth=0.9 * self.scale, zorder=2))

    def _write(self, x: float, y: float, text: str, *, color: Any = INK, size: float = 1.0, **looks: Any) -> None:
        self.ax.text(
            x, y, plain(text), va="center", color=color, fontsize=FONT_SIZE * size * self.scale, zorder=3, **looks
        )


def _colors(rule_list: RuleList) -> list[Any]:
    """Return one color per rule: that of its class, or darker for a larger value."""
    predictions = [rule.prediction for rule in rule_list]
    if rule_list.task.has_labels:
        labels = rule_list.task.labels
        colors = class_colors(len(labels))
        return [colors[labels.index(prediction)] for prediction in predictions]
    least, most = min(predictions, default=0.0), max(predictions, default=0.0)
    shades = matplotlib_or_error().get_cmap("YlGnBu")
    return [shades(0.15 + 0.7 * (prediction - least) / ((most - least) or 1.0)) for prediction in predictions]


def _readable_on(color: Any) -> str:
    """Return white on dark colors, and dark on light ones."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.62 else INK
