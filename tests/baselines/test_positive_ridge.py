"""The ridge regression with non-negative weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from hedgerow.baselines.positive_ridge import positive_ridge, positive_ridge_by_folds


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(1e-4, 1.0))
def test_the_ridge_agrees_with_bounded_least_squares(seed, ridge):
    rng = np.random.default_rng(seed)
    said, y, weight = rng.normal(size=(30, 5)), rng.normal(size=30), rng.uniform(0.2, 2, 30)
    weights, intercept = positive_ridge(said, y, weight, ridge)
    root = np.sqrt(weight)[:, None]
    apart = said - np.average(said, axis=0, weights=weight)
    scale = np.sqrt(ridge * np.max((weight[:, None] * apart**2).sum(axis=0)))
    system = np.block([[root * said, root], [scale * np.eye(5), np.zeros((5, 1))]])
    right = np.concatenate([root[:, 0] * y, np.zeros(5)])
    other = lsq_linear(system, right, bounds=([0] * 5 + [-np.inf], np.inf), tol=1e-14)
    np.testing.assert_allclose([*weights, intercept], other.x, atol=1e-5)


def test_constant_columns_have_no_weight():
    weights, intercept = positive_ridge(np.ones((4, 2)), np.array([1.0, 2, 3, 6]), np.ones(4), 1.0)
    assert weights.tolist() == [0, 0]
    assert intercept == 3


def test_folds_choose_little_ridge_for_exact_data_and_no_weight_is_negative():
    rng = np.random.default_rng(0)
    design = rng.normal(size=(60, 3))
    weights, intercept = positive_ridge_by_folds(design, design @ [2.0, 0.5, -1.0] + 4, np.ones(60))
    assert weights[2] == 0
    assert (weights[:2] > 0.3).all()
    exact, intercept = positive_ridge_by_folds(design, design @ [2.0, 0.5, 1.0] + 4, np.ones(60))
    assert exact == pytest.approx([2, 0.5, 1], abs=1e-3)
    assert intercept == pytest.approx(4, abs=1e-3)
