"""What a split looks at: a column of numbers or categories, or what is made of them; and all that a forest takes.

A feature names itself and computes one number a sample; a tree compares that
number. To add a kind, write a frozen dataclass with the members of
:class:`Feature`: equal features must compare equal, because shared splits are
what stability counts.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy import sparse
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils import check_array

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError


class Feature(Protocol):
    """What a tree needs of a feature."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    @property
    def has_missing(self) -> bool:
        """Whether the training data had missing values here."""
        ...

    @property
    def absence(self) -> str:
        """What to call a value that becomes NaN: "missing"."""
        ...

    def compute(self, X: Any) -> AnyArray:
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

    absence: ClassVar[str] = "missing"

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values."""
        column = _column(X, self.index)
        if hasattr(column, "to_numpy"):  # pandas: its own missing values become NaN
            numbers: AnyArray = column.to_numpy(dtype=np.float64, na_value=np.nan)
            return numbers
        return np.asarray(column, dtype=np.float64)


@dataclass(frozen=True)
class ColumnOfNonzeros(Column):
    """A column of numbers in which zero stands for a missing value.

    >>> ColumnOfNonzeros(0, "visits").compute(np.array([[0.0], [3.0]]))
    array([nan,  3.])
    """

    absence: ClassVar[str] = "zero or missing"

    #: What is not farther from zero than this is zero.
    nearly_zero: ClassVar[float] = float(np.float32(1e-35))

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values, NaN for zeros."""
        values = super().compute(X)
        return np.where(np.abs(values) <= self.nearly_zero, np.nan, values)


@dataclass(frozen=True)
class Category:
    """A column of categories, as the position of each value in ``categories``.

    A missing value becomes NaN. A value that is not among the categories does
    too, or with ``other`` gets a code of its own, one more than the last.

    >>> colors = np.array([["red"], ["blue"], ["green"], [None]], dtype=object)
    >>> Category(0, "color", ("blue", "red")).compute(colors)
    array([ 1.,  0., nan, nan])
    >>> Category(0, "color", ("blue", "red"), other=True).compute(colors)
    array([ 1.,  0.,  2., nan])
    """

    index: int
    name: str
    categories: tuple[Any, ...]
    other: bool = False
    has_missing: bool = field(default=False, compare=False)

    absence: ClassVar[str] = "missing"

    @property
    def n_codes(self) -> int:
        """How many codes there are."""
        return len(self.categories) + self.other

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing ones."""
        values = np.asarray(_column(X, self.index))
        numbers = values.dtype.kind in "biuf" and all(isinstance(c, Real | np.bool) for c in self.categories)
        known = np.array(self.categories, dtype=np.float64 if numbers else object)
        if not len(known):  # all that can be said of a value is whether there is one
            present = [is_present(value) for value in values]
            return np.where(present, 0.0 if self.other else np.nan, np.nan)
        encoder = OrdinalEncoder(
            categories=[known],
            handle_unknown="use_encoded_value",
            unknown_value=np.nan,
            encoded_missing_value=np.nan,
        )
        table = values.astype(known.dtype).reshape(-1, 1)
        codes: AnyArray = encoder.fit(known.reshape(-1, 1)).transform(table).ravel()
        if self.other:
            unknown = np.flatnonzero(np.isnan(codes))
            is_other = np.array([is_present(value) for value in table[unknown, 0]], dtype=bool)
            codes[unknown[is_other]] = len(self.categories)
        return codes


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
    """

    features: tuple[Feature, ...]
    dtype: type[np.floating[Any]] = np.float32
    allows_missing: bool = False
    allows_infinity: bool = False
    has_names: bool = False
    columns: tuple[str, ...] | None = None
    complete: frozenset[Feature] = frozenset()

    @property
    def names(self) -> list[str]:
        """The names of the columns of X."""
        return [feature.name for feature in self.features] if self.columns is None else list(self.columns)

    @property
    def _are_plain(self) -> bool:
        """Whether the features are just the columns."""
        return self.columns is None and all(type(feature) is Column for feature in self.features)

    def matrix(self, X: Any) -> FloatArray:
        """Return the features of X, one a column, in the precision of comparison.

        Raises :class:`InvalidDataError` for other columns than the features,
        and for NaN or infinity where they cannot be taken.
        """
        X = self._checked(X)
        if self._are_plain:
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
            values = compute_together(X, features, self.dtype)
        self._check_values(values, features)
        return values

    def with_missing_seen(self, values: FloatArray) -> Inputs:
        """Return the same with a mark at each feature that is NaN somewhere in ``values``."""
        missing = np.isnan(values).any(axis=0)
        features = [
            replace(f, has_missing=True) if seen else f  # type: ignore[type-var]
            for f, seen in zip(self.features, missing, strict=True)
        ]
        return replace(self, features=tuple(features))

    def _checked(self, X: Any) -> Any:
        """Return X as a frame or an array, if its columns are the features."""
        X, expected = frame_or_array(X), self.names
        if len(X.shape) == 2 and X.shape[1] != len(expected):
            raise InvalidDataError(
                f"X has {X.shape[1]} features, but the ensemble was trained on {len(expected)}: {_some(expected)}."
            )
        names = column_names(X) if self.has_names else None
        if names is None or names == expected:
            return X
        if sorted(names) == sorted(expected):
            raise InvalidDataError(
                "The columns of X are those the ensemble was trained on, but in another order. "
                f"Reorder them to: {_some(expected)}."
            )
        raise InvalidDataError(
            f"The ensemble was trained on other columns. Missing in X: {_some(n for n in expected if n not in names)}; "
            f"unknown to the ensemble: {_some(n for n in names if n not in expected)}."
        )

    def _check_values(self, values: FloatArray, features: Sequence[Feature]) -> None:
        with np.errstate(all="ignore"):
            if np.isfinite(values.sum()):  # one quick pass; only a doubt is worth a look at each column
                return
        missing = np.array([self.allows_missing and f not in self.complete for f in features])
        for allowed, test, what in (
            (missing, np.isnan, "NaN (missing values)"),
            (self.allows_infinity, np.isinf, f"infinity or a value too large for {np.dtype(self.dtype).name}"),
        ):
            bad = test(values).any(axis=0) & ~np.asarray(allowed)
            if bad.any():
                names = _some(f.name for f, b in zip(features, bad, strict=True) if b)
                raise InvalidDataError(
                    f"Input X contains {what} in: {names}. The ensemble cannot take them; "
                    "fill or drop them as was done when it was trained."
                )


