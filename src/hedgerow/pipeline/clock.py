"""How long each part of the pipeline takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Clock:
    """Seconds by part.

    >>> clock = Clock()
    >>> with clock.timing("loss"):
    ...     pass
    >>> list(clock.seconds)
    ['loss']
    """

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        """Add the seconds spent inside to a part."""
        started = time.perf_counter()
        yield
        self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - started
