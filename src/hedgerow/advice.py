"""Warnings that point at the line of the user, however deep inside the package they come up."""

from __future__ import annotations

import inspect
import warnings


def warn(message: str) -> None:
    """Warn at the innermost line of code that is not of this package."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "hedgerow":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)
