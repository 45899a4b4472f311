"""The rule list as text: what ``print`` shows."""

from __future__ import annotations

from hedgerow._support.text_table import aligned
from hedgerow.exporters.rows import rows_of
from hedgerow.rules.rule_list import RuleList


def export(rule_list: RuleList) -> str:
    """Return one line per rule, then the default, then the proof."""
    _, rows = rows_of(rule_list)
    for row in rows[:-1]:
        row[0] += "."
        row[1] = f"if {row[1]}"
        row[3] += " sample " if row[3] == "1" else " samples"
    for row in rows:
        row[2] = f"then {row[2]}"
    lines = aligned(rows, right=frozenset({0, 3, 4}))
    if rule_list.solution is not None:
        lines.append(rule_list.solution.describe())
    return "\n".join(lines)
