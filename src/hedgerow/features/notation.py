"""How the cells of a column are written in a file or a database, before they are values.

A list that was learned from a text file knows the notation of each column. So ``predict``, SQL and the Python export
read the same cell as the same value, and take the same cells as missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, cast, get_args

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow._support.json_field import Field
from hedgerow._support.plain_number import BLANKS, PLAIN_NUMBER, grouped_number
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import is_present

Kind = Literal["number", "text"]


_KINDS = get_args(Kind)


@dataclass(frozen=True)
class Notation:
    """How the cells of a column are written.

    A column of numbers is read in steps that every database can do as well: all occurrences of each of ``affixes`` are
    removed, and blanks at both ends. If there are ``thousands``, these must stand between groups of three digits, and
    are removed. Then ``decimal`` is replaced by a point, and what is now a number is one. **Anything else is missing.**
    In a column of strings, a cell is the string as written, and an empty cell is missing.

    Attributes
    ----------
    kind : "number" or "text"
        What the column contains.
    decimal : str
        The decimal mark.
    thousands : str
        The character between groups of digits; empty if there is none.
    affixes : tuple of str
        What else may stand beside a number, such as a currency or a percent sign.
    missing : tuple of str
        Marks for a missing value besides the empty cell. In a column of numbers, only those that look like numbers
        matter, such as ``-999``; they are compared as numbers.

    Examples
    --------
    >>> Notation("number", decimal=",", thousands=".", affixes=("€",)).read(["1.234,5 €", "n/a", ""])
    array([1234.5,    nan,    nan])
    >>> Notation("text", missing=("NA",)).read(["red", "NA", ""])
    array(['red', None, None], dtype=object)
    """

    kind: Kind = "number"
    decimal: str = "."
    thousands: str = ""
    affixes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise InvalidDataError(f"A column contains one of {', '.join(_KINDS)}; got {self.kind!r}.")
        if len(self.decimal) != 1 or len(self.thousands) > 1 or self.decimal == self.thousands:
            raise InvalidDataError(
                f"The decimal mark and the thousands separator must be two different characters; got {self.decimal!r} "
                f"and {self.thousands!r}."
            )

    @property
    def is_plain(self) -> bool:
        """Whether numbers are written as programs write them, such as ``1234.5``."""
        return self.decimal == "." and not self.thousands and not self.affixes

    @cached_property
    def pattern(self) -> str:
        """What a number looks like without affixes and blanks around it, as a regular expression.

        If there are no thousands separators: once the decimal mark is a point.
        """
        return grouped_number(self.decimal, self.thousands) if self.thousands else PLAIN_NUMBER

    @cached_property
    def missing_numbers(self) -> tuple[float, ...]:
        """The numbers that stand for a missing value."""
        numbers = (self._written_number(mark) for mark in self.missing)
        return tuple(dict.fromkeys(number for number in numbers if number is not None))

    def number(self, cell: Any) -> float:
        """Return the number in a cell, NaN if there is none."""
        if not is_present(cell):
            return float("nan")
        found = self._written_number(cell) if isinstance(cell, str) else float(cell)
        return float("nan") if found is None or found in self.missing_numbers else found

    def text(self, cell: Any) -> Any:
        """Return the string in a cell, None if it is missing."""
        return cell if is_present(cell) and cell != "" and cell not in self.missing else None

    def read(self, cells: Iterable[Any]) -> FloatArray | np.ndarray[Any, np.dtype[np.object_]]:
        """Return the values of cells: numbers with NaN, or objects with None, where a value is missing."""
        read, known = (self.number if self.kind == "number" else self.text), dict[Any, Any]()
        values = []
        for cell in cells:
            if cell not in known:
                known[cell] = read(cell)
            values.append(known[cell])
        return np.array(values, dtype=np.float64 if self.kind == "number" else object)

    def to_record(self) -> dict[str, Any]:
        """Return the notation as JSON data."""
        lists = {"affixes": list(self.affixes), "missing": list(self.missing)}
        return {"kind": self.kind, "decimal": self.decimal, "thousands": self.thousands} | lists

    @classmethod
    def from_record(cls, record: Field) -> Notation:
        """Return the notation that :meth:`to_record` wrote."""
        record.only(("kind", "decimal", "thousands", "affixes", "missing"))
        affixes, missing = (tuple(one.text() for one in record[name]) for name in ("affixes", "missing"))
        kind = cast(Kind, record["kind"].text(_KINDS))
        try:
            return cls(kind, record["decimal"].text(), record["thousands"].text(), affixes, missing)
        except InvalidDataError as error:
            raise InvalidDataError(f"{record.path}: {error}") from None

    def _written_number(self, text: str) -> float | None:
        for sign in self.affixes:
            text = text.replace(sign, "") if sign else text
        text = text.strip(BLANKS)
        plain = text.replace(self.thousands, "").replace(self.decimal, ".")
        return float(plain) if re.fullmatch(self.pattern, text if self.thousands else plain) else None
