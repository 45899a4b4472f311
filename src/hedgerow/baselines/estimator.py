"""What the baselines share: from samples and an ensemble to candidate rules, and from weights to answers.

A method says which ensemble it fits itself (``_own_ensemble``), which of its parameters mean anything
(``_check_own``), and which rules it takes with which weights (``_weigh``). The rest is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.checks import is_number
from hedgerow.candidates.answers import (
    Majority,
    Mean,
    answered_rules,
    as_shares,
    class_weights,
    label_answers,
    moments,
    number_answers,
)
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.ensembles import clone_with_ensemble, fit_ensemble, takes_missing
from hedgerow.candidates.pool import RulePool
from hedgerow.estimators.validation import (
    check_known_labels,
    check_labels,
    check_numbers,
    check_regression,
    check_samples,
    check_two_classes,
    check_weight,
)
from hedgerow.evidence.fidelity import Fidelity, summarize
from hedgerow.exceptions import InvalidParameterError
from hedgerow.forests.forest import Forest
from hedgerow.losses import check_squares
from hedgerow.rules.rule import Rule
from hedgerow.rules.weighted_rules import WeightedRules


@dataclass(frozen=True, eq=False)
class Training:
    """What a method chooses its rules on; samples without weight are left out.

    Attributes
    ----------
    forest : Forest
    X, y, values : the samples as given, their labels or numbers, and their features as compared
    targets : array of shape (n_samples, n_outputs)
        The number to predict; of two classes whether it is the second, of more whether it is each.
    weight : array of shape (n_samples,)
    """

    forest: Forest
    X: Any
    y: AnyArray
    values: FloatArray
    targets: FloatArray
    weight: FloatArray
    n_jobs: int | None = None

    @property
    def default(self) -> FloatArray:
        """The mean of the targets, one number an output."""
        return np.average(self.targets, axis=0, weights=self.weight)

    def cover(self, pool: RulePool) -> Coverage:
        """Find out which of the samples satisfies which rule."""
        return cover(pool, self.values, self.n_jobs)

    def means(self, coverage: Coverage) -> FloatArray:
        """Return the mean target of each rule's samples, of shape (n_rules, n_outputs)."""
        total = coverage.sums(self.weight)
        summed = coverage.many_sums([self.weight * column for column in self.targets.T])
        return summed / total[:, None]


