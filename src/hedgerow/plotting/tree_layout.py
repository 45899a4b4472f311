"""Where the boxes of a drawn rule list go: questions from left to right, and on the right a row a rule.

All lengths are inches at the size in which the picture is meant to be seen; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from hedgerow.features import ShapeletDistance
from hedgerow.plotting.lettering import fit, text_width
from hedgerow.rules.rule import Condition, Rule, format_value
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import RuleTree, TreeNode, walk

LINE, PAD = 0.17, 0.08
#: The picture of a shapelet in its box.
PICTURE_WIDTH, PICTURE_HEIGHT = 1.3, 0.5
#: The widest line in a box, and what else is tried in a given place; a text has no more lines.
_ROOM, _ROOMS = 2.1, (3.0, 2.1, 1.5, 1.1, 0.8)
_MOST_LINES = 4
#: The longest bar is such a share of the widest line.
_BAR = 0.38
#: Rows are at most so many times as far apart as they need to be, to fill what is given.
_MOST_STRETCH = 2.0
#: Between a box and the line that goes up and down behind it, and from there on to the next box.
STUB, REACH = 0.12, 0.42
_ROW_GAP, _TREE_GAP, _MARGIN = 0.1, 0.3, 0.12


@dataclass
class Box:
    """A node in its place: left end ``x``, middle ``y``, size, and the lines in it; a shapelet among them is drawn."""

    node: TreeNode
    lines: list[str | ShapeletDistance]
    children: list[Box] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    elbow: float = 0.0

    @property
    def height(self) -> float:
        """From the upper to the lower edge."""
        return sum(PICTURE_HEIGHT if isinstance(line, ShapeletDistance) else LINE for line in self.lines) + 2 * PAD

    @property
    def band(self) -> float:
        """The height that belongs to this box and all after it, and to nothing else."""
        return max(self.height + _ROW_GAP, sum(child.band for child in self.children))


@dataclass(frozen=True)
class TreeLayout:
    """All boxes of a picture, what is said below them, where the rules' numbers and bars begin, and the size.

    ``bar`` is the length of the longest bar.
    """

    roots: tuple[Box, ...]
    note: tuple[str, ...]
    numbers: float
    bars: float
    bar: float
    width: float
    height: float

    def scale(self, width: float, height: float) -> float:
        """Return how large all can be drawn in a place of this size; 1 is as meant."""
        return min(width / self.width, height / self.height)


def lay_out(rule_list: RuleList) -> TreeLayout:
    """Return the boxes of a rule list's trees, each in its place."""
    return _lay_out(rule_list, RuleTree.of(rule_list).trees, _ROOM)


def lay_out_within(rule_list: RuleList, width: float, height: float) -> TreeLayout:
    """Return the boxes with lines as long as makes the letters largest in a place of this size, and fill its height."""
    trees = RuleTree.of(rule_list).trees
    layouts = [_lay_out(rule_list, trees, room) for room in _ROOMS]
    best = max(layouts, key=lambda layout: layout.scale(width, height))
    factor = min(_MOST_STRETCH, height / (best.scale(width, height) * best.height))
    for root in best.roots:
        for box in walk(root):
            box.y *= factor
    return replace(best, height=factor * best.height)


def _lay_out(rule_list: RuleList, trees: tuple[TreeNode, ...], room: float) -> TreeLayout:
    roots = tuple(_box(root, rule_list, len(trees) == 1, room) for root in trees)
    top = _MARGIN
    for root in roots:
        _place_rows(root, top)
        top += root.band + _TREE_GAP
    numbers = _place_columns(roots) + PAD
    bars = numbers + text_width(f"rule {len(rule_list)}") + 2 * PAD
    bar = _BAR * room
    ends = [bars + bar + PAD + text_width(samples_of(rule)) for rule in rule_list]
    ends += [box.x + box.width for root in roots for box in walk(root) if box.node.is_dead_end]
    width = max(ends, default=0.0) + _MARGIN
    note = _note(rule_list, len(trees), width)
    return TreeLayout(roots, note, numbers, bars, bar, width, top - _TREE_GAP + _MARGIN + len(note) * LINE)


def samples_of(rule: Rule) -> str:
    """Say how many samples a rule covers, and the share of its class among them."""
    samples = f"{rule.coverage} sample{'s' * (rule.coverage != 1)}"
    return samples if rule.class_share is None else f"{100 * rule.class_share:.0f} % of {samples}"


def _box(node: TreeNode, rule_list: RuleList, is_alone: bool, room: float) -> Box:
    if node.children:
        lines = list(_questions(node.conditions, rule_list.digits, room))
        return Box(node, lines, [_box(child, rule_list, is_alone, room) for child in node.children])
    if node.rule < 0:
        text = f"no rule: {rule_list.describe_default()}" if is_alone else "no rule"
        return Box(node, [*fit(text, room, most_lines=_MOST_LINES)])
    rule = rule_list[node.rule]
    answer = format_value(rule.prediction) if rule.spread is None else rule.describe_prediction()
    return Box(node, [*fit(answer, room, weight="bold", most_lines=_MOST_LINES)])


def _questions(conditions: Iterable[Condition], digits: int, room: float) -> Iterator[str | ShapeletDistance]:
    for i, condition in enumerate(conditions):
        if isinstance(condition.feature, ShapeletDistance):
            yield condition.feature
        yield from fit(("and " if i else "") + condition.describe(digits), room, most_lines=_MOST_LINES)


def _place_rows(box: Box, top: float) -> None:
    """Give a box and all after it their heights; each part of the tree has a band of its own, so nothing overlaps."""
    band, height = box.band, box.height + _ROW_GAP
    inside = top + (band - sum(child.band for child in box.children)) / 2
    for child in box.children:
        _place_rows(child, inside)
        inside += child.band
    middle = sum(child.y for child in box.children) / 2 if box.children else top + band / 2
    box.y = min(max(middle, top + height / 2), top + band - height / 2)


def _place_columns(roots: tuple[Box, ...]) -> float:
    """Give each step of questions a column, and all rules the last; return where that ends."""
    boxes = [box for root in roots for box in walk(root)]
    for box in boxes:
        box.width = _width(box)
    x, level = _MARGIN, list(roots)
    while any(box.children for box in level):
        elbow = x + max(box.width for box in level if box.children) + STUB
        for box in level:
            box.x, box.elbow = x, elbow
        x, level = elbow + REACH, [child for box in level for child in box.children]
    rules = [box for box in boxes if box.node.rule >= 0]
    width = max((box.width for box in rules), default=0.0)
    for box in (*rules, *level):
        box.x, box.width = x, box.width if box.node.is_dead_end else width
    return x + width


def _width(box: Box) -> float:
    weight = "bold" if box.node.rule >= 0 else "normal"
    widths = (
        PICTURE_WIDTH if isinstance(line, ShapeletDistance) else text_width(line, weight=weight) for line in box.lines
    )
    return max(widths) + 2 * PAD


def _note(rule_list: RuleList, n_trees: int, width: float) -> tuple[str, ...]:
    if n_trees == 1:
        return ()
    text = (
        "Go through every tree: of the rules found, the one with the smallest number answers. "
        f"No rule at all: {rule_list.describe_default()}."
    )
    return tuple(fit(text, width - 3 * PAD))
