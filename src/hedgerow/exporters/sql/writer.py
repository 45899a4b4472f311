"""Tests of cells, and predictions, as SQL expressions.

sqlglot quotes names and strings. Every comparison is between doubles, whatever the type of the column, and with a
threshold that the database reads back as the same double. Cells that must be read first are read once, in a subquery.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from hedgerow.exceptions import InvalidDataError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.sql.dates import DateCell
from hedgerow.exporters.sql.dialects import Dialect, exp, signed
from hedgerow.exporters.sql.options import Options
from hedgerow.exporters.sql.reading import Reading
from hedgerow.features import CellTest, Inputs, Notation, NumberTest, ValueTest
from hedgerow.features.dates import DateReading
from hedgerow.features.notation import Kind
from hedgerow.features.number_sets import ALL, NumberSet, ends
from hedgerow.rules.wording import printable

if TYPE_CHECKING:
    from sqlglot.expressions import Case, Expression

#: A column, and what rules compare of it.
Cell = tuple[int, Kind | DateReading]

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
    readings : dict of Cell to Reading or DateCell
        How cells are read that are not values already.
    """

    options: Options
    names: list[str]
    booleans: set[int]
    readings: dict[Cell, Reading | DateCell]

    @classmethod
    def of(cls, options: Options, inputs: Inputs, rules: TableRules) -> Writer:
        """Return the writer for rules on the columns of these inputs, if the options fit these."""
        names = options.column_names(inputs.names, rules.columns)
        booleans = options.boolean_columns(names, rules.columns)
        return cls(options, names, booleans, _readings(options, inputs, rules, booleans))

    @property
    def database(self) -> Dialect:
        """What the database does differently."""
        return self.options.database

    def finished(self, expression: Expression) -> str:
        """Return an expression as SQL, with its alias; with a table, the query that adds it as a column."""
        alias, expression = self.options.alias, self.with_cells(expression)
        if self.options.table_path:
            name = self.free_name(self.options.returns) if alias is None else self.database.name(alias)
            return self.written(exp.select("*", exp.alias_(expression, name)).from_(self.source()))
        if alias is not None:
            expression = exp.alias_(expression, self.database.name(alias))
        return self.written(expression)

    def with_cells(self, expression: Expression) -> Expression:
        """Return an expression that can be used on the table: where cells must be read, with the subquery that does."""
        if not self.readings:
            return expression
        cells = exp.select(*(exp.alias_(self._read(cell), self._alias(cell)) for cell in self.readings))
        cells = cells.offset(0) if self.database.merges else cells
        source = exp.Subquery(this=cells, alias=exp.TableAlias(this=self.database.name("cells")))
        return exp.Subquery(this=exp.select(expression).from_(source))

    def source(self) -> Expression:
        """Return the table."""
        *above, name = map(self.database.name, self.options.table_path)
        return exp.Table(this=name, **dict(zip(("db", "catalog"), reversed(above), strict=False)))

    def named(self, name: str) -> Expression:
        """Return a column of the table that no rule needs to look at."""
        return exp.column(self.database.name(name), table=self.database.name(self.options.table_path[-1]))

    def written(self, expression: Expression) -> str:
        """Return an expression or a query as SQL, after what must be known to use it."""
        dialect, expression = self.options.dialect, expression.copy()
        broken = [name for name in expression.find_all(exp.Identifier) if "\n" in name.this]
        if not broken:
            return self._advice() + str(expression.sql(dialect=dialect, pretty=True))
        # Older releases of sqlglot indent what follows a line break, also inside of a name.
        plain = expression.sql(dialect=dialect)
        mark = next(mark for k in count() if (mark := f"line_break_{k}_") not in plain)
        for name in broken:
            name.set("this", name.this.replace("\n", mark))
        return self._advice() + str(expression.sql(dialect=dialect, pretty=True)).replace(mark, "\n")

    def free_name(self, wanted: str) -> Expression:
        """Return a name for a new column that no column of the table has, as far as the list knows them."""
        taken = {name.casefold() for name in self.names}
        free = next(name for k in count(1) if (name := f"{wanted}_{k}" if k > 1 else wanted).casefold() not in taken)
        return self.database.name(free)

    def _advice(self) -> str:
        """Return a first line that says which columns must be loaded as strings."""
        names = dict.fromkeys(self.names[column] for (column, _), one in self.readings.items() if one.needs_text)
        return f"/* {_comment('Load these columns as text: ' + ', '.join(names))} */\n" if names else ""

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
        expression.comments = [f" {_comment(comment)} "]
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
        if _is_boolean(test, self.booleans):
            return self._boolean_test(test)
        as_numbers = _as_numbers(test)
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
        column, is_nan = self._cell(test), self.database.is_nan
        value = exp.cast(column.copy(), "double")
        if _cell(test) in self.readings:  # which has doubles, and no NaN among them
            value, is_nan = column.copy(), None
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
        column = self._cell(test)
        is_cast = test.as_text and _cell(test) not in self.readings
        value = exp.cast(column.copy(), "text") if is_cast else column.copy()
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

    def _cell(self, test: CellTest) -> Expression:
        """Return the value that a test compares: the column itself if there is nothing to read."""
        cell = _cell(test)
        return exp.column(self._alias(cell)) if cell in self.readings else self._column(test.column)

    def _read(self, cell: Cell) -> Expression:
        return self.readings[cell].value(self._column(cell[0], inside=True))

    def _alias(self, cell: Cell) -> Expression:
        """Return the name of a value that is read: that of its column, if no other column or value is called so."""
        column, kind = cell
        name, is_second = self.names[column], kind == "text" and (column, "number") in self.readings
        if isinstance(kind, DateReading) or is_second or (self.database.alias_hides and not self.options.table_path):
            taken = {other.casefold() for other in self.names}
            name = f"{name} as {kind.part if isinstance(kind, DateReading) else kind}"
            while name.casefold() in taken:
                name += "_"
        return self.database.name(name)

    def _column(self, column: int, inside: bool = False) -> Expression:
        # SQLite takes a quoted name that is not a column for a string, unless it is qualified by the table. Inside of
        # the subquery, the qualified name is the column and not the value that is read from it.
        path = self.options.table_path
        table = self.database.name(path[-1]) if path and (inside or self.database.qualifies) else None
        return exp.column(self.database.name(self.names[column]), table=table)


