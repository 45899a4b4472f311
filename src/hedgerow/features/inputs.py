"""What a forest or a rule list takes as input."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, ValueArray, is_sparse
from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError, warn
from hedgerow.features.categories import Category
from hedgerow.features.columns import Column
from hedgerow.features.feature import Feature
from hedgerow.features.frames import (
    column_names,
    column_of,
    frame_or_array,
    is_low_precision,
    numbers_of,
    with_columns,
    with_underscores,
)
from hedgerow.features.notation import Notation
from hedgerow.features.refusals import CONVERT, explained, why_not_a_table, wrong_columns

#: Columns are taken from blocks of so many rows, which are read from memory once for all columns.
_BLOCK = 1 << 13


@dataclass(frozen=True)
class Inputs:
    """The columns a forest or a rule list takes, and how it compares them.

    Attributes
    ----------
    features : tuple of Feature
        The features, in the order in which trees number them.
    dtype : float32 or float64
        The precision in which values are compared with thresholds.
    allows_missing, allows_infinity : bool
        Which values are accepted besides finite ones.
    has_names : bool
        Whether the columns of a data frame must have these names.
    columns : tuple of str, optional
        The names of the columns of X. By default the features are the columns, one each.
    complete : frozenset of Feature
        Features that must not be missing, though others may be.
    absent : "zero", "missing" or None
        What an entry means that a sparse matrix does not store; None if
        unknown. A sparse matrix is accepted only if such entries are zero, or if
        transformers compute every feature.
    delicate : tuple of (int, str)
        Columns whose thresholds are exact for float64, although transformers
        compute in the column's own precision: the column, and the kinds of
        dtype for which that matters.
    notations : tuple of (int, Notation)
        How the cells of columns are written where the table is read from a
        file or a database; columns of other tables contain values as they are.
    """

    #: Whether samples are time series.
    of_series: ClassVar[bool] = False

    features: tuple[Feature, ...]
    dtype: type[np.floating[Any]] = np.float32
    allows_missing: bool = False
    allows_infinity: bool = False
    has_names: bool = False
    columns: tuple[str, ...] | None = None
    complete: frozenset[Feature] = frozenset()
    absent: Literal["zero", "missing"] | None = None
    delicate: tuple[tuple[int, str], ...] = ()
    notations: tuple[tuple[int, Notation], ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the columns of X."""
        return [feature.name for feature in self.features] if self.columns is None else list(self.columns)

    @property
    def sample_shape(self) -> tuple[int, ...]:
        """The shape of one sample."""
        return (len(self.names),)

    def as_samples(self, X: Any) -> Any:
        """Return ``X`` in the form in which samples are handled: a frame, a sparse matrix or an array."""
        return frame_or_array(X)

    def places(self, feature: Feature) -> tuple[int, ...]:
        """Return the columns of X that a feature looks at."""
        return tuple(column.index for column in feature.table_columns)

    def notation_of(self, column: int) -> Notation | None:
        """Return how the cells of a column are written, or None if they are values already."""
        return dict(self.notations).get(column)

    def can_be_missing(self, feature: Feature) -> bool:
        """Return whether the value of a feature may be missing."""
        return self.allows_missing and feature.takes_missing and feature not in self.complete

    @property
    def _are_plain(self) -> bool:
        """Whether the features are just the columns."""
        own_columns = self.columns is None and not self.of_series
        return own_columns and all(type(feature) is Column for feature in self.features)

    @property
    def _takes_sparse(self) -> bool:
        if self.absent == "missing":  # to transformers it is zero
            return all(feature.takes_sparse for feature in self.features)
        return self.absent == "zero"

    def matrix(self, X: Any) -> ValueArray:
        """Return the features of X, one per column, in the precision of comparison.

        Raises :class:`InvalidDataError` if the columns are not the expected ones,
        and for NaN or infinity where they are not allowed.
        """
        return self._computed(self._checked(X), self.features)

    def values(self, X: Any, used: Iterable[Feature]) -> dict[Feature, ValueArray]:
        """Return some columns of :meth:`matrix`, without computing the others if all are accepted."""
        if self._are_plain:
            X = self._checked(X)
            with explained(X, CONVERT):
                array = numbers_of(X)
            used = tuple(used)
            gaps = np.array([self.can_be_missing(feature) for feature in self.features])
            places = [self.places(f)[0] for f in used]
            columns = _columns_if_accepted(array, places, self.dtype, gaps, self.allows_infinity)
            if columns is not None:
                return dict(zip(used, columns, strict=True))
        if self.columns is not None or self.of_series:  # there may be many more features than are used
            features = tuple(used)
            return dict(zip(features, self._computed(self._checked(X), features).T, strict=True))
        matrix = self.matrix(X)
        return {f: matrix[:, self.features.index(f)] for f in used}

    def _computed(self, X: Any, features: tuple[Feature, ...]) -> ValueArray:
        of_numbers = {column.index for f in features for column in f.table_columns if column.holds is float}
        # Numbers that are too large become infinity, which is checked below.
        with explained(X, CONVERT, of_numbers), np.errstate(over="ignore"):
            if self._are_plain:
                values = numbers_of(X, self.dtype, order="F")
            else:
                values = compute_together(X, features, self.dtype)
        self._check_values(values, features)
        self._warn_of_unseen(X, features, values)
        return values

    def with_missing_seen(self, values: ValueArray) -> Self:
        """Return the inputs with a mark at each feature that is NaN somewhere in ``values``."""
        missing = np.asarray(np.isnan(values).any(axis=0))
        features = (f.with_missing() if seen else f for f, seen in zip(self.features, missing, strict=True))
        return replace(self, features=tuple(features))

    def with_values_seen(self, X: Any) -> Self:
        """Return the inputs with what features learn from the values in ``X``."""
        return replace(self, features=tuple(feature.with_values_seen(X) for feature in self.features))

    def _checked(self, X: Any) -> Any:
        """Return X as a frame or an array, if its columns are the expected ones."""
        given, X, expected = X, frame_or_array(X), self.names
        if is_sparse(X) and not self._takes_sparse:
            raise no_sparse_matrix(self.absent)
        if len(X.shape) == 2 and X.shape[1] != len(expected):
            raise InvalidDataError(wrong_columns(column_names(X), X.shape[1], expected))
        if len(X.shape) < 2 and (self.columns is None or len(expected) > 1):
            raise InvalidDataError(why_not_a_table(given) or f"X is {given!r}. Pass an array or a data frame.")
        self._warn_of_precision(X)
        names = column_names(X) if self.has_names else None
        if names is None or names == expected or with_underscores(names) == expected:
            return read_cells(X, self.notations)
        if sorted(names) == sorted(expected):
            raise InvalidDataError(
                "X has the columns the ensemble was trained on, but in a different order. "
                f"Reorder them to: {some(expected)}."
            )
        raise InvalidDataError(
            "The ensemble was trained on different columns. "
            f"Missing in X: {some(n for n in expected if n not in names)}; "
            f"unknown to the ensemble: {some(n for n in names if n not in expected)}."
        )

    def _warn_of_precision(self, X: Any) -> None:
        low = [self.names[i] for i, kinds in self.delicate if is_low_precision(X, i, kinds)]
        if low:
            warn(
                f"The pipeline computes in less than float64 for: {some(low)}. The rules compare in float64, so values "
                "next to a threshold may fall on a different side than in the pipeline. Convert these columns to "
                "float64 before fitting the pipeline."
            )

    def _warn_of_unseen(self, X: Any, features: Sequence[Feature], values: ValueArray) -> None:
        first = {f.index: (f, i) for i, f in reversed(list(enumerate(features))) if isinstance(f, Category)}
        for feature, i in first.values():
            feature.warn_if_unseen(X, values[:, i])

    def _check_values(self, values: ValueArray, features: Sequence[Feature]) -> None:
        with np.errstate(all="ignore"):
            if np.isfinite(values.sum()):  # one quick pass; each column is checked only in case of doubt
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
                    f"Input X contains {what} in: {names}. The ensemble does not accept them; "
                    "fill or drop them, as was done for training."
                )


