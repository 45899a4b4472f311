"""The rule list as trees, laid out for a page: the boxes in pixels, and their lines as SVG paths.

The page's fonts are not known here, so widths of text are estimated, rather too
large than too small.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from hedgerow.exporters.html.report.listing import Listing
from hedgerow.rules.rule_tree import RuleTree
from hedgerow.rules.tree_layout import Sizes, Text, TreeLayout, lay_out

_FONT = 13.0
#: The widest line in a box: the first one for which the picture is no wider than a page, else the last.
_ROOMS, _PAGE = (220.0, 180.0, 145.0, 115.0), 1280.0

#: Widths of letters, as shares of the font size, as in common sans-serif fonts.
_WIDTHS = {" .,:;'|!iljI()[]": 0.34, 'frt-/\\"*': 0.42, "mwMW%@": 0.98, "ABCDEGHKNOPQRSUVXY&": 0.76, "+<>=~^±": 0.84}
_WIDTH_OF = {letter: width for letters, width in _WIDTHS.items() for letter in letters}
_WIDTH, _WIDE, _BOLD = 0.64, 1.05, 1.12
#: Combining marks and invisible characters take no room.
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})


def text_width(text: str, is_bold: bool = False) -> float:
    """Estimate the width of text, in pixels."""
    return _FONT * sum(map(_width_of, text)) * (_BOLD if is_bold else 1.0)


SIZES = Sizes(
    text_width=text_width,
    line=17.0,
    pad=8.0,
    curve_width=120.0,
    curve_height=40.0,
    stub=14.0,
    reach=30.0,
    row_gap=8.0,
    tree_gap=26.0,
    margin=1.0,
    mark=4.0,
)


def draw_tree(tree: RuleTree, listing: Listing, digits: int) -> TreeLayout:
    """Return the boxes of the trees, with lines as long as the width of a page allows."""

    def leaf(i: int) -> list[Text]:
        if i < 0:
            return [Text("no rule")]
        row = listing.rules[i]
        rows = f"{row.coverage} row{'s' * (row.coverage != 1)}"
        below = f"rule {row.number} · " + (f"{row.certainty} · " if row.certainty else "") + rows
        return [Text(row.prediction, is_bold=True), Text(below, on_one_line=True)]

    for room in _ROOMS:
        layout = lay_out(tree, digits, leaf, SIZES, room)
        if layout.width <= _PAGE:
            break
    return layout


def path(points: Iterable[tuple[float, float]]) -> str:
    """Return a line through points, as an SVG path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def curve(values: Sequence[float], width: float, height: float) -> str:
    """Return numbers as a line in a box of this size, as an SVG path."""
    least, spread = min(values), (max(values) - min(values)) or 1.0
    if len(values) == 1:
        return path([(0.0, height), (width, height)])
    step = width / (len(values) - 1)
    return path((i * step, height - height * (value - least) / spread) for i, value in enumerate(values))


def _width_of(letter: str) -> float:
    known = _WIDTH_OF.get(letter)
    if known is not None:
        return known
    if unicodedata.category(letter) in _NO_WIDTH:
        return 0.0
    # In scripts other than Latin, Greek and Cyrillic, and among symbols, letters may be as wide as they are high.
    is_wide = unicodedata.east_asian_width(letter) in "WF" or ord(letter) >= 0x0530
    return _WIDE if is_wide else _WIDTH
