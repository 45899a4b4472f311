"""LicketySPLIT (package licketysplit) and OSRT (package osrt): trees over zeros and ones, with a penalty per leaf.

Columns are cut at the thresholds that a small boosted ensemble uses: LicketySPLIT's own binarizer, without
its elimination of columns, which fits the ensemble again for each. The penalty is searched until the leaves fit.
``pip install '.[peers]'`` brings both packages.
"""

from __future__ import annotations

import contextlib
import io
import time
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from benchmarks.optimal_trees import status_of
from benchmarks.penalty_search import search_penalty

#: LicketySPLIT's penalties per leaf, as shares of all samples.
_PENALTIES = (1e-5, 0.5)
#: One split ahead is optimised, the rest greedily, as the package does by default.
_LOOKAHEAD = 1


def depth_for(budget: int) -> int:
    """Return the depth of a tree with this many leaves that need not be balanced: one or two more than it must be."""
    return min(budget - 1, max(3, budget.bit_length() + 1))


class _Binarized(BaseEstimator):  # type: ignore[misc]
    """A tree with at most ``budget`` leaves over zeros and ones.

    Parameters
    ----------
    budget : int
        The most leaves.
    seconds : float
        When the search for the penalty ends, if some tree fits by then.
    seed : int
    """

    task: str
    #: The trees whose thresholds are used, and their depth. Of 40 stumps, trees of 15 leaves are worse, those of 4 not.
    n_boosted, boosted_depth = 50, 2

    def __init__(self, budget: int, seconds: float, seed: int = 0) -> None:
        self.budget, self.seconds, self.seed = budget, seconds, seed

    def _binarize(self, X: Any, y: Any, weight: Any = None) -> None:
        """Find the thresholds."""
        from licketysplit import ThresholdGuessBinarizer

        self.binarizer_ = ThresholdGuessBinarizer(
            n_estimators=self.n_boosted,
            max_depth=self.boosted_depth,
            column_elimination=False,
            task=self.task,
            random_state=self.seed,
        ).fit(np.asarray(X), y, sample_weight=weight)

    def _bits(self, X: Any) -> Any:
        return self.binarizer_.transform(np.asarray(X))


class _Lickety(_Binarized):
    def _grow(self, kind: Any, Z: Any, y: Any, weight: Any = None) -> None:
        def fit(penalty: float) -> Any:
            model = kind(lambda_leaf=penalty, depth_budget=depth_for(self.budget), lookahead_k=_LOOKAHEAD)
            return model.fit(Z, y, sample_weight=weight)

        found = search_penalty(
            fit, lambda model: len(model.leaf_paths()), self.budget, _PENALTIES, seconds=self.seconds
        )
        if found is None:
            raise RuntimeError(f"No penalty up to {_PENALTIES[1]} gives a tree of at most {self.budget} leaves.")
        self.model_ = found

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return len(self.model_.leaf_paths())

    def apply(self, X: Any) -> Any:
        """Return the number of each row's leaf."""
        bits = self._bits(X) != 0
        leaf = np.zeros(len(bits), dtype=int)
        for k, path in enumerate(self.model_.leaf_paths()):
            # A path has the numbers of its columns, from 1; those with a minus are 0.
            leaf[np.all([bits[:, abs(c) - 1] == (c > 0) for c in path] or [np.ones(len(bits), bool)], axis=0)] = k
        return leaf


class LicketyClassifier(ClassifierMixin, _Lickety):
    """LicketySPLIT for labels of any kind."""

    task = "classification"

    def fit(self, X: Any, y: Any) -> Self:
        """Find thresholds, penalty and tree."""
        from licketysplit import LicketySPLITClassifier

        self.classes_, codes = np.unique(y, return_inverse=True)
        self._binarize(X, codes)
        self._grow(LicketySPLITClassifier, self._bits(X), codes)
        return self

    def fit_shares(self, X: Any, shares: Any, weight: Any) -> Self:
        """Fit to class shares: a row counts once for each class, by its share; shares below 1 % do not count."""
        from licketysplit import LicketySPLITClassifier

        self._binarize(X, shares.argmax(axis=1), weight)
        row, code = np.nonzero(shares >= 0.01)
        by_share = weight[row] * shares[row, code]
        known, codes = np.unique(code, return_inverse=True)
        self.classes_ = known
        self._grow(LicketySPLITClassifier, self._bits(X)[row], codes, by_share / by_share.mean())
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels."""
        return self.classes_[self.model_.predict(self._bits(X))]

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the classes in the leaves."""
        return self.model_.predict_proba(self._bits(X))


class LicketyRegressor(RegressorMixin, _Lickety):
    """LicketySPLIT for numbers."""

    task = "regression"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find thresholds, penalty and tree."""
        from licketysplit import LicketySPLITRegressor

        y = np.asarray(y, dtype=np.float64)
        weight = None if sample_weight is None else sample_weight / np.mean(sample_weight)
        self._binarize(X, y, weight)
        self._grow(LicketySPLITRegressor, self._bits(X), y, weight)
        return self

    def predict(self, X: Any) -> Any:
        """Return the values."""
        return self.model_.predict(self._bits(X))


class OsrtRegressor(RegressorMixin, _Binarized):
    """The optimal regression tree of OSRT; proven for its penalty.

    A search with a small penalty may not end, and then has found little. So the penalty falls step by step until the
    leaves do not fit, a search does not end, or the time is over; the tree of the smallest training error is taken. The
    thresholds are those of 40 stumps, because with more of them no search ends.

    Parameters
    ----------
    budget, seconds, seed :
        As of LicketySPLIT. OSRT may overrun its share of the time by a multiple.
    """

    task = "regression"
    n_boosted, boosted_depth = 40, 1
    #: As shares of the error of a constant.
    penalties = tuple(0.2 * 0.6**k for k in range(14))
    #: The share of the time limit that one search has.
    share = 1 / 6

    def fit(self, X: Any, y: Any) -> Self:
        """Find thresholds, penalty and tree."""
        y = np.asarray(y, dtype=np.float64)
        self._binarize(X, y)
        frame, target = self._frame(X), pd.DataFrame(y)
        started, least = time.process_time(), np.inf
        for penalty in self.penalties:
            model = self._tree(frame, target, penalty)
            fits = model.leaves() <= self.budget
            error = np.mean((y - np.asarray(model.predict(frame), dtype=np.float64).ravel()) ** 2)
            if fits and error < least:
                self.model_, least = model, error
            if not fits or model.timeout or time.process_time() - started > self.seconds:
                break
        self.status_ = status_of(not self.model_.timeout)
        return self

    def _frame(self, X: Any) -> pd.DataFrame:
        bits = self._bits(X).astype(int)
        return pd.DataFrame(bits, columns=[f"b{j}" for j in range(bits.shape[1])])

    def _tree(self, frame: Any, target: Any, penalty: float) -> Any:
        from osrt import OSRT

        settings = {"regularization": penalty, "depth_budget": depth_for(self.budget) + 1, "model_limit": 1}
        settings |= {"time_limit": max(1, int(self.seconds * self.share)), "metric": "L2", "weights": []}
        with contextlib.redirect_stdout(io.StringIO()):  # it prints
            return OSRT(settings | {"verbose": False, "diagnostics": False, "worker_limit": 1}).fit(frame, target)

    def predict(self, X: Any) -> Any:
        """Return the values."""
        return np.asarray(self.model_.predict(self._frame(X)), dtype=np.float64).ravel()

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return int(self.model_.leaves())