def _columns_if_accepted(
    array: AnyArray, places: Sequence[int], dtype: Any, gaps: BoolArray, infinity: bool
) -> ValueArray | None:
    """Return some columns, one per row; None if a number in any column is not accepted, or too large for the dtype.

    ``gaps`` tells in which columns values may be missing, ``infinity`` whether numbers may be infinite.
    """
    columns = np.empty((len(places), len(array)), dtype=dtype)
    complete, some_complete = np.flatnonzero(~gaps), not gaps.all()
    with np.errstate(all="ignore"):
        for start in range(0, len(array), _BLOCK):
            block, part = array[start : start + _BLOCK], columns[:, start : start + _BLOCK]
            for column, place in zip(part, places, strict=True):
                column[:] = block[:, place]
            if np.isfinite(block.sum()) and np.isfinite(part.sum()):  # one quick pass; more only in case of doubt
                continue
            if some_complete and np.isnan(block[:, complete]).any():
                return None
            if not infinity and (np.isinf(block).any() or np.isinf(part).any()):
                return None
    return columns


def read_cells(X: Any, notations: Iterable[tuple[int, Notation]]) -> Any:
    """Return a table with values instead of cells as they are written, in the columns of these notations."""
    if is_sparse(X) or getattr(getattr(X, "dtype", None), "kind", "O") in "iufb":
        return X
    values = {}
    for index, notation in notations:
        column = column_of(X, index)
        if getattr(column.dtype, "kind", "O") not in "iufb" or notation.missing_numbers:
            values[index] = notation.read(column)
    return with_columns(X, values) if values else X


def compute_together(X: Any, features: Sequence[Feature], dtype: Any = np.float64) -> ValueArray:
    """Return the features of X, one per column; those of the same batch are computed in one go."""
    values = np.empty((X.shape[0], len(features)), dtype=dtype, order="F")
    batches: dict[Hashable, list[int]] = {}
    for i, feature in enumerate(features):
        if feature.batch is None:
            values[:, i] = feature.compute(X)
        else:
            batches.setdefault(feature.batch, []).append(i)
    for where in batches.values():
        values[:, where] = features[where[0]].compute_batch(X, [features[i] for i in where])
    return values


def no_sparse_matrix(absent: str | None = None) -> InvalidDataError:
    """Return the error that says how to convert a sparse matrix to an array."""
    if absent == "missing":
        return InvalidDataError(
            "X is a sparse matrix. XGBoost takes the entries it does not store as missing, not as zero: "
            "convert it to an array with NaN where nothing is stored."
        )
    return InvalidDataError(
        "X is a sparse matrix, but a dense array is needed. Convert it to an array, with zeros where nothing is "
        "stored, or with NaN if the ensemble is from XGBoost, which takes such entries as missing."
    )
