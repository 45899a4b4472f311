"""Weighted rules as SQL: an expression that adds up what they say, or a SELECT with it.

The expression is a subquery of one row in layers, so that nothing is written twice: which rules hold, what they add up
to, the answer. Only the innermost layer looks at the table. Sums are in the order of the rules, as in the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Literal, get_args

from hedgerow.arrays import FloatArray
from hedgerow.baselines import LinearTerm, WeightedRules
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.sql_writer import Writer, check_returns, checked_dialect, of_one_type, place_of
from hedgerow.exporters.weighted_cells import cells_of, comments_of

Returns = Literal["prediction", "probability"]

#: The exponential of more is out of the range of doubles, an error in some databases.
_LARGEST_EXPONENT = 700.0


def export(
    rules: WeightedRules,
    dialect: str = "postgres",
    *,
    table: str | Sequence[str] | None = None,
    returns: Returns = "prediction",
    label: Any = None,
    columns: Sequence[str] | None = None,
    booleans: Iterable[str] = (),
    alias: str | None = None,
) -> str:
    """Return the rules as SQL; the parameters are those of :meth:`hedgerow.baselines.WeightedRules.to_sql`."""
    checked_dialect(dialect)
    check_returns(returns, get_args(Returns), label)
    place = None if returns == "prediction" else place_of(label, rules.classes, "prediction")
    tests = cells_of(rules, "SQL")
    layers = _Layers(rules, Writer.of(dialect, rules.inputs, tests, table, columns, booleans))
    outputs = layers.outputs(tests)
    answer = layers.prediction(outputs) if place is None else layers.share(place, outputs)
    if tests.refused:
        answer = layers.writer.case(tests).else_(answer, copy=False)
    return layers.writer.finished(answer, returns, alias)


class _Layers:
    """Writes the layers, each a query on the one before."""

    def __init__(self, rules: WeightedRules, writer: Writer) -> None:
        self.rules, self.writer, self.exp = rules, writer, writer.exp
        # Some databases let a name mean what was so named before in the same SELECT, rather than a column of the table.
        self.mark = ""
        while any(re.fullmatch(rf"[a-z]+_\d+{self.mark}", name.casefold()) for name in writer.names):
            self.mark += "_"

    def outputs(self, tests: TableRules) -> Any:
        """Return the query that gives ``output_1``, ..."""
        rules, parts = self.rules, self._parts(tests)
        source = self._query(parts, None) if parts else None
        if rules.combination == "sum":
            amounts = [*rules.added, *(term.slope for term in rules.linear)]
            return self._query(self._sums("output", rules.base, amounts, list(parts)), source)
        sums: dict[str, Any] = {}
        for name, each in (("weight", rules.weights), ("said", rules.added)):
            sums |= self._sums(name, 0 * rules.intercept, [*each], list(parts))
        means = {f"output_{k}": self._mean(k, float(x)) for k, x in enumerate(rules.intercept, start=1)}
        return self._query(means, self._query(sums, source))

    def prediction(self, outputs: Any) -> Any:
        """Return the label or the value."""
        rules, columns = self.rules, self._columns("output")
        if rules.classes is None:
            return self._answer(columns[0], outputs)
        labels = [self.writer.answer(label) for label in self._labels()]
        case = self.exp.Case()
        if len(columns) == 1:
            wins = self.exp.GT(this=columns[0], expression=self._number(rules.middle))
            return self._answer(case.when(wins, labels[1], copy=False).else_(labels[0], copy=False), outputs)
        if rules.link == "identity":
            outputs, columns = self._shares(outputs), self._columns("share")
        for k, label in enumerate(labels[:-1]):
            # Those before have lost already, and not to one of the same share.
            later = [self.exp.GTE(this=columns[k].copy(), expression=other.copy()) for other in columns[k + 1 :]]
            case.when(self.writer.all(later), label, copy=False)
        return self._answer(case.else_(labels[-1], copy=False), outputs)

    def share(self, place: int, outputs: Any) -> Any:
        """Return the share of a class."""
        exp, source, columns = self.exp, self._shares(outputs), self._columns("share")
        if len(columns) == 1:
            first = exp.Sub(this=self._number(1.0), expression=columns[0].copy())
            return self._answer(columns[0] if place == 1 else first, source)
        total = reduce(lambda left, right: exp.Add(this=left, expression=right), columns)
        scaled = self._divided(columns[place].copy(), exp.paren(total.copy(), copy=False))
        some = exp.GT(this=total, expression=self._number(0.0))
        equal = self._number(1 / len(columns))
        return self._answer(exp.Case().when(some, scaled, copy=False).else_(equal, copy=False), source)

    def _parts(self, tests: TableRules) -> dict[str, Any]:
        """Return for each rule whether it holds, 1 or 0, and for each linear term what its slope is multiplied by."""
        rules, exp = self.rules, self.exp
        zero, one = exp.Literal.number(0), exp.Literal.number(1)
        values = {f"rule_{i}": one.copy() for i in range(1, len(rules) + 1)}
        values |= {f"linear_{i}": self._offset(term) for i, term in enumerate(rules.linear, start=1)}
        parts = {}
        for (name, value), asked, comment in zip(values.items(), tests.rules, comments_of(rules), strict=True):
            case = exp.Case().when(self.writer.holds(asked), value, copy=False).else_(zero.copy(), copy=False)
            parts[name] = self.writer.noted(case, comment)
        return parts

    def _offset(self, term: LinearTerm) -> Any:
        """Return the value of a column, cut off, less the center."""
        assert hasattr(term.feature, "index")
        exp, value = self.exp, self.writer.number(term.feature.index)
        inside = exp.Sub(this=value.copy(), expression=self._number(term.center))
        return self._cut(value, term.low, term.high, inside, minus=term.center)

    def _shares(self, outputs: Any) -> Any:
        """Return the query that gives ``share_1``, ..., which are not scaled yet."""
        write = self._logistic if self.rules.link == "logistic" else self._clipped
        columns = {f"share_{k}": write(column) for k, column in enumerate(self._columns("output"), start=1)}
        return self._query(columns, outputs)

    def _clipped(self, value: Any) -> Any:
        return self._cut(value, 0.0, 1.0, value.copy())

    def _logistic(self, value: Any) -> Any:
        exp = self.exp
        cut = self._cut(value, -_LARGEST_EXPONENT, _LARGEST_EXPONENT, value.copy())
        power = exp.Exp(this=exp.Neg(this=cut))
        return self._divided(self._number(1.0), exp.paren(exp.Add(this=self._number(1.0), expression=power)))

    def _cut(self, value: Any, low: float, high: float, inside: Any, minus: float = 0.0) -> Any:
        exp, case = self.exp, self.exp.Case()
        case.when(exp.LT(this=value.copy(), expression=self._number(low)), self._number(low - minus), copy=False)
        case.when(exp.GT(this=value.copy(), expression=self._number(high)), self._number(high - minus), copy=False)
        return case.else_(inside, copy=False)

    def _sums(self, name: str, start: FloatArray, amounts: list[FloatArray], parts: list[str]) -> dict[str, Any]:
        """Return one sum an output, by its name: the start, and amounts times the parts."""
        sums = {}
        for k, first in enumerate(start):
            total = self._number(float(first))
            for part, amount in zip(parts, amounts, strict=True):
                if amount[k]:
                    product = self.exp.Mul(this=self._number(float(amount[k])), expression=self._column(part))
                    total = self.exp.Add(this=total, expression=product)
            sums[f"{name}_{k + 1}"] = total
        return sums

    def _mean(self, k: int, otherwise: float) -> Any:
        weight, said = self._column(f"weight_{k}"), self._column(f"said_{k}")
        some = self.exp.GT(this=weight.copy(), expression=self._number(0.0))
        case = self.exp.Case().when(some, self._divided(said, weight), copy=False)
        return case.else_(self._number(otherwise), copy=False)

    def _divided(self, above: Any, below: Any) -> Any:
        # As it stands: both are doubles, and what is below is not zero.
        return self.exp.Div(this=above, expression=below, typed=True, safe=False)

    def _labels(self) -> list[Any]:
        assert self.rules.classes is not None
        return of_one_type(self.rules.classes.tolist(), "returns='probability' gives the share of a class instead")

    def _number(self, number: float) -> Any:
        return self.writer.dialect.result(number)

    def _column(self, name: str) -> Any:
        return self.exp.column(self._name(name))

    def _name(self, name: str) -> Any:
        return self.writer.dialect.name(name + self.mark)

    def _columns(self, name: str) -> list[Any]:
        return [self._column(f"{name}_{k}") for k in range(1, len(self.rules.intercept) + 1)]

    def _query(self, columns: Mapping[str, Any], source: Any) -> Any:
        """Return a SELECT of expressions by their names."""
        named = [self.exp.alias_(column, self._name(name)) for name, column in columns.items()]
        return self._of(self.exp.select(*named), source)

    def _answer(self, expression: Any, source: Any) -> Any:
        """Return the outermost layer, as an expression."""
        return self._of(self.exp.select(expression), source).subquery()

    def _of(self, query: Any, source: Any) -> Any:
        return query if source is None else query.from_(source.subquery("layer"), copy=False)
