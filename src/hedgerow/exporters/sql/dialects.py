"""What databases do differently: how they write a number, and what NaN is to them.

To add one, write its :class:`Dialect` under sqlglot's name for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from typing import Any

from hedgerow.exceptions import InvalidDataError

#: The largest power of two that, with a point and a zero, is a number every release of SQLite reads without rounding.
_BITS = 49


def sqlglot_expressions() -> Any:
    """Return sqlglot's expressions, or say how to get them."""
    try:
        return import_module("sqlglot.expressions")
    except ImportError:
        raise ImportError("SQL needs sqlglot: pip install 'hedgerow[sql]'.") from None


@dataclass(frozen=True)
class Dialect:
    """How one database writes and compares numbers.

    Attributes
    ----------
    number : function
        From a double to an expression that is just this double, when it is compared with one.
    result : function
        From a double to an expression of the type of doubles.
    is_nan : function or None
        From an expression, and whether it is to be NaN or not to be, to the question; None if there is no NaN.
    nan_is_largest : bool
        Whether NaN compares as larger than infinity; else it compares false.
    has_cases : bool
        Whether names in quotes that differ in capital letters are different.
    qualifies : bool
        Whether a column must be named with its table where that is known.
    """

    number: Callable[[float], Any]
    result: Callable[[float], Any]
    is_nan: Callable[[Any, bool], Any] | None = None
    nan_is_largest: bool = False
    has_cases: bool = False
    qualifies: bool = False

    def text(self, text: str) -> Any:
        """Return a text in quotes, if the database can hold it."""
        return sqlglot_expressions().Literal.string(_checked(text))

    def name(self, name: str) -> Any:
        """Return the name of a column or a table in quotes, if the database can hold it."""
        if not name:
            raise InvalidDataError("A column of a database has a name; pass names with columns=, one a column of X.")
        return sqlglot_expressions().to_identifier(_checked(name), quoted=True)

    def twins(self, names: Iterable[str]) -> tuple[str, str] | None:
        """Return two of the names that are the same to the database, if there are any."""
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
            f"{text!r} has letters that databases do not hold. Pass other names with columns=, one a column of X; if "
            "it is a label, take returns='probability', or of a rule list returns='rule'."
        )
    return text


def _literal(number: float, text: str) -> Any:
    """Return a number that is written so, without its sign, with its sign."""
    exp = sqlglot_expressions()
    literal = exp.Literal.number(text)
    return exp.Neg(this=literal) if number < 0 else literal


def _named(name: str) -> Any:
    exp = sqlglot_expressions()
    return exp.cast(exp.Literal.string(name), "double")


def _plain(number: float) -> Any:
    """Return the shortest decimal number that rounds to the double, as databases do that round well."""
    if math.isinf(number):
        return _named("Infinity" if number > 0 else "-Infinity")
    return _literal(number, repr(abs(number)))


def _cast(number: float) -> Any:
    # A decimal number is not yet a double.
    return _plain(number) if math.isinf(number) else sqlglot_expressions().cast(_plain(number), "double")


def _with_exponent(number: float) -> Any:
    """Return the same with an exponent, which makes it a double: without, it is one of DuckDB's decimals."""
    text = repr(abs(number))
    return _plain(number) if math.isinf(number) else _literal(number, text if "e" in text else f"{text}e0")


def _quotient(number: float) -> Any:
    """Return a number for SQLite, whose older releases round the last digit of many decimals wrongly.

    If few decimal digits say it exactly, nothing is rounded. Otherwise a whole number is divided by powers of two.
    """
    exp = sqlglot_expressions()
    if math.isinf(number):
        return _literal(number, "9e999")
    text = repr(abs(number))
    n_digits = len(Decimal(text).normalize().as_tuple().digits)
    if Decimal(text) == Decimal(abs(number)) and n_digits <= 15 and "e" not in text:
        return _literal(number, text)
    above, below = abs(number).as_integer_ratio()
    doublings = (above & -above).bit_length() - 1 if below == 1 else 1 - below.bit_length()
    written = _literal(number, str(above >> max(doublings, 0)))
    if not doublings:
        return exp.Mul(this=written, expression=exp.Literal.number("1.0"))
    while doublings:
        step = min(abs(doublings), _BITS)
        power = exp.Literal.number(f"{2**step}.0")
        if doublings > 0:
            written = exp.Mul(this=written, expression=power)
        else:  # as it stands: sqlglot would add casts for other databases
            written = exp.Div(this=written, expression=power, typed=True, safe=True)
        doublings -= int(math.copysign(step, doublings))
    return written


def _is_called_nan(value: Any, wanted: bool) -> Any:
    exp = sqlglot_expressions()
    return (exp.EQ if wanted else exp.NEQ)(this=value.copy(), expression=exp.Literal.string("NaN"))


def _is_nan(value: Any, wanted: bool) -> Any:
    exp = sqlglot_expressions()
    question = exp.IsNan(this=value.copy())
    return question if wanted else exp.Not(this=question)


DIALECTS: dict[str, Dialect] = {
    "postgres": Dialect(_plain, _cast, _is_called_nan, nan_is_largest=True, has_cases=True),
    "sqlite": Dialect(_quotient, _quotient, qualifies=True),
    "duckdb": Dialect(_with_exponent, _with_exponent, _is_nan, nan_is_largest=True),
    "bigquery": Dialect(_plain, _plain, _is_nan),
}
