"""Rules that learn what a strong forest says, also between the samples.

A forest is fitted first. The list then learns from the samples, with a mix of
their targets and the forest's out-of-bag answers, and from made-up rows (a
sample with some columns taken from another one) with the forest's answers. A
list that has to part the made-up rows too leaves fewer gaps between its rules,
and a small sample no longer decides alone which rules are best.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils import check_random_state


class _Distilled(BaseEstimator):  # type: ignore[misc]
    """What the classifier and the regressor share.

    Parameters
    ----------
    forest : a random forest with ``oob_score=True``, not fitted
    rules : RuleListClassifier or RuleListRegressor, not fitted
        If it has no ensemble of its own, the candidates are those of the forest.
    share : float
        The share of the forest's out-of-bag answers in the samples' targets.
    copies, most : int
        So many made-up rows a sample, and so many at most.
    swap : float
        The chance of each column of a made-up row to come from another sample.
    weight : float
        The weight of a made-up row; a sample has 1.
    enough : int
        With more samples than this the weight falls in proportion: there the samples say most themselves.
    random_state : int, RandomState or None
    """

    def __init__(
        self,
        forest: Any,
        rules: Any,
        *,
        share: float = 0.25,
        copies: int = 10,
        most: int = 5000,
        swap: float = 0.3,
        weight: float = 0.1,
        enough: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.forest = forest
        self.rules = rules
        self.share = share
        self.copies = copies
        self.most = most
        self.swap = swap
        self.weight = weight
        self.enough = enough
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> Self:
        """Fit the forest, then the list."""
        self.forest_ = clone(self.forest).fit(X, y)
        made_up = self._made_up(X)
        targets, certainty = self._lesson(X, np.asarray(y), made_up)
        of_made_up = self.weight * min(1.0, self.enough / len(X))
        weight = np.concatenate([np.ones(len(X)), np.full(len(made_up), of_made_up)])
        everything = pd.concat([X, made_up], ignore_index=True)
        self.rules_ = clone(self.rules)
        if self.rules_.ensemble is None:
            self.rules_.ensemble = self.forest_
        self.rules_.fit(everything, targets, sample_weight=weight * certainty)
        self.rule_list_, self.solution_ = self.rules_.rule_list_, self.rules_.solution_
        return self

    def predict(self, X: pd.DataFrame) -> Any:
        """Return the answers of the list."""
        return self.rules_.predict(X)

    def _made_up(self, X: pd.DataFrame) -> pd.DataFrame:
        random = check_random_state(self.random_state)
        values, n_rows = X.to_numpy(), min(self.copies * len(X), self.most)
        kept, other = (values[random.randint(len(X), size=n_rows)] for _ in range(2))
        return pd.DataFrame(np.where(random.random_sample(kept.shape) < self.swap, other, kept), columns=X.columns)

    def _lesson(self, X: pd.DataFrame, y: Any, made_up: pd.DataFrame) -> tuple[Any, Any]:
        """Return what to learn for the samples and then for the made-up rows, and how sure it is."""
        raise NotImplementedError


class DistilledRegressor(RegressorMixin, _Distilled):  # type: ignore[misc]
    """A list of rules for numbers that learns from a forest."""

    def _lesson(self, X: pd.DataFrame, y: Any, made_up: pd.DataFrame) -> tuple[Any, Any]:
        mixed = self.share * self.forest_.oob_prediction_ + (1 - self.share) * y
        answers = self.forest_.predict(made_up) if len(made_up) else []
        return np.concatenate([mixed, answers]), 1.0


class DistilledClassifier(ClassifierMixin, _Distilled):  # type: ignore[misc]
    """A list of rules for labels that learns from a forest.

    A row with class shares costs a rule the shares of the classes that it does
    not say. Between two classes that is, up to a constant, the cost of the
    likelier one as a label, with the difference of the two shares as weight.
    """

    #: A row on which the forest is undecided counts for nothing, but must still be in some rule.
    LEAST = 1e-6

    def _lesson(self, X: pd.DataFrame, y: Any, made_up: pd.DataFrame) -> tuple[Any, Any]:
        self.classes_ = self.forest_.classes_
        out_of_bag = self.forest_.oob_decision_function_
        seen_by_all = np.isnan(out_of_bag).any(axis=1)
        if seen_by_all.any():
            out_of_bag = np.where(seen_by_all[:, None], self.forest_.predict_proba(X), out_of_bag)
        shares = self.share * out_of_bag + (1 - self.share) * (y[:, None] == self.classes_)
        if len(made_up):
            shares = np.concatenate([shares, self.forest_.predict_proba(made_up)])
        second, first = np.sort(shares, axis=1)[:, -2:].T
        return self.classes_[shares.argmax(axis=1)], np.maximum(first - second, self.LEAST)
