"""HiGHS on the paper's formulation, as it is: the yardstick for what row generation adds."""

from __future__ import annotations

import time
from dataclasses import dataclass

import highspy
import numpy as np

from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.formulation import infeasible, to_solution, written_out
from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class Highs:
    """Hand the whole formulation to HiGHS.

    Parameters
    ----------
    threads : int
    """

    threads: int = 1

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> Solution:
        """Return the best partition HiGHS finds."""
        started = time.perf_counter()
        matrix, lower, upper = written_out(problem)
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", self.threads)
        highs.setOptionValue("mip_rel_gap", 0.0)
        highs.setOptionValue("mip_abs_gap", 0.0)
        n_rules, nothing = problem.n_rules, np.empty(0, dtype=np.int32)
        highs.addCols(n_rules, problem.scores, np.zeros(n_rules), np.ones(n_rules), 0, nothing, nothing, np.empty(0))
        highs.changeColsIntegrality(
            n_rules, np.arange(n_rules, dtype=np.int32), np.full(n_rules, highspy.HighsVarType.kInteger)
        )
        highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        highs.addRows(len(lower), lower, upper, matrix.nnz, matrix.indptr[:-1], matrix.indices, matrix.data)
        if time_limit is not None:
            highs.setOptionValue("time_limit", max(0.0, time_limit - (time.perf_counter() - started)))
        highs.run()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            raise infeasible(problem)
        info = highs.getInfo()
        found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        values = np.array(highs.getSolution().col_value) if found else None
        proved = status == highspy.HighsModelStatus.kOptimal
        return to_solution(problem, values, info.mip_dual_bound, proved, started)
