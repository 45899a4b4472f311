"""Progress of long computations, on standard error and only on request.

A progress bar needs rich (``pip install 'hedgerow[cli]'``); without it, progress is shown as lines.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")

_logger = logging.getLogger(__name__)
_LINES = 10


@contextmanager
def messages(verbose: bool, of: str = "hedgerow") -> Iterator[None]:
    """Show log messages of the package, or of a part of it, on standard error inside the context."""
    if not verbose:
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("hedgerow: %(message)s"))
    with handing_to(handler, of):
        yield


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


def track(items: Iterable[Item], total: int, what: str, verbose: bool) -> Iterator[Item]:
    """Yield the items, and show how many of them have been yielded."""
    if not verbose:
        yield from items
        return
    try:
        from rich.console import Console
        from rich.progress import track as bar
    except ImportError:
        with messages(True, __name__):  # only these, so that the solver's messages do not come in between
            yield from _track_by_lines(items, total, what)
        return
    yield from bar(items, what, total, console=Console(stderr=True))


def _track_by_lines(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    step = max(1, total // _LINES)
    for done, item in enumerate(items, start=1):
        if done % step == 0 or done == total:
            _logger.info("%s: %d of %d", what, done, total)
        yield item
