"""What the baselines share: from samples and an ensemble to candidate rules, and from weights to predictions.

A method is a dataclass whose fields are its parameters. It defines the ensemble it fits itself (``_own_ensemble``), the
check of its parameters (``_check_own``), and which rules it selects with which weights (``_weigh``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray, ValueArray
from hedgerow._support.checks import check_integer
from hedgerow.baselines.cross_validation import make_folds
from hedgerow.candidates.answers import Majority, Mean, answered_rules
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.ensembles import clone_with_ensemble, fit_ensemble, takes_missing
from hedgerow.candidates.pool import RulePool
from hedgerow.estimators.validation import check_samples, check_weight
from hedgerow.evidence.fidelity import Fidelity, summarize
from hedgerow.forests.forest import Forest
from hedgerow.losses import check_squares
from hedgerow.rules.weighted_rules import WeightedRules
from hedgerow.tasks import Labels, Numbers, Task, TaskKind


@dataclass(frozen=True, eq=False)
class Training:
    """The data a method selects its rules on.

    Attributes
    ----------
    forest : Forest
    task : Task
    X, y : the samples and their labels or numbers, as given
    values : array of shape (n_samples, n_features)
        The features of the samples, in the precision of comparison.
    targets : array of shape (n_samples, n_outputs)
        What :func:`outputs_of` returns.
    weight : array of shape (n_samples,)
    n_jobs : int or None
    """

    forest: Forest
    task: Task
    X: Any
    y: AnyArray
    values: ValueArray
    targets: FloatArray
    weight: FloatArray
    n_jobs: int | None = None

    @property
    def mean(self) -> FloatArray:
        """The mean of the targets, one number per output."""
        return np.average(self.targets, axis=0, weights=self.weight)

    def subset(self, rows: IntArray) -> Training:
        """Return the data of some of the samples."""
        X = self.X.iloc[rows] if hasattr(self.X, "iloc") else self.X[rows]
        arrays = {name: getattr(self, name)[rows] for name in ("y", "values", "targets", "weight")}
        return replace(self, X=X, **arrays)

    def folds(self, cv: Any) -> list[tuple[IntArray, IntArray]]:
        """Return the (training, test) samples of each fold; an empty list if there are too few samples."""
        return make_folds(cv, self.y, stratified=self.task.has_labels)

    def cover(self, pool: RulePool) -> Coverage:
        """Find which of the samples satisfy which rule."""
        return cover(pool, self.values, self.n_jobs)

    def sums(self, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
        """Return the weight of each rule's samples, of shape (n_rules, 1), and the weighted sum of their targets."""
        summed = coverage.many_sums([self.weight * column for column in self.targets.T])
        return coverage.sums(self.weight)[:, None], summed

    def weighted_rules(
        self,
        pool: RulePool,
        coverage: Coverage,
        chosen: Sequence[int] | IntArray,
        weights: FloatArray,
        inside: FloatArray,
        outside: FloatArray,
        intercept: FloatArray,
        **how: Any,
    ) -> WeightedRules:
        """Return some rules of a pool, in this order, each with a description of the samples it covers."""
        chosen = np.asarray(chosen, dtype=np.int64)
        pool, coverage = pool.subset(chosen), coverage.subset(chosen)
        answer = Majority() if self.task.has_labels else Mean()
        described = answer.of_rules(self.task, self.y, self.weight, coverage) if len(chosen) else []
        return WeightedRules(
            rules=answered_rules(pool, coverage, self.weight, described),
            weights=weights,
            inside=inside,
            outside=outside,
            intercept=intercept,
            inputs=self.forest.inputs,
            classes=self.task.classes,
            n_samples=len(self.y),
            **how,
        )


