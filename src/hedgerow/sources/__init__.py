"""Rows that are read again and again instead of being held in memory: Parquet files, chunks, and what Dask holds.

To add a source of this machine's own, derive it from ``LocalSource`` (``sources/local.py``).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from hedgerow._support.names_on_demand import names_on_demand

if TYPE_CHECKING:
    from hedgerow.sources.choice import as_source
    from hedgerow.sources.chunks import Chunks
    from hedgerow.sources.parquet import Parquet
    from hedgerow.sources.source import Chunk, Passes, Reader, Source, Statistic

__all__ = ["Chunk", "Chunks", "Parquet", "Passes", "Reader", "Source", "Statistic", "as_source"]

if not TYPE_CHECKING:  # a type checker would take a module with __getattr__ to have any name
    __getattr__, __dir__ = names_on_demand(
        globals(),
        {
            ("as_source",): lambda: import_module("hedgerow.sources.choice"),
            ("Chunks",): lambda: import_module("hedgerow.sources.chunks"),
            ("Parquet",): lambda: import_module("hedgerow.sources.parquet"),
            ("Chunk", "Passes", "Reader", "Source", "Statistic"): lambda: import_module("hedgerow.sources.source"),
        },
    )