class Baseline(BaseEstimator):  # type: ignore[misc]
    """What all baselines share."""

    ensemble: Any
    max_rules: int | None
    n_jobs: int | None
    random_state: Any
    _of_labels: bool
    _other_task: str | None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose and weigh the rules.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            The training samples. Data frames (pandas, polars) keep their column names.
        y : array of shape (n_samples,)
            The targets.
        sample_weight : array of shape (n_samples,), optional
            Weights, also for an ensemble that is fitted here. A sample of weight 0 is left out.

        Returns
        -------
        self
        """
        check_whole_number("max_rules", self.max_rules, optional=True)
        self._check_own()
        X = check_samples(self, X, reset=True)
        y = check_labels(self, y) if self._of_labels else check_numbers(self, y)
        if not self._of_labels:
            check_squares(y)
        check_consistent_length(X, y)
        weight = check_weight(sample_weight, X)
        if self._of_labels:
            check_two_classes(y[weight > 0])
            self.classes_ = np.unique(y)
        self.ensemble_, forest = self._fitted_ensemble(X, y, None if sample_weight is None else weight)
        if self._of_labels:
            self.classes_ = check_known_labels(forest, self.classes_, str(self._other_task))
        else:
            check_regression(forest, self._other_task)
        values = forest.inputs.matrix(X)
        self.forest_ = forest.with_missing_seen(values).with_values_seen(X)
        self.weighted_rules_ = self._weigh(self._training(X, y, values, weight))
        self.rules_ = self.weighted_rules_.rules
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the label or value of each sample."""
        X = self._check_samples_fitted(X)
        return self.weighted_rules_.predict(X)

    def fidelity(self, X: Any, y: Any = None) -> Fidelity:
        """Return how true the rules are to the ensemble on ``X``; with ``y`` also the scores of both."""
        X = self._check_samples_fitted(X)
        return summarize(self.weighted_rules_, self.ensemble_, X, y, self.forest_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = takes_missing(self._own_ensemble() if self.ensemble is None else self.ensemble)
        return tags

    def __sklearn_clone__(self) -> Self:
        return clone_with_ensemble(self)

    # What differs between the methods

    def _check_own(self) -> None:
        """Refuse parameters that mean nothing."""
        raise NotImplementedError

    def _own_ensemble(self) -> Any:
        """Return the method's own kind of ensemble, not fitted."""
        raise NotImplementedError

    def _grown(self, X: Any, y: AnyArray, weight: FloatArray | None) -> Any:
        """Return the method's own ensemble, fitted in its own way; or as it is, to be fitted as any other."""
        return self._own_ensemble()

    def _weigh(self, training: Training) -> WeightedRules:
        """Choose rules of the forest and their weights."""
        raise NotImplementedError

    # The pipeline

    def _fitted_ensemble(self, X: Any, y: AnyArray, weight: FloatArray | None) -> tuple[Any, Forest]:
        """Return the ensemble, fitted here if it is not yet, and its neutral form."""
        ensemble = self._grown(X, y, weight) if self.ensemble is None else self.ensemble
        return fit_ensemble(ensemble, X, y, weight, getattr(self, "feature_names_in_", None))

    def _training(self, X: Any, y: AnyArray, values: FloatArray, weight: FloatArray) -> Training:
        targets = self._targets(y)
        if (weight == 0).any():
            used = np.flatnonzero(weight > 0)
            X, y, values, targets, weight = take_rows(X, used), y[used], values[used], targets[used], weight[used]
        return Training(self.forest_, X, y, values, targets, weight, self.n_jobs)

    def _targets(self, y: AnyArray) -> FloatArray:
        if not self._of_labels:
            return y[:, None]
        shares = as_shares(y, self.classes_)
        return shares[:, 1:] if len(self.classes_) == 2 else shares

    def _weighted_rules(
        self,
        training: Training,
        pool: RulePool,
        coverage: Coverage,
        chosen: Sequence[int] | IntArray,
        weights: FloatArray,
        inside: FloatArray,
        outside: FloatArray,
        intercept: FloatArray,
        **how: Any,
    ) -> WeightedRules:
        """Return some rules of a pool, in this order, with what is to be known about them."""
        chosen = np.asarray(chosen, dtype=np.int64)
        return WeightedRules(
            rules=self._told(training, pool.subset(chosen), coverage.subset(chosen)),
            weights=weights,
            inside=inside,
            outside=outside,
            intercept=intercept,
            inputs=self.forest_.inputs,
            classes=self.classes_ if self._of_labels else None,
            n_samples=len(training.y),
            **how,
        )

    def _told(self, training: Training, pool: RulePool, coverage: Coverage) -> tuple[Rule, ...]:
        """Return the rules with their coverage and what their samples are like."""
        if not len(pool):
            return ()
        weight = training.weight
        if self._of_labels:
            counts = class_weights(as_shares(training.y, self.classes_), weight, coverage)
            answers = label_answers(Majority(), counts / counts.sum(axis=1, keepdims=True), self.classes_)
        else:
            answers = number_answers(Mean(), *moments(training.y, weight, coverage))
        return answered_rules(pool, coverage, weight, answers)

    def _check_samples_fitted(self, X: Any) -> Any:
        check_is_fitted(self, "weighted_rules_")
        return check_samples(self, X, reset=False)


class OfLabels(ClassifierMixin):  # type: ignore[misc]
    """What the classifiers add."""

    _of_labels = True

    def predict_proba(self: Any, X: Any) -> FloatArray:
        """Return the share of each class, of shape (n_samples, n_classes)."""
        X = self._check_samples_fitted(X)
        return self.weighted_rules_.predict_proba(X)


class OfNumbers(RegressorMixin):  # type: ignore[misc]
    """What the regressors add."""

    _of_labels = False


def unlike_rules(pool: RulePool, coverage: Coverage, candidates: IntArray) -> IntArray:
    """Return the candidates in order, of those with the same samples the one with the fewest conditions, the first."""
    order = candidates[np.lexsort((candidates, pool.n_conditions[candidates]))]
    _, first = np.unique(coverage.twins[order], return_index=True)
    return np.sort(order[first])


def take_rows(X: Any, rows: IntArray) -> Any:
    """Return some samples of an array or of a data frame."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def check_whole_number(name: str, value: Any, optional: bool = False, least: int = 1) -> None:
    """Refuse what is no whole number of at least ``least``."""
    if optional and value is None:
        return
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        more = ", or None" if optional else ""
        raise InvalidParameterError(f"{name} must be a whole number of at least {least}{more}; got {value!r}.")


def check_share(name: str, value: Any, optional: bool = False) -> None:
    """Refuse what is no number between 0 and 1."""
    if optional and value is None:
        return
    if not is_number(value) or not 0 <= value <= 1:
        more = ", or None" if optional else ""
        raise InvalidParameterError(f"{name} must be a number between 0 and 1{more}; got {value!r}.")


def check_penalty(name: str, value: Any) -> None:
    """Refuse what is no penalty."""
    if value is not None and (not is_number(value) or not 0 <= value < np.inf):
        raise InvalidParameterError(
            f"{name} must be a number of at least 0, or None to choose it by cross-validation; got {value!r}."
        )
