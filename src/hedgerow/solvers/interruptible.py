"""Run HiGHS so that Ctrl-C stops it and nothing found before is lost."""

from __future__ import annotations

import threading

import highspy


def run(highs: highspy.Highs) -> None:
    """Solve; on Ctrl-C let HiGHS come to an orderly end, then raise ``KeyboardInterrupt``."""
    if threading.current_thread() is not threading.main_thread():
        highs.run()  # Ctrl-C reaches only the main thread
        return
    highs.HandleKeyboardInterrupt = True
    highs.startSolve()
    try:
        _wait(highs)
    except KeyboardInterrupt:
        highs.cancelSolve()
        _wait(highs)
        raise


def _wait(highs: highspy.Highs) -> None:
    finished = False
    while not finished:
        finished, _ = highs.wait(0.1)
