"""What a parameter is, checked."""

from __future__ import annotations

from numbers import Real
from typing import Any

from hedgerow.exceptions import InvalidParameterError


def is_number(value: Any) -> bool:
    """Whether a value is a number, and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_time_limit(limit: Any) -> None:
    """Refuse what is no number of seconds."""
    if limit is not None and not (is_number(limit) and limit > 0):
        raise InvalidParameterError(f"time_limit must be a positive number of seconds, or None; got {limit!r}.")
