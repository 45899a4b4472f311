"""Models that take numbers as labels only, behind labels of any kind."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class CodedLabels(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that is given 0, 1, ... for the labels, and arrays for data frames.

    Parameters
    ----------
    model : classifier, not fitted
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model to the numbers of the classes."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.model_ = self.model.fit(np.asarray(X), codes)
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels."""
        return self.classes_[np.asarray(self.model_.predict(np.asarray(X)), dtype=int)]
