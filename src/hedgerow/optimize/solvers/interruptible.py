"""Run HiGHS so that Ctrl-C and a deadline end it in time, without losing what it has found.

A linear program is solved a number of simplex iterations at a time; in between, Python is in charge. An integer program
has long steps during which HiGHS checks neither its time limit nor whether it is to stop. So it runs in a thread of its
own and reports what it finds on the way. If it does not stop within a grace period, it is left alone: the run ends with
what was reported, the thread ends as soon as HiGHS looks up, and the model must not be used again.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

import highspy
import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow.exceptions import SolverError

Ending = Literal["solved", "infeasible", "stopped"]

_Status = highspy.HighsModelStatus
_ENDINGS: dict[highspy.HighsModelStatus, Ending] = {
    _Status.kOptimal: "solved",
    _Status.kInfeasible: "infeasible",
    _Status.kTimeLimit: "stopped",
    _Status.kInterrupt: "stopped",
    _Status.kIterationLimit: "stopped",
}
#: The entries of the matrix that simplex iterations between two looks at the clock may cost; the fewest and the most
#: iterations.
_WORK, _FEWEST, _MOST = 100_000_000, 20, 20_000
#: Seconds after the deadline until HiGHS is told to stop, and from then until it is left alone.
_LATE, _GRACE = 0.05, 0.2
_STEP = 0.1
#: The models whose runs were left alone and are not finished.
_LEFT_ALONE: set[highspy.Highs] = set()
_NOTHING = np.zeros(0)
#: Another way to solve a linear program, where the first one fails: rows with entries of very different sizes need
#: scaling, and the primal simplex method meets other bases. (Presolve would begin again after each look at the clock.)
_OTHER_WAY = {"simplex_scale_strategy": 4, "simplex_strategy": 4}


@dataclass(frozen=True)
class Run:
    """How a run of HiGHS ended, and what it found.

    Attributes
    ----------
    ending : "solved", "infeasible" or "stopped"
    values : float array or None
        The best solution, if one was found; of a linear program, the last one.
    bound : float
        The bound on the objective that an integer program has proved.
    duals : float array
        The multipliers of the rows of a linear program; if it is infeasible, those that prove it. Empty if there are
        none.
    pivots : int
        Number of simplex iterations.
    left_alone : bool
        Whether HiGHS is still running, so that its model cannot be used any more.
    interrupted : bool
        Whether Ctrl-C has stopped it.
    """

    ending: Ending
    values: FloatArray | None
    bound: float
    duals: FloatArray = field(default_factory=lambda: _NOTHING)
    pivots: int = 0
    left_alone: bool = False
    interrupted: bool = False

    def pass_on_interrupt(self) -> None:
        """Raise ``KeyboardInterrupt`` if Ctrl-C has stopped the run; call it once what was found is safe."""
        if self.interrupted:
            raise KeyboardInterrupt


class _Reports:
    """What an integer program reports on the way: its best solution and its bound."""

    def __init__(self, highs: highspy.Highs) -> None:
        self.values: FloatArray | None = None
        self.bound = np.inf
        highs.cbMipImprovingSolution.subscribe(self._solution)
        highs.cbMipInterrupt.subscribe(self._bound)

    def _solution(self, event: highspy.HighsCallbackEvent) -> None:
        self.values = np.array(event.data_out.mip_solution)

    def _bound(self, event: highspy.HighsCallbackEvent) -> None:
        self.bound = float(event.data_out.mip_dual_bound)


def run_linear(highs: highspy.Highs, deadline: float | None) -> Run:
    """Solve a linear program until it is solved or the deadline has passed.

    Where HiGHS fails, it begins again without a basis, and then another way.

    Raises
    ------
    SolverError
        If HiGHS ends with any other status.
    """
    pivots = _pivot(highs, deadline)
    if highs.getModelStatus() not in _ENDINGS:
        highs.clearSolver()  # a basis can be singular
        pivots += _pivot(highs, deadline)
    if highs.getModelStatus() in _ENDINGS:
        return replace(_read(highs, interrupted=False), pivots=pivots)
    with _other_way(highs):
        pivots += _pivot(highs, deadline)
        ran = replace(_read(highs, interrupted=False), pivots=pivots)
    if ran.ending == "infeasible" and not len(ran.duals):
        raise SolverError("HiGHS says that a linear program is infeasible, but not why.")
    return ran


def _pivot(highs: highspy.Highs, deadline: float | None) -> int:
    """Run the simplex method to its end or the deadline, a number of iterations at a time; return how many it took."""
    n_iterations = int(np.clip(_WORK // (highs.getNumNz() + 1), _FEWEST, _MOST))
    highs.setOptionValue("simplex_iteration_limit", n_iterations)
    pivots = 0
    while True:
        left = np.inf if deadline is None else max(0.0, deadline - time.perf_counter())
        highs.setOptionValue("time_limit", highs.getRunTime() + left)
        highs.run()
        pivots += max(0, highs.getInfo().simplex_iteration_count)
        if highs.getModelStatus() != _Status.kIterationLimit or left <= 0:
            return pivots


@contextmanager
def _other_way(highs: highspy.Highs) -> Iterator[None]:
    """Begin again with other options, and restore them in the end."""
    before = {name: highs.getOptionValue(name)[1] for name in _OTHER_WAY}
    for name, value in _OTHER_WAY.items():
        highs.setOptionValue(name, value)
    highs.clearSolver()
    try:
        yield
    finally:
        for name, old in before.items():
            highs.setOptionValue(name, old)


def run(highs: highspy.Highs, deadline: float | None) -> Run:
    """Run HiGHS until it has solved an integer program, or the deadline has passed, or Ctrl-C is pressed.

    Raises
    ------
    SolverError
        If HiGHS ends with any other status.
    """
    if deadline is not None:
        # HiGHS counts the time of all its runs.
        highs.setOptionValue("time_limit", highs.getRunTime() + max(0.0, deadline - time.perf_counter()))
    # Not highspy's own thread, which allows only one solver at a time in the whole process. An event tells when the
    # run is finished, because after a join that Ctrl-C interrupts, the thread counts as finished.
    highs.HandleKeyboardInterrupt = True
    reports, finished = _Reports(highs), threading.Event()
    threading.Thread(target=_solve, args=(highs, finished), daemon=True).start()
    interrupted = False
    try:
        is_done = _wait(finished, None if deadline is None else deadline + _LATE)
    except KeyboardInterrupt:
        interrupted = True
        is_done = False
    if not is_done:
        highs.cancelSolve()
        is_done = finished.wait(_GRACE)
    if not is_done:
        _LEFT_ALONE.add(highs)
        return Run("stopped", reports.values, reports.bound, left_alone=True, interrupted=interrupted)
    return _read(highs, interrupted)


def _wait(finished: threading.Event, until: float | None) -> bool:
    """Wait until a run is finished or a moment has come, in short steps, between which Ctrl-C is noticed."""
    while not finished.is_set():
        left = _STEP if until is None else min(_STEP, until - time.perf_counter())
        if left <= 0:
            return False
        finished.wait(left)
    return True


def _solve(highs: highspy.Highs, finished: threading.Event) -> None:
    try:
        highs.run()
        highs.resetGlobalScheduler(False)  # HiGHS keeps a scheduler per thread, which must end with it
    finally:
        finished.set()
        _LEFT_ALONE.discard(highs)


@atexit.register
def _silence() -> None:
    """Keep runs that were left alone from calling Python while it is shutting down, which would abort the process."""
    for highs in list(_LEFT_ALONE):
        highs.disableCallbacks()


def _read(highs: highspy.Highs, interrupted: bool) -> Run:
    """Return what a finished run has found."""
    status, info, solution = highs.getModelStatus(), highs.getInfo(), highs.getSolution()
    if status not in _ENDINGS:
        raise SolverError(f"HiGHS stopped with the status {highs.modelStatusToString(status)!r}.")
    ending, duals = _ENDINGS[status], np.array(solution.row_dual)
    is_linear, feasible = info.mip_node_count < 0, highspy.SolutionStatus.kSolutionStatusFeasible
    if ending == "infeasible" and is_linear:
        _, has_ray, ray = highs.getDualRay()  # type: ignore[attr-defined]
        duals = np.array(ray) if has_ray else _NOTHING
    has_values = len(duals) > 0 if is_linear else info.primal_solution_status == feasible
    values = np.array(solution.col_value) if has_values and ending != "infeasible" else None
    pivots = int(info.simplex_iteration_count)
    return Run(ending, values, float(info.mip_dual_bound), duals, pivots, interrupted=interrupted)
