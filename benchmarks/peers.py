"""Other packages that make rules, each with a budget: imodels, sirus and ruleopt.

They are not among the packages of ``bench``: ``pip install '.[peers]'`` brings them. Each is imported where it is used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import highspy
import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone

from benchmarks.coded_labels import CodedLabels


class PeerClassifier(CodedLabels):
    """A classifier of another package that can say how many rules it has.

    Parameters
    ----------
    model : classifier, not fitted
    count : callable
        From the fitted model to its number of rules.
    """

    def __init__(self, model: Any, count: Callable[[Any], int]) -> None:
        super().__init__(model)
        self.count = count

    @property
    def n_rules_(self) -> int:
        """How many rules the fitted model has."""
        return self.count(self.model_)


class PeerRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor of another package that can say how many rules it has; parameters as of the classifier."""

    def __init__(self, model: Any, count: Callable[[Any], int]) -> None:
        self.model, self.count = model, count

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model to arrays."""
        self.model_ = self.model.fit(np.asarray(X), y)
        return self

    def predict(self, X: Any) -> Any:
        """Return the values."""
        return self.model_.predict(np.asarray(X))

    @property
    def n_rules_(self) -> int:
        """How many rules the fitted model has."""
        return self.count(self.model_)


def make_imodels(labels: bool, budget: int, seed: int) -> Any:
    """Return RuleFit of imodels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports
        from imodels import RuleFitClassifier, RuleFitRegressor

    kind, peer = (RuleFitClassifier, PeerClassifier) if labels else (RuleFitRegressor, PeerRegressor)
    return peer(
        kind(max_rules=budget, include_linear=False, random_state=seed), lambda model: np.count_nonzero(model.coef)
    )


def make_sirus(labels: bool, budget: int, depth: int, n_trees: int, seed: int) -> Any:
    """Return SIRUS of the package sirus."""
    from sirus import SirusClassifier, SirusRegressor

    kind, peer = (SirusClassifier, PeerClassifier) if labels else (SirusRegressor, PeerRegressor)
    model = kind(num_rules=budget, max_depth=depth, num_trees=n_trees, random_state=seed)
    return peer(model, lambda model: np.count_nonzero(model.rule_weights_))


class HeaviestRules(CodedLabels):
    """RUX of ruleopt, of which only the rules with the largest weights predict.

    Parameters
    ----------
    model : forest of scikit-learn, not fitted
    budget : int
        The most rules.
    seed : int
    """

    def __init__(self, model: Any, budget: int, seed: int) -> None:
        super().__init__(model)
        self.budget, self.seed = budget, seed

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the forest, then choose and weigh its leaves."""
        from ruleopt import RUXClassifier
        from ruleopt.solver import HiGHSSolver

        self.classes_, codes = np.unique(y, return_inverse=True)
        trained = clone(self.model).fit(np.asarray(X), codes)
        # A solver of its own: the one by default is shared by all models.
        self.model_ = RUXClassifier(trained, solver=HiGHSSolver(), random_state=self.seed).fit(np.asarray(X), codes)
        # It asks for all threads; who comes next in this process, for one, would be refused.
        highspy.Highs.resetGlobalScheduler(True)
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels; the package predicts the largest class where no rule matches."""
        first = list(self.model_.decision_rules_)[: self.budget]
        return self.classes_[np.asarray(self.model_.predict(np.asarray(X), indices=first), dtype=int)]

    @property
    def n_rules_(self) -> int:
        """The number of rules that predict."""
        return min(self.budget, len(self.model_.decision_rules_))
