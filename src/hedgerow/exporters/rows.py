"""Rules as rows of text, which tables in a terminal, a notebook and LaTeX show."""

from __future__ import annotations

from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.weighted_rules import WeightedRules


def rows_of(rules: RuleList | WeightedRules, show_missing: bool = False) -> tuple[list[str], list[list[str]]]:
    """Return the header, and one row per rule with its number; then, without a number, what is not a rule.

    With ``show_missing``, rules say where missing values go even if there were none in training.
    """
    if not isinstance(rules, RuleList):
        return rules.cells()
    rows, inputs = [], rules.inputs
    missing_in = {f for f in inputs.features if inputs.can_be_missing(f)} if show_missing else ()
    for i, rule in enumerate(rules, start=1):
        what, then = rule.describe(rules.digits, missing_in), rule.describe_prediction()
        rows.append([str(i), what, then, str(rule.coverage), f"{100 * rule.share:.1f} %"])
    if all(rule.simplified for rule in rules):  # behind a rule without conditions, nothing else applies
        rows.append(["", "otherwise", rules.describe_default(), "", ""])
    return ["", "if", "then", "samples", "share"], rows
