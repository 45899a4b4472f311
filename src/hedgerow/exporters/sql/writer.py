"""Tests of cells, and predictions, as SQL expressions.

sqlglot quotes names and strings. Every comparison is between doubles, whatever the type of the column, and with a
threshold that the database reads back as the same double.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hedgerow.exceptions import InvalidDataError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.sql.dialects import Dialect, exp, signed
from hedgerow.exporters.sql.options import Options
from hedgerow.features import CellTest, NumberTest, ValueTest
from hedgerow.features.number_sets import ALL, NumberSet, ends
from hedgerow.rules.wording import printable

if TYPE_CHECKING:
    from sqlglot.expressions import Case, Expression

#: What would end a comment, or in PostgreSQL start a nested one; and quotes, which DuckDB counts even in comments when
#: it replaces unusual spaces outside of quotes by plain ones.
_NOT_IN_COMMENTS = {"*/": "* /", "/*": "/ *", "'": "\u2019", '"': "\u201d"}
#: Databases parse this many alternatives in a row without running out of stack.
_MOST_IN_A_ROW = 64


@dataclass(frozen=True)
class Writer:
    """Writes tests and results as sqlglot expressions.

    Attributes
    ----------
    options : Options
    names : list of str
        The columns of the table, one per column of X.
    booleans : set of int
        The columns that hold booleans.
    """

    options: Options
    names: list[str]
    booleans: set[int]

    @classmethod
    def of(cls, options: Options, known: list[str], rules: TableRules) -> Writer:
        """Return the writer for rules on the known columns, if the options fit these."""
        names = options.column_names(known, rules.columns)
        return cls(options, names, options.boolean_columns(names, rules.columns))

    @property
    def database(self) -> Dialect:
        """What the database does differently."""
        return self.options.database

    def finished(self, expression: Expression) -> str:
        """Return an expression as SQL, with its alias; with a table, the query that adds it as a column."""
        alias, path = self.options.alias, self.options.table_path
        if path:
            named = exp.alias_(expression, self.database.name(self.options.returns if alias is None else alias))
            *above, name = map(self.database.name, path)
            source = exp.Table(this=name, **dict(zip(("db", "catalog"), reversed(above), strict=False)))
            expression = exp.select("*", named).from_(source)
        elif alias is not None:
            expression = exp.alias_(expression, self.database.name(alias))
        return expression.sql(dialect=self.options.dialect, pretty=True)

    def case(self, rules: TableRules) -> Case:
        """Return a CASE expression that starts with the rows for which there is no prediction."""
        case: Case = exp.Case()
        if rules.refused:
            refused = _any([self._test(test) for test in rules.refused])
            case.when(refused, self.noted(exp.null(), "refused: the ensemble cannot handle this value"), copy=False)
        return case

    def holds(self, tests: Iterable[CellTest]) -> Expression:
        """Return the condition that all tests are passed."""
        return _all([self._test(test) for test in tests])

    def noted(self, expression: Expression, comment: str) -> Expression:
        """Return an expression with a comment."""
        comment = printable(comment)
        for sign, instead in _NOT_IN_COMMENTS.items():
            comment = comment.replace(sign, instead)
        expression.comments = [f" {comment} "]
        return expression

    def result(self, value: str | bool | int | float) -> Expression:
        """Return a label or a number."""
        if isinstance(value, bool):
            return exp.true() if value else exp.false()
        if isinstance(value, str):
            return self.database.text(value)
        if isinstance(value, int):
            return signed(value, str(abs(value)))
        return self.database.result(value)

    def _test(self, test: CellTest) -> Expression:
        if test.column in self.booleans or _is_on_booleans(test):
            return self._boolean_test(test)
        as_numbers = test if isinstance(test, NumberTest) else test.as_numbers()
        if as_numbers is not None:
            return self._number_test(as_numbers)
        assert isinstance(test, ValueTest)
        return self._value_test(test)

    def _boolean_test(self, test: CellTest) -> Expression:
        column = self._column(test.column)
        true, false, missing = test.passes(True), test.passes(False), test.missing
        if true and false:
            return _is_present(column) if missing is False else exp.true()
        if true == false:
            return _is_null(column) if missing else exp.false()
        passes = exp.Is(this=column, expression=exp.Boolean(this=true))
        return _any([passes, _is_null(column.copy())]) if missing else passes

    def _number_test(self, test: NumberTest) -> Expression:
        column, is_nan = self._column(test.column), self.database.is_nan
        value = exp.cast(column.copy(), "double")
        if test.numbers == ALL:
            ways, takes_nan = [_is_present(column.copy())], True
        else:
            ways, takes_nan = self._among(test.numbers, value)
        if is_nan is not None and takes_nan and test.missing is False:
            ways = [_all([_any(ways), is_nan(value, False)])]
        if is_nan is not None and not takes_nan and test.missing:
            ways.append(is_nan(value, True))
        return _any([*ways, _is_null(column)] if test.missing else ways)

    def _among(self, numbers: NumberSet, value: Expression) -> tuple[list[Expression], bool]:
        """Return comparisons of which one must hold, and whether NaN passes them in the database."""
        number, points, holes = self.database.number, numbers.points, (~numbers).points
        if points is not None:
            return _one_of(value, [number(point) for point in points]), False
        if holes is not None:
            (found,) = _one_of(value, [number(hole) for hole in holes])
            return [_negated(found)], True
        ways = [self._between(value, part) for part in numbers.parts]
        return ways, self.database.nan_is_largest and numbers.parts[-1][1] == math.inf

    def _between(self, value: Expression, part: tuple[float, float]) -> Expression:
        number, (lower, upper), tests = self.database.number, ends(part), []
        if part[0] == part[1]:
            return exp.EQ(this=value.copy(), expression=number(part[0]))
        if lower is not None:
            tests.append((exp.GTE if lower[1] else exp.GT)(this=value.copy(), expression=number(lower[0])))
        if upper is not None:
            tests.append((exp.LTE if upper[1] else exp.LT)(this=value.copy(), expression=number(upper[0])))
        return _all(tests)

    def _value_test(self, test: ValueTest) -> Expression:
        column = self._column(test.column)
        value = exp.cast(column.copy(), "text") if test.as_text else column.copy()
        listed = test.failing if test.others else test.passing
        if not all(isinstance(one, str) for one in listed):
            raise InvalidDataError(
                f"The categories of {self.names[test.column]} are of several types: {list(listed)}. A database column "
                "has one type; train the ensemble on strings only, or on numbers only."
            )
        ways = _one_of(value, [self.database.text(one) for one in listed])
        if test.others:
            ways = [_negated(found) for found in ways] or [_is_present(column)]
        return _any([*ways, _is_null(column)] if test.missing else ways)

    def _column(self, column: int) -> Expression:
        # SQLite takes a quoted name that is not a column for a string, unless it is qualified by the table.
        path = self.options.table_path
        table = self.database.name(path[-1]) if path and self.database.qualifies else None
        return exp.column(self.database.name(self.names[column]), table=table)


def _is_on_booleans(test: CellTest) -> bool:
    values = (*test.passing, *test.failing) if isinstance(test, ValueTest) else ()
    return bool(values) and all(isinstance(value, bool) for value in values)


def _is_null(column: Expression) -> Expression:
    return exp.Is(this=column, expression=exp.null())


def _is_present(column: Expression) -> Expression:
    return exp.Not(this=_is_null(column))


def _one_of(value: Expression, listed: list[Expression]) -> list[Expression]:
    """Return the condition that a value is one of several; an empty list if there are none."""
    if len(listed) > 1:
        return [exp.In(this=value.copy(), expressions=listed)]
    return [exp.EQ(this=value.copy(), expression=one) for one in listed]


def _negated(test: Expression) -> Expression:
    return exp.NEQ(**test.args) if isinstance(test, exp.EQ) else exp.Not(this=test)


def _all(tests: list[Expression]) -> Expression:
    return exp.and_(*tests, copy=False) if tests else exp.true()


def _any(tests: list[Expression]) -> Expression:
    if not tests:
        return exp.false()
    if len(tests) <= _MOST_IN_A_ROW:
        return exp.or_(*tests, copy=False)
    middle = len(tests) // 2
    return exp.or_(_any(tests[:middle]), _any(tests[middle:]), copy=False)
