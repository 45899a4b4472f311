"""Run HiGHS so that Ctrl-C and a deadline stop it without losing what it has found."""

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
    """Solve and return how the run ended; raise if HiGHS reports any other status.

    On Ctrl-C, let HiGHS stop in an orderly way, then raise ``KeyboardInterrupt``.
    """
    if deadline is not None:
        # HiGHS counts the time of all its runs.
        highs.setOptionValue("time_limit", highs.getRunTime() + max(0.0, deadline - time.perf_counter()))
    # Not highspy's own thread, which allows only one solver at a time in the whole process. An event tells when the
    # run is finished, because after a join that Ctrl-C interrupts, the thread counts as finished.
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
        raise SolverError(f"HiGHS stopped with the status {highs.modelStatusToString(status)!r}.")
    return _ENDINGS[status]


def _solve(highs: highspy.Highs, finished: threading.Event) -> None:
    try:
        highs.run()
        highs.resetGlobalScheduler(False)  # HiGHS keeps a scheduler per thread, which must end with it
    finally:
        finished.set()


def _wait(finished: threading.Event, highs: highspy.Highs, deadline: float | None) -> None:
    while not finished.wait(0.1):
        if deadline is not None and time.perf_counter() > deadline + 0.1:
            highs.cancelSolve()  # HiGHS has long steps during which it does not check its time limit
            deadline = None
