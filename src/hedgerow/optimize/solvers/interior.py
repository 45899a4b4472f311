"""Dual multipliers near the centre of the optimal face, by an interior-point method.

On the relaxations of node pools, the simplex method takes many degenerate pivots, and returns an extreme point among
the many optimal multipliers, which proves little about columns. Here, each step costs one product of dense matrices,
and about twenty steps are enough. With central multipliers, the reduced cost of nearly every column that is not needed
is low enough to drop it.

The method is Mehrotra's predictor-corrector for max scores·x, matrix x = rhs, x >= 0, and its dual min rhs·y,
matrixᵀ y - slack = scores, slack >= 0.
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

    The first row must have a positive entry in every column that ``slack`` does not mark: raising its multiplier then
    makes any multipliers feasible. Slack columns have a single entry, 1, and the score 0.
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
        """Return feasible multipliers near y, so that their bound is valid; a margin makes all slacks positive."""
        y = y.copy()
        signed = self.columns[self.slack].indices
        y[signed] = np.maximum(y[signed], margin)
        short = (self.scores - self.columns @ y)[~self.slack] / self.lift[~self.slack]
        y[0] += short.max(initial=-np.inf) + margin
        return y

    def normal_matrix(self, weight: FloatArray) -> FloatArray:
        """Return matrix diag(weight) matrixᵀ; dense products of some columns at a time are fastest."""
        total = np.zeros((len(self.rhs), len(self.rhs)))
        root = sparse.diags_array(np.sqrt(weight))
        scaled = sparse.csr_array(root @ self.columns)
        for start in range(0, len(weight), _CHUNK):
            part = scaled[start : start + _CHUNK].toarray()
            total += part.T @ part
        return total


def central_multipliers(
    program: Program, x: FloatArray, y: FloatArray, incumbent: float, precision: float, deadline: float | None
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the remaining columns, their x, central and nearly optimal, and y, feasible for them.

    Parameters
    ----------
    program : Program
    x, y : float arrays
        The starting point; x must be positive.
    incumbent : float
        An objective that is known to be attained. Columns that cannot be in a better solution are dropped on the way.
    precision : float
        Stop when the gap between x and y is this share of the gap between y and the incumbent.
    deadline : float or None
        In terms of ``time.perf_counter()``.
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
    # Rows may be linearly dependent; this small term keeps the matrix positive definite.
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
    """Return the step length that keeps all values positive."""
    return min(1.0, 0.9995 / max(1e-12, float((-change / value).max())))
