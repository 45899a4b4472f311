"""Checks of parameters."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from hedgerow.exceptions import InvalidParameterError


def is_number(value: Any) -> bool:
    """Return whether a value is a real number and not a boolean."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_integer(name: str, value: Any, *, least: int = 1, optional: bool = False) -> None:
    """Refuse a value that is not an integer of at least ``least``, or None where that is allowed."""
    if optional and value is None:
        return
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        more = ", or None" if optional else ""
        raise InvalidParameterError(f"{name} must be an integer of at least {least}{more}; got {value!r}.")


def check_time_limit(limit: Any) -> None:
    """Refuse a limit that is neither a positive number of seconds nor None."""
    if limit is not None and not (is_number(limit) and limit > 0):
        raise InvalidParameterError(f"time_limit must be a positive number of seconds, or None; got {limit!r}.")
