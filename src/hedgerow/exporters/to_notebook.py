"""Rules as a small HTML table: what a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from hedgerow.rules.rule_list import RuleList


class HasCells(Protocol):
    """What is a table of text already: weighted rules."""

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return heads and rows."""
        ...


def export(rules: RuleList | HasCells) -> str:
    """Return a table with every name and label escaped."""
    if isinstance(rules, RuleList):
        return _of_list(rules)
    head, rows = rules.cells()
    return _table(head, rows, left=("if", "then", "else"))


def _of_list(rule_list: RuleList) -> str:
    rows = [
        (
            str(i),
            rule.describe(rule_list.digits),
            rule.describe_prediction(),
            f"{rule.coverage}",
            f"{100 * rule.share:.1f} %",
        )
        for i, rule in enumerate(rule_list, start=1)
    ]
    rows.append(("", "otherwise", rule_list.describe_default(), "", ""))
    table = _table(("", "if", "then", "samples", "share"), rows, left=("if", "then"))
    if rule_list.solution is None:
        return table
    return f"{table}\n<p>{escape(rule_list.solution.describe())}</p>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str]) -> str:
    """Return a table; the columns with these heads begin, the others end, in one place."""
    styles = [f"text-align:{'left' if name in left else 'right'}" for name in head]

    def cells(kind: str, row: Sequence[str]) -> str:
        return "".join(
            f'<{kind} style="{style}">{escape(cell)}</{kind}>' for style, cell in zip(styles, row, strict=True)
        )

    lines = ["<table>", f"<thead><tr>{cells('th', head)}</tr></thead><tbody>"]
    lines += [f"<tr>{cells('td', row)}</tr>" for row in rows]
    return "\n".join([*lines, "</tbody></table>"])
