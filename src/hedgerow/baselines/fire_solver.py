"""FIRE's problem, solved by greedy block coordinate descent with one block per tree.

The leaves of a tree share no sample, so the quadratic part of a block is diagonal. It is solved to the end by proximal
steps that never touch the samples. Updating a block then costs one pass over them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from hedgerow._support.arrays import FloatArray, IntArray, RankArray
from hedgerow.baselines.fused import mcp, moves_from_zero, shrink_and_fuse

#: Slopes up to this share of the largest at the start are zero up to rounding.
_ROUNDING = 1e-10
_MAX_PASSES = 5000
_MAX_BLOCK_STEPS = 50
#: The number of trees added before all of them are examined again.
_GREED = 5


@dataclass(frozen=True, eq=False)
class FireProblem:
    """½ Σ_i v_i (y_i − Σ_t a_t[leaf of i] w_t[leaf of i])² + Σ MCP(w; λ_s, γ) + λ_f Σ |w_j − w_{j−1}|.

    Attributes
    ----------
    ends : int array of shape (n_samples, n_trees)
        The leaf of each sample in each tree, counted from left to right.
    values : list of arrays
        The prediction of each leaf, one array per tree. Every tree is divided by one number, so that its longest column
        has length 1: the scale that γ refers to.
    y, weight : arrays of shape (n_samples,)
    gamma : float
    tol : float
        The descent stops when a pass improves the objective by no larger share of ½ Σ v_i y_i².
    """

    ends: RankArray
    values: list[FloatArray]
    y: FloatArray
    weight: FloatArray
    gamma: float = 1.1
    tol: float = 1e-6

    @cached_property
    def curvatures(self) -> list[FloatArray]:
        """The squared length of each column of each tree."""
        return [_squares(self.ends[:, t], value, self.weight) for t, value in enumerate(self.values)]

    def slopes(self, t: int, residual: FloatArray) -> FloatArray:
        """Return minus the gradient of the squares with respect to the weights of a tree."""
        value = self.values[t]
        return np.bincount(self.ends[:, t], self.weight * residual, minlength=len(value)) * value

    @cached_property
    def _leaves(self) -> tuple[sparse.csr_array, FloatArray, IntArray]:
        """The samples in each leaf of each tree, the value of the leaf, and where each tree begins."""
        starts = np.concatenate([[0], np.cumsum([len(value) for value in self.values])])
        n_samples, n_trees = self.ends.shape
        leaf = (self.ends + starts[:-1]).ravel()
        entries = np.ones(leaf.size), leaf, np.arange(n_samples + 1) * n_trees
        samples = sparse.csr_array(entries, (n_samples, starts[-1]))
        return samples.T.tocsr(), np.concatenate(self.values), starts[:-1]

    def steepness(self, residual: FloatArray) -> FloatArray:
        """Return the largest absolute slope of each tree."""
        samples, values, starts = self._leaves
        return np.maximum.reduceat(np.abs(samples @ (self.weight * residual) * values), starts)

    def contribution(self, t: int, weights: FloatArray) -> FloatArray:
        """Return what a tree adds to the prediction of each sample."""
        return (self.values[t] * weights)[self.ends[:, t]]

    def objective(
        self, weights: dict[int, FloatArray], residual: FloatArray, lambda_s: float, lambda_f: float
    ) -> float:
        """Return the objective."""
        total = 0.5 * float(np.sum(self.weight * residual**2))
        for block in weights.values():
            total += sum(mcp(w, lambda_s, self.gamma) for w in block.tolist())
            total += lambda_f * float(np.abs(np.diff(block)).sum())
        return total

    @cached_property
    def largest_penalty(self) -> float:
        """A λ_s for which all weights are zero."""
        return float(self.steepness(self.y).max())


@dataclass(frozen=True, eq=False)
class FireSolution:
    """The weights of the trees that have any, and the objective after each pass."""

    weights: dict[int, FloatArray]
    objectives: list[float]

    @property
    def n_rules(self) -> int:
        """Number of leaves with a weight."""
        return sum(int(np.count_nonzero(block)) for block in self.weights.values())


def scale_values(ends: RankArray, values: list[FloatArray], weight: FloatArray) -> tuple[list[FloatArray], FloatArray]:
    """Return the values divided so that the longest column of each tree has length 1, and the divisors."""
    lengths = [np.sqrt(_squares(ends[:, t], value, weight).max()) for t, value in enumerate(values)]
    divisors = np.array([length or 1.0 for length in lengths])
    return [value / divisor for value, divisor in zip(values, divisors, strict=True)], divisors


def _squares(end: RankArray, value: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the squared length of each column of a tree."""
    return np.bincount(end, weight, minlength=len(value)) * value**2


