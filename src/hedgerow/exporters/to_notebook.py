"""Rules as a small HTML table: what a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from hedgerow.exporters.rows import rows_of
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.weighted_rules import WeightedRules

#: The columns that are aligned left; the others hold numbers.
_LEFT = ("if", "then", "else")


def export(rules: RuleList | WeightedRules) -> str:
    """Return a table with every name and label escaped, and the proof below it."""
    head, rows = rows_of(rules)
    styles = [f"text-align:{'left' if name in _LEFT else 'right'}" for name in head]

    def cells(kind: str, row: Sequence[str]) -> str:
        pairs = zip(styles, row, strict=True)
        return "".join(f'<{kind} style="{style}">{escape(cell)}</{kind}>' for style, cell in pairs)

    lines = ["<table>", f"<thead><tr>{cells('th', head)}</tr></thead><tbody>"]
    lines += [f"<tr>{cells('td', row)}</tr>" for row in rows]
    lines.append("</tbody></table>")
    if isinstance(rules, RuleList) and rules.solution is not None:
        lines.append(f"<p>{escape(rules.solution.describe())}</p>")
    return "\n".join(lines)
