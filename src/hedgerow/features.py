"""What a split looks at: a column of numbers, or a column of categories; and all that a forest takes.

A feature names itself and computes one number a sample; a tree compares that
number. To add a kind, write a frozen dataclass with the members of
:class:`Feature`: equal features must compare equal, because shared splits are
what stability counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from numbers import Integral
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy import sparse
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils import check_array

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.cityhash import city_hash
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
class ColumnWithBlank(Column):
    """A column of numbers in which one number, in single precision, stands for a missing value.

    >>> ColumnWithBlank(0, "age", blank=-999.0).compute(np.array([[-999.0], [30.0]]))
    array([nan, 30.])
    """

    blank: float = np.nan

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values, NaN for the blank."""
        values = super().compute(X)
        with np.errstate(over="ignore"):
            return np.where(values.astype(np.float32) == np.float32(self.blank), np.nan, values)


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
        column = _column(X, self.index)
        if hasattr(column, "cat"):  # pandas: each of its categories is looked up once; its code of missing values is -1
            levels = self._codes(np.asarray(column.cat.categories))
            codes: AnyArray = np.append(levels, np.nan)[column.cat.codes.to_numpy()]
            return codes
        return self._codes(np.asarray(column))

    def _codes(self, values: AnyArray) -> AnyArray:
        are_numbers = values.dtype.kind in "biuf" and np.array(self.categories).dtype.kind in "biuf"
        known = np.array(self.categories, dtype=np.float64 if are_numbers else object)
        # The encoder wants numbers in order.
        order = np.argsort(known) if known.dtype.kind == "f" else np.arange(len(known))
        encoder = OrdinalEncoder(
            categories=[known[order]],
            handle_unknown="use_encoded_value",
            unknown_value=np.nan,
            encoded_missing_value=np.nan,
        )
        table = values.astype(known.dtype).reshape(-1, 1)
        if not len(table):
            return np.empty(0)
        codes: AnyArray = encoder.fit(known[order].reshape(-1, 1)).transform(table).ravel()
        found = ~np.isnan(codes)
        codes[found] = order[codes[found].astype(np.intp)]
        if self.other:
            unknown = np.flatnonzero(~found)
            is_other = np.array([_is_present(value) for value in table[unknown, 0]], dtype=bool)
            codes[unknown[is_other]] = len(self.categories)
        return codes


@dataclass(frozen=True)
class NumberedCategory(Category):
    """A column of categories that a data frame holds by name and an array of numbers by position.

    >>> NumberedCategory(0, "color", ("blue", "red")).compute(np.array([[1.0], [0.0], [2.0], [-1.0]]))
    array([ 1.,  0., nan, nan])
    """

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing and unknown ones."""
        numbered = np.asarray(_column(X, self.index)).dtype.kind in "biuf"
        has_numbers_as_names = all(isinstance(name, (int, float)) for name in self.categories)
        if not numbered or (is_frame(X) and has_numbers_as_names):
            return super().compute(X)
        codes = np.trunc(Column(self.index, self.name).compute(X))
        return np.where((codes >= 0) & (codes < len(self.categories)), np.abs(codes), np.nan)


@dataclass(frozen=True)
class WholeCategory(Category):
    """A column of categories that are whole numbers, in increasing order; digits after the point do not count.

    >>> WholeCategory(0, "store", (3, 7), other=True).compute(np.array([[7.0], [3.9], [5.0], [np.nan]]))
    array([ 1.,  0.,  2., nan])
    """

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing ones."""
        values = np.trunc(Column(self.index, self.name).compute(X))
        known = np.array(self.categories, dtype=np.float64)
        codes = np.minimum(np.searchsorted(known, values), len(known) - 1)
        unknown = np.where(np.isnan(values) | (not self.other), np.nan, len(known))
        return np.where(known[codes] == values, codes, unknown)


