"""A signal to terminate becomes an exception, so that temporary files are removed on the way out."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: What schedulers and shells send to end a program, and a terminal that is closed; Windows has no SIGHUP.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(BaseException):
    """A signal has asked the program to end. It is not an Exception, so that nothing on the way takes it for one.

    Attributes
    ----------
    code : int
        The exit code by which shells tell the signal: 128 and its number.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.code = 128 + number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise :class:`Stopped` inside the context when a signal asks the program to end.

    A signal that is ignored, as under ``nohup``, stays ignored. Only the main thread can handle signals; in any other,
    they do what they did before.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    ours = [number for number, handler in before.items() if handler is not signal.SIG_IGN]

    def stop(number: int, _: FrameType | None) -> None:
        for other in ours:
            signal.signal(other, signal.SIG_IGN)  # a second one must not disturb the clearing up after the first
        raise Stopped(number)

    for number in ours:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, before[number])
