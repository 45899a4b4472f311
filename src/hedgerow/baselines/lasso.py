"""Sparse linear models along a path of decreasing penalties; the solvers are scikit-learn's.

:class:`Squares` is the lasso, :class:`Logistic` the logistic lasso, one class against the rest. Both minimise the mean
loss of the samples plus λ Σ|coefficient|. The intercept is not penalised, or for classes hardly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import sparse
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression, lasso_path

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.baselines.cross_validation import log_loss, mean_squared_error

#: Newer versions of scikit-learn express the kind of penalty by the share of absolute values in it.
_ABSOLUTE = {"penalty": "l1"} if LogisticRegression().penalty == "l2" else {"l1_ratio": 1.0}
#: liblinear also penalises the intercept, the less the larger this is.
_INTERCEPT_SCALING = 100.0
_TOLERANCE = 1e-6
#: Keeps unpenalised coefficients finite where rules separate the classes without error.
_TRACE = 1e-4
#: The number of penalties solved before the number of terms is checked.
_STRIDE = 5
#: The number of terms does not always grow along the path. At this multiple of the budget it will not come back.
_PATIENCE = 2


@dataclass(frozen=True, eq=False)
class Path:
    """The models of several penalties.

    Attributes
    ----------
    penalties : array of shape (n_penalties,)
        λ, the largest first.
    coefficients : array of shape (n_penalties, n_terms, n_outputs)
    intercepts : array of shape (n_penalties, n_outputs)
    """

    penalties: FloatArray
    coefficients: FloatArray
    intercepts: FloatArray

    @property
    def n_used(self) -> IntArray:
        """Number of terms that each model uses for some output."""
        return (self.coefficients != 0).any(axis=2).sum(axis=1)

    def decide(self, design: FloatArray) -> FloatArray:
        """Return the outputs of each model, of shape (n_penalties, n_samples, n_outputs)."""
        return self.intercepts[:, None, :] + design @ self.coefficients


class Squares:
    """The lasso; each penalty starts from the solution of the previous one."""

    #: From outputs to numbers or class probabilities.
    link: ClassVar[Literal["identity", "logistic"]] = "identity"
    #: The length of a path.
    n_penalties: ClassVar[int] = 100

    def __init__(self, design: FloatArray, targets: FloatArray, weight: FloatArray) -> None:
        self.center = np.average(design, axis=0, weights=weight)
        self.mean = np.average(targets, axis=0, weights=weight)
        # Rows scaled so that scikit-learn's mean over the samples is the weighted mean.
        scale = np.sqrt(weight * (len(weight) / weight.sum()))[:, None]
        self.design = np.asfortranarray((design - self.center) * scale)
        self.targets = (targets - self.mean) * scale
        n_samples, n_terms = design.shape
        self.gram: Any = self.design.T @ self.design if n_samples > n_terms else False
        self.last: FloatArray = np.zeros((n_terms, targets.shape[1]))

    def solve(self, penalties: FloatArray) -> Path:
        """Return the models of further penalties."""
        how = {"alphas": penalties, "precompute": self.gram, "max_iter": 20_000}
        starts = zip(self.targets.T, self.last.T, strict=True)
        found = [lasso_path(self.design, target, coef_init=start, **how)[1].T for target, start in starts]
        coefficients = np.stack(found, axis=2)
        self.last = coefficients[-1]
        return Path(penalties, coefficients, self.mean - np.einsum("k,pko->po", self.center, coefficients))

    @staticmethod
    def constant(mean: Any) -> Any:
        """Return the intercept of a model without terms, from the mean of the targets."""
        return mean

    @staticmethod
    def unpenalised(design: FloatArray, target: FloatArray, weight: FloatArray) -> tuple[FloatArray, float]:
        """Return coefficients and intercept of one output without penalty."""
        center, mean = np.average(design, axis=0, weights=weight), np.average(target, weights=weight)
        scale = np.sqrt(weight)
        coefficients = np.linalg.lstsq((design - center) * scale[:, None], (target - mean) * scale, rcond=None)[0]
        return coefficients, float(mean - center @ coefficients)

    @staticmethod
    def error(outputs: FloatArray, targets: FloatArray, weight: FloatArray) -> float:
        """Return the mean loss of outputs."""
        return mean_squared_error(outputs, targets, weight)


class Logistic:
    """The logistic lasso, one output after the other; see :class:`Squares` for what the members mean."""

    link: ClassVar[Literal["identity", "logistic"]] = "logistic"
    n_penalties: ClassVar[int] = 60

    def __init__(self, design: FloatArray, targets: FloatArray, weight: FloatArray) -> None:
        # The format liblinear works with; a dense matrix would be converted again for each penalty.
        self.design, self.targets, self.weight = sparse.csr_matrix(design), targets, weight
        self.largest = largest_penalty(design, targets, weight)

    def solve(self, penalties: FloatArray) -> Path:
        n_terms, n_outputs = self.design.shape[1], self.targets.shape[1]
        coefficients = np.zeros((len(penalties), n_terms, n_outputs))
        intercepts = np.zeros((len(penalties), n_outputs))
        for p, penalty in enumerate(penalties):
            for c in range(n_outputs):
                coefficients[p, :, c], intercepts[p, c] = self._one(float(penalty), self.targets[:, c])
        return Path(penalties, coefficients, intercepts)

    def _one(self, penalty: float, target: FloatArray) -> tuple[FloatArray, float]:
        share = np.average(target, weights=self.weight)
        if share in (0, 1):  # a fold without one of the classes
            return np.zeros(self.design.shape[1]), float(np.where(share == 1, np.inf, -np.inf))
        if penalty >= self.largest:  # liblinear would use terms here, because it also penalises the intercept
            return np.zeros(self.design.shape[1]), float(logit(share))
        model = LogisticRegression(
            solver="liblinear",
            C=1 / (penalty * self.weight.sum()),
            intercept_scaling=_INTERCEPT_SCALING,
            max_iter=10_000,
            tol=_TOLERANCE,
            random_state=0,
            **_ABSOLUTE,
        )
        model.fit(self.design, target, sample_weight=self.weight)
        return model.coef_[0], float(model.intercept_[0])

    @staticmethod
    def constant(mean: Any) -> Any:
        return logit(mean)

    @staticmethod
    def unpenalised(design: FloatArray, target: FloatArray, weight: FloatArray) -> tuple[FloatArray, float]:
        model = LogisticRegression(C=1 / (_TRACE * weight.sum()), max_iter=1000)
        model.fit(design, target, sample_weight=weight)
        return model.coef_[0], float(model.intercept_[0])

    @staticmethod
    def error(outputs: FloatArray, targets: FloatArray, weight: FloatArray) -> float:
        return log_loss(expit(outputs), targets, weight)


Model = type[Squares] | type[Logistic]


def largest_penalty(design: FloatArray, targets: FloatArray, weight: FloatArray) -> float:
    """Return the smallest λ for which no term is used, in both kinds of models."""
    deviations = targets - np.average(targets, axis=0, weights=weight)
    return float(np.abs(design.T @ (weight[:, None] * deviations)).max(initial=0.0) / weight.sum())


def solve_path(
    model: Model,
    design: FloatArray,
    targets: FloatArray,
    weight: FloatArray,
    penalties: FloatArray,
    max_terms: int | None = None,
) -> Path:
    """Solve for each λ in turn; stop where the models use far more terms than are allowed.

    Parameters
    ----------
    model : Squares or Logistic
        The class, not an instance.
    design : array of shape (n_samples, n_terms)
    targets : array of shape (n_samples, n_outputs)
        Numbers, or 0 and 1.
    weight : array of shape (n_samples,)
    penalties : array
        λ, the largest first.
    max_terms : int, optional
    """
    if not design.shape[1]:
        intercepts = model.constant(np.average(targets, axis=0, weights=weight))
        return Path(penalties[:1], np.zeros((1, 0, targets.shape[1])), intercepts[None])
    solver, parts = model(design, targets, weight), []
    for start in range(0, len(penalties), _STRIDE):
        parts.append(solver.solve(penalties[start : start + _STRIDE]))
        if max_terms is not None and parts[-1].n_used[-1] > _PATIENCE * max_terms:
            break
    return Path(
        np.concatenate([part.penalties for part in parts]),
        np.concatenate([part.coefficients for part in parts]),
        np.concatenate([part.intercepts for part in parts]),
    )


def refit(
    model: Model, design: FloatArray, targets: FloatArray, weight: FloatArray, coefficients: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return coefficients and intercepts without penalty, of each output on the terms that it uses."""
    found, intercepts = np.zeros_like(coefficients), np.zeros(targets.shape[1])
    for c, target in enumerate(targets.T):
        used = np.flatnonzero(coefficients[:, c])
        if len(used):
            found[used, c], intercepts[c] = model.unpenalised(design[:, used], target, weight)
        else:
            intercepts[c] = model.constant(np.average(target, weights=weight))
    return found, intercepts