def solve_fire(
    problem: FireProblem, lambda_s: float, lambda_f: float, start: dict[int, FloatArray] | None = None
) -> FireSolution:
    """Minimise from a start; trees are added along the way, the steepest first."""
    weights = {t: block.copy() for t, block in (start or {}).items()}
    residual = problem.y - predict_fire(problem.ends, problem.values, weights)
    objectives = [problem.objective(weights, residual, lambda_s, lambda_f)]
    enough = problem.tol * max(0.5 * float(np.sum(problem.weight * problem.y**2)), np.finfo(float).tiny)
    for _ in range(_MAX_PASSES):
        for t in list(weights):
            residual = _improve(problem, t, weights, residual, lambda_s, lambda_f)
        objectives.append(problem.objective(weights, residual, lambda_s, lambda_f))
        if objectives[-2] - objectives[-1] <= enough:
            added = _steepest(problem, weights, residual, lambda_s, lambda_f)
            if not added:
                break
            weights.update(added)
    else:
        advice = f"FIRE did not converge after {_MAX_PASSES} passes; a larger penalty helps."
        warnings.warn(advice, ConvergenceWarning, stacklevel=2)
    return FireSolution({t: block for t, block in weights.items() if block.any()}, objectives)


def _improve(
    problem: FireProblem, t: int, weights: dict[int, FloatArray], residual: FloatArray, lambda_s: float, lambda_f: float
) -> FloatArray:
    """Solve for one tree; return the new residual."""
    before, slopes = weights[t], problem.slopes(t, residual)
    if not before.any() and np.abs(slopes).max() <= lambda_s:
        return residual
    after = _solve_block(problem, t, before, slopes, lambda_s, lambda_f)
    weights[t] = after
    return residual if np.array_equal(before, after) else residual - problem.contribution(t, after - before)


def _solve_block(
    problem: FireProblem, t: int, before: FloatArray, slopes: FloatArray, lambda_s: float, lambda_f: float
) -> FloatArray:
    """Minimise over the weights of one tree by proximal steps of length 1, which its curvatures of at most 1 allow."""
    curvature = problem.curvatures[t]
    w, slope = before, slopes
    for _ in range(_MAX_BLOCK_STEPS):
        stepped = np.array(shrink_and_fuse((w + slope).tolist(), lambda_s, lambda_f, problem.gamma))
        moved = stepped - w
        w, slope = stepped, slope - curvature * moved
        if np.abs(moved).max() <= problem.tol * np.abs(w).max():
            break
    return w


def _steepest(
    problem: FireProblem, weights: dict[int, FloatArray], residual: FloatArray, lambda_s: float, lambda_f: float
) -> dict[int, FloatArray]:
    """Return zeros for the steepest trees that would gain from non-zero weights."""
    steepness = problem.steepness(residual)
    found: dict[int, FloatArray] = {}
    for t in np.argsort(-steepness, kind="stable").tolist():
        # Fusion moves no number away from zero.
        if len(found) == _GREED or steepness[t] <= lambda_s + _ROUNDING * problem.largest_penalty:
            break
        if t not in weights and moves_from_zero(slopes := problem.slopes(t, residual), lambda_s, lambda_f):
            found[t] = np.zeros(len(slopes))
    return found


def predict_fire(ends: RankArray, values: list[FloatArray], weights: dict[int, FloatArray]) -> FloatArray:
    """Return the sum of the trees' contributions to each sample."""
    total = np.zeros(len(ends))
    for t, block in weights.items():
        total += (values[t] * block)[ends[:, t]]
    return total
