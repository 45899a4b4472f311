"""Progress of long computations, on standard error and only on request.

A progress bar needs a terminal or a notebook, and rich (``pip install 'hedgerow[cli]'``); elsewhere, progress is shown
as lines.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from hedgerow._support.heartbeat import heartbeat
from hedgerow._support.lettering import duration

Item = TypeVar("Item")

#: Seconds after which somebody who waits is told how to see the progress.
PATIENCE = 10.0

_logger = logging.getLogger(__name__)
_LINES = 10
#: Makes what shows a count: takes how many there are in all, or None, their unit, and what is being done.
Counter = Callable[[int | None, str, str], AbstractContextManager[Callable[[int], None]]]
#: What shows counts instead of a bar or lines of their own, such as the progress of a command.
_counter: ContextVar[Counter | None] = ContextVar("counter", default=None)
#: Held once somebody has been told how to see the progress: once per process is enough.
_told = threading.Lock()


@contextmanager
def messages(verbose: bool) -> Iterator[None]:
    """Show log messages of the package on standard error inside the context, and now and then the time."""
    if not verbose:
        yield
        return
    with handing_to(_to_standard_error()), heartbeat(lambda elapsed: _logger.info("%s so far", duration(elapsed))):
        yield


def _to_standard_error() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("hedgerow: %(message)s"))
    return handler


@contextmanager
def handing_to(handler: logging.Handler, of: str = "hedgerow") -> Iterator[None]:
    """Pass log messages of the package, or of a part of it, to a handler inside the context."""
    logger = logging.getLogger(of)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


@contextmanager
def hint(estimator: str) -> Iterator[None]:
    """Say how to see the progress if the work inside takes long and somebody waits for it at a screen.

    It is one line per process, on standard error. It does not appear in scripts whose output goes to a file, in worker
    processes, where the messages of the package are shown or logged anyway, or if the level of the logger ``hedgerow``
    is above ``WARNING``.
    """
    level = logging.getLogger("hedgerow").getEffectiveLevel()
    if not logging.INFO < level <= logging.WARNING or _told.locked() or not _is_watched():
        yield
        return
    timer = threading.Timer(
        PATIENCE, _tell, [f"hedgerow: still working; {estimator}(verbose=True) shows the progress.\n"]
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _is_watched() -> bool:
    """Whether standard error of the main process is a terminal or part of a notebook."""
    from multiprocessing import current_process

    if current_process().name != "MainProcess" or sys.stderr is None:
        return False
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")


def _tell(line: str) -> None:
    if _told.acquire(blocking=False):
        sys.stderr.write(line)


def track(items: Iterable[Item], total: int, what: str, verbose: bool) -> Iterator[Item]:
    """Yield the items, and show how many of them have been yielded, since when, and how long the rest may take."""
    if not verbose:
        yield from items
        return
    bar = _bar()
    if bar is not None:
        with bar:
            yield from bar.track(items, total, description=what)
        return
    with handing_to(_to_standard_error(), __name__):  # only these, so that the solver's messages do not come in between
        yield from _track_by_lines(items, total, what)


def _bar(count: str = "{task.completed:.0f} of {task.total:.0f},") -> Any:
    """Return a progress bar, or None where it could not move."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    except ImportError:
        return None
    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        return None
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(count),
        TimeElapsedColumn(),
        TextColumn("so far,"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        speed_estimate_period=float("inf"),  # an item may take longer than rich remembers
    )


def _track_by_lines(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    step, done, started, until_last = max(1, total // _LINES), 0, time.perf_counter(), 0.0

    def show(elapsed: float) -> None:
        rest = max(0.0, until_last / done * total - elapsed) if done else 0.0
        left = f", about {duration(rest)} left" if 0 < done < total else ""
        _logger.info("%s: %d of %d, %s so far%s", what, done, total, duration(elapsed), left)

    with heartbeat(show):
        for item in items:
            done, until_last = done + 1, time.perf_counter() - started
            if done % step == 0 or done == total:
                show(until_last)
            yield item


@contextmanager
def counting_with(counter: Counter) -> Iterator[None]:
    """Have ``counter`` show what :func:`counted` counts inside the context, whether it is to be shown or not."""
    before = _counter.set(counter)
    try:
        yield
    finally:
        _counter.reset(before)


@contextmanager
def counted(total: int | None, unit: str, what: str, verbose: bool) -> Iterator[Callable[[int], None]]:
    """Return a function that takes how many more are done, and show it, since when, and how long the rest may take.

    ``total`` is None if it is not known how many there are.
    """
    counter = _counter.get()
    if counter is not None:
        with counter(total, unit, what) as count:
            yield count
        return
    if not verbose:
        yield lambda more: None
        return
    of = "" if total is None else " of {task.total:,.0f}"
    bar = _bar(f"{{task.completed:,.0f}}{of} {unit},")
    if bar is not None:
        with bar:
            task = bar.add_task(what, total=total)
            yield lambda more: bar.advance(task, more)
        return
    with handing_to(_to_standard_error(), __name__), _counted_by_lines(total, unit, what) as count:
        yield count


@contextmanager
def _counted_by_lines(total: int | None, unit: str, what: str) -> Iterator[Callable[[int], None]]:
    done, started = 0, time.perf_counter()

    def show(elapsed: float) -> None:
        of = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        left = f", about {duration(elapsed / done * (total - done))} left" if total and 0 < done < total else ""
        _logger.info("%s: %s %s, %s so far%s", what, of, unit, duration(elapsed), left)

    def count(more: int) -> None:
        nonlocal done
        done += more

    with heartbeat(show):
        yield count
    show(time.perf_counter() - started)
