"""The columns of a source that an ensemble or a list takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Inputs
from hedgerow.features.frames import with_underscores
from hedgerow.sources.layout import picked
from hedgerow.sources.source import Chunk, Source


def columns_of(source: Source, inputs: Inputs, positions: Iterable[int]) -> list[str | int]:
    """Return what some columns of a table are called in a source; refuse a source that lacks some."""
    wanted, names = inputs.names, source.names
    if names is None or not inputs.has_names:
        if source.n_features is not None and source.n_features != len(wanted):
            raise InvalidDataError(
                f"{source} has {source.n_features} feature columns, but the ensemble was trained on {len(wanted)}."
            )
        return [int(i) if names is None else names[i] for i in positions]
    called = dict(zip(with_underscores(names), names, strict=True)) | {name: name for name in names}
    absent = [name for name in wanted if name not in called]
    if absent:
        raise InvalidDataError(f"{source} lacks columns that the ensemble was trained on: {some(absent)}.")
    return [called[wanted[i]] for i in positions]


def in_order(chunk: Chunk, columns: Sequence[str | int]) -> Any:
    """Return the table of a chunk with these columns, in this order."""
    place = {column: position for position, column in enumerate(chunk.columns)}
    return picked(chunk.X, [place[column] for column in columns])
