"""HiGHS on the paper's formulation as it stands: the yardstick for what row generation adds."""

from __future__ import annotations

import time
from dataclasses import dataclass

import highspy
import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow.exceptions import SolverError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.formulation import Rows, infeasible, to_solution, written_out
from hedgerow.optimize.solvers.interruptible import run
from hedgerow.optimize.solvers.lazily import solve_lazily
from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class Highs:
    """Pass the whole formulation to HiGHS.

    Parameters
    ----------
    threads : int
    """

    threads: int = 1

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition that HiGHS finds."""
        return solve_lazily(problem.whole(), time_limit, self._solve)

    def _solve(self, problem: PartitionProblem, time_limit: float | None) -> Solution:
        started = time.perf_counter()
        options = {"threads": self.threads, "mip_rel_gap": 0.0, "mip_abs_gap": 0.0}
        highs = build_model(problem.scores, written_out(problem), integer=True, **options)
        ran = run(highs, None if time_limit is None else started + time_limit)
        ran.pass_on_interrupt()
        if ran.ending == "infeasible":
            raise infeasible(problem)
        return to_solution(problem, ran.values, ran.bound, ran.ending == "solved", started)


class LinearModel(highspy.Highs):
    """A model without callbacks: to set them up takes as long as to solve a small linear program.

    They also keep the model from being freed before the garbage collector finds it.
    """

    def __init__(self) -> None:
        super(highspy.Highs, self).__init__()


def build_model(scores: FloatArray, rows: Rows, *, integer: bool, **options: bool | str | float) -> highspy.Highs:
    """Return the HiGHS model max scores·z, lower <= matrix z <= upper, with z in [0, 1] or binary."""
    highs = highspy.Highs() if integer else LinearModel()
    for option, value in {"output_flag": False, **options}.items():
        highs.setOptionValue(option, value)
    n_columns, nothing = len(scores), np.empty(0, dtype=np.int32)
    highs.addCols(n_columns, scores, np.zeros(n_columns), np.ones(n_columns), 0, nothing, nothing, np.empty(0))
    if integer:
        kinds = np.full(n_columns, highspy.HighsVarType.kInteger)
        highs.changeColsIntegrality(n_columns, np.arange(n_columns, dtype=np.int32), kinds)
    highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
    add_rows(highs, rows)
    return highs


def add_rows(highs: highspy.Highs, rows: Rows) -> None:
    """Add rows to a model."""
    matrix, lower, upper = rows
    added = highs.addRows(len(lower), lower, upper, matrix.nnz, matrix.indptr[:-1], matrix.indices, matrix.data)
    if added == highspy.HighsStatus.kError:
        raise SolverError("HiGHS rejected the rows it was given.")
