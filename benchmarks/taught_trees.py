"""Other growers on what ``accurate`` or ``faithful`` learns from: the same rows, targets and weights.

They show what the choice of rules by the integer program adds to the teacher. The rows come from the list's settings,
so they follow whatever the preset is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.tree import DecisionTreeRegressor

from benchmarks.lickety_trees import LicketyClassifier, LicketyRegressor
from hedgerow.estimators.validation import check_training
from hedgerow.pipeline.prepare import Learned, learn
from hedgerow.teachers import Teacher


class Lessons:
    """What lists learn from the same samples: the same teacher is asked once only."""

    def __init__(self) -> None:
        self._known: list[tuple[Teacher, Learned]] = []

    def of(self, rules: Any, X: Any, y: Any) -> Learned:
        """Return what a list would learn from. No candidates are needed for that, so one stump stands for them."""
        samples = check_training(rules, rules.task_kind, X, y)
        settings = rules.to_settings().settled(samples)
        for teacher, learned in self._known:
            if teacher == settings.teacher:
                return learned
        learned = learn(replace(settings, ensemble=settings.task_kind.tree(max_depth=1)), samples)
        if settings.teacher is not None:
            self._known.append((settings.teacher, learned))
        return learned


class _Taught(BaseEstimator):  # type: ignore[misc]
    """A tree on the lesson of a list.

    Parameters
    ----------
    rules : RuleListClassifier or RuleListRegressor, not fitted
        Whose lesson is taken.
    budget : int
        The most leaves.
    seconds : float
        The time limit, if the tree needs one.
    seed : int
    lessons : Lessons, optional
        Those of other trees on the same samples, if they may have the same lesson.
    """

    def __init__(
        self, rules: Any, budget: int, seconds: float = 60.0, seed: int = 0, lessons: Lessons | None = None
    ) -> None:
        self.rules, self.budget, self.seconds, self.seed, self.lessons = rules, budget, seconds, seed, lessons

    def fit(self, X: Any, y: Any) -> Self:
        """Learn, grow the tree on the targets, and let each leaf predict as a rule would."""
        learned = (Lessons() if self.lessons is None else self.lessons).of(self.rules, X, y)
        self.inputs_, task = learned.forest.inputs, learned.task
        if task.has_labels:
            self.classes_ = task.classes
        targets, answered = (self._numeric(task, each) for each in (learned.targets, learned.answered))
        values = np.asarray(learned.values, dtype=np.float64)
        self.tree_ = self._grow(values, targets, learned.weight)
        leaf = self._leaves(values)
        total = np.bincount(leaf, learned.weight)
        columns = answered.reshape(len(answered), -1).T
        sums = np.column_stack([np.bincount(leaf, learned.weight * column) for column in columns])
        self.answers_ = sums / np.where(total > 0, total, 1)[:, None]
        return self

    def _numeric(self, task: Any, targets: Any) -> Any:
        """Return targets as numbers: values, or shares of the classes."""
        return np.asarray(task.numeric(targets), dtype=np.float64)

    def _grow(self, values: Any, targets: Any, weight: Any) -> Any:
        raise NotImplementedError

    def _leaves(self, values: Any) -> Any:
        return self.tree_.apply(values)

    def _answers(self, X: Any) -> Any:
        return self.answers_[self._leaves(np.asarray(self.inputs_.matrix(X), dtype=np.float64))]

    def predict(self, X: Any) -> Any:
        """Return labels or values."""
        answers = self._answers(X)
        return self.classes_[answers.argmax(axis=1)] if hasattr(self, "classes_") else answers[:, 0]

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the classes in the leaves."""
        if not hasattr(self, "classes_"):
            raise AttributeError("Only lists of labels have class shares.")
        return self._answers(X)

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return int(self.tree_.get_n_leaves())


class TaughtCart(_Taught):
    """CART. Squared errors of class shares are Gini's impurity of rows that count once per class, by their shares."""

    def _grow(self, values: Any, targets: Any, weight: Any) -> Any:
        tree = DecisionTreeRegressor(max_leaf_nodes=self.budget, random_state=self.seed)
        return tree.fit(values, targets, sample_weight=weight)


class LabelledCart(TaughtCart):
    """CART on the likeliest labels instead of class shares."""

    def _numeric(self, task: Any, targets: Any) -> Any:
        shares = super()._numeric(task, targets)
        return np.eye(shares.shape[1])[shares.argmax(axis=1)]


class TaughtLickety(_Taught):
    """LicketySPLIT."""

    def _grow(self, values: Any, targets: Any, weight: Any) -> Any:
        if targets.ndim == 1:
            return LicketyRegressor(self.budget, self.seconds, self.seed).fit(values, targets, weight)
        return LicketyClassifier(self.budget, self.seconds, self.seed).fit_shares(values, targets, weight)
