"""The optimal trees of pystreed, behind labels of any kind.

The package is not among those of ``bench``, because it asks for others in turn;
``pip install pystreed`` brings it.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from pystreed import STreeDClassifier
from sklearn.base import BaseEstimator, ClassifierMixin


class OptimalTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """pystreed's tree of the highest accuracy; it takes numbers as labels only.

    Parameters
    ----------
    tree : STreeDClassifier, not fitted
    """

    def __init__(self, tree: STreeDClassifier) -> None:
        self.tree = tree

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the tree to the numbers of the classes."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.tree_ = self.tree.fit(X, codes)
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels."""
        return self.classes_[np.asarray(self.tree_.predict(X), dtype=int)]

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return int(self.tree_.get_n_leaves())
