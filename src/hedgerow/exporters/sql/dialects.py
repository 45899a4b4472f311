"""What databases do differently: how they write a number, how they treat NaN, and how they read a string as a number.

To add a database, add its :class:`Dialect` to ``DIALECTS`` under sqlglot's name for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hedgerow._support.plain_number import BLANKS
from hedgerow.exceptions import InvalidDataError

if TYPE_CHECKING:
    from sqlglot.expressions import Expression

#: The largest power of two that every release of SQLite reads exactly when written with a decimal point and a zero.
_BITS = 49


class _Expressions:
    """The module ``sqlglot.expressions``, imported when the first expression is built."""

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(import_module("sqlglot.expressions"), name)
        except ImportError:
            raise ImportError("SQL needs sqlglot: pip install 'hedgerow[sql]'.") from None


exp = _Expressions()


@dataclass(frozen=True)
class Dialect:
    """How one database writes and compares numbers.

    Attributes
    ----------
    number : callable
        From a double to an expression that equals exactly this double when compared with one.
    result : callable
        From a double to an expression of the database's double type.
    number_in : callable
        From a cell, a string or a number, to the number in it: a double, or NULL if there is none. The cell comes as
        a plain number would be written, and as the regular expression that follows must match it.
    is_nan : callable or None
        From an expression and a boolean to the test whether the expression is NaN (True) or not (False); None if the
        database has no NaN.
    nan_is_largest : bool
        Whether NaN compares as larger than infinity; otherwise every comparison with it is false.
    has_cases : bool
        Whether quoted names are case-sensitive.
    qualifies : bool
        Whether a column must be qualified by its table where that is known.
    is_boolean : callable or None
        From a cell to the test whether it is a BOOLEAN; None if the database has none.
    casts_strings_to_zero : bool
        Whether casting a string that is not a number makes 0 of it, and not an error.
    digits_lost : bool
        Whether a number that becomes a string loses digits.
    alias_hides : bool
        Whether in a SELECT, an alias hides the column of the same name.
    is_grouped : callable or None
        From a string, the decimal mark and the thousands separator to the test whether the latter stands between groups
        of three digits; None if the database has regular expressions.
    merges : bool
        Whether expressions of a subquery are computed again wherever they are used, unless it has an OFFSET.
    """

    number: Callable[[float], Expression]
    result: Callable[[float], Expression]
    number_in: Callable[[Expression, Expression, str], Expression]
    is_nan: Callable[[Expression, bool], Expression] | None = None
    nan_is_largest: bool = False
    has_cases: bool = False
    qualifies: bool = False
    is_boolean: Callable[[Expression], Expression] | None = None
    casts_strings_to_zero: bool = False
    digits_lost: bool = False
    alias_hides: bool = False
    is_grouped: Callable[[Expression, str, str], Expression] | None = None
    merges: bool = False

    def text(self, text: str) -> Expression:
        """Return a quoted string, if the database can hold it."""
        return exp.Literal.string(_checked(text))

    def name(self, name: str) -> Expression:
        """Return the quoted name of a column or a table, if the database can hold it."""
        if not name:
            raise InvalidDataError("A database column needs a name; pass names with columns=, one per column of X.")
        return exp.to_identifier(_checked(name), quoted=True)

    def twins(self, names: Iterable[str]) -> tuple[str, str] | None:
        """Return two of the names that are the same to the database, or None."""
        seen: dict[str, str] = {}
        for name in names:
            key = name if self.has_cases else name.casefold()
            if key in seen:
                return seen[key], name
            seen[key] = name
        return None


def _checked(text: str) -> str:
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InvalidDataError(
            f"{text!r} contains characters that databases cannot store. Pass other column names with columns=, one per "
            "column of X; for a label, use returns='probability' or returns='rule'."
        )
    return text


def signed(number: float, text: str) -> Expression:
    """Return the literal ``text``, which is written without a sign, with the sign of the number."""
    literal = exp.Literal.number(text)
    return exp.Neg(this=literal) if number < 0 else literal


def _plain(number: float) -> Expression:
    """Return the shortest decimal that rounds to the double, for databases that round correctly."""
    if math.isinf(number):
        return exp.cast(exp.Literal.string("Infinity" if number > 0 else "-Infinity"), "double")
    return signed(number, repr(abs(number)))


def _cast(number: float) -> Expression:
    # A decimal number is not yet a double.
    return _plain(number) if math.isinf(number) else exp.cast(_plain(number), "double")


def _with_exponent(number: float) -> Expression:
    """Return the same with an exponent, which makes it a double: without one, DuckDB reads a decimal."""
    text = repr(abs(number))
    return _plain(number) if math.isinf(number) else signed(number, text if "e" in text else f"{text}e0")


def _quotient(number: float) -> Expression:
    """Return a number for SQLite, whose older releases round the last digit of many decimals incorrectly.

    A double that few decimal digits write exactly needs no rounding. Any other is an integer divided by powers of two.
    """
    if math.isinf(number):
        return signed(number, "9e999")
    text = repr(abs(number))
    n_digits = len(Decimal(text).normalize().as_tuple().digits)
    if Decimal(text) == Decimal(abs(number)) and n_digits <= 15 and "e" not in text:
        return signed(number, text)
    above, below = abs(number).as_integer_ratio()
    doublings = (above & -above).bit_length() - 1 if below == 1 else 1 - below.bit_length()
    written = signed(number, str(above >> max(doublings, 0)))
    if not doublings:
        return exp.Mul(this=written, expression=exp.Literal.number("1.0"))
    while doublings:
        step = min(abs(doublings), _BITS)
        power = exp.Literal.number(f"{2**step}.0")
        if doublings > 0:
            written = exp.Mul(this=written, expression=power)
        else:  # typed and safe: otherwise sqlglot adds casts for other databases
            written = exp.Div(this=written, expression=power, typed=True, safe=True)
        doublings -= int(math.copysign(step, doublings))
    return written


def _equals_nan(value: Expression, wanted: bool) -> Expression:
    return (exp.EQ if wanted else exp.NEQ)(this=value.copy(), expression=exp.Literal.string("NaN"))


def _is_nan(value: Expression, wanted: bool) -> Expression:
    test = exp.IsNan(this=value.copy())
    return test if wanted else exp.Not(this=test)


def called(function: str, *arguments: Expression) -> Expression:
    """Return a call of a function that all databases at hand have under this name."""
    return exp.Anonymous(this=function, expressions=[argument.copy() for argument in arguments])


def _matching(cell: Expression, tested: Expression, pattern: str) -> Expression:
    """Return the number in a cell that is written like one.

    Casts alone accept more, and not the same in all databases: ``1_000``, ``inf`` or ``+-5`` in DuckDB.
    """
    written = exp.cast(tested.copy(), "text") if isinstance(tested, exp.Column) else tested.copy()
    whole = rf"^[ \t\n\r\f\v]*{pattern}[ \t\n\r\f\v]*$"
    is_number = exp.RegexpLike(this=written, expression=exp.Literal.string(whole))
    return exp.Case().when(is_number, exp.TryCast(this=cell.copy(), to=exp.DataType.build("double")), copy=False)


def _below_text(cell: Expression, _: Expression, __: str) -> Expression:
    """Return the number in a cell of SQLite, where CAST makes 0 of any other string.

    Compared with a REAL, a string that is a number counts as that number; any other string is larger than all numbers.
    """
    is_number = exp.LTE(this=cell.copy(), expression=exp.cast(_quotient(math.inf), "double"))
    return exp.Case().when(is_number, exp.cast(cell.copy(), "double"), copy=False)


def _is_grouped(text: Expression, decimal: str, thousands: str) -> Expression:
    """Return the test for SQLite, which has GLOB: digits before the first separator, and three after each.

    What is a number otherwise is tested once the separators are gone.
    """
    t, d = (f"[{mark}]" if mark in "*?[" else mark for mark in (thousands, decimal))
    digit, written = "[0-9]", exp.column("written")

    def like(value: Expression, *patterns: str) -> Expression:
        return exp.or_(*(exp.Glob(this=value.copy(), expression=exp.Literal.string(one)) for one in patterns))

    unsigned = called("LTRIM", written, exp.Literal.string("+-"))
    starts = like(unsigned, *(f"[1-9]{digit * n}{t}*" for n in range(3)))
    ended = exp.DPipe(this=written.copy(), expression=exp.Literal.string("x"), safe=True)
    uneven = like(ended, *(f"*{t}{digit * n}[^0-9]*" for n in range(3)), f"*{t}{digit * 4}*")
    late = like(written, f"*{d}*{t}*", f"*[eE]*{t}*")
    right = exp.or_(exp.not_(like(written, f"*{t}*")), exp.and_(starts, exp.not_(uneven), exp.not_(late)))
    if "." not in (decimal, thousands):
        right = exp.and_(exp.not_(like(written, "*.*")), right)
    blanks = called("CHAR", *(exp.Literal.number(ord(one)) for one in BLANKS))
    inner = exp.select(exp.alias_(called("TRIM", text, blanks), "written")).subquery("trimmed")
    return exp.Subquery(this=exp.select(right).from_(inner))


def _is_typed(function: str, name: str) -> Callable[[Expression], Expression]:
    return lambda cell: exp.EQ(this=exp.cast(called(function, cell), "text"), expression=exp.Literal.string(name))


def _is_json_boolean(cell: Expression) -> Expression:
    """Return the test for BigQuery, which cannot be asked for a type: a string would have quotes."""
    words = [exp.Literal.string(word) for word in ("true", "false")]
    return exp.In(this=called("TO_JSON_STRING", cell), expressions=words)


DIALECTS: dict[str, Dialect] = {
    "postgres": Dialect(
        _plain,
        _cast,
        _matching,
        _equals_nan,
        nan_is_largest=True,
        has_cases=True,
        is_boolean=_is_typed("PG_TYPEOF", "boolean"),
        merges=True,
    ),
    "sqlite": Dialect(
        _quotient,
        _quotient,
        _below_text,
        qualifies=True,
        casts_strings_to_zero=True,
        digits_lost=True,
        is_grouped=_is_grouped,
    ),
    "duckdb": Dialect(
        _with_exponent,
        _with_exponent,
        _matching,
        _is_nan,
        nan_is_largest=True,
        is_boolean=_is_typed("TYPEOF", "BOOLEAN"),
        alias_hides=True,
    ),
    "bigquery": Dialect(_plain, _plain, _matching, _is_nan, is_boolean=_is_json_boolean),
}
