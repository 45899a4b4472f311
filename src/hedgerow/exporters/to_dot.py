"""The rule list as a tree of its conditions, in the DOT language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from hedgerow._support.lettering import wrap
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import RuleTree, TreeNode, samples_of
from hedgerow.rules.wording import format_value

_HEAD = """\
digraph rules {
  rankdir=LR
  nodesep=0.15
  node [shape=box, style="rounded,filled", fillcolor=white, color=gray60, fontname="Helvetica", fontsize=11]
  edge [color=gray60, fontcolor=gray35, fontname="Helvetica", fontsize=9]"""

#: Characters per line of a box.
_WRAP = 34


def export(rule_list: RuleList) -> str:
    """Return the source of a directed graph: conditions from left to right, then the rules."""
    trees = RuleTree.of(rule_list).trees
    writer = _Writer(rule_list, is_alone=len(trees) == 1)
    lines = [_HEAD]
    for tree in reversed(trees):  # Graphviz puts what comes last on top
        lines += writer.lines(tree)
    if not writer.is_alone:
        note = (
            "Follow every tree: of the rules reached, the one with the smallest number makes the prediction. "
            f"If no rule matches: {rule_list.describe_default()}."
        )
        lines.append(f'  label={_label(wrap(note, 90))}; labelloc=b; labeljust=l; fontname="Helvetica"; fontsize=11')
    return "\n".join([*lines, "}"])


class _Writer:
    """Numbers the nodes and writes them."""

    def __init__(self, rule_list: RuleList, is_alone: bool) -> None:
        self.rule_list, self.is_alone, self._numbers = rule_list, is_alone, count()

    def lines(self, node: TreeNode) -> Iterator[str]:
        """Yield the lines of a node and its descendants; its own first, so that its number is known."""
        name = f"n{next(self._numbers)}"
        if not node.children:
            yield f"  {name} [{self._leaf(node)}]"
            return
        yield f"  {name} [label={_label(self._conditions(node))}]"
        for child, word in zip(node.children, ("yes", "no"), strict=True):
            below = list(self.lines(child))
            yield from below
            yield f'  {name} -> {below[0].split()[0]} [label="{word}"]'

    def _conditions(self, node: TreeNode) -> Iterator[str]:
        for i, condition in enumerate(node.conditions):
            yield from wrap(("and " if i else "") + condition.describe(self.rule_list.digits), _WRAP)

    def _leaf(self, node: TreeNode) -> str:
        if node.rule < 0:
            text = f"no rule matches: {self.rule_list.describe_default()}" if self.is_alone else "no rule"
            return f'label={_label(wrap(text, _WRAP))}, shape=plaintext, style="", fontcolor=gray35'
        rule = self.rule_list[node.rule]
        prediction = format_value(rule.prediction) if rule.spread is None else rule.describe_prediction()
        lines = [*wrap(prediction, _WRAP), f"rule {node.rule + 1}, {samples_of(rule)}"]
        if rule.of_model is not None and rule.class_share is not None:  # of numbers, the prediction says it
            lines.append(f"model {100 * rule.of_model:.0f} %")
        return f'label={_label(lines)}, fillcolor="{self._color(rule)}", penwidth=0'

    def _color(self, rule: Rule) -> str:
        """Return a light colour as hue, saturation, value: one per class, or darker for larger values."""
        if self.rule_list.task.has_labels:
            place = self.rule_list.task.labels.index(rule.prediction)
            # Neighbouring classes get distant hues; every other one is paler.
            hue = (0.58 + place * 0.618034) % 1
            return f"{hue:.3f} {0.28 if place % 2 else 0.4:.2f} {1 if place % 2 else 0.95:.2f}"
        values = [one.prediction for one in self.rule_list]
        least, most = min(values), max(values)
        return f"0.55 {0.08 + 0.42 * (rule.prediction - least) / ((most - least) or 1):.3f} 0.95"


def _label(lines: Iterable[str]) -> str:
    r"""Return lines as one quoted string, aligned left.

    In quotes a backslash begins a command (``\l`` ends a line, ``\N`` is the name of the node), so a literal one is
    written twice.
    """
    quoted = (line.replace("\u00a0", " ").replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "".join(f"{line}\\l" for line in quoted) + '"'
