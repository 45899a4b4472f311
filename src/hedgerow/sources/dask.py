"""Rows that Dask holds: work goes to where they are, and only summaries come back.

Each partition becomes a summary on its worker; summaries of adjacent partitions are merged there, in a tree, in the
order of the partitions. The reader is sent to all workers once.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any, Self
from uuid import uuid4

import dask

from hedgerow._support.progress import counted
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import is_frame
from hedgerow.sources.checksum import Checksum
from hedgerow.sources.layout import Layout, kind_of
from hedgerow.sources.partitions import DESCRIPTION, Cut, Results, Summary, mapped, merged, summarized
from hedgerow.sources.source import BATCH_ROWS, Passes, Reader, S, Source
from hedgerow.sources.unreadable import Part, naming, read_categories

#: How often Dask tries a task again that failed, apart from those whose worker died.
_RETRIES = 3
#: So many adjacent summaries are merged at a time.
_AT_ONCE = 8


class DaskSource(Source):
    """The rows of a Dask data frame or array.

    Parameters
    ----------
    X : Dask data frame or array
        The features; a data frame may also contain targets and weights.
    y, weight : str, or Dask series or array, optional
        The name of a column of ``X``, or something with the same partitions.
    """

    def __init__(self, X: Any, y: Any = None, weight: Any = None, *, batch_rows: int = BATCH_ROWS) -> None:
        self.is_frame = is_frame(X)
        if not self.is_frame and not hasattr(type(X), "rechunk"):  # anything Delayed has any attribute
            raise InvalidDataError(f"X is a Dask {type(X).__qualname__}. Pass a Dask data frame or array.")
        if len(X.shape) != 2:
            raise InvalidDataError(f"{self} has {len(X.shape)} dimension(s); a table has two.")
        own = [name for name in (y, weight) if isinstance(name, str)]
        if len(own) > 1 and y == weight:
            raise InvalidDataError(f"{y!r} is named as y and as sample_weight. Name two columns.")
        labels = list(X.columns) if self.is_frame else list(range(X.shape[1]))
        missing = [name for name in own if name not in labels or not self.is_frame]
        if missing:
            has = f"It has: {', '.join(map(repr, labels[:8]))}." if self.is_frame else "An array has no names."
            raise InvalidDataError(f"{self} has no column {missing[0]!r}. {has}")
        self.labels = [label for label in labels if label not in own]
        self.names = [str(label) for label in self.labels] if self.is_frame else None
        self.n_features: int = len(self.labels)
        self.n_rows = None if self.is_frame or math.isnan(X.shape[0]) else int(X.shape[0])
        self.X = self._with_known_categories(X) if self.is_frame else X
        self.y, self.weight = (self._beside(other, name) for other, name in ((y, "y"), (weight, "sample_weight")))
        self.has_targets, self.has_weights = y is not None, weight is not None
        self.batch_rows = batch_rows

    def __str__(self) -> str:
        return f"The Dask {'data frame' if self.is_frame else 'array'}"

    def _with_known_categories(self, X: Any) -> Any:
        """Return a data frame whose partitions have the same categories: a pass where Dask does not know them."""
        unknown = [name for name in X.select_dtypes("category").columns if not X[name].cat.known]
        if not unknown:
            return X
        columns = X[unknown]
        with naming(
            lambda: [(p, None, None) for p in _delayed_parts(columns)], _current_client(), self, read_categories
        ):
            return X.categorize(columns=unknown, index=False)

    def _beside(self, other: Any, name: str) -> Any:
        """Return targets or weights with the partitions of the features; a column's name as it is."""
        if other is None or isinstance(other, str):
            return other
        if not hasattr(type(other), "to_delayed"):
            way = " or the name of a column" if self.is_frame else ""
            raise InvalidDataError(
                f"{name} is a {type(other).__qualname__}. Beside a Dask data frame or array, pass a Dask series or "
                f"array{way}."
            )
        if not hasattr(other, "divisions"):
            other = other.rechunk({1: -1}) if other.ndim == 2 else other
            known = not self.is_frame and not any(map(math.isnan, (*self.X.chunks[0], *other.chunks[0])))
            if known and sum(other.chunks[0]) == self.X.shape[0]:
                return other.rechunk({0: self.X.chunks[0]})
            n = len(other.chunks[0])
        else:
            if self.is_frame and self.X.known_divisions and other.known_divisions:
                return other if other.divisions == self.X.divisions else other.repartition(divisions=self.X.divisions)
            n = other.npartitions
        n_own = self.X.npartitions if self.is_frame else len(self.X.chunks[0])
        if n != n_own:
            raise InvalidDataError(
                f"{name} has {n} partitions, but X has {n_own}. Both must have the same rows in each; take them from "
                "one data frame, or repartition one of them."
            )
        return other

    def check_columns(self, columns: Sequence[str | int] | None) -> None:
        """Refuse columns that there are not."""
        self.positions(columns)

    def positions(self, columns: Sequence[str | int] | None) -> list[int]:
        """Return which of the feature columns these are."""
        return Layout(None if self.names is None else tuple(self.names), self.n_features).positions(columns, self)

    def partitions(self, columns: Sequence[str | int] | None, targets: bool) -> tuple[Cut, list[Part]]:
        """Return how to cut the partitions, and features, targets and weights of each, which are not computed."""
        positions = self.positions(columns)
        own = [name for name in (self.y, self.weight) if targets and isinstance(name, str)]
        kinds: dict[str, tuple[str, str]] = {}
        if self.is_frame:
            X = self.X[[*(self.labels[j] for j in positions), *own]]
            names = [str(name) for name in X.columns]
            layout = Layout(tuple(names), len(names))
            kinds = {f"column {name!r}": (kind_of(X.dtypes.iloc[j]), DESCRIPTION) for j, name in enumerate(names)}
        else:
            X = self.X[:, positions].rechunk({1: -1})
            layout = Layout(None, len(positions))
        cut = Cut(
            tuple(positions if self.names is None else [self.names[j] for j in positions]),
            layout,
            kinds,
            targets and isinstance(self.y, str),
            targets and isinstance(self.weight, str),
            self.batch_rows,
        )
        parts = _delayed_parts(X)
        others = [
            [None] * len(parts) if not targets or other is None or isinstance(other, str) else _delayed_parts(other)
            for other in (self.y, self.weight)
        ]
        return cut, list(zip(parts, *others, strict=True))

    def passes(
        self,
        reader: Reader,
        columns: Sequence[str | int] | None = None,
        *,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> Passes:
        """Return an object that makes passes over the rows; see :class:`~hedgerow.sources.Source`."""
        self.check_columns(columns)
        return DaskPasses(self, reader, columns, verbose)


class DaskPasses(Passes):
    """Passes by the workers of the current client; without one, by Dask's scheduler of the moment."""

    source: DaskSource

    def __init__(self, source: DaskSource, reader: Reader, columns: Sequence[str | int] | None, verbose: bool) -> None:
        super().__init__(source, reader, columns)
        self.verbose = verbose
        self.client: Any = None
        self._sent: Any = None

    def reading(self, reader: Any, columns: Sequence[str | int]) -> Self:
        """Return passes over the same rows with another reader, which is sent when it is needed."""
        other = super().reading(reader, columns)
        other._sent = None
        return other

    def run(
        self, statistic: S, *, targets: bool = True, columns: Sequence[str | int] | None = None, what: str = ""
    ) -> S:
        """Make one pass, and return the statistic of all rows."""
        cut, parts = self._start(columns, targets)
        with counted(self.n_rows or self.source.n_rows, "rows", self._title(what), self.verbose) as count:
            with self._told_to(count) as (topic, told):
                cut = replace(cut, topic=topic)
                with naming(lambda: parts, self.client, self.source):
                    summary = self._computed(lambda reader: _tree(parts, cut, reader, statistic.empty()))
            count(summary.checksum.n_rows - sum(told.values()))
        if summary.error is not None:
            raise summary.error
        self.ended(summary.checksum)
        return summary.statistic

    def map(
        self,
        function: Callable[[Any], Any],
        *,
        targets: bool = False,
        columns: Sequence[str | int] | None = None,
        what: str = "",
    ) -> Iterator[Any]:
        """Make one pass, and yield what a function returns for the reader's rows of each chunk, in order."""
        cut, parts = self._start(columns, targets)
        task = dask.delayed(mapped, pure=False)
        sent, cut_in_graph = (dask.delayed(constant, traverse=False) for constant in (function, cut))
        tasks = (
            lambda reader, i=i, part=part: task(*part, f"partition {i}", cut_in_graph, reader, sent)
            for i, part in enumerate(parts)
        )
        whole = Checksum()
        with counted(self.n_rows or self.source.n_rows, "rows", self._title(what), self.verbose) as count:
            for results in self._named(self._in_order(tasks), parts):
                if results.error is not None:
                    yield from results.values
                    raise results.error
                whole.merge(results.checksum)
                yield from results.values
                count(results.checksum.n_rows)
        self.ended(whole)

    def _start(self, columns: Sequence[str | int] | None, targets: bool) -> tuple[Cut, list[Part]]:
        if targets and not self.source.has_targets:
            raise InvalidDataError(f"{self.source} has no targets. Pass y: a column's name, or a Dask series or array.")
        client = _current_client()
        if client is not self.client:  # the one of an earlier pass may be closed by now
            self.client, self._sent = client, None
        cut_and_parts = self.source.partitions(self.columns if columns is None else columns, targets)
        self.record.n += 1
        return cut_and_parts

    @contextmanager
    def _told_to(self, count: Callable[[int], None]) -> Iterator[tuple[str | None, dict[str, int]]]:
        """Have workers tell how many rows they are done with, if that is to be shown: by partition, each once."""
        told: dict[str, int] = {}
        if self.client is None or not self.verbose:
            yield None, told
            return

        def tell(event: tuple[float, tuple[str, int]]) -> None:
            place, n_rows = event[1]
            if place not in told:  # a partition may be read again if its worker died
                told[place] = n_rows
                count(n_rows)

        topic = f"hedgerow-{uuid4()}"
        self.client.subscribe_topic(topic, tell)
        try:
            yield topic, told
        finally:
            self.client.unsubscribe_topic(topic)

    def _title(self, what: str) -> str:
        return f"Pass {self.n}{what and ', '}{what}"

    def _reader_there(self) -> Any:
        """Return the reader as part of a graph: on all workers already, where there are workers."""
        if self.client is None:
            return dask.delayed(self.reader, traverse=False)
        if self._sent is None or self._sent.status != "finished":
            (self._sent,) = self.client.scatter([self.reader], broadcast=True, hash=False)
        return self._sent

    def _computed(self, graph: Callable[[Any], Any]) -> Any:
        """Return what a graph that contains the reader comes to."""
        if self.client is None:
            return dask.compute(graph(self._reader_there()))[0]
        for _ in range(_RETRIES):
            try:
                return self.client.compute(graph(self._reader_there()), retries=_RETRIES).result()
            except CancelledError:  # the last worker that had the reader died; Dask can compute anything else again
                self._sent = None
        return self.client.compute(graph(self._reader_there()), retries=_RETRIES).result()

    def _in_order(self, graphs: Iterator[Callable[[Any], Any]]) -> Iterator[Results]:
        """Yield what some graphs come to, a bounded number at once."""
        if self.client is None:
            reader = self._reader_there()
            while some := [graph(reader) for graph in islice(graphs, os.cpu_count() or 1)]:
                yield from dask.compute(*some)
            return
        n_threads = sum(self.client.nthreads().values())
        running: deque[tuple[Callable[[Any], Any], Any]] = deque()
        for graph in graphs:
            running.append((graph, self.client.compute(graph(self._reader_there()), retries=_RETRIES)))
            if len(running) > 2 * n_threads:
                yield self._result(*running.popleft())
        while running:
            yield self._result(*running.popleft())

    def _named(self, results: Iterator[Results], parts: list[Part]) -> Iterator[Results]:
        with naming(lambda: parts, self.client, self.source):
            yield from results

    def _result(self, graph: Callable[[Any], Any], future: Any) -> Any:
        try:
            return future.result()
        except CancelledError:
            self._sent = None
            return self._computed(graph)


def _tree(parts: list[Part], cut: Cut, reader: Any, statistic: S) -> Any:
    """Return the summary of all partitions, which is not computed: adjacent ones merged, and so on."""
    # Objects enter the graph as they are and once; Dask would look into dataclasses for something to compute.
    cut_in_graph, empty = (dask.delayed(constant, traverse=False) for constant in (cut, statistic))
    task, merge = dask.delayed(summarized, pure=False), dask.delayed(merged, pure=False)
    level = [task(*part, f"partition {i}", cut_in_graph, reader, empty) for i, part in enumerate(parts)]
    while len(level) > 1:
        groups = [level[i : i + _AT_ONCE] for i in range(0, len(level), _AT_ONCE)]
        level = [merge(group) if len(group) > 1 else group[0] for group in groups]
    return level[0] if level else dask.delayed(Summary(statistic), traverse=False)


def _delayed_parts(collection: Any) -> list[Any]:
    if not hasattr(collection, "divisions"):
        return list(collection.to_delayed().ravel())
    # Otherwise Dask may join partitions of which few columns are read, of X and y differently.
    with dask.config.set({"optimization.tune.active": False}):
        parts = list(collection.to_delayed())
    if len(parts) == collection.npartitions:
        return parts
    # Dask before 2025.12 does not know that setting. This leaves columns out, too, but has more tasks.
    return list(collection.simplify().to_delayed(optimize_graph=False))


def _current_client() -> Any:
    try:
        from distributed import default_client
    except ImportError:
        return None
    try:
        return default_client()
    except ValueError:
        return None
