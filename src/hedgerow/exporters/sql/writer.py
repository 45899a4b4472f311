"""Tests of cells, labels and numbers as expressions of SQL, for every exporter that writes it.

Identifiers and texts are quoted by sqlglot. Every comparison is one of doubles, whatever type the column has, and with
a threshold that reads back as the same double in the database.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow._support.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.sql.dialects import DIALECTS, Dialect, sqlglot_expressions
from hedgerow.features import CellTest as Test
from hedgerow.features import Inputs, NumberTest, ValueTest
from hedgerow.features.number_sets import ALL, NumberSet, ends
from hedgerow.rules.rule import printable

#: What would end a comment, or in PostgreSQL begin another one within; and quotes, which DuckDB counts even there when
#: it turns odd spaces outside of quotes into plain ones.
_NOT_IN_COMMENTS = {"*/": "* /", "/*": "/ *", "'": "\u2019", '"': "\u201d"}
#: Databases read so many alternatives in a row without running out of stack.
_MOST_IN_A_ROW = 64


@dataclass(frozen=True)
class Writer:
    """Writes tests and answers as expressions of sqlglot.

    Attributes
    ----------
    language : str
        sqlglot's name of the dialect.
    names : list of str
        The columns of the table, one a column of X.
    booleans : set of int
        Those that hold truth values.
    table : tuple of str
        The table to make a SELECT of, after those above it; empty if only an expression is wanted.
    """

    language: str
    names: list[str]
    booleans: set[int]
    table: tuple[str, ...]

    @classmethod
    def of(
        cls,
        language: str,
        inputs: Inputs,
        rules: TableRules,
        table: str | Sequence[str] | None,
        columns: Sequence[str] | None,
        booleans: Iterable[str],
    ) -> Writer:
        """Return the writer for a table, if rules can be asked of it."""
        names = _names(inputs.names, columns, rules.columns, checked_dialect(language))
        return cls(language, names, _numbers_of(booleans, names, rules.columns), _parts(table))

    @property
    def dialect(self) -> Dialect:
        """What the database does differently."""
        return DIALECTS[self.language]

    @property
    def exp(self) -> Any:
        """The expressions of sqlglot."""
        return sqlglot_expressions()

    def finished(self, expression: Any, returns: str, alias: str | None) -> str:
        """Return an expression as text, with its name; with a table the query that adds it to that."""
        if alias == "":
            raise InvalidParameterError("alias is the name of the new column; got an empty one.")
        if self.table:
            expression = self._select(expression, returns if alias is None else alias)
        elif alias is not None:
            expression = self.exp.alias_(expression, self.dialect.name(alias))
        return expression.sql(dialect=self.language, pretty=True)

    def case(self, rules: TableRules) -> Any:
        """Return a CASE expression that so far says which rows are not answered."""
        case = self.exp.Case()
        if rules.refused:
            refused = self._any([self._test(test) for test in rules.refused])
            case.when(refused, self.noted(self.exp.null(), "not answered: the ensemble cannot take this"), copy=False)
        return case

    def holds(self, tests: Iterable[Test]) -> Any:
        """Return the question whether all tests are passed."""
        return self.all([self._test(test) for test in tests])

    def noted(self, expression: Any, comment: str) -> Any:
        """Return an expression with a comment."""
        comment = printable(comment)
        for sign, instead in _NOT_IN_COMMENTS.items():
            comment = comment.replace(sign, instead)
        expression.comments = [f" {comment} "]
        return expression

    def answer(self, answer: Any) -> Any:
        """Return a label or a number."""
        if isinstance(answer, bool):
            return self.exp.true() if answer else self.exp.false()
        if isinstance(answer, str):
            return self.dialect.text(answer)
        if isinstance(answer, int):
            return self._whole(answer)
        return self.dialect.result(answer)

    def number(self, column: int) -> Any:
        """Return the number in a column as a double; of a truth value 1 or 0."""
        if column in self.booleans:
            one, zero = (self.exp.Literal.number(number) for number in "10")
            return self.exp.Case().when(self._column(column), one, copy=False).else_(zero, copy=False)
        return self._number(column)

    def all(self, tests: list[Any]) -> Any:
        """Return the question whether all of several are answered with yes."""
        return self.exp.and_(*tests, copy=False) if tests else self.exp.true()

    def _select(self, expression: Any, alias: str) -> Any:
        """Return the query that adds the expression to the table."""
        exp = self.exp
        *above, name = map(self.dialect.name, self.table)
        source = exp.Table(this=name, **dict(zip(("db", "catalog"), reversed(above), strict=False)))
        return exp.select("*", exp.alias_(expression, self.dialect.name(alias))).from_(source)

    def _whole(self, number: int) -> Any:
        literal = self.exp.Literal.number(str(abs(number)))
        return self.exp.Neg(this=literal) if number < 0 else literal

    def _test(self, test: Test) -> Any:
        if test.column in self.booleans or _asks_for_truth(test):
            return self._truth(test)
        of_numbers = test if isinstance(test, NumberTest) else test.as_numbers()
        if of_numbers is not None:
            return self._number_test(of_numbers)
        assert isinstance(test, ValueTest)
        return self._value_test(test)

    def _truth(self, test: Test) -> Any:
        """Ask a column of truth values."""
        exp, column = self.exp, self._column(test.column)
        true, false, none = test.passes(True), test.passes(False), test.missing
        if true and false:
            return self._present(column) if none is False else exp.true()
        if true == false:
            return exp.Is(this=column, expression=exp.null()) if none else exp.false()
        passes = exp.Is(this=column, expression=exp.Boolean(this=true))
        return self._any([passes, exp.Is(this=column.copy(), expression=exp.null())]) if none else passes

    def _number_test(self, test: NumberTest) -> Any:
        exp, value, is_nan = self.exp, self._number(test.column), self.dialect.is_nan
        null = exp.Is(this=self._column(test.column), expression=exp.null())
        if test.numbers == ALL:
            ways, takes_nan = [exp.Not(this=null.copy())], True
        else:
            ways, takes_nan = self._among(test.numbers, value)
        if is_nan is not None and takes_nan and test.missing is False:
            ways = [self.all([self._any(ways), is_nan(value, False)])]
        if is_nan is not None and not takes_nan and test.missing:
            ways.append(is_nan(value, True))
        return self._any([*ways, null] if test.missing else ways)

    def _among(self, numbers: NumberSet, value: Any) -> tuple[list[Any], bool]:
        """Return comparisons of which one must hold, and whether the database lets NaN pass."""
        number, points, holes = self.dialect.number, numbers.points, (~numbers).points
        if points is not None:
            return self._one_of(value, [number(point) for point in points]), False
        if holes is not None:
            (found,) = self._one_of(value, [number(hole) for hole in holes])
            return [self._negated(found)], True
        ways = [self._between(value, part) for part in numbers.parts]
        return ways, self.dialect.nan_is_largest and numbers.parts[-1][1] == math.inf

    def _between(self, value: Any, part: tuple[float, float]) -> Any:
        exp, (lower, upper), tests = self.exp, ends(part), []
        if part[0] == part[1]:
            return exp.EQ(this=value.copy(), expression=self.dialect.number(part[0]))
        if lower is not None:
            above = exp.GTE if lower[1] else exp.GT
            tests.append(above(this=value.copy(), expression=self.dialect.number(lower[0])))
        if upper is not None:
            below = exp.LTE if upper[1] else exp.LT
            tests.append(below(this=value.copy(), expression=self.dialect.number(upper[0])))
        return self.all(tests)

    def _value_test(self, test: ValueTest) -> Any:
        exp, column = self.exp, self._column(test.column)
        value = exp.cast(column.copy(), "text") if test.as_text else column.copy()
        listed = test.failing if test.others else test.passing
        if not all(isinstance(one, str) for one in listed):
            raise InvalidDataError(
                f"The categories of {self.names[test.column]} are of several types: {list(listed)}. A column of a "
                "database has one; train the ensemble on texts alone, or on numbers alone."
            )
        ways = self._one_of(value, [self.dialect.text(one) for one in listed])
        if test.others:
            ways = [self._negated(found) for found in ways] or [self._present(column)]
        return self._any([*ways, exp.Is(this=column, expression=exp.null())] if test.missing else ways)

    def _one_of(self, value: Any, listed: list[Any]) -> list[Any]:
        """Return the question whether a value is one of several; none if there are none."""
        if not listed:
            return []
        if len(listed) == 1:
            return [self.exp.EQ(this=value.copy(), expression=listed[0])]
        return [self.exp.In(this=value.copy(), expressions=listed)]

    def _negated(self, question: Any) -> Any:
        is_one = isinstance(question, self.exp.EQ)
        return self.exp.NEQ(**question.args) if is_one else self.exp.Not(this=question)

    def _present(self, column: Any) -> Any:
        return self.exp.Not(this=self.exp.Is(this=column, expression=self.exp.null()))

    def _column(self, column: int) -> Any:
        # SQLite takes a name in quotes that is no column for a text, unless the table is named, too.
        table = self.dialect.name(self.table[-1]) if self.table and self.dialect.qualifies else None
        return self.exp.column(self.dialect.name(self.names[column]), table=table)

    def _number(self, column: int) -> Any:
        return self.exp.cast(self._column(column), "double")

    def _any(self, tests: list[Any]) -> Any:
        if not tests:
            return self.exp.false()
        if len(tests) <= _MOST_IN_A_ROW:
            return self.exp.or_(*tests, copy=False)
        middle = len(tests) // 2
        return self.exp.or_(self._any(tests[:middle]), self._any(tests[middle:]), copy=False)


def _asks_for_truth(test: Test) -> bool:
    values = (*test.passing, *test.failing) if isinstance(test, ValueTest) else ()
    return bool(values) and all(isinstance(value, bool) for value in values)


def checked_dialect(name: str) -> Dialect:
    """Return a dialect by its name."""
    if name not in DIALECTS:
        raise InvalidParameterError(f"dialect is one of {', '.join(DIALECTS)}; got {name!r}.")
    return DIALECTS[name]


def check_returns(returns: str, possible: Sequence[str], label: Any) -> None:
    """Refuse what cannot be returned, and a label where none is asked about."""
    if returns not in possible:
        raise InvalidParameterError(f"returns is one of {', '.join(possible)}; got {returns!r}.")
    if label is not None and returns != "probability":
        raise InvalidParameterError("label says of which class the probability is wanted; returns is another.")


def place_of(label: Any, classes: AnyArray | None, possible: str) -> int:
    """Return the place of the class whose probability is wanted."""
    if classes is None:
        raise InvalidParameterError(f"A regression has no probabilities; returns is {possible}.")
    labels = classes.tolist()
    if label is None and len(labels) == 2:
        return 1
    if label not in labels:
        raise InvalidParameterError(f"label, the class whose probability is wanted, is one of {labels}; got {label!r}.")
    return int(labels.index(label))


def of_one_type(answers: list[Any], way_out: str) -> list[Any]:
    """Return the answers such that a database gives them one type; else say so, and the way out."""
    kinds = {type(answer) for answer in answers}
    if kinds == {int, float}:
        return [float(answer) for answer in answers]
    if len(kinds) > 1 or not kinds <= {str, bool, int, float}:
        shown = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise InvalidDataError(
            f"The answers are of types that SQL has no one type for: {shown}. They may be texts, numbers or truth "
            f"values; {way_out}."
        )
    if kinds == {int} and any(not -(2**63) < answer < 2**63 for answer in answers):
        raise InvalidDataError(f"A label lies outside of the whole numbers of 64 bits; {way_out}.")
    return answers


def _parts(table: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of a table, the last its own."""
    parts = (table,) if isinstance(table, str) else tuple(table or ())
    if len(parts) > 3 or not all(parts):
        raise InvalidParameterError(f"table is a name, or up to three: catalog, schema, table; got {table!r}.")
    return parts


def _names(known: list[str], given: Sequence[str] | None, used: Sequence[int], dialect: Dialect) -> list[str]:
    """Return the names of the table's columns, of which those that are used must be there once and have a name."""
    names = known if given is None else [str(name) for name in given]
    if len(names) != len(known):
        raise InvalidParameterError(f"columns are {len(known)} names, one a column of X; got {len(names)}.")
    twins = dialect.twins(names[column] for column in used)
    if twins is not None:
        raise InvalidParameterError(
            f"Two columns are called {twins[0]!r} and {twins[1]!r}, which is the same to the database. "
            "Pass other names with columns=, one a column of X."
        )
    return names


def _numbers_of(booleans: Iterable[str], names: list[str], used: Sequence[int]) -> set[int]:
    wanted = {booleans} if isinstance(booleans, str) else set(booleans)
    unknown = wanted - set(names)
    if unknown:
        raise InvalidParameterError(
            f"booleans are names of columns; {', '.join(map(repr, sorted(unknown)))} is none of them: {names}."
        )
    return {column for column in used if names[column] in wanted}
