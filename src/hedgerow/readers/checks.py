"""Checks that several readers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from hedgerow.exceptions import InvalidParameterError, UnfittedModelError, UnsupportedModelError

#: No model that rules are worth reading from has more columns, classes or category numbers than this.
_MOST = 1_000_000


def unfitted(model: Any) -> UnfittedModelError:
    """Return the error for a model that is not fitted."""
    return UnfittedModelError(f"This {type(model).__qualname__} is not fitted yet. Call fit on it before reading it.")


def check_readable(model: Any) -> None:
    """Refuse a model with scikit-learn's interface that is not fitted or has several outputs."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise unfitted(model) from None
    if getattr(model, "n_outputs_", 1) > 1:
        raise several_outputs(f"This {type(model).__qualname__}")


def several_outputs(called: str) -> UnsupportedModelError:
    """Return the error for a model with several outputs."""
    return UnsupportedModelError(f"{called} has several outputs. Train one model per output and read each of them.")


def check_names(names: Sequence[str] | None, n_columns: int, called: str = "an ensemble") -> None:
    """Refuse feature names, if there are any, that are not one per column."""
    if names is not None and len(names) != n_columns:
        raise InvalidParameterError(
            f"{len(names)} feature names for {called} of {n_columns} columns; pass one name per column."
        )


def check_count(n: int, what: str, called: str) -> None:
    """Refuse a number of columns, classes or categories that no model has: a broken file may claim billions."""
    if not 0 <= n <= _MOST:
        raise UnsupportedModelError(
            f"{called} claims to have {n:,} {what}; models of up to {_MOST:,} can be read. If the file is not damaged, "
            f"train the model again with fewer {what}."
        )
