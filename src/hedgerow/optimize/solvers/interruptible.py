"""Run HiGHS so that Ctrl-C and the clock stop it, and nothing found before is lost."""

from __future__ import annotations

import threading
import time
from typing import Literal

import highspy

from hedgerow.exceptions import SolverError

Ending = Literal["solved", "infeasible", "stopped"]

_Status = highspy.HighsModelStatus
_ENDINGS: dict[highspy.HighsModelStatus, Ending] = {
    _Status.kOptimal: "solved",
    _Status.kInfeasible: "infeasible",
    _Status.kTimeLimit: "stopped",
    _Status.kInterrupt: "stopped",
}


def run(highs: highspy.Highs, deadline: float | None) -> Ending:
    """Solve and say how it ended; any end but these four is an error.

    On Ctrl-C let HiGHS come to an orderly end, then raise ``KeyboardInterrupt``.
    """
    if deadline is not None:
        # HiGHS counts the time of all its runs together.
        highs.setOptionValue("time_limit", highs.getRunTime() + max(0.0, deadline - time.perf_counter()))
    # A thread of our own: highspy's way of starting one allows only one solver at a time in the whole process. An event
    # says when it is done, because a join that Ctrl-C interrupts takes the thread for finished.
    highs.HandleKeyboardInterrupt = True
    finished = threading.Event()
    threading.Thread(target=_solve, args=(highs, finished), daemon=True).start()
    try:
        _wait(finished, highs, deadline)
    except BaseException:
        highs.cancelSolve()
        _wait(finished, highs, None)
        raise
    status = highs.getModelStatus()
    if status not in _ENDINGS:
        raise SolverError(f"HiGHS ended with the status {highs.modelStatusToString(status)!r}.")
    return _ENDINGS[status]


def _solve(highs: highspy.Highs, finished: threading.Event) -> None:
    try:
        highs.run()
        highs.resetGlobalScheduler(False)  # what HiGHS keeps for a thread must end with the thread
    finally:
        finished.set()


def _wait(finished: threading.Event, highs: highspy.Highs, deadline: float | None) -> None:
    while not finished.wait(0.1):
        if deadline is not None and time.perf_counter() > deadline + 0.1:
            highs.cancelSolve()  # there are long steps inside which HiGHS does not look at its own clock
            deadline = None
