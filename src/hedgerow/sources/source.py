"""What a source of rows offers: passes over its rows, in chunks, and statistics of them that add up.

A pass hands the rows to a statistic, chunk by chunk. Each chunk gets a statistic of its own; these are merged in the
order of the rows, so that the result does not depend on which thread or machine was first.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.sources.checksum import Checksum, Record

#: Rows per chunk: few enough that some chunks fit in memory many times, enough that a call per chunk costs nothing.
BATCH_ROWS = 131_072


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some consecutive rows.

    Attributes
    ----------
    X : data frame or array
        The wanted feature columns, in the order of the source.
    y : array or None
        The targets; None if they were not asked for.
    weight : array or None
        The weights; None if there are none, or if targets were not asked for.
    place : str
        Where these rows are, for messages: "part-3.parquet, rows 65,536 to 131,071", "chunk 4", "partition 7". All of
        these are counted from 0.
    columns : sequence of str or int
        Which columns ``X`` has: names, or positions where the source has no names.
    start : int or None
        The number of the first row among all rows of the source, counted from 0; None if it is not known.
    """

    X: Any
    y: AnyArray | None
    weight: FloatArray | None
    place: str
    columns: Sequence[str | int] = ()
    start: int | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.X.shape[0])


class Reader(Protocol):
    """Turns a chunk into what statistics are made from.

    It may be large; it must be picklable, and threads may call it at once.
    """

    def rows(self, chunk: Chunk) -> Any:
        """Return what a statistic needs to know about a chunk."""
        ...


class Statistic(Protocol):
    """Something that adds up over rows."""

    def empty(self) -> Self:
        """Return a statistic of no rows, with the same parameters.

        Threads may call it while rows are merged into this one. What it leaves out later must be what this one, with
        all rows that it has by now, would not take.
        """
        ...

    def add(self, rows: Any) -> None:
        """Add what the reader returned for a chunk."""
        ...

    def merge(self, other: Self) -> None:
        """Add a statistic of rows that come after those of this one."""
        ...


S = TypeVar("S", bound=Statistic)


class Source:
    """Rows that can be read several times.

    Attributes
    ----------
    names : sequence of str or None
        The names of the feature columns, without target and weight; None if the rows are arrays.
    n_features : int or None
        The number of feature columns.
    n_rows : int or None
        The number of rows; None if it is not known without reading them.
    has_targets : bool
        Whether the source has targets.
    has_weights : bool
        Whether it has weights.
    """

    names: Sequence[str] | None
    n_features: int | None
    n_rows: int | None
    has_targets: bool
    has_weights: bool

    def passes(
        self,
        reader: Reader,
        columns: Sequence[str | int] | None = None,
        *,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> Passes:
        """Return an object that makes passes over the rows.

        Parameters
        ----------
        reader : Reader
            What it returns for each chunk, statistics see.
        columns : sequence of str or int, optional
            The names of the feature columns to read, or the positions where there are no names; by default, all.
        n_jobs : int, optional
            The number of threads, as in joblib; on Dask, its workers do the work.
        verbose : bool
            Whether to show the progress of each pass.
        """
        raise NotImplementedError


class Passes:
    """Passes over the rows of a source; each must see the same rows as the ones before.

    Attributes
    ----------
    reader : Reader
    columns : sequence of str or int, or None
        The feature columns that are read; None for all.
    """

    def __init__(self, source: Source, reader: Reader, columns: Sequence[str | int] | None) -> None:
        self.source, self.reader, self.columns = source, reader, columns
        self.record = Record(str(source))

    @property
    def n(self) -> int:
        """The number of passes made so far."""
        return self.record.n

    def reading(self, reader: Any, columns: Sequence[str | int]) -> Self:
        """Return passes over the same rows with another reader; they must see the same rows, and count as well."""
        other = copy.copy(self)
        other.reader, other.columns = reader, columns
        return other

    @property
    def n_rows(self) -> int:
        """The number of rows per pass; 0 before the first one ends."""
        return self.record.n_rows

    def run(
        self, statistic: S, *, targets: bool = True, columns: Sequence[str | int] | None = None, what: str = ""
    ) -> S:
        """Make one pass, and return the statistic of all rows.

        Parameters
        ----------
        statistic : Statistic
            The kind of statistic, with its parameters; it stays as it is.
        targets : bool
            Whether targets and weights are read.
        columns : sequence of str or int, optional
            The feature columns to read, if not all those of these passes.
        what : str
            What the pass is for, shown with its progress.
        """
        raise NotImplementedError

    def map(
        self,
        function: Callable[[Any], Any],
        *,
        targets: bool = False,
        columns: Sequence[str | int] | None = None,
        what: str = "",
    ) -> Iterator[Any]:
        """Make one pass, and yield what a function returns for the reader's rows of each chunk, in order."""
        raise NotImplementedError

    def ended(self, checksum: Checksum) -> None:
        """Take note of a whole pass; refuse one over no rows, or over other rows than before."""
        self.record.compare(checksum, self.n)
