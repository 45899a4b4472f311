"""Ridge regression with non-negative weights and a free intercept."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

from hedgerow._support.arrays import FloatArray
from hedgerow.baselines.cross_validation import make_folds

#: The values of λ to choose from, as shares of the largest diagonal entry of the quadratic form.
_RIDGES = np.geomspace(1e-5, 10, 20)
_FOLDS = 5


def positive_ridge_by_folds(design: FloatArray, y: FloatArray, weight: FloatArray) -> tuple[FloatArray, float]:
    """Return the weights and the intercept of :func:`positive_ridge`, with λ chosen by cross-validation."""
    errors = np.zeros(len(_RIDGES))
    for train, test in make_folds(_FOLDS, y, stratified=False):
        for r, ridge in enumerate(_RIDGES):
            weights, intercept = positive_ridge(design[train], y[train], weight[train], ridge)
            errors[r] += np.sum(weight[test] * (y[test] - intercept - design[test] @ weights) ** 2)
    return positive_ridge(design, y, weight, float(_RIDGES[np.argmin(errors)]))


def positive_ridge(design: FloatArray, y: FloatArray, weight: FloatArray, ridge: float) -> tuple[FloatArray, float]:
    """Minimise Σ v_i (y_i − β_0 − Σ β_k x_ik)² + λ Σ β_k² over β_k >= 0 and any β_0.

    λ is ``ridge`` times the largest Σ v_i x_ik² of the centred columns.

    Returns
    -------
    weights : array of shape (n_columns,)
    intercept : float
    """
    center, mean = np.average(design, axis=0, weights=weight), np.average(y, weights=weight)
    centred = design - center
    quadratic = centred.T @ (centred * weight[:, None])
    largest = quadratic.diagonal().max()
    if largest <= 0:
        return np.zeros(design.shape[1]), float(mean)
    # Least squares with the triangle R, R'R = quadratic form, has the same solution with only one row per column.
    triangle = np.linalg.cholesky(quadratic + ridge * largest * np.eye(len(quadratic)), upper=True)
    right = np.linalg.solve(triangle.T, centred.T @ (weight * (y - mean)))
    weights: FloatArray = nnls(triangle, right)[0]
    return weights, float(mean - center @ weights)