@dataclass(frozen=True)
class ColumnWithGap:
    """A column of numbers in which those from ``lowest`` to ``highest`` stand for a missing value.

    >>> ColumnWithGap(0, "glucose", lowest=0, highest=0).compute(np.array([[0.0], [95.0]]))
    array([nan, 95.])
    """

    index: int
    name: str
    lowest: float
    highest: float
    has_missing: bool = field(default=False, compare=False)

    @property
    def absence(self) -> str:
        """What to call a value in the gap, or none at all."""
        if self.lowest == self.highest:
            return f"{self.highest:g} or missing"
        below = self.lowest == -math.inf
        return f"{'at most' if below else f'between {self.lowest:g} and'} {self.highest:g} or missing"

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values, NaN for those in the gap."""
        values = Column(self.index, self.name).compute(X)
        return np.where((values >= self.lowest) & (values <= self.highest), np.nan, values)


@dataclass(frozen=True)
class Steps:
    """Fitted transformers to run one after the other on samples.

    Attributes
    ----------
    stages : tuple of (columns, transformer)
        Which columns of the table before go in (all if None, a plain vector if
        a number), and who transforms them (nobody if None).
    key : str
        What the steps are: equal for equal steps.
    """

    key: str
    stages: tuple[tuple[tuple[int, ...] | int | None, Any], ...] = field(compare=False, repr=False)

    def compute(self, X: Any, positions: Sequence[int]) -> FloatArray:
        """Return some columns of what the last step makes of X."""
        with warnings.catch_warnings():
            # That names are there in one place and not in the other was looked at by `Inputs`.
            warnings.filterwarnings("ignore", message="X (does not have valid|has) feature names")
            for columns, transformer in self.stages:
                X = _part(X, columns)
                X = X if transformer is None else transformer.transform(X)
        if len(X.shape) == 1:
            X = np.asarray(X).reshape(-1, 1)
        return dense(_part(X, tuple(positions)))


@dataclass(frozen=True)
class Output:
    """What fitted transformers make of the samples: one column of it.

    With ``nonzero`` a zero stands for a missing value.
    """

    steps: Steps
    position: int
    name: str
    nonzero: bool = False
    has_missing: bool = field(default=False, compare=False)

    @property
    def absence(self) -> str:
        """What to call a value that becomes NaN."""
        return "zero or missing" if self.nonzero else "missing"

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values."""
        return compute_together(X, [self])[:, 0]


