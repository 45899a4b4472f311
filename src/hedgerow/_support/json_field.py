"""One value of a JSON document and its path, so that every error names the place.

A reader asks a field for what it needs (an integer, a string, a member, ...) and gets that or an
:class:`InvalidDataError`, never a KeyError or a TypeError.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Collection, Iterator
from typing import Any, NoReturn

from hedgerow.exceptions import InvalidDataError

#: Numbers that JSON does not have; they are written as strings.
NOT_FINITE = ("nan", "inf", "-inf")
#: The largest integer that an array can hold.
_LARGEST = 2**63 - 1


def number_record(x: float) -> float | str:
    """Return a number as JSON can represent it: infinity and NaN as strings.

    >>> number_record(0.5), number_record(float("-inf"))
    (0.5, '-inf')
    """
    return x if math.isfinite(x) else str(x)


def parse(text: Any, what: str) -> Any:
    """Return the content of a JSON string; ``what`` names it in errors."""
    if not isinstance(text, (str, bytes, bytearray)):
        raise InvalidDataError(
            f"{what} is read from a string, not from {type(text).__name__}. If it is in a file, pass its content, as "
            "in from_json(Path('rules.json').read_text())."
        )

    def refuse(token: str) -> NoReturn:
        raise ValueError(f"{token} is not a JSON number; write it as a string")

    def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            raise ValueError(f"an object has a member twice; its members are {', '.join(members)}")
        return members

    try:
        return json.loads(text, parse_constant=refuse, object_pairs_hook=no_twins)
    except RecursionError:
        raise InvalidDataError("This is not valid JSON: it is nested too deeply.") from None
    except ValueError as error:
        is_name = isinstance(text, str) and text.strip().endswith(".json")
        way_out = f" {text!r} looks like the name of a file; pass its content." if is_name else ""
        raise InvalidDataError(f"This is not valid JSON: {error}.{way_out}") from None


class Field:
    """A value and its path, such as ``rules[2].coverage``.

    >>> rule = Field({"coverage": -3}, "rules[2]")
    >>> rule["coverage"].whole(at_least=0)
    Traceback (most recent call last):
        ...
    hedgerow.exceptions.InvalidDataError: rules[2].coverage must be an integer of at least 0; got -3.
    """

    def __init__(self, value: Any, path: str = "") -> None:
        self.value, self.path = value, path

    def error(self, expected: str) -> InvalidDataError:
        """Return the error that states what was expected here."""
        return InvalidDataError(f"{self.path or 'The document'} must be {expected}; got {_shown(self.value)}.")

    # Objects and lists

    def __getitem__(self, name: str) -> Field:
        if name not in self.members():
            raise InvalidDataError(f"{self._below(name)} is missing.")
        return Field(self.value[name], self._below(name))

    def __contains__(self, name: str) -> bool:
        return name in self.members()

    def get(self, name: str) -> Field | None:
        """Return a member, or None if it is absent or null."""
        return None if self.members().get(name) is None else self[name]

    def members(self) -> dict[str, Any]:
        """Return the object's members."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        return self.value

    def only(self, names: Collection[str]) -> Field:
        """Refuse members with other names, such as misspelled ones."""
        unknown = [name for name in self.members() if name not in names]
        if unknown:
            raise InvalidDataError(f"{self._below(unknown[0])} is not known; known members are {', '.join(names)}.")
        return self

    def __iter__(self) -> Iterator[Field]:
        if not isinstance(self.value, list):
            raise self.error("a list")
        return (Field(value, f"{self.path}[{i}]") for i, value in enumerate(self.value))

    # Plain values

    def whole(self, at_least: int | None = None, below: int | None = None) -> int:
        """Return an integer."""
        lowest, limit = -_LARGEST if at_least is None else at_least, _LARGEST if below is None else below
        if type(self.value) is not int or not lowest <= self.value < limit:
            least = "" if at_least is None else f" of at least {at_least}"
            raise self.error(f"an integer{least}" + ("" if below is None else f" and below {below}"))
        return self.value

    def number(self, at_least: float = -math.inf, at_most: float = math.inf, nan: bool = False) -> float:
        """Return a number; infinity is written as a string, and so is NaN where it is allowed."""
        number = float(self.value) if self._is_number or self.value in NOT_FINITE else math.nan
        if math.isnan(number) and not (nan and self.value == "nan"):
            raise self.error('a number other than NaN (or "inf" or "-inf")')
        if not math.isnan(number) and not at_least <= number <= at_most:
            is_open = at_most == math.inf
            raise self.error(f"at least {at_least:g}" if is_open else f"between {at_least:g} and {at_most:g}")
        return number

    def finite(self, at_least: float = -math.inf, at_most: float = math.inf) -> float:
        """Return a finite number."""
        if not self._is_number:
            raise self.error("a finite number")
        return self.number(at_least, at_most)

    def text(self, possible: Collection[str] | None = None) -> str:
        """Return a string, by default any."""
        if not isinstance(self.value, str):
            raise self.error("a string")
        if possible is not None and self.value not in possible:
            raise self.error(f"one of {', '.join(possible)}")
        return self.value

    def truth(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            raise self.error("true or false")
        return self.value

    def scalar(self) -> Any:
        """Return a string, a finite number or a boolean: what labels and categories are."""
        if not isinstance(self.value, (str, bool)) and not self._is_number:
            raise self.error("a string, a finite number, true or false")
        return self.value

    @property
    def _is_number(self) -> bool:
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            return False
        return abs(self.value) <= sys.float_info.max  # an integer may be larger than any float

    def _below(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def _shown(value: Any) -> str:
    """Return a value as shown in an error; lists and objects, which may be large, only by their size."""
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