def _cell(test: CellTest) -> Cell:
    """Return the column of a test, and what it compares."""
    if isinstance(test, NumberTest) and test.date is not None:
        return test.column, test.date
    return test.column, "text" if _as_numbers(test) is None else "number"


def _as_numbers(test: CellTest) -> NumberTest | None:
    return test if isinstance(test, NumberTest) else test.as_numbers()


def _comment(text: str) -> str:
    text = printable(text)
    for sign, instead in _NOT_IN_COMMENTS.items():
        text = text.replace(sign, instead)
    return text


def _readings(
    options: Options, inputs: Inputs, rules: TableRules, booleans: Collection[int]
) -> dict[Cell, Reading | DateCell]:
    """Return how the cells are read that rules look at, except for those that are values already."""
    known: dict[Cell, set[str]] = {}
    for test in (test for tests in (rules.refused, *rules.rules) for test in tests):
        if not _is_boolean(test, booleans):
            listed = (*test.passing, *test.failing) if isinstance(test, ValueTest) else ()
            known.setdefault(_cell(test), set()).update(one for one in listed if isinstance(one, str))
    readings: dict[Cell, Reading | DateCell] = {}
    for (column, kind), strings in sorted(known.items(), key=str):
        notation = inputs.notation_of(column)
        if notation is None and kind == "number" and options.database.casts_strings_to_zero:
            notation = Notation()
        if isinstance(kind, DateReading):
            readings[column, kind] = DateCell(options.dialect, kind)
        elif notation is not None:
            readings[column, kind] = Reading(options.database, kind, notation, frozenset(strings))
    return readings


def _is_boolean(test: CellTest, booleans: Collection[int]) -> bool:
    values = (*test.passing, *test.failing) if isinstance(test, ValueTest) else ()
    return test.column in booleans or (bool(values) and all(isinstance(value, bool) for value in values))


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
