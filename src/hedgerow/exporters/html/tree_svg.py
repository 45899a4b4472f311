"""Where the boxes of a rule list's trees go in a page: questions from left to right, and on the right the rules.

All lengths are pixels; y grows downwards. The page's fonts are not known here, so
that widths of texts are estimated, rather too large than too small.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import partial

from hedgerow.exporters.html.report.listing import Listing
from hedgerow.plotting.lettering import fit_by
from hedgerow.rules.rule_tree import RuleTree, TreeNode, walk

_FONT = 13.0
#: The widest line in a box: the first with which the picture is no wider than a page can show it, else the last.
_ROOMS, _PAGE = (220.0, 180.0, 145.0, 115.0), 1280.0
#: A condition or an answer has no more lines; the middle of a longer one is left out.
_MOST_LINES = 4
_LINE, _PAD = 17.0, 8.0
_ROW_GAP, _TREE_GAP, _STUB, _REACH = 8.0, 26.0, 14.0, 30.0
_PICTURE_WIDTH, _PICTURE_HEIGHT = 120.0, 40.0
#: The colour of a class, to the left of an answer.
_MARK = 4.0

#: Widths of letters, as shares of the font's size, as in common fonts without serifs.
_WIDTHS = {" .,:;'|!iljI()[]": 0.34, 'frt-/\\"*': 0.42, "mwMW%@": 0.98, "ABCDEGHKNOPQRSUVXY&": 0.76, "+<>=~^±": 0.84}
_WIDTH_OF = {letter: width for letters, width in _WIDTHS.items() for letter in letters}
_WIDTH, _WIDE, _BOLD = 0.64, 1.05, 1.12
#: Marks on the letter before them, and what is not seen at all, take no room.
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})


@dataclass
class Box:
    """A node in its place: left end ``x``, upper end ``y``, size, what is in it, and lines to what follows.

    Attributes
    ----------
    text : str
        A question, or an answer.
    lines : tuple of str
        The same as it is drawn; below an answer stands how sure that is.
    is_cut : bool
        Whether not all of the text is drawn.
    rule : int
        The rule's number, from 1; 0 if this is a question, -1 if no rule holds here.
    curve : str
        A shapelet above the question, as a path of SVG.
    """

    text: str
    lines: tuple[str, ...]
    is_cut: bool = False
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


@dataclass(frozen=True)
class TreePicture:
    """All boxes, and the size of the picture."""

    roots: tuple[Box, ...]
    width: float
    height: float

    @property
    def boxes(self) -> list[Box]:
        """The boxes of all trees."""
        return [box for root in self.roots for box in walk(root)]


def draw_tree(tree: RuleTree, listing: Listing, digits: int) -> TreePicture:
    """Return the boxes of the trees, each in its place, with lines as long as the width of a page allows."""
    for room in _ROOMS:
        picture = _draw_tree(tree, listing, digits, room)
        if picture.width <= _PAGE:
            break
    return picture


def _draw_tree(tree: RuleTree, listing: Listing, digits: int, room: float) -> TreePicture:
    roots = tuple(_box(root, listing, digits, room) for root in tree.trees)
    top = 1.0
    for root in roots:
        _place_rows(root, top)
        top += root.band + _TREE_GAP
    return TreePicture(roots, _place_columns(roots) + 1, top - _TREE_GAP + 1)


def text_width(text: str, is_bold: bool = False) -> float:
    """Return about how wide a text is."""
    return _FONT * sum(map(_width_of, text)) * (_BOLD if is_bold else 1.0)


def curve(values: tuple[float, ...], width: float, height: float) -> str:
    """Return numbers as a line in a box of this size, as a path of SVG."""
    least, spread = min(values), (max(values) - min(values)) or 1.0
    step = width / max(1, len(values) - 1)
    points = [f"{i * step:.1f} {height - height * (value - least) / spread:.1f}" for i, value in enumerate(values)]
    return "M" + "L".join(points if len(points) > 1 else [points[0], f"{width:.1f} {height:.1f}"])


def _width_of(letter: str) -> float:
    known = _WIDTH_OF.get(letter)
    if known is not None:
        return known
    if unicodedata.category(letter) in _NO_WIDTH:
        return 0.0
    # In scripts other than Latin, Greek and Cyrillic, and among signs, letters may be as wide as they are high.
    is_wide = unicodedata.east_asian_width(letter) in "WF" or ord(letter) >= 0x0530
    return _WIDE if is_wide else _WIDTH


def _box(node: TreeNode, listing: Listing, digits: int, room: float) -> Box:
    if node.children:
        return _question(node, listing, digits, room)
    if node.rule < 0:
        return Box("no rule", ("no rule",), rule=-1, width=text_width("no rule") + 2 * _PAD)
    row = listing.rules[node.rule]
    samples = f"{row.coverage} sample{'s' * (row.coverage != 1)}"
    below = f"rule {row.number} · " + (f"{row.certainty} · " if row.certainty else "") + samples
    lines = fit_by(partial(text_width, is_bold=True), row.answer, room, _MOST_LINES) or [""]
    width = max([text_width(below), *(text_width(line, is_bold=True) for line in lines)]) + 2 * _PAD + _MARK
    return Box(row.answer, (*lines, below), _is_cut(row.answer, lines), row.number, width=width)


def _question(node: TreeNode, listing: Listing, digits: int, room: float) -> Box:
    texts = [("and " if i else "") + condition.describe(digits) for i, condition in enumerate(node.conditions)]
    lines = [line for text in texts for line in fit_by(text_width, text, room, _MOST_LINES)]
    drawn = [c.feature.curve for c in node.conditions if c.feature.curve]
    picture = curve(drawn[0], _PICTURE_WIDTH, _PICTURE_HEIGHT - 8) if drawn else ""
    width = max([_PICTURE_WIDTH if drawn else 0.0, *map(text_width, lines)]) + 2 * _PAD
    children = [_box(child, listing, digits, room) for child in node.children]
    text = " ".join(texts)
    return Box(text, tuple(lines), _is_cut(text, lines), 0, picture, children, width=width)


def _is_cut(text: str, lines: list[str]) -> bool:
    return "".join("".join(lines).split()) != "".join(text.split())


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
    boxes = [box for root in roots for box in walk(root)]
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
    return max(box.x + box.width for box in boxes)
