"""Which columns the rows of a source have; what is wrong with a part of them that does not fit the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, is_sparse
from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import column_names, column_of, frame_or_array, is_frame
from hedgerow.sources.source import Chunk


@dataclass(frozen=True)
class Layout:
    """The columns of a table.

    Attributes
    ----------
    names : tuple of str or None
        The names of the columns; None for arrays.
    n_columns : int
        How many there are.
    """

    names: tuple[str, ...] | None
    n_columns: int

    @classmethod
    def of(cls, X: Any) -> Layout:
        """Return the layout of a data frame or an array."""
        names = column_names(X)
        return cls(None if names is None else tuple(names), int(X.shape[1]))

    def positions(self, columns: Sequence[str | int] | None, source: object) -> list[int]:
        """Return where columns are, given by name or by position; in the order of the table."""
        if columns is None:
            return list(range(self.n_columns))
        known: Sequence[str | int] = range(self.n_columns) if self.names is None else self.names
        unknown = [name for name in columns if name not in known]
        if unknown:
            has = f"{self.n_columns} columns without names" if self.names is None else some(map(repr, known), 8)
            raise InvalidDataError(f"{source} has no column {unknown[0]!r}. It has: {has}.")
        wanted = set(columns)
        return [position for position, name in enumerate(known) if name in wanted]

    def arranged(self, X: Any, place: str, first: str) -> Any:
        """Return a table with its columns in the order of this layout; refuse one with other columns."""
        names = column_names(X)
        if (names is None) != (self.names is None):
            kinds = {True: "an array", False: "a data frame"}
            raise InvalidDataError(
                f"{place} is {kinds[names is None]}, but {first} is {kinds[self.names is None]}. All must be the same."
            )
        if names is None or self.names is None:
            if X.shape[1] != self.n_columns:
                raise InvalidDataError(f"{place} has {X.shape[1]} columns, but {first} has {self.n_columns}.")
            return X
        check_names(names, self.names, place, first)
        if tuple(names) == self.names:
            return X
        return picked(X, [names.index(name) for name in self.names])


def check_names(names: Sequence[str], expected: Sequence[str], place: str, first: str) -> None:
    """Refuse columns with other names than elsewhere."""
    for missing, has, lacks in ((set(expected) - {*names}, first, place), (set(names) - {*expected}, place, first)):
        if missing:
            columns = some(map(repr, sorted(missing)), 5)
            what = f"the column{'s' if len(missing) > 1 else ''} {columns}"
            raise InvalidDataError(f"{lacks} lacks {what}, which {has} has. All must have the same columns.")


@dataclass
class Kinds:
    """What the columns hold, and where that was first seen; None and NaN alone fit anything."""

    seen: dict[str, tuple[str, str]] = field(default_factory=dict)

    def check(self, X: Any, place: str, names: Sequence[str] | None = None) -> None:
        """Refuse a table with a column that holds something else than it did elsewhere."""
        if not is_frame(X):
            self.check_column("X", X, place)
            return
        for position, name in enumerate(names or column_names(X) or ()):
            self.check_column(f"column {name!r}", column_of(X, position), place)

    def check_column(self, label: str, values: Any, place: str) -> None:
        """Refuse values of another kind than elsewhere."""
        kind = kind_of(values.dtype)
        earlier, first = self.seen.get(label, (kind, place))
        if kind == earlier and label in self.seen:
            return
        if _are_all_missing(values):
            return
        if kind != earlier:
            raise InvalidDataError(f"{place}: {label} has {kind}, but {earlier} in {first}. Convert one of them.")
        self.seen[label] = kind, place


def kind_of(dtype: Any) -> str:
    """Return what values of a dtype are, in words: what may be mixed has the same."""
    kind = getattr(dtype, "kind", None)
    if kind is None:  # polars
        name = type(dtype).__name__ if not isinstance(dtype, type) else dtype.__name__
        is_number = getattr(dtype, "is_numeric", lambda: False)()
        return "numbers" if is_number else {"Boolean": "booleans", "Datetime": "dates"}.get(name, "strings or objects")
    words = {"b": "booleans", **dict.fromkeys("iuf", "numbers"), "M": "dates", "m": "durations"}
    return words.get(kind, "strings or objects")


def _are_all_missing(values: Any) -> bool:
    if kind_of(values.dtype) not in ("numbers", "strings or objects"):
        return False
    if hasattr(values, "isna"):
        return bool(values.isna().all())
    plain = np.asarray(values)
    if plain.dtype.kind == "f":
        return bool(np.isnan(plain).all())
    return plain.dtype == object and all(map(_is_missing, plain.flat))


def _is_missing(value: Any) -> bool:
    # pandas.NA is neither equal to itself nor not.
    return (
        value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
    )


def picked(X: Any, positions: Sequence[int]) -> Any:
    """Return some columns of a table; the table itself if these are all in their order."""
    if list(positions) == list(range(X.shape[1])):
        return X
    return X.iloc[:, list(positions)] if hasattr(X, "iloc") else X[:, list(positions)]


def table(X: Any, place: str) -> Any:
    """Return a data frame or an array of two dimensions; refuse anything else."""
    X = frame_or_array(X)
    if is_sparse(X):
        raise InvalidDataError(f"{place} is a sparse matrix. Yield arrays or data frames: X.toarray().")
    if len(X.shape) != 2:
        raise InvalidDataError(f"{place} has {len(X.shape)} dimension(s). Yield tables: arrays of two, or data frames.")
    return X


def targets(y: Any) -> AnyArray:
    """Return targets as an array; those in one column as a vector."""
    array = np.asarray(y)
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def weights(weight: Any, place: str) -> FloatArray:
    """Return weights as numbers; refuse what cannot be one."""
    try:
        array = np.asarray(weight, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise InvalidDataError(f"{place}: the weights are not numbers.") from None
    if not np.isfinite(array).all():
        raise InvalidDataError(f"{place}: a weight is missing or infinite. Weights must be finite numbers.")
    if (array < 0).any():
        raise InvalidDataError(f"{place}: a weight is negative. Weights must be at least 0.")
    return array


def slices(chunk: Chunk, size: int) -> Iterator[Chunk]:
    """Yield a chunk in parts of at most so many rows; nothing if it has none."""
    n = chunk.n_rows
    if 0 < n <= size:
        yield chunk
        return
    for start in range(0, n, size):
        rows = slice(start, min(start + size, n))
        X = chunk.X.iloc[rows] if hasattr(chunk.X, "iloc") else chunk.X[rows]
        yield Chunk(
            X,
            None if chunk.y is None else chunk.y[rows],
            None if chunk.weight is None else chunk.weight[rows],
            f"{chunk.place}, {rows_place(start, rows.stop)}",
            chunk.columns,
        )


def rows_place(start: int, stop: int) -> str:
    """Return where rows are, for messages."""
    return f"row {start:,}" if stop - start == 1 else f"rows {start:,} to {stop - 1:,}"
