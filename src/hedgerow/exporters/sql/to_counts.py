"""The counts of a rule list as a query: how many rows each rule decides, and for how many each condition holds.

One pass over the table, one row per rule and, with labels, per rule and label.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hedgerow.evidence.counts import conditions_of
from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.sql.dialects import exp
from hedgerow.exporters.sql.options import Options
from hedgerow.exporters.sql.writer import Writer
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList

if TYPE_CHECKING:
    from sqlglot.expressions import Expression


def export(rule_list: RuleList, target: str | None, asked: Options) -> str:
    """Return the query; :meth:`hedgerow.RuleList.to_sql` describes it."""
    if not asked.table_path:
        raise InvalidParameterError("Counts are those of a table: pass its name with table=.")
    if asked.returns not in ("prediction", "rule") or asked.alias is not None:
        raise InvalidParameterError("With counts=True, the columns are given; leave out returns and alias.")
    conditions, n = conditions_of(rule_list), len(rule_list)
    # As rules of a list, conditions are read from the cells as the rules themselves are.
    alone = (Rule((condition,), rule_list.default.prediction) for condition in conditions)
    tests = TableRules.of(replace(rule_list, rules=(*rule_list, *alone)), "SQL")
    writer = Writer.of(asked, rule_list.inputs, tests)
    case = writer.case(tests)
    for i in range(n):
        comment = f"{i + 1}. if {rule_list[i].describe(rule_list.digits)}"
        case.when(writer.holds(tests.rules[i]), writer.noted(writer.result(i), comment), copy=False)
    case.else_(writer.noted(writer.result(-1), "otherwise"), copy=False)
    looked: dict[str, Expression] = {"rule": writer.with_cells(case)}
    if target is not None:
        looked["target"] = _target(writer, target, rule_list.task.has_labels)
    for k, condition in enumerate(conditions, start=1):
        one = exp.Case().when(writer.holds(tests.rules[n + k - 1]), exp.Literal.number(1), copy=False)
        held = one.else_(exp.Literal.number(0), copy=False)
        looked[f"condition_{k}"] = writer.noted(writer.with_cells(held), condition.describe(rule_list.digits))
    return writer.written(_summed(writer, looked, rule_list.task.has_labels))


def _target(writer: Writer, target: str, is_label: bool) -> Expression:
    column = writer.named(target)
    return column if is_label else exp.cast(column, "double")


def _summed(writer: Writer, looked: dict[str, Expression], has_labels: bool) -> Expression:
    """Return the sums over the rows of each rule, and of each label if there is one."""
    names = {name: writer.free_name(f"hedgerow_{name}") for name in looked}
    inner = exp.select(*(exp.alias_(one, names[name]) for name, one in looked.items())).from_(writer.source())
    columns = {name: exp.column(names[name].copy(), table=exp.to_identifier("seen", quoted=True)) for name in looked}
    groups = {"rule": columns.pop("rule")}
    target: Any = columns.pop("target", None)
    if target is not None and has_labels:
        groups["label"] = target
    sums: dict[str, Expression] = {"n": exp.Count(this=exp.Star())}
    if target is not None and not has_labels:
        square = exp.Mul(this=target.copy(), expression=target.copy())
        sums |= {"targets": exp.Count(this=target.copy()), "total": exp.Sum(this=target.copy())}
        sums["squares"] = exp.Sum(this=square)
    sums |= {name: exp.Sum(this=column) for name, column in columns.items()}
    shown = [exp.alias_(one.copy(), name, quoted=True) for name, one in (*groups.items(), *sums.items())]
    outer = exp.select(*shown).from_(inner.subquery(exp.to_identifier("seen", quoted=True), copy=False))
    return outer.group_by(*(one.copy() for one in groups.values()), copy=False).order_by(
        *(exp.Ordered(this=one.copy(), nulls_first=False) for one in groups.values()), copy=False
    )
