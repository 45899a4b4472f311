"""The rule list as SQL: one CASE expression, or a SELECT with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.sql.options import Options
from hedgerow.exporters.sql.writer import Writer
from hedgerow.rules.rule_list import RuleList


def export(rule_list: RuleList, counts: bool = False, target: str | None = None, **options: Any) -> str:
    """Return the list as SQL; the options are those of :meth:`hedgerow.RuleList.to_sql`."""
    asked = Options(**options)
    if counts:
        from hedgerow.exporters.sql import to_counts  # it loads scipy

        return to_counts.export(rule_list, target, asked)
    if target is not None:
        raise InvalidParameterError("target names the column whose values are counted; it needs counts=True.")
    *results, default = _of_one_type(_results(rule_list, asked))
    rules = TableRules.of(rule_list, "SQL")
    writer = Writer.of(asked, rule_list.inputs, rules)
    case = writer.case(rules)
    for i, (rule, tests, result) in enumerate(zip(rule_list, rules.rules, results, strict=True), start=1):
        comment = f"{i}. if {rule.describe(rule_list.digits)}"
        case.when(writer.holds(tests), writer.noted(writer.result(result), comment), copy=False)
    case.else_(writer.noted(writer.result(default), "otherwise"), copy=False)
    return writer.finished(case)


def _results(rule_list: RuleList, asked: Options) -> list[Any]:
    """Return what the expression gives for each rule, the default last."""
    if asked.returns == "rule":
        return [*range(len(rule_list)), -1]
    if rule_list.fallback is not None:
        raise InvalidParameterError(
            "Where no rule matches, this list asks its ensemble, which SQL cannot. Fit it with uncovered='default', or "
            "use returns='rule', which gives -1 there."
        )
    if asked.returns == "text":
        return rule_list.sentences()
    rules = (*rule_list, rule_list.default)
    if asked.returns == "probability":
        place = asked.class_index(rule_list.task)
        return [float(rule.distribution[place]) for rule in rules if rule.distribution is not None]
    said = [rule.prediction.item() if isinstance(rule.prediction, np.generic) else rule.prediction for rule in rules]
    return said if rule_list.task.has_labels else [float(one) for one in said]


def _of_one_type(results: list[Any]) -> list[Any]:
    """Return the results if a database gives them one type; integers among floats become floats."""
    kinds = {type(result) for result in results}
    if kinds == {int, float}:
        return [float(result) for result in results]
    if len(kinds) > 1 or not kinds <= {str, bool, int, float}:
        shown = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise InvalidDataError(
            f"SQL has no single type for predictions of type {shown}. They must all be strings, all numbers or all "
            "booleans; use returns='rule' for the position of the rule instead."
        )
    if kinds == {int} and any(not -(2**63) < result < 2**63 for result in results):
        raise InvalidDataError(
            "A label is not a 64-bit integer; use returns='rule' for the position of the rule instead."
        )
    return results
