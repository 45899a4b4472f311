"""The problem as rows and columns.

Written out in full, it is the paper's formulation, for general solvers, which take the whole matrix.
"""

from __future__ import annotations

import time

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import FloatArray
from hedgerow.exceptions import InfeasibleError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.rules.solution import Solution

Rows = tuple[sparse.csr_array, FloatArray, FloatArray]


def written_out(problem: PartitionProblem) -> Rows:
    """Return (matrix, lower, upper): one row per sample, then :func:`side_rows`."""
    ones = np.ones(problem.n_samples)
    return stacked((sparse.csr_array(problem.coverage.matrix()), ones, ones), *side_rows(problem))


def side_rows(problem: PartitionProblem) -> list[Rows]:
    """Return the rows that do not belong to samples, to be stacked: the budget and the extra rows, if there are any."""
    parts: list[Rows] = []
    if problem.max_rules is not None:
        parts.append((full_row(np.ones(problem.n_rules)), np.array([-np.inf]), np.array([float(problem.max_rules)])))
    if problem.rows is not None:
        rows = problem.rows.scaled()
        parts.append((rows.matrix, rows.lower, rows.upper))
    return parts


def full_row(entries: FloatArray) -> sparse.csr_array:
    """Return a row whose entries are all stored."""
    n = len(entries)
    return sparse.csr_array((entries, np.arange(n, dtype=np.int32), np.array([0, n], dtype=np.int32)), shape=(1, n))


def stacked(*parts: Rows) -> Rows:
    """Stack rows."""
    matrices, lower, upper = zip(*parts, strict=True)
    lengths = np.concatenate([np.diff(matrix.indptr) for matrix in matrices])
    starts = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=starts[1:])
    entries = tuple(np.concatenate([getattr(matrix, name) for matrix in matrices]) for name in ("data", "indices"))
    stack = sparse.csr_array((*entries, starts), shape=(len(lengths), matrices[0].shape[1]))
    return stack, np.concatenate(lower), np.concatenate(upper)


def infeasible(problem: PartitionProblem) -> InfeasibleError:
    """Return the error for a problem that a solver has proven infeasible."""
    budget = "" if problem.max_rules is None else f" of at most {problem.max_rules} rules"
    return InfeasibleError(
        f"No list{budget} covers every training sample exactly once within the constraints. Raise max_rules, lower "
        "min_coverage, or use candidates='nodes'; the default solver says which budget works."
    )


def to_solution(
    problem: PartitionProblem, values: FloatArray | None, bound: float, proved: bool, started: float
) -> Solution:
    """Check a solver's result against all samples and return it with its proof."""
    seconds = time.perf_counter() - started
    if values is None:
        raise TimeLimitError(f"No list was found within {seconds:.1f} s. Raise time_limit.")
    chosen = problem.verify(np.flatnonzero(np.asarray(values) > 0.5))
    objective = problem.objective(chosen)
    if proved:
        return Solution(chosen, objective, objective, "optimal", seconds)
    return Solution(chosen, objective, max(bound, objective), "time_limit", seconds)
