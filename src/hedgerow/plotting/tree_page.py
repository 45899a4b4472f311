"""What :func:`hedgerow.plotting.plot_tree` draws: the boxes, a bar per rule beside them, and a note below.

Lengths are in inches at the size at which the plot is meant to be seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from hedgerow.plotting.lettering import fit, text_width
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import RuleTree, samples_of
from hedgerow.rules.tree_layout import Sizes, Text, TreeLayout, lay_out
from hedgerow.rules.wording import format_value

SIZES = Sizes(
    text_width=lambda text, is_bold: text_width(text, weight="bold" if is_bold else "normal"),
    line=0.17,
    pad=0.08,
    curve_width=1.3,
    curve_height=0.5,
    stub=0.12,
    reach=0.42,
    row_gap=0.1,
    tree_gap=0.3,
    margin=0.12,
)
#: The widest line in a box, and the widths that are tried in given axes.
_ROOM, _ROOMS = 2.1, (3.0, 2.1, 1.5, 1.1, 0.8)
#: The length of the longest bar, as a share of the widest line.
_BAR = 0.38
#: To fill given axes, rows are moved apart by this factor at most.
_MOST_STRETCH = 2.0


@dataclass(frozen=True)
class TreePage:
    """The boxes, the lines of the note, where the rules' numbers and bars begin, the longest bar, and the size."""

    boxes: TreeLayout
    note: tuple[str, ...]
    numbers: float
    bars: float
    bar: float
    width: float
    height: float

    @classmethod
    def of(cls, rule_list: RuleList) -> TreePage:
        """Lay out a page that is as large as it needs to be."""
        return cls._of(rule_list, RuleTree.of(rule_list), _ROOM)

    @classmethod
    def within(cls, rule_list: RuleList, width: float, height: float) -> TreePage:
        """Break lines so that the letters are as large as possible in this space, and fill its height."""
        tree = RuleTree.of(rule_list)
        pages = [cls._of(rule_list, tree, room) for room in _ROOMS]
        best = max(pages, key=lambda page: page.scale(width, height))
        factor = min(_MOST_STRETCH, height / (best.scale(width, height) * best.height))
        for box in best.boxes.boxes:
            box.y = factor * box.middle - box.height / 2
        return replace(best, height=factor * best.height)

    @classmethod
    def _of(cls, rule_list: RuleList, tree: RuleTree, room: float) -> TreePage:
        boxes = lay_out(tree, rule_list.digits, partial(_leaf, rule_list, len(tree.trees) == 1), SIZES, room)
        numbers = boxes.end_of_rules + SIZES.pad
        bars = numbers + text_width(f"rule {len(rule_list)}") + 2 * SIZES.pad
        bar = _BAR * room
        ends = [bars + bar + SIZES.pad + text_width(samples_of(rule)) + SIZES.margin for rule in rule_list]
        width = max([boxes.width, *ends])
        note = _note(rule_list, len(tree.trees), width)
        return cls(boxes, note, numbers, bars, bar, width, boxes.height + len(note) * SIZES.line)

    def scale(self, width: float, height: float) -> float:
        """Return by how much the page can be enlarged in a space of this size."""
        return min(width / self.width, height / self.height)


def _leaf(rule_list: RuleList, is_alone: bool, i: int) -> list[Text]:
    if i < 0:
        return [Text(f"no rule: {rule_list.describe_default()}" if is_alone else "no rule")]
    rule = rule_list[i]
    return [Text(format_value(rule.prediction) if rule.spread is None else rule.describe_prediction(), is_bold=True)]


def _note(rule_list: RuleList, n_trees: int, width: float) -> tuple[str, ...]:
    if n_trees == 1:
        return ()
    text = (
        "Follow every tree: of the rules reached, the one with the smallest number makes the prediction. "
        f"If none is reached: {rule_list.describe_default()}."
    )
    return tuple(fit(text, width - 3 * SIZES.pad))
