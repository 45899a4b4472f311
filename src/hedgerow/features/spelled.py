"""Booleans and numbers that a table spells as strings, as every cell of a text file is before it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from hedgerow.features.frames import is_present

#: How booleans are spelled, in lower case.
TRUTH = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}
#: Strings that databases take for booleans when they read a text file, in lower case.
TRUE_WORDS, FALSE_WORDS = frozenset({"true", "t", "yes", "y"}), frozenset({"false", "f", "no", "n"})
#: How Python spells a missing value, in lower case, and how files do.
NOTHING = ("", "nan", "none", "<na>")


def spelling_of(known: Iterable[Any]) -> Callable[[Any], Any] | None:
    """Return what reads strings as values like the known ones, if these are all booleans or all numbers; else None.

    >>> as_boolean, as_number = spelling_of([True, False]), spelling_of([1, 2, 3])
    >>> as_boolean("false"), as_boolean("maybe"), as_number("3"), as_number("")
    (False, 'maybe', 3.0, None)
    """
    values = [value.item() if isinstance(value, np.generic) else value for value in known if is_present(value)]
    if values and all(isinstance(value, bool) for value in values):
        return _boolean
    if values and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        return _number
    return None


def _boolean(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip().lower()
    return None if text in NOTHING else TRUTH.get(text, value)


def _number(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value.strip().lower() in NOTHING:
        return None
    try:
        return float(value)
    except ValueError:
        return value
