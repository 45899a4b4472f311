"""All that a forest or a rule list takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from hedgerow._support.arrays import AnyArray, FloatArray, ValueArray
from hedgerow.exceptions import InvalidDataError, warn
from hedgerow.features.categories import HashedCategory
from hedgerow.features.columns import Column
from hedgerow.features.feature import Feature
from hedgerow.features.outputs import Output, compute_together
from hedgerow.features.tables import column_names, frame_or_array, is_low_precision, some, with_underscores


@dataclass(frozen=True)
class Inputs:
    """The columns a forest or a rule list takes, and how it compares them.

    Attributes
    ----------
    features : tuple of Feature
        What the trees' feature numbers mean.
    dtype : float32 or float64
        The precision in which values are compared with thresholds.
    allows_missing, allows_infinity : bool
        Which values may come besides finite ones.
    has_names : bool
        Whether the columns of a data frame must bear these names.
    columns : tuple of str, optional
        The names of the columns of X; the features' names, one a column, if not given.
    complete : frozenset of Feature
        Features that may not be missing, though others may.
    absent : "zero", "missing" or None
        What is meant where a sparse matrix stores nothing; None if not known.
        Such a matrix is taken only if that is zero, or if transformers turn
        it into every feature.
    delicate : tuple of (int, str)
        Columns whose thresholds hold for float64, while transformers compute
        in the column's own precision: its number, and the kinds of dtype for
        which that matters.
    """

    features: tuple[Feature, ...]
    dtype: type[np.floating[Any]] = np.float32
    allows_missing: bool = False
    allows_infinity: bool = False
    has_names: bool = False
    columns: tuple[str, ...] | None = None
    complete: frozenset[Feature] = frozenset()
    absent: Literal["zero", "missing"] | None = None
    delicate: tuple[tuple[int, str], ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the columns of X."""
        return [feature.name for feature in self.features] if self.columns is None else list(self.columns)

    def can_be_missing(self, feature: Feature) -> bool:
        """Say whether a feature may come without a value."""
        return self.allows_missing and feature not in self.complete

    @property
    def _are_plain(self) -> bool:
        """Whether the features are just the columns."""
        return self.columns is None and all(type(feature) is Column for feature in self.features)

    @property
    def _takes_sparse(self) -> bool:
        if self.absent == "missing":  # to the transformers it is zero
            return all(isinstance(feature, Output) for feature in self.features)
        return self.absent == "zero"

    def matrix(self, X: Any) -> FloatArray:
        """Return the features of X, one a column, in the precision of comparison.

        Raises :class:`InvalidDataError` for other columns than the features,
        and for NaN or infinity where they cannot be taken.
        """
        X = self._checked(X)
        if self._are_plain:
            with np.errstate(over="ignore"):  # what is too large becomes infinity, which is checked below
                values: FloatArray = check_array(
                    X, dtype=self.dtype, order="F", ensure_all_finite=False, ensure_min_samples=0
                )
            self._check_values(values, self.features)
            return values
        return self._computed(X, self.features)

    def values(self, X: Any, used: Iterable[Feature]) -> dict[Feature, FloatArray]:
        """Return some columns of :meth:`matrix`, without making the others if they are plainly in order."""
        if self._are_plain:
            X = self._checked(X)
            array = check_array(X, ensure_all_finite=False, ensure_min_samples=0)
            with np.errstate(all="ignore"):
                columns: dict[Feature, FloatArray] = {
                    f: array[:, f.index].astype(self.dtype) for f in used if isinstance(f, Column)
                }
                if all(np.isfinite(part.sum()) for part in (array, *columns.values())):
                    return columns
        if self.columns is not None:  # what is made of the columns may be much more than what is used
            features = tuple(used)
            return dict(zip(features, self._computed(self._checked(X), features).T, strict=True))
        matrix = self.matrix(X)
        return {f: matrix[:, self.features.index(f)] for f in used}

    def _computed(self, X: Any, features: tuple[Feature, ...]) -> FloatArray:
        with np.errstate(over="ignore"):
            values = self._together(X, features)
        self._check_values(values, features)
        return values

    def _together(self, X: Any, features: Sequence[Feature]) -> FloatArray:
        return compute_together(X, features, self.dtype)

    def with_missing_seen(self, values: ValueArray) -> Inputs:
        """Return the same with a mark at each feature that is NaN somewhere in ``values``."""
        missing: AnyArray = np.asarray(np.isnan(values).any(axis=0))
        features = [
            replace(f, has_missing=True) if seen else f  # type: ignore[type-var]
            for f, seen in zip(self.features, missing, strict=True)
        ]
        return replace(self, features=tuple(features))

    def with_values_seen(self, X: Any) -> Inputs:
        """Return the same with the values in ``X`` of those categories of which only hashes are known."""
        features = [f.with_values_seen(X) if isinstance(f, HashedCategory) else f for f in self.features]
        return replace(self, features=tuple(features))

    def _checked(self, X: Any) -> Any:
        """Return X as a frame or an array, if its columns are the features."""
        X, expected = frame_or_array(X), self.names
        if sparse.issparse(X) and not self._takes_sparse:
            raise no_sparse_matrix(self.absent)
        if len(X.shape) == 2 and X.shape[1] != len(expected):
            raise InvalidDataError(
                f"X has {X.shape[1]} features, but the ensemble was trained on {len(expected)}: {some(expected)}."
            )
        if len(X.shape) == 1 and self.columns is not None and len(expected) > 1:
            raise InvalidDataError(f"X is a vector, but the ensemble was trained on {len(expected)} columns.")
        self._warn_of_precision(X)
        names = column_names(X) if self.has_names else None
        if names is None or names == expected or with_underscores(names) == expected:
            return X
        if sorted(names) == sorted(expected):
            raise InvalidDataError(
                "The columns of X are those the ensemble was trained on, but in another order. "
                f"Reorder them to: {some(expected)}."
            )
        raise InvalidDataError(
            f"The ensemble was trained on other columns. Missing in X: {some(n for n in expected if n not in names)}; "
            f"unknown to the ensemble: {some(n for n in names if n not in expected)}."
        )

    def _warn_of_precision(self, X: Any) -> None:
        low = [self.names[i] for i, kinds in self.delicate if is_low_precision(X, i, kinds)]
        if low:
            warn(
                f"The pipeline computes in less than float64 with: {some(low)}. Its rules compare in float64, so that "
                "values next to a threshold may fall on the other side than in the pipeline. Convert these columns to "
                "float64 before the pipeline is fitted."
            )

    def _check_values(self, values: FloatArray, features: Sequence[Feature]) -> None:
        with np.errstate(all="ignore"):
            if np.isfinite(values.sum()):  # one quick pass; only a doubt is worth a look at each column
                return
        missing = np.array([self.can_be_missing(feature) for feature in features])
        for allowed, test, what in (
            (missing, np.isnan, "NaN (missing values)"),
            (self.allows_infinity, np.isinf, f"infinity or a value too large for {np.dtype(self.dtype).name}"),
        ):
            bad = test(values).any(axis=0) & ~np.asarray(allowed)
            if bad.any():
                names = some(f.name for f, b in zip(features, bad, strict=True) if b)
                raise InvalidDataError(
                    f"Input X contains {what} in: {names}. The ensemble cannot take them; "
                    "fill or drop them as was done when it was trained."
                )


def no_sparse_matrix(absent: str | None = None) -> InvalidDataError:
    """Return the error that says how to turn a sparse matrix into an array."""
    if absent == "missing":
        return InvalidDataError(
            "X is a sparse matrix. To XGBoost, entries that it does not store are missing, not zero: "
            "turn it into an array with NaN where nothing is stored."
        )
    return InvalidDataError(
        "X is a sparse matrix, but a dense array is needed. Turn it into one: with zeros where nothing is stored; "
        "or with NaN there if the ensemble is one of XGBoost, to which such entries are missing."
    )
