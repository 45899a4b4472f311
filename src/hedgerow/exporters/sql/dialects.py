"""What databases do differently: how they write a number, and how they treat NaN.

To add a database, add its :class:`Dialect` to ``DIALECTS`` under sqlglot's name for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any

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
    is_nan : callable or None
        From an expression and a boolean to the test whether the expression is NaN (True) or not (False); None if the
        database has no NaN.
    nan_is_largest : bool
        Whether NaN compares as larger than infinity; otherwise every comparison with it is false.
    has_cases : bool
        Whether quoted names are case-sensitive.
    qualifies : bool
        Whether a column must be qualified by its table where that is known.
    """

    number: Callable[[float], Expression]
    result: Callable[[float], Expression]
    is_nan: Callable[[Expression, bool], Expression] | None = None
    nan_is_largest: bool = False
    has_cases: bool = False
    qualifies: bool = False

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


DIALECTS: dict[str, Dialect] = {
    "postgres": Dialect(_plain, _cast, _equals_nan, nan_is_largest=True, has_cases=True),
    "sqlite": Dialect(_quotient, _quotient, qualifies=True),
    "duckdb": Dialect(_with_exponent, _with_exponent, _is_nan, nan_is_largest=True),
    "bigquery": Dialect(_plain, _plain, _is_nan),
}
