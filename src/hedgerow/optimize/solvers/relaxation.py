"""The linear relaxation over some samples and some rules, kept warm in HiGHS.

Rows are added and columns dropped between solves. Whatever multipliers HiGHS
returns, the bound is computed from them here, so that it holds even if the
solver stopped early.
"""

from __future__ import annotations

import time
from typing import Any

import highspy
import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.exceptions import SolverError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.formulation import Rows, side_rows, stacked
from hedgerow.optimize.solvers.interior import Program, central_multipliers
from hedgerow.optimize.solvers.interruptible import Ending, run

_TOLERANCE = 1e-9
_CHUNK = 512
_MOST_ENTRIES = 20_000_000


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
    pivots : int
        How many steps the simplex method took the last time.
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
        self.pivots = 0
        self._duals = self._central = np.zeros(0)
        self._highs = self._build(self.active)

    def add(self, samples: IntArray) -> None:
        """Add the rows of these samples."""
        rows = self.problem.coverage.rows(samples)[:, self.active]
        self.samples = np.concatenate([self.samples, samples])
        self.matrix = sparse.vstack([self.matrix, rows], format="csr")
        ones = np.ones(len(samples))
        self.lower, self.upper = np.concatenate([self.lower, ones]), np.concatenate([self.upper, ones])
        _accepted(self._highs.addRows(len(samples), ones, ones, rows.nnz, rows.indptr[:-1], rows.indices, rows.data))

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
        self.pivots = int(self._highs.getInfo().simplex_iteration_count)
        solution = self._highs.getSolution()
        if ending != "infeasible" and len(solution.row_dual):
            self.z[:] = 0.0
            self.z[self.active] = np.clip(solution.col_value, 0.0, 1.0)
            self._prove(np.array(solution.row_dual))
        return ending

    def center(self, incumbent: float, precision: float, deadline: float | None) -> None:
        """Solve nearly, by an interior point method; update ``z``, ``bound`` and ``reduced``.

        Columns that cannot be in anything better than the incumbent may be dropped on
        the way. Not for problems with extra rows.
        """
        n_active, free = len(self.active), np.isinf(self.lower)
        slack = sparse.csr_array(sparse.eye_array(len(free), format="csr")[:, free])
        n_columns = n_active + slack.shape[1]
        program = Program(
            sparse.hstack([self.matrix, slack], format="csr"),
            self.upper,
            np.append(self.problem.scores[self.active], np.zeros(slack.shape[1])),
            np.arange(n_columns) >= n_active,
        )
        # The last central solution, moved well inside: from near the border the steps are short.
        x = np.full(n_columns, 30.0 / n_columns)
        y = np.zeros(len(self.upper))
        if len(self._central):
            x[:n_active] += self.z[self.active]
            y[: len(self._central)] = self._central
        # Matrices this small are multiplied fastest, and always alike, by one thread.
        with threadpool_limits(1, "blas"):
            left, x, self._central = central_multipliers(program, x, y, incumbent, precision, deadline)
        self.keep(np.isin(np.arange(n_active), left))
        self.z[:] = 0.0
        self.z[self.active] = np.clip(x[left < n_active], 0.0, 1.0)
        self._prove(self._central)

    def promising(self, target: float, deadline: float | None = None) -> BoolArray:
        """Return which active columns may be in a list better than the target.

        The reduced cost must allow it, and with the column chosen, every sample outside
        it must still have a column that is disjoint from it and that both reduced costs
        together allow.
        """
        cost = np.minimum(self.reduced, 0.0)
        mask: BoolArray = self.last_bound + cost > target
        rows = self.matrix[len(self.upper) - len(self.samples) :]
        while True:
            tried = np.flatnonzero(mask)
            if rows.shape[0] * len(tried) > _MOST_ENTRIES:
                return mask
            covers = rows[:, tried].toarray().astype(np.float32)
            columns = np.ascontiguousarray(covers.T)
            possible = np.ones(len(tried), dtype=bool)
            for start in range(0, len(tried), _CHUNK):
                if deadline is not None and time.perf_counter() > deadline:
                    return mask  # what is left in too much does no harm
                chosen = columns[start : start + _CHUNK]
                both = self.last_bound + cost[tried[start : start + _CHUNK], None] + cost[tried]
                partners = (chosen @ covers < 0.5) & (both > target)
                covered = partners.astype(np.float32) @ columns + chosen
                possible[start : start + _CHUNK] = (covered > 0.5).all(axis=1)
            mask[tried[~possible]] = False
            if possible.sum() >= 0.95 * len(tried):
                return mask

    def as_integer(self, columns: IntArray) -> highspy.Highs:
        """Return a new HiGHS model of all rows and some of the active columns, binary."""
        highs = self._build(columns)
        integer = np.full(len(columns), highspy.HighsVarType.kInteger)
        highs.changeColsIntegrality(len(columns), np.arange(len(columns), dtype=np.int32), integer)
        return highs

    def binding(self) -> IntArray:
        """Return the samples whose rows have a multiplier at the last bound."""
        # Rows that were added since then come last and have none.
        of_samples = self._duals[len(self.upper) - len(self.samples) :]
        return self.samples[: len(of_samples)][of_samples != 0]

    def _prove(self, duals: FloatArray) -> None:
        """Any multipliers y bound the optimum by Σ_i max(y_i row_i) + Σ_j max(0, score_j - y·column_j)."""
        free = (np.isinf(self.upper) & (duals > 0)) | (np.isinf(self.lower) & (duals < 0))
        duals = np.where(free, 0.0, duals)
        self._duals = duals
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
        _accepted(
            highs.addRows(
                matrix.shape[0], self.lower, self.upper, matrix.nnz, matrix.indptr[:-1], matrix.indices, matrix.data
            )
        )
        return highs


def _accepted(status: highspy.HighsStatus) -> None:
    if status == highspy.HighsStatus.kError:
        raise SolverError("HiGHS refused the rows it was given.")


def _sum_row(problem: PartitionProblem) -> Rows:
    """Return Σ_j N_j z_j = N, scaled to 1: with it few rows already say nearly what all of them say."""
    share = sparse.csr_array(problem.coverage.counts[None, :] / problem.n_samples)
    return share, np.ones(1), np.ones(1)
