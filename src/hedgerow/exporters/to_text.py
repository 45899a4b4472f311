"""The rule list as text: what ``print`` shows."""

from __future__ import annotations

from hedgerow._support.text_table import aligned
from hedgerow.rules.rule_list import RuleList


def export(rule_list: RuleList) -> str:
    """Return one line a rule, then the default, then the proof."""
    rows = [
        (
            f"{i}.",
            f"if {rule.describe(rule_list.digits)}",
            f"then {rule.describe_prediction()}",
            f"{rule.coverage} sample{'s' if rule.coverage != 1 else ' '}",
            f"{100 * rule.share:.1f} %",
        )
        for i, rule in enumerate(rule_list, start=1)
    ]
    rows.append(("", "otherwise", f"then {rule_list.describe_default()}", "", ""))
    lines = aligned(rows, right=frozenset({0, 3, 4}))
    if rule_list.solution is not None:
        lines.append(rule_list.solution.describe())
    return "\n".join(lines)
