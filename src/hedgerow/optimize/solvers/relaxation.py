"""The linear relaxation over some samples and some rules, warm-started in HiGHS.

Rows are added and columns are dropped between solves. The bound is computed here from whatever multipliers HiGHS
returns, so it is valid even if HiGHS stops early.
"""

from __future__ import annotations

import time

import highspy
import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.formulation import side_rows, stacked
from hedgerow.optimize.solvers.highs import add_rows, build_model
from hedgerow.optimize.solvers.interior import Program, central_multipliers
from hedgerow.optimize.solvers.interruptible import Ending, run

_TOLERANCES = ("primal_feasibility_tolerance", "dual_feasibility_tolerance", "mip_feasibility_tolerance")
_OPTIONS: dict[str, bool | str | float] = {"presolve": "off", "threads": 1, "random_seed": 0}
_OPTIONS |= dict.fromkeys(_TOLERANCES, 1e-9)
_CHUNK = 512
_MOST_ENTRIES = 20_000_000


class Relaxation:
    """max scores·z over z in [0, 1], the budget, the sum row, extra rows, and the rows of some samples.

    Attributes
    ----------
    active : int array
        The columns of the problem that have not been dropped.
    samples : int array
        The samples whose rows have been added.
    z : float array
        The last solution, over all columns of the problem.
    bound : float
        The lowest bound proved so far over the active columns.
    reduced : float array
        Reduced costs of the active columns at the last bound.
    pivots : int
        Number of simplex iterations of the last solve.
    """

    def __init__(self, problem: PartitionProblem) -> None:
        self.problem = problem
        self.active: IntArray = np.arange(problem.n_rules)
        self.samples: IntArray = np.empty(0, dtype=np.int64)
        self.z = np.zeros(problem.n_rules)
        self.bound = np.inf
        self.last_bound = np.inf
        self.reduced = np.zeros(problem.n_rules)
        # Σ_j N_j z_j = N, scaled to 1: with it, a few rows are nearly as strong as all of them.
        sum_row = sparse.csr_array(problem.coverage.counts[None, :] / problem.n_samples), np.ones(1), np.ones(1)
        self.matrix, self.lower, self.upper = stacked(sum_row, side_rows(problem))
        self.pivots = 0
        self._duals = self._central = np.zeros(0)
        self._highs = self.model(self.active, integer=False)

    def add(self, samples: IntArray) -> None:
        """Add the rows of these samples."""
        rows = self.problem.coverage.rows(samples)[:, self.active]
        self.samples = np.concatenate([self.samples, samples])
        self.matrix = sparse.vstack([self.matrix, rows], format="csr")
        ones = np.ones(len(samples))
        self.lower, self.upper = np.concatenate([self.lower, ones]), np.concatenate([self.upper, ones])
        add_rows(self._highs, (rows, ones, ones))

    def keep(self, mask: BoolArray) -> None:
        """Drop the active columns that are not in the mask, for good."""
        dropped = np.flatnonzero(~mask)
        if not len(dropped):
            return
        self.active, self.reduced = self.active[mask], self.reduced[mask]
        self.matrix = sparse.csr_array(self.matrix[:, mask])
        self._highs.deleteCols(len(dropped), dropped.astype(np.int32))

    def solve(self, deadline: float | None) -> Ending:
        """Solve; if there is a solution, update ``z``, ``bound`` and ``reduced``."""
        ran = run(self._highs, deadline)
        self.pivots = ran.pivots
        if ran.values is not None and len(ran.duals):
            self.z[:] = 0.0
            self.z[self.active] = np.clip(ran.values, 0.0, 1.0)
            self._prove(ran.duals)
        ran.pass_on_interrupt()
        return ran.ending

    def center(self, incumbent: float, precision: float, deadline: float | None) -> None:
        """Solve approximately, by an interior-point method; update ``z``, ``bound`` and ``reduced``.

        Columns that cannot be in a solution better than the incumbent may be dropped on the way. Not for problems with
        extra rows.
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
        # Start from the last central solution, moved away from the boundary, where steps would be short.
        x = np.full(n_columns, 30.0 / n_columns)
        y = np.zeros(len(self.upper))
        if len(self._central):
            x[:n_active] += self.z[self.active]
            y[: len(self._central)] = self._central
        # Matrices this small are multiplied fastest, and reproducibly, by one thread.
        with threadpool_limits(1, "blas"):
            left, x, self._central = central_multipliers(program, x, y, incumbent, precision, deadline)
        self.keep(np.isin(np.arange(n_active), left))
        self.z[:] = 0.0
        self.z[self.active] = np.clip(x[left < n_active], 0.0, 1.0)
        self._prove(self._central)

    def promising(self, target: float, deadline: float | None = None) -> BoolArray:
        """Return a mask of the active columns that may be in a list better than the target.

        Their reduced cost must allow it. Moreover, each sample that the column does not cover must be covered by
        another column that is disjoint from it, such that the reduced costs of both together allow it.
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
                    return mask  # columns that are kept needlessly do no harm
                chosen = columns[start : start + _CHUNK]
                both = self.last_bound + cost[tried[start : start + _CHUNK], None] + cost[tried]
                partners = (chosen @ covers < 0.5) & (both > target)
                covered = partners.astype(np.float32) @ columns + chosen
                possible[start : start + _CHUNK] = (covered > 0.5).all(axis=1)
            mask[tried[~possible]] = False
            if possible.sum() >= 0.95 * len(tried):
                return mask

    def model(self, columns: IntArray, *, integer: bool) -> highspy.Highs:
        """Return a new HiGHS model of all rows and some of the active columns."""
        rows = sparse.csr_array(self.matrix[:, columns]), self.lower, self.upper
        scores = self.problem.scores[self.active[columns]]
        return build_model(scores, rows, integer=integer, **_OPTIONS)

    def binding(self) -> IntArray:
        """Return the samples whose rows have a nonzero multiplier at the last bound."""
        # Rows added since then come last and have no multiplier.
        of_samples = self._duals[len(self.upper) - len(self.samples) :]
        return self.samples[: len(of_samples)][of_samples != 0]

    def _prove(self, duals: FloatArray) -> None:
        """Update the bound: for any multipliers y, Σ_i max(y_i row_i) + Σ_j max(0, score_j - y·column_j)."""
        free = (np.isinf(self.upper) & (duals > 0)) | (np.isinf(self.lower) & (duals < 0))
        duals = np.where(free, 0.0, duals)
        self._duals = duals
        side = np.where(duals > 0, self.upper, np.where(duals < 0, self.lower, 0.0))
        self.reduced = self.problem.scores[self.active] - self.matrix.T @ duals
        self.last_bound = float(side @ duals + np.maximum(self.reduced, 0.0).sum())
        self.bound = min(self.bound, self.last_bound)