@dataclass(eq=False, repr=False)
class Baseline(BaseEstimator):  # type: ignore[misc]
    """What all baselines share."""

    ensemble: Any = None
    _: KW_ONLY
    max_rules: int | None = 8
    n_jobs: int | None = None
    random_state: Any = None
    _task: ClassVar[TaskKind]
    #: The estimator of the same method for the other task, if there is one.
    _other_task: ClassVar[str | None]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Select the rules and their weights.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            The training samples. Data frames (pandas, polars) keep their column names.
        y : array of shape (n_samples,)
            The targets.
        sample_weight : array of shape (n_samples,), optional
            Sample weights, also used for an ensemble that is fitted here. Samples of weight 0 are left out.

        Returns
        -------
        self
        """
        check_integer("max_rules", self.max_rules, optional=True)
        self._check_own()
        X = check_samples(self, X, reset=True)
        task, y = self._task.of(y, type(self).__name__)
        check_consistent_length(X, y)
        weight = check_weight(sample_weight, X)
        task.check_learnable(y[weight > 0])
        check_squares(task.numeric(y))
        given = None if sample_weight is None else weight
        n_outputs = outputs_of(task, y).shape[1]
        ensemble = self._grown(X, y, given, n_outputs) if self.ensemble is None else self.ensemble
        self.ensemble_, forest = fit_ensemble(ensemble, X, y, given, self._names)
        task = task.among(forest.task, f"use {self._other_task}, or " if self._other_task else "")
        values = forest.inputs.matrix(X)
        self.forest_ = forest.with_missing_seen(values).with_values_seen(X)
        training = Training(self.forest_, task, X, y, values, outputs_of(task, y), weight, self.n_jobs)
        if (weight == 0).any():
            training = training.subset(np.flatnonzero(weight > 0))
        self.weighted_rules_ = self._weigh(training)
        self.rules_ = self.weighted_rules_.rules
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted label or value of each sample."""
        X = self._check_samples_fitted(X)
        return self.weighted_rules_.predict(X)

    def fidelity(self, X: Any, y: Any = None) -> Fidelity:
        """Measure how faithful the rules are to the ensemble on ``X``; with ``y``, also score both."""
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
        """Raise if one of the method's own parameters is invalid."""
        raise NotImplementedError

    def _own_ensemble(self) -> Any:
        """Return the method's default ensemble, unfitted."""
        raise NotImplementedError

    def _grown(self, X: Any, y: AnyArray, weight: FloatArray | None, n_outputs: int) -> Any:
        """Return the default ensemble, fitted if the method fits it in its own way."""
        return self._own_ensemble()

    def _weigh(self, training: Training) -> WeightedRules:
        """Select rules of the forest and their weights."""
        raise NotImplementedError

    # For all of them

    @property
    def _names(self) -> Any:
        """The column names, if ``X`` had any."""
        return getattr(self, "feature_names_in_", None)

    def _check_samples_fitted(self, X: Any) -> Any:
        check_is_fitted(self, "weighted_rules_")
        return check_samples(self, X, reset=False)


class BaselineClassifierMixin(ClassifierMixin):  # type: ignore[misc]
    """What the classifiers add."""

    _task: ClassVar[TaskKind] = Labels

    @property
    def classes_(self: Any) -> AnyArray:
        """The class labels."""
        return self.weighted_rules_.classes

    def predict_proba(self: Any, X: Any) -> FloatArray:
        """Return the probability of each class, of shape (n_samples, n_classes)."""
        X = self._check_samples_fitted(X)
        return self.weighted_rules_.predict_proba(X)


class BaselineRegressorMixin(RegressorMixin):  # type: ignore[misc]
    """What the regressors add."""

    _task: ClassVar[TaskKind] = Numbers


def outputs_of(task: Task, y: AnyArray) -> FloatArray:
    """Return the outputs to predict, of shape (n_samples, n_outputs).

    For a regression the number; for two classes whether it is the second; for more, whether it is each of them.
    """
    numbers = task.numeric(y).reshape(len(y), -1)
    return numbers[:, 1:] if numbers.shape[1] == 2 else numbers


def distinct_rules(pool: RulePool, coverage: Coverage, candidates: IntArray) -> IntArray:
    """Return the candidates in order, without those that cover the same samples as another.

    Among these, the one with the fewest conditions stays; ties go to the first.
    """
    order = candidates[np.lexsort((candidates, pool.n_conditions[candidates]))]
    _, first = np.unique(coverage.twins[order], return_index=True)
    return np.sort(order[first])
