"""Checks of the baselines' parameters."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from hedgerow._support.checks import check_integer, is_number
from hedgerow.exceptions import InvalidParameterError


def check_share(name: str, value: Any) -> None:
    """Raise unless the value is a number between 0 and 1, or None."""
    if value is not None and (not is_number(value) or not 0 <= value <= 1):
        raise InvalidParameterError(f"{name} must be a number between 0 and 1, or None; got {value!r}.")


def check_penalty(name: str, value: Any) -> None:
    """Raise unless the value is a finite number of at least 0, or None."""
    if value is not None and (not is_number(value) or not 0 <= value < np.inf):
        raise InvalidParameterError(
            f"{name} must be a number of at least 0, or None to choose it by cross-validation; got {value!r}."
        )


def check_folds(cv: Any) -> None:
    """Raise unless ``cv`` is a number of folds, a scikit-learn splitter or an iterable of splits."""
    if isinstance(cv, Integral):
        check_integer("cv", cv, least=2)
    elif not hasattr(cv, "split") and not hasattr(cv, "__iter__"):
        raise InvalidParameterError(f"cv must be an integer of at least 2, or a scikit-learn splitter; got {cv!r}.")
