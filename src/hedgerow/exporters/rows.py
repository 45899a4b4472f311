"""Rules as rows of text, which tables in a terminal, a notebook and LaTeX show."""

from __future__ import annotations

from typing import Protocol

from hedgerow.rules.rule_list import RuleList


class HasCells(Protocol):
    """Rules that are a table of text already, such as weighted rules."""

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows."""
        ...


def rows_of(rules: RuleList | HasCells) -> tuple[list[str], list[list[str]]]:
    """Return the header, and one row per rule with its number; then, without a number, what is not a rule."""
    if not isinstance(rules, RuleList):
        return rules.cells()
    rows = [
        [
            str(i),
            rule.describe(rules.digits),
            rule.describe_prediction(),
            str(rule.coverage),
            f"{100 * rule.share:.1f} %",
        ]
        for i, rule in enumerate(rules, start=1)
    ]
    return ["", "if", "then", "samples", "share"], [*rows, ["", "otherwise", rules.describe_default(), "", ""]]
