"""What ``fit`` is given, as a source: a source, something of Dask, or a table in memory, which needs none."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import is_dask
from hedgerow.sources.source import Chunk, Source


def as_source(X: Any, y: Any = None, sample_weight: Any = None) -> Source | None:
    """Return a source of rows, or None if ``X`` is a table in memory.

    Parameters
    ----------
    X : Source, Dask data frame or Dask array
        Anything else is taken for a table in memory.
    y, sample_weight :
        What belongs to a Dask data frame or array: the name of a column, or a Dask series or array with the same
        partitions. A source has its own.
    """
    if isinstance(X, Source):
        for name, given, way in (("y", y, "target"), ("sample_weight", sample_weight, "weight")):
            if given is not None:
                raise InvalidDataError(
                    f"{X} has its own targets and weights, so {name} cannot be passed beside it. Name the {way} when "
                    f"the source is made: Parquet(..., {way}='...'), or Chunks of (X, y, weight)."
                )
        return X
    if not is_dask(X):
        return None
    from hedgerow.sources.dask import DaskSource

    return DaskSource(X, y, sample_weight)


def in_memory(source: Source) -> tuple[Any, Any, Any]:
    """Return the table, the targets and the weights (or None) of all rows of a source."""
    chunks = list(source.passes(_AsRead()).map(_itself, targets=True, what="reading all rows"))
    if not chunks:
        raise InvalidDataError(f"{source} has no rows; at least one is needed.")
    return tuple(_together([getattr(chunk, name) for chunk in chunks]) for name in ("X", "y", "weight"))


class _AsRead:
    """Hands on chunks as they are."""

    def rows(self, chunk: Chunk) -> Chunk:
        return chunk


def _itself(chunk: Chunk) -> Chunk:
    return chunk


def _together(parts: list[Any]) -> Any:
    if parts[0] is None:
        return None
    if not hasattr(parts[0], "iloc"):
        return np.concatenate(parts)
    import pandas as pd

    return pd.concat(parts, ignore_index=True)
