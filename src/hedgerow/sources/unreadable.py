"""Which partition of Dask cannot be computed: Dask says what went wrong, but not in which of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dask

from hedgerow.exceptions import HedgerowError, InvalidDataError

#: Modules whose exceptions say that something is wrong with the cluster, not with rows.
_OF_CLUSTERS = ("distributed", "concurrent", "asyncio", "tornado")
#: Features, targets and weights of a partition, which are not computed.
Part = tuple[Any, Any, Any]


def read(X: Any, y: Any, weight: Any) -> None:
    """Do nothing with a partition but compute it."""


def read_categories(X: Any, y: Any, weight: Any) -> None:
    """Refuse a partition with a column that is not of categories."""
    for name, dtype in X.dtypes.items():
        if not hasattr(dtype, "categories"):
            raise TypeError(f"column {name!r} is of type {dtype}, but of categories according to Dask")


@contextmanager
def naming(
    parts: Callable[[], list[Part]], client: Any, source: object, task: Callable[[Any, Any, Any], None] = read
) -> Iterator[None]:
    """Have errors of what makes the rows name the partition: the first one for which the task fails."""
    try:
        yield
    except (HedgerowError, ImportError, MemoryError):
        raise
    except Exception as error:
        if type(error).__module__.partition(".")[0] in _OF_CLUSTERS:
            raise
        for place, failure in _failures(parts(), client, task):
            said = f"{type(failure).__name__}: {failure}"
            raise InvalidDataError(f"partition {place} of {source} cannot be computed: {said}") from error
        raise


def _failures(
    parts: list[Part], client: Any, task: Callable[[Any, Any, Any], None]
) -> Iterator[tuple[int, BaseException]]:
    """Yield the partitions for which a task fails, and why; those before are computed once more."""
    delayed = dask.delayed(task, pure=False)
    step = 1 if client is None else max(1, sum(client.nthreads().values()))
    for start in range(0, len(parts), step):
        graphs = [delayed(*part) for part in parts[start : start + step]]
        if client is not None:
            failures = [future.exception() for future in client.compute(graphs)]
            yield from ((start + i, failure) for i, failure in enumerate(failures) if failure is not None)
            continue
        try:
            dask.compute(*graphs)
        except Exception as error:
            yield start, error
