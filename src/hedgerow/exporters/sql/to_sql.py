"""The rule list as SQL: one CASE expression, or a SELECT with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.sql.writer import Writer, check_returns, checked_dialect, of_one_type, place_of
from hedgerow.rules.rule_list import RuleList

Returns = Literal["prediction", "rule", "text", "probability"]


def export(
    rule_list: RuleList,
    dialect: str = "postgres",
    *,
    table: str | Sequence[str] | None = None,
    returns: Returns = "prediction",
    label: Any = None,
    columns: Sequence[str] | None = None,
    booleans: Iterable[str] = (),
    alias: str | None = None,
) -> str:
    """Return the list as SQL; the parameters are those of :meth:`hedgerow.RuleList.to_sql`."""
    checked_dialect(dialect)
    answers = of_one_type(_answers(rule_list, returns, label), "returns='rule' gives the position of the rule instead")
    rules = TableRules.of(rule_list, "SQL")
    writer = Writer.of(dialect, rule_list.inputs, rules, table, columns, booleans)
    comments = [f"{i}. if {rule.describe(rule_list.digits)}" for i, rule in enumerate(rule_list, start=1)]
    case = writer.case(rules)
    for tests, answer, comment in zip(rules.rules, answers[:-1], comments, strict=True):
        case.when(writer.holds(tests), writer.noted(writer.answer(answer), comment), copy=False)
    case.else_(writer.noted(writer.answer(answers[-1]), "otherwise"), copy=False)
    return writer.finished(case, returns, alias)


def _answers(rule_list: RuleList, returns: Returns, label: Any) -> list[Any]:
    """Return what each rule answers, the default last."""
    check_returns(returns, get_args(Returns), label)
    rules = (*rule_list, rule_list.default)
    if returns == "rule":
        return [*range(len(rule_list)), -1]
    if rule_list.fallback is not None:
        raise InvalidParameterError(
            "Where no rule fires this list asks its ensemble, which SQL cannot. Fit it with uncovered='default'; or "
            "take returns='rule', which is -1 where the ensemble is to be asked."
        )
    if returns == "text":
        return [*rule_list.sentences()]
    if returns == "probability":
        place = place_of(label, rule_list.classes, "prediction, rule or text")
        return [float(rule.distribution[place]) for rule in rules if rule.distribution is not None]
    said = [rule.prediction.item() if isinstance(rule.prediction, np.generic) else rule.prediction for rule in rules]
    return [float(one) for one in said] if rule_list.classes is None else said
