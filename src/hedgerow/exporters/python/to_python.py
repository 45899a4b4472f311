"""The rule list as the source of a Python function that needs no library."""

from __future__ import annotations

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.python.cells import Cells, literal
from hedgerow.rules.rule_list import RuleList

_DOCSTRING = (
    '    """Return the prediction for one row: a dictionary by column name, or a sequence in the order of COLUMNS.',
    "",
    "    Cells may be strings, as a file writes them. None and NaN are missing values. The first matching rule makes",
    "    the prediction.",
    '    """',
)


def export(rule_list: RuleList, name: str = "predict") -> str:
    """Return the source of a module with a function of this name."""
    if rule_list.fallback is not None:
        raise InvalidParameterError(
            "Where no rule matches, this list asks its ensemble, which plain Python cannot. Fit it with "
            "uncovered='default'."
        )
    rules = TableRules.of(rule_list, "plain Python")
    cells = Cells(rule_list.inputs, rules, name)
    lines = [f"def {name}(row):", *_DOCSTRING, *cells.reading(), *cells.refusals()]
    for i, (rule, tests) in enumerate(zip(rule_list, rules.rules, strict=True), start=1):
        lines += [
            "",
            f"    # {i}. if {rule.describe(rule_list.digits)}",
            *cells.branch(tests, f"return {literal(rule.prediction)}"),
        ]
    lines += ["", "    # otherwise", f"    return {literal(rule_list.default.prediction)}", ""]
    return cells.head() + "\n".join(lines)
