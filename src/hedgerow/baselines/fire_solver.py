"""FIRE's problem, solved by greedy block coordinate descent with a tree as a block.

The leaves of one tree share no sample, so the quadratic part of a block is diagonal: it is solved to the end by
proximal steps that never look at the samples. A block step then costs one pass over them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray, RankArray
from hedgerow.baselines.fused import leaves_zero, mcp, shrink_and_fuse

#: Slopes that are no larger, as a share of the largest at the start, are zero but for rounding.
_ROUNDING = 1e-10
_MAX_PASSES = 5000
_MAX_BLOCK_STEPS = 50
#: So many trees are taken on between two looks at all of them.
_GREED = 5


@dataclass(frozen=True, eq=False)
class FireProblem:
    """½ Σ_i v_i (y_i − Σ_t a_t[leaf of i] w_t[leaf of i])² + Σ MCP(w; λ_s, γ) + λ_f Σ |w_j − w_{j−1}|.

    Attributes
    ----------
    ends : int array of shape (n_samples, n_trees)
        The leaf of each sample in each tree, counted from left to right.
    answers : list of arrays
        What each leaf of each tree answers. Every tree is divided by one number, so that its largest column has length
        1: the scale for which γ is meant.
    y, weight : arrays of shape (n_samples,)
    gamma : float
    tol : float
        The descent ends when a pass gains no larger share of ½ Σ v_i y_i².
    """

    ends: RankArray
    answers: list[FloatArray]
    y: FloatArray
    weight: FloatArray
    gamma: float = 1.1
    tol: float = 1e-6
    curvatures: list[FloatArray] = field(init=False)

    def __post_init__(self) -> None:
        found = []
        for t, answer in enumerate(self.answers):
            found.append(np.bincount(self.ends[:, t], self.weight, minlength=len(answer)) * answer**2)
        object.__setattr__(self, "curvatures", found)

    def slopes(self, t: int, residual: FloatArray) -> FloatArray:
        """Return minus the gradient of the squares at the weights of a tree."""
        answer = self.answers[t]
        return np.bincount(self.ends[:, t], self.weight * residual, minlength=len(answer)) * answer

    @cached_property
    def _leaves(self) -> tuple[sparse.csr_array, FloatArray, IntArray]:
        """The samples in each leaf of each tree, what the leaf answers, and where each tree begins."""
        starts = np.concatenate([[0], np.cumsum([len(answer) for answer in self.answers])])
        n_samples, n_trees = self.ends.shape
        leaf = (self.ends + starts[:-1]).ravel()
        samples = sparse.csr_array(
            (np.ones(leaf.size), leaf, np.arange(n_samples + 1) * n_trees), (n_samples, starts[-1])
        )
        return samples.T.tocsr(), np.concatenate(self.answers), starts[:-1]

    def steepness(self, residual: FloatArray) -> FloatArray:
        """Return the largest slope of each tree, up or down."""
        samples, answers, starts = self._leaves
        return np.maximum.reduceat(np.abs(samples @ (self.weight * residual) * answers), starts)

    def said(self, t: int, weights: FloatArray) -> FloatArray:
        """Return what a tree adds for each sample."""
        return (self.answers[t] * weights)[self.ends[:, t]]

    def objective(
        self, weights: dict[int, FloatArray], residual: FloatArray, lambda_s: float, lambda_f: float
    ) -> float:
        """Return what is minimised."""
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
    """Weights of the trees that have any, and the objective after each pass over them."""

    weights: dict[int, FloatArray]
    objectives: list[float]

    @property
    def n_rules(self) -> int:
        """How many leaves have a weight."""
        return sum(int(np.count_nonzero(block)) for block in self.weights.values())


def scaled_answers(
    ends: RankArray, answers: list[FloatArray], weight: FloatArray
) -> tuple[list[FloatArray], FloatArray]:
    """Return the answers divided so that the longest column of each tree has length 1, and the divisors."""
    scaled, divisors = [], np.ones(len(answers))
    for t, answer in enumerate(answers):
        squares = np.bincount(ends[:, t], weight, minlength=len(answer)) * answer**2
        divisors[t] = np.sqrt(squares.max()) or 1.0
        scaled.append(answer / divisors[t])
    return scaled, divisors


def solve_fire(
    problem: FireProblem, lambda_s: float, lambda_f: float, start: dict[int, FloatArray] | None = None
) -> FireSolution:
    """Minimise from a start on; trees come in one after the other, the steepest first."""
    weights = {t: block.copy() for t, block in (start or {}).items()}
    residual = problem.y - sum((problem.said(t, block) for t, block in weights.items()), np.zeros(len(problem.y)))
    objectives = [problem.objective(weights, residual, lambda_s, lambda_f)]
    enough = problem.tol * max(0.5 * float(np.sum(problem.weight * problem.y**2)), np.finfo(float).tiny)
    for _ in range(_MAX_PASSES):
        for t in list(weights):
            residual = _improve(problem, t, weights, residual, lambda_s, lambda_f)
        objectives.append(problem.objective(weights, residual, lambda_s, lambda_f))
        if objectives[-2] - objectives[-1] <= enough:
            taken_on = _steepest(problem, weights, residual, lambda_s, lambda_f)
            if not taken_on:
                break
            weights.update(taken_on)
    else:
        warnings.warn(
            f"FIRE has not converged after {_MAX_PASSES} passes; a larger penalty helps.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return FireSolution({t: block for t, block in weights.items() if block.any()}, objectives)


def _improve(
    problem: FireProblem,
    t: int,
    weights: dict[int, FloatArray],
    residual: FloatArray,
    lambda_s: float,
    lambda_f: float,
) -> FloatArray:
    """Solve for one tree; return the residual after it."""
    before, slopes = weights[t], problem.slopes(t, residual)
    if not before.any() and np.abs(slopes).max() <= lambda_s:
        return residual
    after = _solve_block(problem, t, before, slopes, lambda_s, lambda_f)
    weights[t] = after
    return residual if np.array_equal(before, after) else residual - problem.said(t, after - before)


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
    problem: FireProblem,
    weights: dict[int, FloatArray],
    residual: FloatArray,
    lambda_s: float,
    lambda_f: float,
) -> dict[int, FloatArray]:
    """Return the steepest trees that would gain from weights other than zero, as zeros; none if none would."""
    steepness = problem.steepness(residual)
    found: dict[int, FloatArray] = {}
    for t in np.argsort(-steepness, kind="stable").tolist():
        # Fusing brings no number farther from zero.
        if len(found) == _GREED or steepness[t] <= lambda_s + _ROUNDING * problem.largest_penalty:
            break
        if t not in weights and leaves_zero(slopes := problem.slopes(t, residual), lambda_s, lambda_f):
            found[t] = np.zeros(len(slopes))
    return found


def predict_fire(ends: RankArray, answers: list[FloatArray], weights: dict[int, FloatArray]) -> AnyArray:
    """Return the sum of what the trees say of each sample."""
    total = np.zeros(len(ends))
    for t, block in weights.items():
        total += (answers[t] * block)[ends[:, t]]
    return total
