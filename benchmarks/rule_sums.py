"""Sums of rules of other packages: FIGS of imodels, and ruleboost.

A sum is not a partition: several of its rules count for a sample, and a prediction is computed, not read off.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np

from benchmarks.peers import PeerClassifier, PeerRegressor


class SumClassifier(PeerClassifier):
    """A sum of rules that has class shares."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the sum to the numbers of the classes, all columns as floats."""
        return super().fit(np.asarray(X, dtype=np.float64), y)

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the classes."""
        return np.clip(self.model_.predict_proba(np.asarray(X, dtype=np.float64)), 0, 1)


def make_figs(labels: bool, budget: int, seed: int) -> Any:
    """Return FIGS, with as many splits as one tree of ``budget`` leaves: that is how it counts its rules."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports
        from imodels import FIGSClassifier, FIGSRegressor

    kind, peer = (FIGSClassifier, SumClassifier) if labels else (FIGSRegressor, PeerRegressor)
    return peer(kind(max_rules=budget - 1, random_state=seed), lambda model: 1 + int(model.complexity_))


def make_ruleboost(labels: bool, budget: int) -> Any:
    """Return ruleboost with its own settings: as many rules as the budget, and an intercept."""
    from ruleboost import RuleBoostingClassifier, RuleBoostingRegressor

    kind, peer = (RuleBoostingClassifier, SumClassifier) if labels else (RuleBoostingRegressor, PeerRegressor)
    return peer(kind(num_rules=budget), lambda model: len(model.q_) - 1)
