"""The simplex method of HiGHS, from one basis to the next.

The basis is kept here, because HiGHS forgets its own whenever columns are dropped, and then takes as many steps as from
the beginning. So HiGHS gets the program anew for each run, which takes less time than one run. It gets the columns that
are allowed only: a step looks at every entry of the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import highspy
import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.exceptions import SolverError
from hedgerow.optimize.solvers.highs import LinearModel
from hedgerow.optimize.solvers.interruptible import Run, run_linear

_LOWER, _BASIC, _UPPER = 0, 1, 2
_STATUSES = (highspy.HighsBasisStatus.kLower, highspy.HighsBasisStatus.kBasic, highspy.HighsBasisStatus.kUpper)
_BY_COLUMN, _MAXIMIZE = 1, -1


@dataclass(frozen=True)
class Columns:
    """The columns of a program, and which of them may be used."""

    matrix: sparse.csc_array
    scores: FloatArray
    allowed: BoolArray


@dataclass(frozen=True)
class Basis:
    """Which columns and rows are basic, and at which bound the others are. Rows added since then are basic."""

    columns: IntArray
    rows: IntArray


class Simplex:
    """max scores·z, lower <= matrix z <= upper, z in [0, 1].

    Attributes
    ----------
    basis : Basis or None
        That of the last run.
    """

    def __init__(self, **options: bool | str | float) -> None:
        self._highs = LinearModel()
        for option, value in {"output_flag": False, **options}.items():
            self._highs.setOptionValue(option, value)
        self.basis: Basis | None = None

    def keep_columns(self, mask: BoolArray) -> None:
        """Drop the columns that are not in the mask."""
        if self.basis is not None:
            self.basis = replace(self.basis, columns=self.basis.columns[mask])

    def keep_rows(self, mask: BoolArray) -> None:
        """Drop the rows that are not in the mask."""
        if self.basis is not None:
            self.basis = replace(self.basis, rows=self.basis.rows[mask[: len(self.basis.rows)]])

    def forget_basis(self) -> None:
        """Begin without a basis next."""
        self.basis = None

    def run(self, given: Columns, lower: FloatArray, upper: FloatArray, deadline: float | None) -> Run:
        """Solve; columns that are not allowed have the value 0."""
        used = given.allowed if self.basis is None else given.allowed | (self.basis.columns == _BASIC)
        columns = np.flatnonzero(used)
        self._pass(given, columns, lower, upper)
        ran = run_linear(self._highs, deadline)
        self.basis = self._basis_after(ran, columns, len(used), lower, upper)
        if ran.values is None:
            return ran
        values = np.zeros(len(used))
        values[columns] = ran.values
        return replace(ran, values=values)

    def _pass(self, given: Columns, columns: IntArray, lower: FloatArray, upper: FloatArray) -> None:
        """Give HiGHS the program with these columns, and the basis."""
        matrix, n, n_rows = given.matrix, len(columns), len(lower)
        if n < matrix.shape[1]:
            matrix = matrix[:, columns]
        least, most, kinds = np.zeros(n), given.allowed[columns].astype(np.float64), np.zeros(n, dtype=np.int32)
        size = n, n_rows, matrix.nnz, _BY_COLUMN, _MAXIMIZE, 0.0
        entries = matrix.indptr, matrix.indices, matrix.data
        passed = self._highs.passModel(*size, given.scores[columns], least, most, lower, upper, *entries, kinds)
        if passed == highspy.HighsStatus.kError:
            raise SolverError("HiGHS rejected the rows it was given.")
        if self.basis is None:
            return
        of_columns = self.basis.columns[columns]
        of_rows = np.append(self.basis.rows, np.full(n_rows - len(self.basis.rows), _BASIC))
        basis = highspy.HighsBasis()
        basis.valid = True
        # Where basic columns or other rows have been dropped, HiGHS must complete the basis.
        basis.alien = np.count_nonzero(of_columns == _BASIC) + np.count_nonzero(of_rows == _BASIC) != n_rows
        basis.col_status = [_STATUSES[k] for k in of_columns.tolist()]
        basis.row_status = [_STATUSES[k] for k in of_rows.tolist()]
        self._highs.setBasis(basis)

    def _basis_after(
        self, ran: Run, columns: IntArray, n_columns: int, lower: FloatArray, upper: FloatArray
    ) -> Basis | None:
        """Return the basis of a run with some columns; None if there is none."""
        status, basic = self._highs.getBasicVariables()  # type: ignore[attr-defined]
        if status == highspy.HighsStatus.kError:
            return None
        of_columns, of_rows = np.full(n_columns, _LOWER), np.where(np.isinf(lower), _UPPER, _LOWER)
        if ran.values is not None:
            of_columns[columns[ran.values > 0.5]] = _UPPER
            ranged = np.flatnonzero(np.isfinite(lower) & np.isfinite(upper) & (lower < upper))
            if len(ranged):
                value = np.array(self._highs.getSolution().row_value)[ranged]
                of_rows[ranged[value > (lower[ranged] + upper[ranged]) / 2]] = _UPPER
        of_columns[columns[basic[basic >= 0]]] = _BASIC
        of_rows[-1 - basic[basic < 0]] = _BASIC
        return Basis(of_columns, of_rows)
