"""The rows of a large table in Parquet files, in chunks, as a list learns from them.

What each column is, and which labels there are, was found out from some of the rows
(:mod:`hedgerow.tables.large_tables`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, IntArray
from hedgerow._support.lettering import some
from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.forests.forest import Forest
from hedgerow.sources.layout import picked
from hedgerow.sources.local import LocalSource, Piece
from hedgerow.sources.parquet import Parquet
from hedgerow.sources.source import Chunk
from hedgerow.tables import columns
from hedgerow.tables.column_use import check_finite
from hedgerow.tables.samples import Source
from hedgerow.tables.targets import tidy_labels
from hedgerow.tables.values import first_without_number, numbers_in, plain, plain_frame


@dataclass(frozen=True, eq=False)
class Answers:
    """Turns targets as they are in the files into labels or numbers, in every chunk in the same way.

    Attributes
    ----------
    name : str
        The column.
    labels : dict or None
        The label of each target; None for those that count as missing. For numbers, no dictionary.
    n_present : int or None
        How many rows have a target, if that is known.
    """

    name: str
    labels: dict[Any, Any] | None

    def of_chunk(self, column: Any, place: str) -> tuple[AnyArray, BoolArray]:
        """Return the targets that are present, and which those are."""
        values = plain(column)
        if self.labels is None:
            numbers = numbers_in(values)
            if numbers is None:
                raise InvalidDataError(
                    f"{place}: the target {self.name!r} is {first_without_number(values)!r}, which is not a number."
                )
            found = numbers.to_numpy(dtype=np.float64)
            present = ~np.isnan(found)
            if np.isinf(found).any():
                raise InvalidDataError(f"{place}: the target {self.name!r} is infinite. Targets must be finite.")
            return found[present], present
        strange = [value for value in values.dropna().unique() if value not in self.labels]
        if strange:
            raise InvalidDataError(f"{place}: the target {strange[0]!r} was not there before: the file has changed.")
        final = values.map(self.labels).astype(object)
        present = final.notna().to_numpy()
        return np.array(final[present].tolist()), present


def final_labels(raw: Any, source: Source, forest: Forest | None) -> dict[Any, Any]:
    """Return the label for each target as it is in a file: without blanks, None for marks of missing ones."""
    known = [] if forest is None or forest.classes is None else forest.classes.tolist()
    tidy, _ = tidy_labels(raw, source.format.na, known)
    rows = np.flatnonzero(tidy.notna().to_numpy())
    targets = columns.take_targets(tidy.to_frame(), source.target, "classification")
    labels = columns.as_labels(targets.values, None if forest is None else forest.classes)
    marks = dict.fromkeys(raw.iloc[np.flatnonzero(tidy.isna() & raw.notna())].tolist())
    return marks | dict(zip(raw.iloc[rows].tolist(), labels.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Arranged:
    """Turns the columns of a chunk into those that the drawn samples have, of the same types.

    Attributes
    ----------
    source : Source
    kinds : dict of str to bool
        The columns that the samples have, and which of these are numbers.
    forest : Forest or None
        The ensemble whose columns these are, if it was given.
    """

    source: Source
    kinds: dict[str, bool] = field(default_factory=dict)
    forest: Forest | None = None

    @classmethod
    def like(cls, X: Any, source: Source, forest: Forest | None) -> Arranged:
        """Return what makes columns like those of some samples."""
        return cls(source, {str(name): X[name].dtype.kind in "iuf" for name in X}, forest)

    @property
    def names(self) -> list[str]:
        """The names of the columns that come out."""
        return list(self.kinds)

    def needed(self, names: Sequence[str], wanted: Sequence[str]) -> list[str]:
        """Return the columns of the files that some columns are made of."""
        taken = self.source.taken
        return [name for name in names if name not in taken] if self.forest is not None else list(wanted)

    def of_chunk(self, frame: Any, wanted: Sequence[str], place: str) -> Any:
        """Return the wanted columns."""
        import pandas as pd

        if self.forest is not None:
            plain_columns = columns.with_floats(plain_frame(frame))
            made = columns.fit_columns(plain_columns, self.forest.inputs, taken=self.source.taken, user="the model")
            made = made.set_axis(self.names, axis=1)
            return picked(made, [self.names.index(name) for name in wanted])
        found = {}
        for name in wanted:
            column = plain(frame[name])
            numbers = numbers_in(column) if self.kinds[name] else None
            if self.kinds[name] and numbers is None:
                raise InvalidDataError(
                    f"{place}: the column {name!r} is {first_without_number(column)!r}, not a number."
                )
            found[name] = column if numbers is None else numbers
        made = pd.DataFrame(found, index=frame.index)
        check_finite(made)
        return made


class TableRows(LocalSource):
    """The rows of a large table that have a target and are not held out.

    Parameters
    ----------
    files : Parquet
        All rows and columns.
    source : Source
        The roles of the columns.
    held_out : int array
        The numbers of the rows that are left out, in order.
    arranged, answers :
        How columns and targets come out.
    n_rows : int or None
        How many rows there are, if that is known.
    """

    has_targets = True

    def __init__(
        self,
        files: Parquet,
        source: Source,
        held_out: IntArray,
        arranged: Arranged,
        answers: Answers,
        n_rows: int | None,
    ) -> None:
        self.files, self.source, self.held_out = files, source, held_out
        self.arranged, self.answers = arranged, answers
        self.names: list[str] = arranged.names
        self.n_features = len(self.names)
        self.n_rows = n_rows
        self.has_weights = source.weight is not None

    def __str__(self) -> str:
        return str(self.source.path)

    def check_columns(self, columns: Sequence[str | int] | None) -> None:
        """Refuse columns that there are not."""
        unknown = [name for name in columns or () if name not in self.names]
        if unknown:
            raise InvalidDataError(f"{self} has no column {unknown[0]!r}. It has: {some(map(repr, self.names), 8)}.")

    def pieces(self, columns: Sequence[str | int] | None, targets: bool, threads: int) -> Iterator[Piece]:
        """Yield functions that return the chunks."""
        chosen = set(self.names if columns is None else columns)
        wanted = [name for name in self.names if name in chosen]
        own = [name for name in (self.source.target, self.source.weight) if name is not None]
        to_read = [*self.arranged.needed(self.files.names, wanted), *own]
        for piece in self.files.pieces(to_read, False, threads):
            yield partial(self._prepared, piece, wanted, targets)

    def _prepared(self, piece: Piece, wanted: list[str], with_targets: bool) -> Chunk:
        chunk = piece()
        frame, start = chunk.X, chunk.start or 0
        y, used = self.answers.of_chunk(frame[self.source.target], chunk.place)
        first, last = np.searchsorted(self.held_out, [start, start + len(frame)])
        is_tested = np.zeros(len(frame), dtype=bool)
        is_tested[self.held_out[first:last] - start] = True
        y, rows = y[~is_tested[used]], np.flatnonzero(used & ~is_tested)
        frame = frame.iloc[rows].reset_index(drop=True)
        try:
            X = self.arranged.of_chunk(frame.drop(columns=self._own(frame)), wanted, chunk.place)
            weight = self._weight(frame) if with_targets else None
        except HedgerowError as error:
            if chunk.place in str(error):
                raise
            raise InvalidDataError(f"{chunk.place}: {error}", parameter=error.parameter) from error
        return Chunk(X, y if with_targets else None, weight, chunk.place, wanted, start)

    def _own(self, frame: Any) -> list[str]:
        return [name for name in (self.source.target, self.source.weight) if name is not None and name in frame]

    def _weight(self, frame: Any) -> AnyArray | None:
        if self.source.weight is None:
            return None
        if not len(frame):
            return np.empty(0)
        numbers = numbers_in(plain(frame[self.source.weight]))
        if numbers is None or not np.all(np.isfinite(numbers) & (numbers >= 0)):
            raise InvalidDataError(
                f"The weight column {self.source.weight!r} must contain a number of at least 0 in every row."
            )
        return np.asarray(numbers, dtype=np.float64)
