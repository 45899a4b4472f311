"""Where the boxes of a rule list's trees go: questions from left to right, and the rules in the last column.

The result is plain data, which the plot and the report draw. Lengths are in the
unit of :class:`Sizes`; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hedgerow._support.lettering import fit
from hedgerow.rules.rule_tree import RuleTree, TreeNode

#: Text has no more lines; the middle of a longer one is left out.
_MOST_LINES = 4


@dataclass(frozen=True)
class Sizes:
    """The lengths of a picture, in inches, pixels or whatever ``text_width`` measures in.

    Attributes
    ----------
    text_width : callable
        Returns the width of a string; the second argument says whether it is bold.
    line, pad : float
        Height of a line, and the space around the text of a box.
    curve_width, curve_height : float
        Least width, and height, of a shapelet that is drawn in a box.
    stub, reach : float
        From a box to the vertical line behind it, and from there to the next box.
    row_gap, tree_gap, margin : float
        Between boxes, between trees, and around everything.
    mark : float
        Space to the left of a rule's text, for a mark in its color.
    """

    text_width: Callable[[str, bool], float]
    line: float
    pad: float
    curve_width: float
    curve_height: float
    stub: float
    reach: float
    row_gap: float
    tree_gap: float
    margin: float
    mark: float = 0.0


class Text(NamedTuple):
    """What to write in a box, on as many lines as it takes, or on one; with a curve above it, if there is one."""

    text: str
    is_bold: bool = False
    on_one_line: bool = False
    curve: tuple[float, ...] = ()


class Line(NamedTuple):
    """A line of text, or a curve, in a box; ``y`` is its upper end, counted from the upper end of the box."""

    y: float
    text: str
    is_bold: bool = False
    curve: tuple[float, ...] = ()


@dataclass
class Box:
    """A node in its place.

    Attributes
    ----------
    rule : int
        The position of the rule in the list; -1 for a question and where there is no rule.
    text : str
        What the box says, without line breaks.
    is_cut : bool
        Whether the lines leave out a part of the text.
    lines : tuple of Line
    children : tuple of Box
        What follows a question, yes before no.
    width, height : float
    band : float
        The height that belongs to this box and its descendants alone.
    x, y : float
        Left and upper end.
    elbow : float
        Where the edges to the children turn.
    """

    rule: int
    text: str
    is_cut: bool
    lines: tuple[Line, ...]
    children: tuple[Box, ...]
    width: float
    height: float
    band: float
    x: float = 0.0
    y: float = 0.0
    elbow: float = 0.0

    @property
    def boxes(self) -> list[Box]:
        """The box itself and its descendants, each before its children."""
        return [self, *(box for child in self.children for box in child.boxes)]

    @property
    def middle(self) -> float:
        """The height at which edges start and end."""
        return self.y + self.height / 2

    @property
    def edges(self) -> tuple[tuple[str, tuple[tuple[float, float], ...]], ...]:
        """The lines to the children, each as the answer it stands for, "yes" or "no", and four points."""
        start, turn = self.x + self.width, self.elbow
        return tuple(
            (word, ((start, self.middle), (turn, self.middle), (turn, child.middle), (child.x, child.middle)))
            for child, word in zip(self.children, ("yes", "no"), strict=False)
        )


@dataclass(frozen=True)
class TreeLayout:
    """The roots of the trees, where the column of the rules ends, and the size of the picture."""

    roots: tuple[Box, ...]
    end_of_rules: float
    width: float
    height: float

    @property
    def boxes(self) -> list[Box]:
        """The boxes of all trees, each before its children."""
        return [box for root in self.roots for box in root.boxes]


def lay_out(
    tree: RuleTree, digits: int, leaf: Callable[[int], Sequence[Text]], sizes: Sizes, room: float
) -> TreeLayout:
    """Return the boxes of the trees, each in its place.

    Parameters
    ----------
    tree : RuleTree
    digits : int
        Significant digits of thresholds.
    leaf : callable
        Returns what to write in the box of a rule, given its position; of -1, where there is no rule.
    sizes : Sizes
    room : float
        Text is broken into lines no wider than this.
    """
    roots = tuple(_box(root, digits, leaf, sizes, room) for root in tree.trees)
    top = sizes.margin
    for root in roots:
        _place_rows(root, top, sizes.row_gap)
        top += root.band + sizes.tree_gap
    end = _place_columns(roots, sizes)
    width = max((box.x + box.width for root in roots for box in root.boxes), default=0.0)
    return TreeLayout(roots, end, width + sizes.margin, top - sizes.tree_gap + sizes.margin)


def _box(node: TreeNode, digits: int, leaf: Callable[[int], Sequence[Text]], sizes: Sizes, room: float) -> Box:
    texts = _questions(node, digits) if node.children else leaf(node.rule)
    broken = [_broken(text, sizes, room) for text in texts]
    lines, y, width = [], sizes.pad, 0.0
    for text, rows in zip(texts, broken, strict=True):
        if text.curve:
            lines.append(Line(y, "", curve=text.curve))
            y, width = y + sizes.curve_height, max(width, sizes.curve_width)
        for row in rows:
            lines.append(Line(y, row, text.is_bold))
            y, width = y + sizes.line, max(width, sizes.text_width(row, text.is_bold))
    height = y + sizes.pad
    children = tuple(_box(child, digits, leaf, sizes, room) for child in node.children)
    return Box(
        node.rule,
        text=" ".join(text.text for text in texts if not text.on_one_line),
        is_cut=any(_letters("".join(rows)) != _letters(text.text) for text, rows in zip(texts, broken, strict=True)),
        lines=tuple(lines),
        children=children,
        width=width + 2 * sizes.pad + (sizes.mark if node.rule >= 0 else 0.0),
        height=height,
        band=max(height + sizes.row_gap, sum(child.band for child in children)),
    )


def _broken(text: Text, sizes: Sizes, room: float) -> list[str]:
    if text.on_one_line:
        return [text.text]
    return fit(text.text, room, lambda line: sizes.text_width(line, text.is_bold), _MOST_LINES) or [""]


def _letters(text: str) -> str:
    return "".join(text.split())


def _questions(node: TreeNode, digits: int) -> list[Text]:
    return [
        Text(("and " if i else "") + condition.describe(digits), curve=condition.feature.curve)
        for i, condition in enumerate(node.conditions)
    ]


def _place_rows(box: Box, top: float, gap: float) -> None:
    """Place a box and its descendants vertically; each subtree has a band of its own, so nothing overlaps."""
    inside = top + (box.band - sum(child.band for child in box.children)) / 2
    for child in box.children:
        _place_rows(child, inside, gap)
        inside += child.band
    middle = sum(child.middle for child in box.children) / 2  # of a leaf it does not matter: it fills its band
    least, most = top + gap / 2, top + box.band - gap / 2 - box.height
    box.y = min(max(middle - box.height / 2, least), most)


def _place_columns(roots: tuple[Box, ...], sizes: Sizes) -> float:
    """Place each level of questions in one column and all rules in the last; return where that ends."""
    x, level = sizes.margin, list(roots)
    while any(box.children for box in level):
        width = max(box.width for box in level if box.children)
        for box in level:
            box.x, box.elbow = x, x + width + sizes.stub
            box.width = width if box.children else box.width
        x, level = x + width + sizes.stub + sizes.reach, [child for box in level for child in box.children]
    rules = [box for root in roots for box in root.boxes if box.rule >= 0]
    width = max((box.width for box in rules), default=0.0)
    for box in level:
        box.x = x
    for box in rules:
        box.x, box.width = x, width
    return x + width