@dataclass(frozen=True)
class CodedCategory(Category):
    """A column of categories of which an array of numbers holds the codes, and a data frame the values.

    With ``other`` the categories have no names: numbers are codes in a data frame too, categories of pandas count by
    their position, and any other code is taken for the last. Without, a value that is not among the categories is an
    error. A code is cut down to a whole number.

    >>> CodedCategory(0, "color", ("blue", "red")).compute(np.array([[1.0], [0.0], [np.nan]]))
    array([ 1.,  0., nan])
    >>> CodedCategory(0, "color", (0, 1), other=True).compute(np.array([[1.5], [7.0], [-1.0]]))
    array([1., 2., 2.])
    """

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value, NaN for missing ones."""
        column, n_known = _column(X, self.index), len(self.categories)
        if self.other and hasattr(column, "cat"):
            numbers = column.cat.codes.to_numpy(dtype=np.float64)
            numbers[numbers < 0] = np.nan
        elif is_frame(X) and not self.other:
            return self._among_known(Category(self.index, self.name, self.categories, other=True).compute(X))
        else:
            numbers = self._numbers(X)
        codes = np.where((numbers >= 0) & (numbers < n_known), np.trunc(numbers), n_known)
        return self._among_known(np.where(np.isnan(numbers), np.nan, codes))

    def _numbers(self, X: Any) -> AnyArray:
        try:
            return Column(self.index, self.name).compute(X)
        except (TypeError, ValueError):
            raise InvalidDataError(
                f"The ensemble knows {self.name} by whole numbers, the codes of its categories; X has something else."
            ) from None

    def _among_known(self, codes: AnyArray) -> AnyArray:
        if not self.other and (codes == len(self.categories)).any():
            raise InvalidDataError(
                f"{self.name} has a value that is none of the categories the ensemble was trained on: "
                f"{_some(self.categories)}. Write it as missing, or as one of them."
            )
        return codes


@dataclass(frozen=True)
class HashedCategory(Category):
    """A column of categories of which an ensemble keeps only the hashes of their texts, as CatBoost does.

    A whole number is hashed as its digits, True as "1". There are no missing values. What is in ``categories`` is
    for reading alone: a number sign and the hash, until :meth:`with_values_seen` finds out which value is behind it.

    >>> colors = np.array([["red"], ["blue"], ["green"]], dtype=object)
    >>> color = HashedCategory.of(0, "color", [-863087293, -1242798403])
    >>> color.compute(colors)
    array([1., 0., 2.])
    >>> color.categories, color.with_values_seen(colors).categories
    (('#cc8e5543', '#b5ec66bd'), ('blue', 'red'))
    """

    categories: tuple[Any, ...] = field(compare=False)
    other: bool = True
    hashes: tuple[int, ...] = ()

    @classmethod
    def of(cls, index: int, name: str, hashes: Iterable[int]) -> HashedCategory:
        """Return the feature for hashes given as integers of 32 bits, with sign or without."""
        unsigned = tuple(h % (1 << 32) for h in hashes)
        return cls(index, name, tuple(f"#{h:08x}" for h in unsigned), hashes=unsigned)

    def compute(self, X: Any) -> AnyArray:
        """Return the code of each value."""
        values = np.asarray(_column(X, self.index)).tolist()
        code_of = self._code_of_each(values)
        return np.array([code_of[value] for value in values], dtype=np.float64)

    def with_values_seen(self, X: Any) -> HashedCategory:
        """Return the same with the values in ``X`` instead of their hashes."""
        code_of = self._code_of_each(np.asarray(_column(X, self.index)).tolist())
        value_of = {code: value for value, code in code_of.items()}
        return replace(self, categories=tuple(value_of.get(i, c) for i, c in enumerate(self.categories)))

    def _code_of_each(self, values: list[Any]) -> dict[Any, int]:
        code_of = {h: code for code, h in enumerate(self.hashes)}
        return {
            value: code_of.get(city_hash(self._text(value)) % (1 << 32), len(self.hashes))
            for value in dict.fromkeys(values)
        }

    def _text(self, value: Any) -> bytes:
        if isinstance(value, bytes):
            return value
        if isinstance(value, (str, Integral)):
            return (value if isinstance(value, str) else str(int(value))).encode()
        what = f"the number {value!r}, which is not whole" if _is_present(value) else "missing values"
        raise InvalidDataError(
            f"The column of categories {self.name} holds {what}. The ensemble takes whole numbers and strings there; "
            "turn the column into strings, as was done when it was trained."
        )


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
    """

    features: tuple[Feature, ...]
    dtype: type[np.floating[Any]] = np.float32
    allows_missing: bool = False
    allows_infinity: bool = False
    has_names: bool = False
    columns: tuple[str, ...] | None = None

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
        with np.errstate(over="ignore"):  # what is too large becomes infinity, which is checked below
            if self._are_plain:
                values: FloatArray = check_array(
                    X, dtype=self.dtype, order="F", ensure_all_finite=False, ensure_min_samples=0
                )
            else:
                values = np.empty((X.shape[0], len(self.features)), dtype=self.dtype, order="F")
                for i, feature in enumerate(self.features):
                    values[:, i] = feature.compute(X)
        self._check_values(values)
        return values

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
        matrix = self.matrix(X)
        return {f: matrix[:, self.features.index(f)] for f in used}

    def with_missing_seen(self, values: FloatArray) -> Inputs:
        """Return the same with a mark at each feature that is NaN somewhere in ``values``."""
        missing = np.isnan(values).any(axis=0)
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
        if len(X.shape) == 2 and X.shape[1] != len(expected):
            raise InvalidDataError(
                f"X has {X.shape[1]} features, but the ensemble was trained on {len(expected)}: {_some(expected)}."
            )
        names = column_names(X) if self.has_names else None
        if names is None or names == expected or with_underscores(names) == expected:
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

    def _check_values(self, values: FloatArray) -> None:
        with np.errstate(all="ignore"):
            if np.isfinite(values.sum()):  # one quick pass; only a doubt is worth a look at each column
                return
        for allowed, test, what in (
            (self.allows_missing, np.isnan, "NaN (missing values)"),
            (self.allows_infinity, np.isinf, f"infinity or a value too large for {np.dtype(self.dtype).name}"),
        ):
            bad = test(values).any(axis=0)
            if bad.any() and not allowed:
                names = _some(f.name for f, b in zip(self.features, bad, strict=True) if b)
                raise InvalidDataError(
                    f"Input X contains {what} in: {names}. The ensemble cannot take them; "
                    "fill or drop them as was done when it was trained."
                )


