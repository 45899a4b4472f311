"""The linear relaxation over some samples and some rules, kept warm in HiGHS.

Rows are added and columns dropped between solves. Whatever multipliers HiGHS
returns, the bound is computed from them here, so that it holds even if the
solver stopped early.
"""

from __future__ import annotations

from typing import Any

import highspy
import numpy as np
from scipy import sparse

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.problem import PartitionProblem
from hedgerow.solvers.formulation import Rows, side_rows, stacked
from hedgerow.solvers.interruptible import Ending, run

_TOLERANCE = 1e-9


class Relaxation:
    """max scores·z over z in [0, 1], the budget, the sum row, extra rows, and the rows of some samples.

    Attributes
    ----------
    active : int array
        The columns of the problem that are still in.
    samples : int array
        The samples whose rows are in.
    z : float array
        The last solution, over all columns of the problem.
    bound : float
        The lowest bound proved so far over the active columns.
    reduced : float array
        Reduced costs of the active columns at the last bound.
    """

    def __init__(self, problem: PartitionProblem) -> None:
        self.problem = problem
        self.active: IntArray = np.arange(problem.n_rules)
        self.samples: IntArray = np.empty(0, dtype=np.int64)
        self.z = np.zeros(problem.n_rules)
        self.bound = np.inf
        self.last_bound = np.inf
        self.reduced = np.zeros(problem.n_rules)
        self.matrix, self.lower, self.upper = stacked(_sum_row(problem), side_rows(problem))
        self._highs = self._build(self.active)

    def add(self, samples: IntArray) -> None:
        """Add the rows of these samples."""
        rows = self.problem.coverage.rows(samples)[:, self.active]
        self.samples = np.concatenate([self.samples, samples])
        self.matrix = sparse.vstack([self.matrix, rows], format="csr")
        ones = np.ones(len(samples))
        self.lower, self.upper = np.concatenate([self.lower, ones]), np.concatenate([self.upper, ones])
        self._highs.addRows(len(samples), ones, ones, rows.nnz, rows.indptr[:-1], rows.indices, rows.data)

    def keep(self, mask: Any) -> None:
        """Drop the active columns that are not in the mask, for good."""
        dropped = np.flatnonzero(~mask)
        if not len(dropped):
            return
        self.active, self.reduced = self.active[mask], self.reduced[mask]
        self.matrix = sparse.csr_array(self.matrix[:, mask])
        self._highs.deleteCols(len(dropped), dropped.astype(np.int32))

    def solve(self, deadline: float | None) -> Ending:
        """Solve, and update ``z``, ``bound`` and ``reduced``, as far as there is a solution."""
        ending = run(self._highs, deadline)
        solution = self._highs.getSolution()
        if ending != "infeasible" and len(solution.row_dual):
            self.z[:] = 0.0
            self.z[self.active] = np.clip(solution.col_value, 0.0, 1.0)
            self._prove(np.array(solution.row_dual))
        return ending

    def as_integer(self, columns: IntArray) -> highspy.Highs:
        """Return a new HiGHS model of all rows and some of the active columns, binary."""
        highs = self._build(columns)
        integer = np.full(len(columns), highspy.HighsVarType.kInteger)
        highs.changeColsIntegrality(len(columns), np.arange(len(columns), dtype=np.int32), integer)
        return highs

    def _prove(self, duals: FloatArray) -> None:
        """Any multipliers y bound the optimum by Σ_i max(y_i row_i) + Σ_j max(0, score_j - y·column_j)."""
        free = (np.isinf(self.upper) & (duals > 0)) | (np.isinf(self.lower) & (duals < 0))
        duals = np.where(free, 0.0, duals)
        side = np.where(duals > 0, self.upper, np.where(duals < 0, self.lower, 0.0))
        self.reduced = self.problem.scores[self.active] - self.matrix.T @ duals
        self.last_bound = float(side @ duals + np.maximum(self.reduced, 0.0).sum())
        self.bound = min(self.bound, self.last_bound)

    def _build(self, columns: IntArray) -> highspy.Highs:
        highs = highspy.Highs()
        for option, value in (
            ("output_flag", False),
            ("presolve", "off"),
            ("threads", 1),
            ("random_seed", 0),
            ("primal_feasibility_tolerance", _TOLERANCE),
            ("dual_feasibility_tolerance", _TOLERANCE),
            ("mip_feasibility_tolerance", _TOLERANCE),
        ):
            highs.setOptionValue(option, value)
        n_columns, nothing = len(columns), np.empty(0, dtype=np.int32)
        scores = np.asarray(self.problem.scores[self.active[columns]])
        highs.addCols(n_columns, scores, np.zeros(n_columns), np.ones(n_columns), 0, nothing, nothing, np.empty(0))
        highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        matrix = sparse.csr_array(self.matrix[:, columns])
        highs.addRows(
            matrix.shape[0], self.lower, self.upper, matrix.nnz, matrix.indptr[:-1], matrix.indices, matrix.data
        )
        return highs


def _sum_row(problem: PartitionProblem) -> Rows:
    """Return Σ_j N_j z_j = N, scaled to 1: with it few rows already say nearly what all of them say."""
    share = sparse.csr_array(problem.coverage.counts[None, :] / problem.n_samples)
    return share, np.ones(1), np.ones(1)
