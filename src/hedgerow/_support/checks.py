"""Checks of parameters."""

from __future__ import annotations

from numbers import Real
from typing import Any

from hedgerow.exceptions import InvalidParameterError


def is_number(value: Any) -> bool:
    """Return whether a value is a real number and not a boolean."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_time_limit(limit: Any) -> None:
    """Refuse a limit that is neither a positive number of seconds nor None."""
    if limit is not None and not (is_number(limit) and limit > 0):
        raise InvalidParameterError(f"time_limit must be a positive number of seconds, or None; got {limit!r}.")