@dataclass(frozen=True)
class Word(Output):
    """How often a text contains a term, or the term's weight in it.

    ``smallest`` is what the value cannot be below if the text contains the term.
    """

    term: str = ""
    column: str | None = None
    smallest: float = 1.0
    is_count: bool = True

    def phrase(self, lower: float, upper: float) -> str | None:
        """Say in words that the value lies between two numbers, if there are words for it."""
        subject = f"{self.column} " if self.column is not None else ""
        if lower == -math.inf and self._parts(upper):
            return f'{subject}does not contain "{self.term}"'
        return f'{subject}contains "{self.term}"' if upper == math.inf and self._parts(lower) else None

    def _parts(self, threshold: float) -> bool:
        """Whether a threshold tells texts with the term from those without."""
        return threshold == 0 or 0 <= threshold < self.smallest


def compute_together(X: Any, features: Sequence[Feature], dtype: Any = np.float64) -> FloatArray:
    """Return the features of X, one a column; steps that several of them need run once."""
    values = np.empty((X.shape[0], len(features)), dtype=dtype, order="F")
    together: dict[Steps, list[int]] = {}
    for i, feature in enumerate(features):
        if isinstance(feature, Output):
            together.setdefault(feature.steps, []).append(i)
        else:
            values[:, i] = feature.compute(X)
    for steps, where in together.items():
        outputs = [f for i in where if isinstance(f := features[i], Output)]
        made = steps.compute(X, [f.position for f in outputs])
        zero_is_none = np.array([f.nonzero for f in outputs])
        values[:, where] = np.where(zero_is_none & (made == 0), np.nan, made)
    return values


def column_names(X: Any) -> list[str] | None:
    """Names of the columns if ``X`` is a data frame (pandas, polars, ...), else None."""
    return [str(name) for name in X.columns] if is_frame(X) else None


def is_frame(X: Any) -> bool:
    """Whether ``X`` is a data frame of some library."""
    return hasattr(type(X), "columns")


def frame_or_array(X: Any) -> Any:
    """Return a data frame or a sparse matrix as it is, anything else as an array."""
    if is_frame(X) and not hasattr(X, "shape"):
        raise InvalidDataError(f"X is a {type(X).__qualname__}, which has no rows yet; collect it first.")
    return X if is_frame(X) or sparse.issparse(X) else np.asarray(X)


def make_columns(n_features: int, names: Sequence[str] | None) -> tuple[Column, ...]:
    """One :class:`Column` each, called ``x0``, ``x1``, ... where there are no names."""
    names = [f"x{i}" for i in range(n_features)] if names is None else names
    return tuple(Column(i, str(name)) for i, name in enumerate(names))


def dense(table: Any) -> FloatArray:
    """Return numbers in a frame, a sparse matrix or an array as a plain array."""
    if sparse.issparse(table):
        table = table.toarray()
    elif hasattr(table, "to_numpy"):
        table = table.to_numpy()
    return np.asarray(table, dtype=np.float64)


def _column(X: Any, index: int) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:, index]
    if hasattr(X, "to_series"):
        return X.to_series(index).to_numpy()
    return X[:, [index]].toarray().ravel() if sparse.issparse(X) else X[:, index]


def _part(X: Any, columns: tuple[int, ...] | int | None) -> Any:
    """Return some columns of a table, or one of them as a vector."""
    if columns is None:
        return X
    if isinstance(columns, int):
        return _column(X, columns)
    return X.iloc[:, list(columns)] if hasattr(X, "iloc") else X[:, list(columns)]


def is_present(value: Any) -> bool:
    """Whether a value is none of those that stand for a missing one: None, NaN, NaT, pandas.NA."""
    try:
        return value is not None and bool(value == value)
    except TypeError:  # pandas.NA equals nothing, not even itself
        return False


def _some(names: Any, most: int = 10) -> str:
    names = list(names)
    shown = ", ".join(map(str, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "none"
