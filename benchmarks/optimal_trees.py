"""The optimal trees of pystreed and pycontree, behind labels of any kind.

Both end at a time limit with the best tree that they have found; ``status_`` says whether it is proven optimal.
``pip install '.[peers]'`` brings both packages.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score

from benchmarks.coded_labels import CodedLabels
from benchmarks.penalty_search import search_penalty

#: ConTree's penalties per leaf, as shares of the samples. A search that does not end finds better trees with a larger
#: one, which leaves less to search.
_PENALTIES = (1e-2, 3e-3, 1e-3, 2e-4)


def status_of(proven: bool) -> str:
    """Return how a solution says whether it is proven."""
    return "optimal" if proven else "time_limit"


class OptimalTreeClassifier(CodedLabels):
    """pystreed's tree of the highest accuracy; it takes numbers as labels only."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the tree to the numbers of the classes."""
        super().fit(X, y)
        self.status_ = status_of(self.model_.fit_result.is_optimal())
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the classes in the leaves."""
        return self.model_.predict_proba(np.asarray(X))

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return int(self.model_.get_n_leaves())


class OptimalTreeRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """pystreed's tree of the lowest squared error.

    Parameters
    ----------
    model : STreeDRegressor, not fitted
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the tree."""
        self.model_ = self.model.fit(np.asarray(X), y)
        self.status_ = status_of(self.model_.fit_result.is_optimal())
        return self

    def predict(self, X: Any) -> Any:
        """Return the values."""
        return np.asarray(self.model_.predict(np.asarray(X)))

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return int(self.model_.get_n_leaves())


class ConTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The optimal tree of pycontree, which looks at every threshold, with at most ``budget`` leaves.

    Its size is limited by depth. A budget that is a power of two is a depth, and the tree is the optimal one. For any
    other, the most accurate on the training rows is taken of those that fit: the optimal tree of the next smaller
    depth, and trees of the next larger depth with several penalties per leaf, which share the time limit.

    Parameters
    ----------
    budget : int
        The most leaves.
    seconds : float
        The time limit of all fits together.
    """

    def __init__(self, budget: int, seconds: float) -> None:
        self.budget, self.seconds = budget, seconds

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the tree to the numbers of the classes."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        X = np.asarray(X, dtype=np.float64)
        depth = self.budget.bit_length() - 1
        if self.budget == 2**depth:
            self.model_ = self._grow(X, codes, depth, 0.0, self.seconds)
        else:
            found = [tree for tree in self._trees(X, codes, depth) if tree.get_num_leaf_nodes() <= self.budget]
            self.model_ = max(found, key=lambda model: accuracy_score(codes, model.predict(X)))
        self.status_ = status_of(self.model_.proven_)
        return self

    def _trees(self, X: Any, codes: Any, depth: int) -> list[Any]:
        """Return trees of which the first fits, and at least one of the larger depth, if any such does."""
        share = self.seconds / (len(_PENALTIES) + 1)
        trees = [self._grow(X, codes, depth, 0.0, share)]
        trees += [self._grow(X, codes, depth + 1, penalty, share) for penalty in _PENALTIES]
        if min(tree.get_num_leaf_nodes() for tree in trees[1:]) > self.budget:
            larger = search_penalty(
                lambda penalty: self._grow(X, codes, depth + 1, penalty, share),
                lambda model: model.get_num_leaf_nodes(),
                self.budget,
                (_PENALTIES[0], 0.5),
                seconds=share,
            )
            trees += [] if larger is None else [larger]
        return trees

    def _grow(self, X: Any, codes: Any, depth: int, penalty: float, seconds: float) -> Any:
        from pycontree import ConTree

        model = ConTree(max_depth=depth, complexity_cost=penalty, time_limit=seconds)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, codes)
        model.proven_ = not any("time limit" in str(warning.message) for warning in caught)
        return model

    def predict(self, X: Any) -> Any:
        """Return the labels."""
        return self.classes_[np.asarray(self.model_.predict(np.asarray(X, dtype=np.float64)), dtype=int)]

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the classes in the leaves."""
        return self.model_.predict_proba(np.asarray(X, dtype=np.float64))

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return int(self.model_.get_num_leaf_nodes())
