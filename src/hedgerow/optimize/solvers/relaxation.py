"""The linear relaxation over some samples and some rules, warm-started in HiGHS.

Rows are added, columns are forbidden or dropped between solves. The bound is computed here from whatever multipliers
HiGHS returns, so it is valid even if HiGHS stops early; likewise, that there is no solution is believed only with
multipliers that prove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.exceptions import SolverError
from hedgerow.optimize.problem import LinearRows, PartitionProblem
from hedgerow.optimize.solvers.formulation import Rows, full_row, side_rows, stacked
from hedgerow.optimize.solvers.interior import Program, central_multipliers
from hedgerow.optimize.solvers.interruptible import Ending, Run
from hedgerow.optimize.solvers.simplex import Columns, Simplex

_TOLERANCES = ("primal_feasibility_tolerance", "dual_feasibility_tolerance", "mip_feasibility_tolerance")
_OPTIONS: dict[str, bool | str | float] = {"presolve": "off", "threads": 1, "random_seed": 0}
_OPTIONS |= {"dual_simplex_cost_perturbation_multiplier": 0.0, "simplex_dual_edge_weight_strategy": 1}
_OPTIONS |= dict.fromkeys(_TOLERANCES, 1e-9)
#: Rows of zeros and ones need none.
_NO_SCALING: dict[str, bool | str | float] = {"simplex_scale_strategy": 0}
#: Rounding errors, as a share of what is added up: multipliers that add up to less than them prove no contradiction.
_CONTRADICTION = 1e-12


#: What a row stands for if not for a sample: the sum row, the budget or an extra row; or a clique.
SIDE, CLIQUE = -1, -2
#: A simplex iteration looks at all entries of the matrix and at a part of the inverse basis, and costs as much as this
#: many entries besides.
_ITERATION = 12_500
_NO_MULTIPLIER = 1e-9
_NOTHING = 1e-12
_NO_SAMPLES = np.empty(0, dtype=np.int64)


class Relaxation:
    """max scores·z over z in [0, 1], the budget, the sum row, extra rows, the rows of some samples, and cliques.

    Attributes
    ----------
    active : int array
        The columns of the problem that have not been dropped.
    allowed : bool array
        Which of the active columns may be used now; see :meth:`allow`.
    z : float array
        The last solution, over the active columns.
    bound : float
        The lowest bound proved so far over all active columns.
    last_bound : float
        The bound that the last multipliers prove over the allowed columns.
    reduced : float array
        Reduced costs of the active columns at the last bound.
    reach : float array
        For each active column, the lowest bound proved so far on the lists with this column.
    pivots : int
        Number of simplex iterations of the last solve.
    ray : float array or None
        Multipliers of the rows that prove that the last problem has no solution; None if there are none.
    last_work, work : int
        What the last solve and all solves took, in entries of a matrix that are looked at.
    """

    def __init__(self, problem: PartitionProblem, samples: IntArray = _NO_SAMPLES) -> None:
        """Begin with the rows of these samples."""
        self.problem = problem
        self.active: IntArray = np.arange(problem.n_rules)
        self.allowed = np.ones(problem.n_rules, dtype=bool)
        self.z, self.reduced = np.zeros((2, problem.n_rules))
        self.reach = np.full(problem.n_rules, np.inf)
        self.bound = self.last_bound = np.inf
        # Σ_j N_j z_j = N, scaled to 1: with it, a few rows are nearly as strong as all of them.
        sum_row = full_row(problem.coverage.counts / problem.n_samples), np.ones(1), np.ones(1)
        rows = stacked(sum_row, *side_rows(problem), self._rows_of(samples))
        self.matrix, self.lower, self.upper = rows
        self.pivots = self.work = self.last_work = 0
        self.ray: FloatArray | None = None
        self._n_own = 1 + (problem.max_rules is not None)
        self._of_row: IntArray = np.concatenate([np.full(len(self.upper) - len(samples), SIDE), samples])
        self._duals = self._central = np.zeros(0)
        options = _OPTIONS if problem.rows is not None else _OPTIONS | _NO_SCALING
        self._simplex = Simplex(**options)
        self._is_solved = False
        self._by_column = sparse.csc_array(self.matrix)

    @property
    def of_row(self) -> IntArray:
        """The sample that each row stands for, or SIDE or CLIQUE: the sum row first, the budget, extra rows, others."""
        return self._of_row

    @property
    def duals(self) -> FloatArray:
        """The multipliers of the rows at the last bound, those of the wrong sign as 0."""
        return self._duals

    @property
    def samples(self) -> IntArray:
        """The samples whose rows have been added."""
        return self._of_row[self._of_row >= 0]

    @property
    def sample_rows(self) -> sparse.csr_array:
        """The rows of these samples, over the active columns."""
        return self.matrix[self._of_row >= 0]

    def add(self, samples: IntArray) -> None:
        """Add the rows of these samples."""
        self._add(self._rows_of(samples), samples)

    def _rows_of(self, samples: IntArray) -> Rows:
        coverage, ones = self.problem.coverage, np.ones(len(samples))
        if len(self.active) < coverage.n_rules:
            coverage = coverage.subset(self.active)
        return coverage.rows(samples), ones, ones

    def add_cliques(self, cliques: BoolArray) -> None:
        """Add a row for each set of active columns of which a list has at most one."""
        rows, ones = sparse.csr_array(cliques.astype(np.float64)), np.ones(len(cliques))
        self._add((rows, -np.inf * ones, ones), np.full(len(cliques), CLIQUE))

    def add_extra(self, rows: LinearRows) -> None:
        """Add extra rows over all columns of the problem."""
        rows = rows.scaled()
        self._add((rows.matrix[:, self.active], rows.lower, rows.upper), np.full(len(rows), SIDE))

    def over_all(self) -> FloatArray:
        """Return the last solution over all columns of the problem."""
        z = np.zeros(self.problem.n_rules)
        z[self.active] = self.z
        return z

    def forbid_together(self, columns: IntArray) -> None:
        """Add the row that these active columns are never chosen all at once."""
        row = np.zeros((1, len(self.active)))
        row[0, columns] = 1.0
        self._add((sparse.csr_array(row), np.array([-np.inf]), np.array([len(columns) - 1.0])), np.array([SIDE]))

    def _add(self, rows: Rows, stands_for: IntArray) -> None:
        self.matrix, self.lower, self.upper = stacked((self.matrix, self.lower, self.upper), rows)
        self._is_solved = False
        self._of_row = np.concatenate([self._of_row, stands_for])
        self._by_column = sparse.csc_array(self.matrix)

    def drop_idle_cliques(self) -> BoolArray:
        """Drop the cliques without a multiplier at the last bound; return which of all cliques stay."""
        multipliers = np.full(len(self._of_row), np.inf)  # rows added since the last bound stay
        multipliers[: len(self._duals)] = np.abs(self._duals)
        idle = (self._of_row == CLIQUE) & (multipliers < _NO_MULTIPLIER)
        stay = ~idle[self._of_row == CLIQUE]
        if not idle.any():
            return stay
        self.matrix = self.matrix[~idle]
        self.lower, self.upper, self._of_row = self.lower[~idle], self.upper[~idle], self._of_row[~idle]
        self._duals = self._duals[~idle[: len(self._duals)]]
        self._central = self._central[~idle[: len(self._central)]]
        self._by_column = sparse.csc_array(self.matrix)
        self._simplex.keep_rows(~idle)
        return stay

    def allow(self, allowed: BoolArray) -> None:
        """Allow these active columns only, until the next call."""
        self._is_solved &= not allowed[~self.allowed].any() and not self.z[~allowed].any()
        self.allowed = allowed

    def keep(self, mask: BoolArray) -> None:
        """Drop the active columns that are not in the mask, for good."""
        dropped = np.flatnonzero(~mask)
        if not len(dropped):
            return
        self._is_solved &= not self.z[dropped].any()
        self.active, self.reduced, self.allowed = self.active[mask], self.reduced[mask], self.allowed[mask]
        self.z, self.reach = self.z[mask], self.reach[mask]
        self._by_column = self._by_column[:, np.flatnonzero(mask)]
        self.matrix = sparse.csr_array(self._by_column)
        self._simplex.keep_columns(mask)

    def solve(self, deadline: float | None) -> Ending:
        """Solve; if there is a solution, update ``z``, ``last_bound``, ``reduced``, ``reach`` and ``bound``."""
        if not len(self.active):
            return "infeasible"
        if self._is_solved:
            self.pivots = self.last_work = 0
            self._prove(self._duals)  # over the columns that are allowed now
            return "solved"
        ran = self._run(deadline)
        self.ray = self._contradiction(ran.duals) if ran.ending == "infeasible" else None
        if ran.ending == "infeasible" and self.ray is None:
            self._simplex.forget_basis()  # rounding errors may have added up over the warm starts
            ran = self._run(deadline)
            self.ray = self._contradiction(ran.duals) if ran.ending == "infeasible" else None
            if ran.ending == "infeasible" and self.ray is None:
                raise SolverError("HiGHS says that a linear program is infeasible, but does not prove it.")
        if ran.values is not None and len(ran.duals):
            self.z = np.clip(ran.values, 0.0, 1.0)
            self._prove(ran.duals)
            self._is_solved = ran.ending == "solved"
        return ran.ending

    def _run(self, deadline: float | None) -> Run:
        columns = Columns(self._by_column, self.problem.scores[self.active], self.allowed)
        ran = self._simplex.run(columns, self.lower, self.upper, deadline)
        self.pivots = ran.pivots
        n_rows = len(self.upper)
        self.last_work = ran.pivots * (self.matrix.nnz + n_rows**2 // 2 + _ITERATION)
        self.work += self.last_work
        return ran

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Return to the present basis at the end; to the present solution, too, unless rows have been added."""
        names = ("allowed", "z", "reduced", "last_bound", "_duals", "_is_solved")
        basis, state, n_rows = self._simplex.basis, {name: getattr(self, name) for name in names}, len(self.upper)
        try:
            yield
        finally:
            self._simplex.basis = basis
            if len(self.upper) == n_rows:
                vars(self).update(state)

    def forget_basis(self) -> None:
        """Solve from the beginning next: from a basis for other columns, it would take several times as long."""
        self._simplex.forget_basis()

    def center(self, incumbent: float, precision: float, deadline: float | None, *, dropping: bool = True) -> None:
        """Solve approximately, by an interior-point method; update ``z``, ``bound`` and ``reduced``.

        Columns that cannot be in a solution better than the incumbent may be dropped on the way, for good if
        ``dropping``. Not for problems with extra rows.
        """
        columns, free = np.flatnonzero(self.allowed), np.isinf(self.lower)
        n_columns = len(columns)
        slack = sparse.csr_array(sparse.eye_array(len(free), format="csr")[:, free])
        n_all = n_columns + slack.shape[1]
        program = Program(
            sparse.hstack([self.matrix[:, columns], slack], format="csr"),
            self.upper,
            np.append(self.problem.scores[self.active[columns]], np.zeros(slack.shape[1])),
            np.arange(n_all) >= n_columns,
        )
        # Start from the last central solution, moved away from the boundary, where steps would be short.
        x = np.full(n_all, 30.0 / n_all)
        y = np.zeros(len(self.upper))
        if len(self._central) and dropping:
            x[:n_columns] += self.z[columns]
            y[: len(self._central)] = self._central
        self._is_solved = False
        left, x, central = central_multipliers(program, x, y, incumbent, precision, deadline)
        mine = left < n_columns
        self.z = np.zeros(len(self.active))
        self.z[columns[left[mine]]] = np.clip(x[mine], 0.0, 1.0)
        if dropping:
            self._central = central
            self.keep(np.isin(np.arange(len(self.active)), columns[left[mine]]))
        if np.isfinite(central).all():
            self._prove(central)

    def multipliers(self) -> FloatArray:
        """Return the multiplier of each sample of the problem at the last bound, with its share of the sum row's."""
        if not len(self._duals):
            return np.zeros(self.problem.n_samples)
        of_row = self._of_row[: len(self._duals)]
        y = np.full(self.problem.n_samples, self._duals[0] / self.problem.n_samples)
        y[of_row[of_row >= 0]] += self._duals[of_row >= 0]
        return y

    def extra_prices(self) -> FloatArray:
        """Return what the extra rows cost each column of the problem at the last bound; 0 for dropped ones."""
        prices = np.zeros(self.problem.n_rules)
        extra = np.flatnonzero(self._of_row[: len(self._duals)] == SIDE)[self._n_own :]
        prices[self.active] = self.matrix[extra].T @ self._duals[extra]
        return prices

    def multipliers_of_extra(self) -> FloatArray:
        """Return the multipliers of the problem's own extra rows, scaled as in :meth:`LinearRows.scaled`."""
        n_rows = 0 if self.problem.rows is None else len(self.problem.rows)
        found = np.zeros(n_rows)
        known = self._duals[self._n_own : self._n_own + n_rows]
        found[: len(known)] = known
        return found

    def covered(self) -> FloatArray:
        """Return how much of each sample of the problem the last solution covers."""
        used = np.flatnonzero(self.z > _NOTHING)
        return self.problem.coverage.subset(self.active[used]).dot(self.z[used])

    def binding(self) -> IntArray:
        """Return the samples whose rows have a nonzero multiplier at the last bound."""
        of_row = self._of_row[: len(self._duals)]  # rows added since then have no multiplier
        return of_row[(of_row >= 0) & (self._duals != 0)]

    def _prove(self, duals: FloatArray) -> None:
        """Update the bounds: for any multipliers y, Σ_i max(y_i row_i) + Σ_j max(0, score_j - y·column_j)."""
        duals, side = self._one_sided(duals)
        self._duals = duals
        self.reduced = self.problem.scores[self.active] - self.matrix.T @ duals
        of_rows, of_columns = float(side @ duals), np.maximum(self.reduced, 0.0)
        self.last_bound = of_rows + float(of_columns[self.allowed].sum())
        over_all = of_rows + float(of_columns.sum())
        self.bound = min(self.bound, over_all)
        self.reach = np.minimum(self.reach, over_all + np.minimum(self.reduced, 0.0))

    def _contradiction(self, ray: FloatArray) -> FloatArray | None:
        """Return multipliers if they prove that the rows have no solution: with scores of 0, a bound below 0."""
        size = float(np.abs(ray).max(initial=0.0))
        for sign in (1.0, -1.0) if size > 0 else ():
            duals, side = self._one_sided(sign / size * ray)
            of_columns = np.maximum(-(self.matrix.T @ duals), 0.0)[self.allowed]
            rounding = _CONTRADICTION * (1.0 + float(np.abs(side * duals).sum() + of_columns.sum()))
            if float(side @ duals) + float(of_columns.sum()) < -rounding:
                return duals
        return None

    def _one_sided(self, duals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the multipliers without those of the wrong sign, and the side of each row that they refer to."""
        free = (np.isinf(self.upper) & (duals > 0)) | (np.isinf(self.lower) & (duals < 0))
        duals = np.where(free, 0.0, duals)
        return duals, np.where(duals > 0, self.upper, np.where(duals < 0, self.lower, 0.0))
