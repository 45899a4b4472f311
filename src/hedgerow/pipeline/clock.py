"""How long each part of the pipeline takes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

#: What is not in any other part.
REST = "rest"


@dataclass
class Clock:
    """Seconds by part. A part inside another counts for itself alone, so that all parts add up to the whole.

    >>> clock = Clock()
    >>> with clock.timing("loss"):
    ...     pass
    >>> list(clock.seconds)
    ['loss']
    """

    seconds: dict[str, float] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)
    _since: float = 0.0

    def add(self, seconds: Mapping[str, float]) -> None:
        """Count the parts of another clock, which ran inside the part that is open, instead of that."""
        for part, spent in seconds.items():
            self.seconds[part] = self.seconds.get(part, 0.0) + spent
            if self._open:
                self.seconds[self._open[-1]] -= spent

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        """Add the seconds spent inside to a part."""
        self._charge()
        self._open.append(part)
        self.seconds.setdefault(part, 0.0)
        try:
            yield
        finally:
            self._charge()
            self._open.pop()

    def _charge(self) -> None:
        """Add the seconds since the last call to the innermost part that is open."""
        now = time.perf_counter()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now
