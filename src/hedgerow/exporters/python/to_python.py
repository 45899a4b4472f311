"""The rule list as Python: the source of a function that needs nothing but Python itself."""

from __future__ import annotations

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.python.cells import Cells, literal
from hedgerow.rules.rule_list import RuleList

_DOCSTRING = (
    '    """Answer one row: a dictionary by names of columns, or a sequence in the order of COLUMNS.',
    "",
    "    None and NaN are missing values. The first rule whose conditions hold answers.",
    '    """',
)


def export(rule_list: RuleList, name: str = "predict") -> str:
    """Return the source of a module with a function of that name."""
    if rule_list.fallback is not None:
        raise InvalidParameterError(
            "Where no rule fires this list asks its ensemble, which plain Python cannot. Fit it with "
            "uncovered='default'."
        )
    rules = TableRules.of(rule_list, "plain Python")
    cells = Cells(rule_list.inputs.names, rules, name)
    lines = [f"def {name}(row):", *_DOCSTRING, *cells.reading(), *cells.refusals()]
    for i, (rule, tests) in enumerate(zip(rule_list, rules.rules, strict=True), start=1):
        lines += [
            "",
            f"    # {i}. if {rule.describe(rule_list.digits)}",
            *cells.branch(tests, f"return {literal(rule.prediction)}"),
        ]
    lines += ["", "    # otherwise", f"    return {literal(rule_list.default.prediction)}", ""]
    return cells.head() + "\n".join(lines)
