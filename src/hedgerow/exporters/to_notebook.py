"""The rule list as a small HTML table: what a notebook shows."""

from __future__ import annotations

from html import escape

from hedgerow.rule_list import RuleList


def export(rule_list: RuleList) -> str:
    """Return a table with every name and label escaped."""
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
    left, right = "text-align:left", "text-align:right"
    styles = (right, left, left, right, right)
    head = ("", "if", "then", "samples", "share")
    lines = ["<table>", "<thead><tr>"]
    lines += [f'<th style="{style}">{escape(cell)}</th>' for style, cell in zip(styles, head, strict=True)]
    lines.append("</tr></thead><tbody>")
    for row in rows:
        cells = "".join(f'<td style="{style}">{escape(cell)}</td>' for style, cell in zip(styles, row, strict=True))
        lines.append(f"<tr>{cells}</tr>")
    lines.append("</tbody></table>")
    if rule_list.solution is not None:
        lines.append(f"<p>{escape(rule_list.solution.describe())}</p>")
    return "\n".join(lines)
