"""Matrices multiplied by one thread, however many searches run at the same time.

The number of threads of BLAS belongs to the whole process. If each search saved and restored it, one that begins while
another runs would save the other's one thread, and restore that in the end. So the first to begin saves the number, and
the last to end restores it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import ThreadpoolController


class _Limit:
    """How many are inside, and what restores the number of threads once they are not."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.n_inside = 0
        self.limiter: Any = None

    def enter(self) -> None:
        with self.lock:
            if self.n_inside == 0:
                self.limiter = _threads().limit(limits=1, user_api="blas")
            self.n_inside += 1

    def leave(self) -> None:
        with self.lock:
            self.n_inside -= 1
            if self.n_inside == 0:
                self.limiter.restore_original_limits()


_LIMIT = _Limit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS use one thread until all that are inside have left."""
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()


@functools.cache
def _threads() -> ThreadpoolController:
    """Return the controller of the loaded libraries, which takes longer to make than many problems to solve."""
    return ThreadpoolController()
