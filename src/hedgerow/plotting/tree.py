"""The rule list as a tree of its conditions."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.exceptions import warn
from hedgerow.features import ShapeletDistance
from hedgerow.plotting.drawable import rule_list_of
from hedgerow.plotting.lettering import FONT_SIZE
from hedgerow.plotting.style import GREY, INK, class_colors, matplotlib_or_error, plain
from hedgerow.plotting.tree_layout import (
    LINE,
    PAD,
    PICTURE_HEIGHT,
    STUB,
    Box,
    TreeLayout,
    lay_out,
    lay_out_within,
    samples_of,
)
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import walk

#: Smaller letters, in points, are not read.
_SMALLEST = 5.0


def plot_tree(rule_list: Any, *, ax: Any = None) -> Any:
    """Draw a rule list as a tree: questions from left to right, and on the right the rules.

    Every rule that can have its turn is drawn once, with its number in the
    list, its answer, how often that is right, and a bar for its share of the
    training samples. A list whose rules are not the leaves of one tree is drawn
    as several; see :mod:`hedgerow.rules.rule_tree`.

    Parameters
    ----------
    rule_list : RuleList, or fitted estimator with a ``rule_list_``
    ax : matplotlib axes, optional
        Where to draw: all is made as large as fits there, with a warning if it then cannot be read. A new figure, as
        large as the tree needs, if not given.

    Returns
    -------
    matplotlib axes
    """
    plt, rules = matplotlib_or_error(), rule_list_of(rule_list)
    if ax is None:
        layout = lay_out(rules)
        figure = plt.figure(figsize=(layout.width, layout.height))
        ax = figure.add_axes((0, 0, 1, 1))
    else:
        layout = lay_out_within(rules, *_size(ax))
        _check_letters(rules, layout, *_size(ax))
    _Pen(ax, rules, layout).draw()
    ax.set(xlim=(0, layout.width), ylim=(layout.height, 0), aspect="equal", anchor="NW")
    ax.axis("off")
    return ax


def _size(ax: Any) -> tuple[float, float]:
    """Return the width and height of axes, in inches."""
    return ax.bbox.width / ax.figure.dpi, ax.bbox.height / ax.figure.dpi


def _check_letters(rule_list: RuleList, layout: TreeLayout, width: float, height: float) -> None:
    """Warn if letters are too small to be read, with what would be large enough."""
    points = FONT_SIZE * layout.scale(width, height)
    if points < _SMALLEST:
        own = lay_out(rule_list)
        warn(
            f"The tree does not fit into axes of {width:.1f} x {height:.1f} inches: its letters have {points:.1f} "
            "points there, too small to be read. Give axes of about "
            f"{own.width:.1f} x {own.height:.1f} inches, or leave ax out: plot_tree then makes a figure that is large "
            "enough."
        )


class _Pen:
    """Draws boxes and lines in one size and in the colours of one list."""

    def __init__(self, ax: Any, rule_list: RuleList, layout: TreeLayout) -> None:
        self.ax, self.rule_list, self.layout = ax, rule_list, layout
        self.scale = layout.scale(*_size(ax))
        self.colors = _colors(rule_list)

    def draw(self) -> None:
        for root in self.layout.roots:
            for box in walk(root):
                if box.children:
                    self._draw_question(box)
                elif box.node.rule >= 0:
                    self._draw_rule(box)
                else:
                    self._write(box.x + PAD / 2, box.y, "\n".join(map(str, box.lines)), color=GREY, style="italic")
        height = len(self.layout.note) * LINE
        self._write(1.5 * PAD, self.layout.height - height / 2 - PAD, "\n".join(self.layout.note), color=GREY)

    def _draw_question(self, box: Box) -> None:
        for child, word in zip(box.children, ("yes", "no"), strict=True):
            self._line([box.x + box.width, box.elbow, box.elbow, child.x], [box.y, box.y, child.y, child.y])
            self._write(box.elbow + STUB / 2, child.y - 0.08, word, color=GREY, size=0.85)
        self._frame(box, "white", GREY)
        top = box.y - box.height / 2 + PAD
        for line in box.lines:
            if isinstance(line, ShapeletDistance):
                self._draw_shapelet(line, box, top)
                top += PICTURE_HEIGHT
            else:
                self._write(box.x + PAD, top + LINE / 2, line)
                top += LINE

    def _draw_shapelet(self, feature: ShapeletDistance, box: Box, top: float) -> None:
        values = np.array(feature.shapelet)
        spread = np.ptp(values) or 1.0
        x = np.linspace(box.x + PAD, box.x + box.width - PAD, len(values))
        y = top + PAD + (PICTURE_HEIGHT - 2 * PAD) * (values.max() - values) / spread
        self.ax.plot(x, y, color=INK, linewidth=2 * self.scale, solid_capstyle="round")

    def _draw_rule(self, box: Box) -> None:
        rule, color = self.rule_list[box.node.rule], self.colors[box.node.rule]
        self._frame(box, color, color)
        self._write(box.x + PAD, box.y, "\n".join(map(str, box.lines)), weight="bold", color=_readable_on(color))
        x, length = self.layout.bars, self.layout.bar * rule.share / max(other.share for other in self.rule_list)
        self._write(self.layout.numbers, box.y, f"rule {box.node.rule + 1}", color=GREY)
        self.ax.barh(box.y, length, 0.12, left=x, color=color)
        self._write(x + length + PAD, box.y, samples_of(rule))

    def _frame(self, box: Box, fill: Any, edge: Any) -> None:
        from matplotlib.patches import FancyBboxPatch

        corner = (box.x, box.y - box.height / 2)
        style = "round,pad=0,rounding_size=0.06"
        self.ax.add_patch(
            FancyBboxPatch(
                corner,
                box.width,
                box.height,
                style,
                facecolor=fill,
                edgecolor=edge,
                linewidth=0.9 * self.scale,
                zorder=2,
            )
        )

    def _line(self, x: list[float], y: list[float]) -> None:
        self.ax.plot(x, y, color="#B0B0B0", linewidth=1.1 * self.scale, zorder=1, solid_joinstyle="round")

    def _write(self, x: float, y: float, text: str, *, color: Any = INK, size: float = 1.0, **looks: Any) -> None:
        self.ax.text(
            x, y, plain(text), va="center", color=color, fontsize=FONT_SIZE * size * self.scale, zorder=3, **looks
        )


def _colors(rule_list: RuleList) -> list[Any]:
    """Return one colour a rule: that of its class, or darker for a larger value."""
    answers = [rule.prediction for rule in rule_list]
    if rule_list.classes is not None:
        labels = rule_list.classes.tolist()
        colors = class_colors(len(labels))
        return [colors[labels.index(answer)] for answer in answers]
    least, most = min(answers, default=0.0), max(answers, default=0.0)
    shades = matplotlib_or_error().get_cmap("YlGnBu")
    return [shades(0.15 + 0.7 * (answer - least) / ((most - least) or 1.0)) for answer in answers]


def _readable_on(color: Any) -> str:
    """Return white on dark colours, and dark on light ones."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.62 else INK
