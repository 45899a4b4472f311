"""Rows from anything that can be read again: a function that returns a new iterator of chunks each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

from hedgerow._support.checks import check_integer
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.sources.layout import Kinds, Layout, picked, slices, table, targets, weights
from hedgerow.sources.local import LocalSource, Piece
from hedgerow.sources.source import BATCH_ROWS, Chunk


class Chunks(LocalSource):
    """Rows in chunks that are made anew in every pass.

    Parameters
    ----------
    make_iterator : callable or iterable
        Returns a new iterator each time it is called, which is once per pass. An iterable that can be iterated again,
        such as a list, will do as well. It yields ``(X, y)`` or ``(X, y, weight)``, where X is an array or a data
        frame; just ``X`` if there are no targets, which is enough for predictions.
    batch_rows : int
        Chunks with more rows are cut.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.sources import Chunks
    >>> def halves():
    ...     yield np.array([[1.0], [2.0]]), ["a", "b"]
    ...     yield np.array([[3.0]]), ["a"]
    >>> Chunks(halves).n_features
    1
    """

    n_rows = None

    def __init__(
        self, make_iterator: Callable[[], Iterable[Any]] | Iterable[Any], *, batch_rows: int = BATCH_ROWS
    ) -> None:
        if hasattr(make_iterator, "__next__"):
            raise InvalidParameterError(
                f"This {type(make_iterator).__qualname__} can be read only once, but rows are read several times. Pass "
                "a function that returns a new iterator each time, such as the generator function itself.",
                parameter="make_iterator",
            )
        if not callable(make_iterator) and not isinstance(make_iterator, Iterable):
            raise InvalidParameterError(
                "Chunks needs a function that returns a new iterator of (X, y) or (X, y, weight) each time; got "
                f"{make_iterator!r}.",
                parameter="make_iterator",
            )
        check_integer("batch_rows", batch_rows)
        self.make_iterator = make_iterator
        self.batch_rows = batch_rows

    def __str__(self) -> str:
        return f"Chunks({getattr(self.make_iterator, '__qualname__', type(self.make_iterator).__qualname__)})"

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is being read: iterators cannot be pickled."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_begun", "_last")}

    @cached_property
    def _first(self) -> tuple[Layout, int]:
        """The layout and the number of parts of the first chunk; the first pass goes on from there."""
        parts = self._parts()
        for first in parts:
            self._begun = chain([first], parts)
            return Layout.of(first[0]), len(first)
        raise InvalidDataError(f"{self} has no chunks; at least one row is needed.")

    @property
    def names(self) -> Sequence[str] | None:  # type: ignore[override]
        """The names of the columns; None for arrays."""
        return self._first[0].names

    @property
    def n_features(self) -> int:  # type: ignore[override]
        """The number of columns."""
        return self._first[0].n_columns

    @property
    def has_targets(self) -> bool:  # type: ignore[override]
        """Whether the chunks have targets."""
        return self._first[1] > 1

    @property
    def has_weights(self) -> bool:  # type: ignore[override]
        """Whether the chunks have weights."""
        return self._first[1] > 2

    def check_columns(self, columns: Sequence[str | int] | None) -> None:
        """Refuse columns that the chunks do not have."""
        self._first[0].positions(columns, self)

    def pieces(self, columns: Sequence[str | int] | None, targets: bool, threads: int) -> Iterator[Piece]:
        """Yield functions that return the chunks."""
        layout, n_parts = self._first
        positions = layout.positions(columns, self)
        labels: Sequence[str | int] = positions if layout.names is None else [layout.names[j] for j in positions]
        kinds = Kinds()
        begun: Iterator[tuple[Any, ...]] | None = self.__dict__.pop("_begun", None)
        for i, parts in enumerate(self._parts() if begun is None else begun):
            place = f"chunk {i}"
            if len(parts) != n_parts:
                raise InvalidDataError(f"{place} has {_PARTS[len(parts)]}, but chunk 0 has {_PARTS[n_parts]}.")
            X = layout.arranged(parts[0], place, "chunk 0")
            if X.shape[0]:
                X = picked(X, positions)
                kinds.check(X, place, None if layout.names is None else [layout.names[j] for j in positions])
            chunk = _chunk(X, parts[1:] if targets else (), place, labels)
            if chunk.y is not None and len(chunk.y):
                kinds.check_column("y", chunk.y, place)
            for part in slices(chunk, self.batch_rows):
                yield partial(_itself, part)

    def _parts(self) -> Iterator[tuple[Any, ...]]:
        """Yield the parts of each chunk, the first of them a table."""
        made = self.make_iterator() if callable(self.make_iterator) else self.make_iterator
        if not isinstance(made, Iterable):
            raise InvalidParameterError(
                f"make_iterator returned {made!r} instead of an iterator of (X, y) or (X, y, weight).",
                parameter="make_iterator",
            )
        iterator = iter(made)
        if iterator is self.__dict__.get("_last"):
            raise InvalidParameterError(
                f"{self} gave the same {type(iterator).__qualname__} again, which can be read only once, but rows are "
                "read several times. Pass a function that makes a new iterator each time it is called.",
                parameter="make_iterator",
            )
        self._last = iterator  # the object itself: the number of one that is gone may be given again
        for i, item in enumerate(iterator):
            parts = item if isinstance(item, tuple) else (item,)
            while len(parts) in (2, 3) and parts[-1] is None:
                parts = parts[:-1]
            if not 1 <= len(parts) <= 3:
                raise InvalidDataError(f"chunk {i} is a tuple of {len(parts)}. Yield (X, y) or (X, y, weight).")
            if len(parts) == 3 and parts[1] is None:
                raise InvalidDataError(f"chunk {i} has weights, but its y is None. Yield (X, y) or (X, y, weight).")
            yield table(parts[0], f"chunk {i}"), *parts[1:]


_PARTS = {1: "neither y nor weights", 2: "y but no weights", 3: "y and weights"}


def _chunk(X: Any, others: Sequence[Any], place: str, columns: Sequence[str | int]) -> Chunk:
    y = targets(others[0]) if others else None
    weight = weights(others[1], place) if len(others) > 1 else None
    for name, values in (("targets", y), ("weights", weight)):
        if values is not None and (not values.ndim or len(values) != X.shape[0]):
            n = len(values) if values.ndim else 1
            raise InvalidDataError(f"{place} has {X.shape[0]} rows in X, but {n} {name}. Yield as many as rows.")
    return Chunk(X, y, weight, place, columns)


def _itself(chunk: Chunk) -> Chunk:
    return chunk
