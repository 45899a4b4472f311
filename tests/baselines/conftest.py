"""Small data sets for all baselines."""

import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes


@pytest.fixture
def diabetes():
    """A small regression."""
    X, y = load_diabetes(return_X_y=True)
    return X[:150], y[:150]


@pytest.fixture
def cancer():
    """Two classes, six columns."""
    X, y = load_breast_cancer(return_X_y=True)
    return X[:200, :6], y[:200]
