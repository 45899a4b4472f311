"""What ``fit`` is given, as a source: a source, something of Dask, or a table in memory, which needs none."""

from __future__ import annotations

from typing import Any

from hedgerow.exceptions import InvalidDataError
from hedgerow.sources.source import Source


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


def is_dask(X: Any) -> bool:
    """Return whether an object belongs to Dask, without loading it."""
    return any(base.__module__.partition(".")[0] == "dask" for base in type(X).__mro__)
