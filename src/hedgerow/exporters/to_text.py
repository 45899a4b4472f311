"""The rule list as text: what ``print`` shows."""

from __future__ import annotations

from hedgerow._support.text_table import aligned
from hedgerow.exporters.rows import rows_of
from hedgerow.rules.rule import ABOUT_TAUGHT, TAUGHT
from hedgerow.rules.rule_list import RuleList


def export(rule_list: RuleList, show_missing: bool = False) -> str:
    """Return one line per rule, then the default, what "taught" means if some rule is, and the proof."""
    _, rows = rows_of(rule_list, show_missing)
    for row in rows:
        always = row[1] == "always"
        row[2] = f"predict {row[2]}" if always else f"then {row[2]}"
        if row[0]:
            row[0] += "."
            row[1] = row[1] if always else f"if {row[1]}"
            row[3] += " sample " if row[3] == "1" else " samples"
    lines = aligned(rows, right=frozenset({0, 3, 4}))
    if any(rule.kind == TAUGHT for rule in rule_list):
        lines.append(ABOUT_TAUGHT)
    if rule_list.solution is not None:
        lines.append(rule_list.solution.describe())
    lines += conditions_of(rule_list)
    return "\n".join(lines)


def conditions_of(rule_list: RuleList) -> list[str]:
    """Return a line about what the list had to satisfy, and one about edits, as far as there are any."""
    lines = [f"subject to: {'; '.join(rule_list.constraints)}"] if rule_list.constraints else []
    if rule_list.edits:
        n_steps, first = len({edit.step for edit in rule_list.edits}), rule_list.edits[0]
        steps = "" if n_steps == 1 else f" in {n_steps} steps"
        # What has to stay and what has to go is said above.
        others = [edit.describe() for edit in rule_list.edits if edit.kind in ("add", "max_rules")]
        told = "; ".join([*others, f"objective {first.before:.6g} before"])
        lines.append(f"edited{steps}: {told}")
    return lines
