"""Rules as rows of text, which tables in a terminal, a notebook and LaTeX show."""

from __future__ import annotations

from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.weighted_rules import WeightedRules


def rows_of(rules: RuleList | WeightedRules) -> tuple[list[str], list[list[str]]]:
    """Return the header, and one row per rule with its number; then, without a number, what is not a rule."""
    if not isinstance(rules, RuleList):
        return rules.cells()
    rows = []
    for i, rule in enumerate(rules, start=1):
        what, then = rule.describe(rules.digits), rule.describe_prediction()
        rows.append([str(i), what, then, str(rule.coverage), f"{100 * rule.share:.1f} %"])
    return ["", "if", "then", "samples", "share"], [*rows, ["", "otherwise", rules.describe_default(), "", ""]]
