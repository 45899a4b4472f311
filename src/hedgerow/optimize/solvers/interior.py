"""Multipliers from the middle of the optimal ones, by an interior point method.

The relaxations of node pools are long chains of degenerate pivots for the
simplex method, and of the many optimal multipliers it returns an extreme
choice, which proves little about columns. Here each step costs one product of
dense matrices, some twenty steps are enough, and central multipliers give nearly
every column that is not needed a reduced cost that drops it.

Mehrotra's predictor and corrector for max scores·x, matrix x = rhs, x >= 0, and
its dual min rhs·y, matrixᵀ y - slack = scores, slack >= 0.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray

_STEPS = 60
_CHUNK = 2048
_NEGLIGIBLE = 1e-4


@dataclass(eq=False)
class Program:
    """max scores·x, matrix x = rhs, x >= 0.

    The first row must have a positive entry for every column but those that
    ``slack`` marks: raising its multiplier makes any multipliers feasible.
    Slack columns have one entry, 1, and the score 0.
    """

    matrix: sparse.csr_array
    rhs: FloatArray
    scores: FloatArray
    slack: BoolArray

    def __post_init__(self) -> None:
        self.columns = sparse.csr_array(self.matrix.T)
        self.lift = np.asarray(self.matrix[[0]].todense()).ravel()

    def subset(self, columns: BoolArray) -> Program:
        """Return the program with these columns only."""
        return Program(sparse.csr_array(self.columns[columns].T), self.rhs, self.scores[columns], self.slack[columns])

    def repair(self, y: FloatArray, margin: float = 0.0) -> FloatArray:
        """Return multipliers near y that are feasible, with a margin, so that their bound holds."""
        y = y.copy()
        signed = self.columns[self.slack].indices
        y[signed] = np.maximum(y[signed], margin)
        short = (self.scores - self.columns @ y)[~self.slack] / self.lift[~self.slack]
        y[0] += short.max(initial=-np.inf) + margin
        return y

    def normal_matrix(self, weight: FloatArray) -> FloatArray:
        """Return matrix diag(weight) matrixᵀ; dense products of a few columns at a time are fastest."""
        total = np.zeros((len(self.rhs), len(self.rhs)))
        root = sparse.diags_array(np.sqrt(weight))
        scaled = sparse.csr_array(root @ self.columns)
        for start in range(0, len(weight), _CHUNK):
            part = scaled[start : start + _CHUNK].toarray()
            total += part.T @ part
        return total


def central_multipliers(
    program: Program,
    x: FloatArray,
    y: FloatArray,
    incumbent: float,
    precision: float,
    deadline: float | None,
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the columns that are left, their x, central and nearly optimal, and y, feasible for them.

    Parameters
    ----------
    program : Program
    x, y : float arrays
        Where to start; x must be positive.
    incumbent : float
        A value known to be reached. Columns that cannot be in anything better are left out on the way.
    precision : float
        Stop when the gap between x and y is this share of the gap between y and the incumbent.
    deadline : float or None
        By time.perf_counter().
    """
    inside = np.arange(len(x))
    y = program.repair(y, 0.01 * abs(incumbent) + 1e-6)
    slack = program.columns @ y - program.scores
    best_bound, best_y = np.inf, y
    for _ in range(_STEPS):
        feasible = program.repair(y)
        bound = float(program.rhs @ feasible)
        if bound < best_bound:
            best_bound, best_y = bound, feasible
        missing = program.rhs - program.matrix @ x
        if bound <= incumbent or (deadline is not None and time.perf_counter() > deadline):
            break
        if np.abs(missing).max() < 0.01 and bound - program.scores @ x < precision * (bound - incumbent):
            break
        hopeless = bound + program.scores - program.columns @ feasible <= incumbent
        gone = hopeless & (x < _NEGLIGIBLE) & ~program.slack
        if gone.mean() > 0.2 and not (gone | program.slack).all():
            program, inside, x, slack = program.subset(~gone), inside[~gone], x[~gone], slack[~gone]
        step = _step(program, x, y, slack)
        if step is None:
            break
        x, y, slack = step
    return inside, x, best_y


def _step(
    program: Program, x: FloatArray, y: FloatArray, slack: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return the next iterate, or None if the equations cannot be solved."""
    normal = program.normal_matrix(x / slack)
    # Rows may depend on each other; this little keeps the matrix positive definite.
    normal[np.diag_indices_from(normal)] *= 1 + 1e-9
    try:
        factor = linalg.cho_factor(normal, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return None
    missing = program.rhs - program.matrix @ x
    excess = program.scores + slack - program.columns @ y

    def direction(product: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        # matrix dx = missing, matrixᵀ dy - ds = excess, slack dx + x ds = product
        right = program.matrix @ ((product + x * excess) / slack) - missing
        dy = linalg.cho_solve(factor, right, check_finite=False)
        ds = program.columns @ dy - excess
        return (product - x * ds) / slack, dy, ds

    mean = float(x @ slack) / len(x)
    dx, dy, ds = direction(-x * slack)
    ahead = float((x + _length(x, dx) * dx) @ (slack + _length(slack, ds) * ds)) / len(x)
    dx, dy, ds = direction((ahead / mean) ** 3 * mean - x * slack - dx * ds)
    forward, back = _length(x, dx), _length(slack, ds)
    following = x + forward * dx, y + back * dy, slack + back * ds
    return following if all(np.isfinite(part).all() for part in following) else None


def _length(value: FloatArray, change: FloatArray) -> float:
    """Return how far to go so that all values stay positive."""
    return min(1.0, 0.9995 / max(1e-12, float((-change / value).max())))
