"""What workers do with a partition: it becomes a summary, or results, and errors come back as values.

An error that is a value is not tried again, as one that a task raises would be: the same rows would fail again.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic

from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.features.frames import frame_or_array
from hedgerow.sources.checksum import Checksum
from hedgerow.sources.layout import Kinds, Layout, slices, targets, weights
from hedgerow.sources.local import named_after
from hedgerow.sources.source import Chunk, Reader, S


@dataclass(frozen=True)
class Cut:
    """How a partition becomes chunks.

    Attributes
    ----------
    columns : tuple of str or int
        The feature columns of a partition, which come first in it.
    layout : Layout
        All columns of a partition: the features, and the targets and weights that are columns of the same frame.
    kinds : dict
        What the columns hold according to Dask, as in :class:`~hedgerow.sources.layout.Kinds`.
    has_target, has_weight : bool
        Whether targets and weights are among the columns, the targets first.
    batch_rows : int
        The number of rows of a chunk.
    topic : str or None
        Under which workers say that they are done with a partition, if somebody listens.
    """

    columns: tuple[str | int, ...]
    layout: Layout
    kinds: dict[str, tuple[str, str]]
    has_target: bool
    has_weight: bool
    batch_rows: int
    topic: str | None = None

    def chunks(self, X: Any, y: Any, weight: Any, place: str) -> Iterator[Chunk]:
        """Yield the chunks of a partition."""
        X = self.layout.arranged(frame_or_array(X), place, DESCRIPTION)
        if X.shape[0]:
            Kinds(dict(self.kinds)).check(X, place)
        k = len(self.columns)
        if self.has_target:
            y = X.iloc[:, k]
        if self.has_weight:
            weight = X.iloc[:, k + self.has_target]
        features = X.iloc[:, :k] if hasattr(X, "iloc") else X[:, :k]
        y = None if y is None else targets(y)
        weight = None if weight is None else weights(weight, place)
        for name, values in (("targets", y), ("weights", weight)):
            if values is not None and len(values) != X.shape[0]:
                raise InvalidDataError(
                    f"{place} has {X.shape[0]} rows in X, but {len(values)} {name}. Partitions of X and of what "
                    "belongs to it must have the same rows."
                )
        yield from slices(Chunk(features, y, weight, place, self.columns), self.batch_rows)


DESCRIPTION = "Dask's description of it"


@dataclass(eq=False)
class Summary(Generic[S]):
    """The statistic of consecutive rows, their checksum, and the first error."""

    statistic: S
    checksum: Checksum = field(default_factory=Checksum)
    error: HedgerowError | None = None


@dataclass(eq=False)
class Results:
    """What a function returned for each chunk of a partition, the checksum, and the first error."""

    values: list[Any]
    checksum: Checksum = field(default_factory=Checksum)
    error: HedgerowError | None = None


def summarized(X: Any, y: Any, weight: Any, place: str, cut: Cut, reader: Reader, statistic: S) -> Summary[S]:
    """Return the summary of a partition."""
    summary = Summary(statistic.empty())
    try:
        for chunk in cut.chunks(X, y, weight, place):
            summary.checksum.merge(Checksum.of(chunk))
            with named_after(chunk):
                summary.statistic.add(reader.rows(chunk))
    except HedgerowError as error:
        summary.error = error
    _say(cut.topic, (place, summary.checksum.n_rows))
    return summary


def _say(topic: str | None, what: Any) -> None:
    """Tell the client something, if this is a worker and somebody listens."""
    if topic is None:
        return
    from distributed import get_worker

    with suppress(ValueError):  # not a worker
        get_worker().log_event(topic, what)


def mapped(
    X: Any, y: Any, weight: Any, place: str, cut: Cut, reader: Reader, function: Callable[[Any], Any]
) -> Results:
    """Return the results of a partition."""
    results = Results([])
    try:
        for chunk in cut.chunks(X, y, weight, place):
            results.checksum.merge(Checksum.of(chunk))
            with named_after(chunk):
                results.values.append(function(reader.rows(chunk)))
    except HedgerowError as error:
        results.error = error
    return results


def merged(summaries: list[Summary[S]]) -> Summary[S]:
    """Return the summary of adjacent rows; those given stay as they are, as Dask may need them again."""
    whole = copy.deepcopy(summaries[0])
    for summary in summaries[1:]:
        if whole.error is None:
            whole.statistic.merge(copy.deepcopy(summary.statistic))
            whole.checksum.merge(summary.checksum)
            whole.error = summary.error
    return whole
