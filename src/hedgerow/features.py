"""What a split looks at: a column of numbers, or a column of categories.

A feature names itself and computes one number a sample; a tree compares that
number. To add a kind, write a frozen dataclass with the members of
:class:`Feature`: equal features must compare equal, because shared splits are
what stability counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import OrdinalEncoder


class Feature(Protocol):
    """What a tree needs of a feature."""

    @property
    def index(self) -> int:
        """Position of the column the feature is computed from."""
        ...

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    @property
    def has_missing(self) -> bool:
        """Whether the training data had missing values here."""
        ...

    def compute(self, X: Any) -> NDArray[Any]:
        """One number a sample; NaN where the value is missing."""
        ...


@dataclass(frozen=True)
class Column:
    """A column of numbers, taken as it is.

    >>> Column(1, "age").compute(np.array([[1.0, 30.0], [2.0, 40.0]]))
    array([30., 40.])
    """

    index: int
    name: str
    has_missing: bool = field(default=False, compare=False)

    def compute(self, X: Any) -> NDArray[Any]:
        """Return the column's values."""
        return np.asarray(_column(X, self.index), dtype=np.float64)


@dataclass(frozen=True)
class Category:
    """A column of categories, as the position of each value in ``categories``.

    A value that is missing or not among the categories becomes NaN.

    >>> color = Category(0, "color", ("blue", "red"))
    >>> color.compute(np.array([["red"], ["blue"], ["green"]], dtype=object))
    array([ 1.,  0., nan])
    """

    index: int
    name: str
    categories: tuple[Any, ...]
    has_missing: bool = field(default=False, compare=False)

    def compute(self, X: Any) -> NDArray[Any]:
        """Return the code of each value, NaN for missing and unknown ones."""
        values = np.asarray(_column(X, self.index))
        dtype = values.dtype if values.dtype.kind in "biuf" else object
        known = np.array(self.categories, dtype=np.float64 if dtype != object else object)
        encoder = OrdinalEncoder(
            categories=[known],
            handle_unknown="use_encoded_value",
            unknown_value=np.nan,
            encoded_missing_value=np.nan,
        )
        table = values.astype(known.dtype).reshape(-1, 1)
        codes: NDArray[Any] = encoder.fit(known.reshape(-1, 1)).transform(table)
        return codes.ravel()


def column_names(X: Any) -> list[str] | None:
    """Names of the columns if ``X`` is a data frame (pandas, polars, ...), else None."""
    columns = getattr(X, "columns", None)
    return None if columns is None else [str(name) for name in columns]


def make_columns(n_features: int, names: Sequence[str] | None) -> tuple[Column, ...]:
    """One :class:`Column` each, called ``x0``, ``x1``, ... where there are no names."""
    names = [f"x{i}" for i in range(n_features)] if names is None else names
    return tuple(Column(i, str(name)) for i, name in enumerate(names))


def _column(X: Any, index: int) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:, index]
    if hasattr(X, "to_series"):
        return X.to_series(index).to_numpy()
    return X[:, index]
