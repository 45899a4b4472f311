"""One process a core: jobs go out to workers of one thread each, and what they bring back is stored by the caller.

Where a Dask client is connected, its workers take the jobs. A job that fails does not end the run: its error comes back
in its place.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

#: What the libraries below read when they are loaded.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Failure:
    """What came of a job that raised an error."""

    message: str
    details: str


def run_jobs(function: Callable[[Any], Any], jobs: Sequence[Any], n_workers: int = 1) -> Iterator[tuple[Any, Any]]:
    """Yield each job with what the function made of it, or with its failure, as they end.

    By the workers of the current Dask client, if there is one; otherwise with one worker in this process and in order.
    The function and the jobs must be picklable unless they stay here.
    """
    client = _current_client()
    if client is not None:
        yield from _on_cluster(client, function, jobs)
        return
    if n_workers <= 1:
        for job in jobs:
            yield job, attempt(function, job)
        return
    # A new interpreter for each worker: a fork would copy threads of solvers that have already run.
    context = multiprocessing.get_context("spawn")
    with _one_thread_each(), ProcessPoolExecutor(n_workers, mp_context=context) as pool:
        running = {pool.submit(attempt, function, job): job for job in jobs}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _current_client() -> Any:
    """Return the Dask client that is connected, None if there is none."""
    if "distributed" not in sys.modules:
        return None
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        return None


def _on_cluster(client: Any, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    from distributed import as_completed

    running = {client.submit(attempt, function, job, pure=False): job for job in jobs}
    for done in as_completed(list(running)):
        yield running.pop(done), attempt(lambda future: future.result(), done)  # a worker may die of a job


def attempt(function: Callable[[Any], Any], job: Any) -> Any:
    """Return what the function makes of a job, or its failure."""
    try:
        return function(job)
    except Exception as error:
        return Failure(f"{type(error).__name__}: {error}", traceback.format_exc())


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let the processes that are started meanwhile use one thread."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
