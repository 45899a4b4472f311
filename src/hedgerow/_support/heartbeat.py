"""A sign of life from work that takes long: now and then, and never from work that is quick."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

#: Seconds until the first sign; each later one comes after twice the time, but at the latest after so many more.
FIRST, LONGEST = 3.0, 30.0


@contextmanager
def heartbeat(beat: Callable[[float], None]) -> Iterator[None]:
    """Call a function now and then, from another thread, with the seconds that the work inside has taken so far."""
    started, finished = time.perf_counter(), threading.Event()

    def watch() -> None:
        wait = FIRST
        while not finished.wait(wait):
            elapsed = time.perf_counter() - started
            with suppress(OSError, ValueError):  # where nobody can see it any more, the work goes on nevertheless
                beat(elapsed)
            wait = min(elapsed, LONGEST)

    thread = threading.Thread(target=watch, name="hedgerow-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()
