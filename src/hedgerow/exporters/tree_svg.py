"""Where the boxes of a rule list's trees go in a page: questions from left to right, and on the right the rules.

All lengths are pixels; y grows downwards. The page's fonts are not known here, so
that widths of texts are estimated, rather too large than too small.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from hedgerow.features import ShapeletDistance
from hedgerow.plotting.lettering import wrap
from hedgerow.report.listing import Listing
from hedgerow.rule_tree import RuleTree, TreeNode

_LETTERS, _FONT = 28, 13.0
_LINE, _PAD = 17.0, 8.0
_ROW_GAP, _TREE_GAP, _STUB, _REACH = 8.0, 26.0, 14.0, 30.0
_PICTURE_WIDTH, _PICTURE_HEIGHT = 120.0, 40.0

#: Widths of letters, as shares of the font's size, as in common fonts without serifs.
_WIDTHS = {" .,:;'|!iljI()[]": 0.34, 'frt-/\\"*': 0.42, "mwMW%@": 0.98, "ABCDEGHKNOPQRSUVXY&": 0.76, "+<>=~^±": 0.84}
_WIDTH_OF = {letter: width for letters, width in _WIDTHS.items() for letter in letters}


@dataclass
class Box:
    """A node in its place: left end ``x``, upper end ``y``, size, what is in it, and lines to what follows.

    Attributes
    ----------
    lines : tuple of str
        A question; or an answer, and below it how sure that is.
    rule : int
        The rule's number, from 1; 0 if this is a question, -1 if no rule holds here.
    curve : str
        A shapelet above the question, as a path of SVG.
    """

    node: TreeNode
    lines: tuple[str, ...]
    rule: int = 0
    curve: str = ""
    children: list[Box] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    elbow: float = 0.0

    @property
    def height(self) -> float:
        """From the upper to the lower edge."""
        return _LINE * len(self.lines) + 2 * _PAD + (_PICTURE_HEIGHT if self.curve else 0)

    @property
    def middle(self) -> float:
        """Where the lines to other boxes start and end."""
        return self.y + self.height / 2

    @property
    def band(self) -> float:
        """The height that belongs to this box and all after it, and to nothing else."""
        return max(self.height + _ROW_GAP, sum(child.band for child in self.children))

    def baselines(self) -> list[tuple[float, str]]:
        """Where each line of text stands, and the line."""
        top = self.y + _PAD + (_PICTURE_HEIGHT if self.curve else 0) + 0.76 * _LINE
        return [(top + i * _LINE, line) for i, line in enumerate(self.lines)]

    def edges(self) -> list[tuple[str, str, float]]:
        """The line to each box that follows, as a path of SVG; its word, and the height at which that stands."""
        start, turn = self.x + self.width, self.elbow
        return [
            (f"M{start:.1f} {self.middle:.1f}H{turn:.1f}V{child.middle:.1f}H{child.x:.1f}", word, child.middle - 4)
            for child, word in zip(self.children, ("yes", "no"), strict=False)
        ]

    def walk(self) -> Iterator[Box]:
        """Go through this box and all after it."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class TreePicture:
    """All boxes, and the size of the picture."""

    roots: tuple[Box, ...]
    width: float
    height: float

    @property
    def boxes(self) -> list[Box]:
        """The boxes of all trees."""
        return [box for root in self.roots for box in root.walk()]


def draw_tree(tree: RuleTree, listing: Listing, digits: int) -> TreePicture:
    """Return the boxes of the trees, each in its place."""
    roots = tuple(_box(root, listing, digits) for root in tree.trees)
    top = 1.0
    for root in roots:
        _place_rows(root, top)
        top += root.band + _TREE_GAP
    return TreePicture(roots, _place_columns(roots) + 1, top - _TREE_GAP + 1)


def text_width(text: str) -> float:
    """Return about how wide a text is."""
    return _FONT * sum(_width_of(letter) for letter in text)


def curve(values: tuple[float, ...], width: float, height: float) -> str:
    """Return numbers as a line in a box of this size, as a path of SVG."""
    least, spread = min(values), (max(values) - min(values)) or 1.0
    step = width / max(1, len(values) - 1)
    points = [f"{i * step:.1f} {height - height * (value - least) / spread:.1f}" for i, value in enumerate(values)]
    return "M" + "L".join(points if len(points) > 1 else [points[0], f"{width:.1f} {height:.1f}"])


def _width_of(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return _WIDTH_OF.get(letter, 0.64)


def _box(node: TreeNode, listing: Listing, digits: int) -> Box:
    if node.children:
        texts = [condition.describe(digits) for condition in node.conditions]
        lines = [line for i, text in enumerate(texts) for line in wrap("and " * (i > 0) + text, _LETTERS)]
        drawn = [c.feature.shapelet for c in node.conditions if isinstance(c.feature, ShapeletDistance)]
        picture = curve(drawn[0], _PICTURE_WIDTH, _PICTURE_HEIGHT - 8) if drawn else ""
        return Box(node, _plain(lines), 0, picture, [_box(child, listing, digits) for child in node.children])
    if node.rule < 0:
        return Box(node, ("no rule",), -1)
    row = listing.rules[node.rule]
    samples = f"{row.coverage} sample{'s' * (row.coverage != 1)}"
    below = f"rule {row.number} · " + (f"{row.certainty} · " if row.certainty else "") + samples
    return Box(node, (*_plain(wrap(row.answer, _LETTERS) or [""]), below), row.number)


def _plain(lines: list[str]) -> tuple[str, ...]:
    return tuple(line.replace("\u00a0", " ") for line in lines)


def _place_rows(box: Box, top: float) -> None:
    """Give a box and all after it their heights; each part of the tree has a band of its own, so nothing overlaps."""
    band = box.band
    inside = top + (band - sum(child.band for child in box.children)) / 2
    for child in box.children:
        _place_rows(child, inside)
        inside += child.band
    middle = sum(child.middle for child in box.children) / 2 if box.children else top + band / 2
    box.y = min(max(middle - box.height / 2, top), top + band - box.height)


def _place_columns(roots: tuple[Box, ...]) -> float:
    """Give each step of questions a column, and all rules the last; return where that ends."""
    boxes = [box for root in roots for box in root.walk()]
    for box in boxes:
        box.width = max(map(text_width, box.lines)) + 2 * _PAD
        box.width = max(box.width, _PICTURE_WIDTH + 2 * _PAD) if box.curve else box.width
    x, level = 1.0, list(roots)
    while any(box.children for box in level):
        width = max(box.width for box in level if box.children)
        for box in level:
            box.x, box.elbow = x, x + width + _STUB
            box.width = width if box.children else box.width
        x, level = x + width + _STUB + _REACH, [child for box in level for child in box.children]
    rules = [box for box in boxes if box.rule > 0]
    width = max((box.width for box in rules), default=0.0)
    for box in rules:
        box.x, box.width = x, width
    for box in level:
        box.x = x
    return x + width
