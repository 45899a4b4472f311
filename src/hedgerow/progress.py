"""Progress of long work, on standard error and only if asked for.

A bar needs the library rich (``pip install 'hedgerow[cli]'``); without it there are lines.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")

_logger = logging.getLogger("hedgerow")
_LINES = 10


@contextmanager
def messages(verbose: bool) -> Iterator[None]:
    """Show the package's messages on standard error while inside."""
    if not verbose:
        yield
        return
    handler, level = logging.StreamHandler(sys.stderr), _logger.level
    handler.setFormatter(logging.Formatter("hedgerow: %(message)s"))
    _logger.addHandler(handler)
    _logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        _logger.removeHandler(handler)
        _logger.setLevel(level)


def track(items: Iterable[Item], total: int, what: str, verbose: bool) -> Iterator[Item]:
    """Yield the items, and show how many of the total have come."""
    if not verbose:
        yield from items
        return
    try:
        from rich.console import Console
        from rich.progress import track as bar
    except ImportError:
        yield from _track_by_lines(items, total, what)
        return
    yield from bar(items, what, total, console=Console(stderr=True))


def _track_by_lines(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    step = max(1, total // _LINES)
    for done, item in enumerate(items, start=1):
        if done % step == 0 or done == total:
            _logger.info("%s: %d of %d", what, done, total)
        yield item