def to_record(feature: Feature) -> dict[str, Any]:
    """Return a feature as data that JSON can hold."""
    kind = type(feature).__name__
    if kind not in _KINDS:
        raise InvalidDataError(
            f"{feature.name} is a {kind}, which needs the model it came from and cannot be written as JSON."
        )
    return {"kind": kind} | asdict(feature)  # type: ignore[call-overload,no-any-return]


def from_record(record: Mapping[str, Any]) -> Feature:
    """Return the feature that :func:`to_record` wrote."""
    kind, given = record.get("kind"), {name: value for name, value in record.items() if name != "kind"}
    if kind not in _KINDS:
        raise InvalidDataError(f"There is no feature of the kind {kind!r}; there are {', '.join(_KINDS)}.")
    try:
        feature: Feature = _KINDS[kind](
            **{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        )
    except TypeError as error:
        raise InvalidDataError(f"A {kind} is not complete: {error}.") from None
    return feature


#: The kinds that are data alone.
_KINDS: dict[Any, Any] = {
    kind.__name__: kind
    for kind in (
        Column,
        ColumnOfNonzeros,
        ColumnWithBlank,
        Category,
        NumberedCategory,
        WholeCategory,
        CodedCategory,
        HashedCategory,
    )
}


def column_names(X: Any) -> list[str] | None:
    """Names of the columns if ``X`` is a data frame (pandas, polars, ...), else None."""
    return [str(name) for name in X.columns] if is_frame(X) else None


def with_underscores(names: Iterable[str]) -> list[str]:
    """Names as those libraries keep them that allow no spaces."""
    return [str(name).replace(" ", "_") for name in names]


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


def _column(X: Any, index: int) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:, index]
    if hasattr(X, "to_series"):
        return X.to_series(index).to_numpy()
    return X[:, index]


def _is_present(value: Any) -> bool:
    try:
        return value is not None and bool(value == value)
    except TypeError:  # pandas.NA equals nothing, not even itself
        return False


def _some(names: Any, most: int = 10) -> str:
    names = list(names)
    shown = ", ".join(map(str, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "none"
