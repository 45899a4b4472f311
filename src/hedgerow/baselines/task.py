"""What differs between classification and regression, for all baselines.

:class:`Labels` and :class:`Numbers` have the same attributes and methods, so no baseline asks which of the two it is.
What differs only in one method, such as the link of RuleFit, is in that method's classifier and regressor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.candidates.answers import Majority, Mean, as_shares, class_weights, label_answers, moments, number_answers
from hedgerow.candidates.coverage import Coverage
from hedgerow.estimators.validation import (
    check_known_labels,
    check_labels,
    check_numbers,
    check_regression,
    check_two_classes,
)
from hedgerow.forests.forest import Forest


@dataclass(frozen=True, eq=False)
class Labels:
    """Classification, with these classes."""

    classes: AnyArray
    has_labels: ClassVar[bool] = True

    @staticmethod
    def of(estimator: Any, y: Any) -> tuple[Labels, AnyArray]:
        """Return the task and its targets, checked."""
        y = check_labels(estimator, y)
        return Labels(np.unique(y)), y

    def check_learnable(self, y: AnyArray) -> None:
        """Raise if nothing can be learned from these targets."""
        check_two_classes(y)

    def among(self, forest: Forest, other: str | None) -> Labels:
        """Return the task with the classes of the forest; raise if the forest is not for this task.

        ``other`` is the estimator to use for a forest of the other task, if there is one.
        """
        return Labels(check_known_labels(forest, self.classes, str(other)))

    def numeric(self, y: AnyArray) -> FloatArray:
        """Return the targets as numbers that can be averaged: class shares, or the numbers themselves."""
        return as_shares(y, self.classes)

    def predictions(self, y: AnyArray, weight: FloatArray, coverage: Coverage) -> list[dict[str, Any]]:
        """Return the fields of each :class:`~hedgerow.rules.rule.Rule` that describe the samples it covers."""
        counts = class_weights(as_shares(y, self.classes), weight, coverage)
        return label_answers(Majority(), counts / counts.sum(axis=1, keepdims=True), self.classes)


@dataclass(frozen=True, eq=False)
class Numbers:
    """Regression; see :class:`Labels` for what the attributes and methods mean."""

    classes: ClassVar[None] = None
    has_labels: ClassVar[bool] = False

    @staticmethod
    def of(estimator: Any, y: Any) -> tuple[Numbers, AnyArray]:
        return Numbers(), check_numbers(estimator, y)

    def check_learnable(self, y: AnyArray) -> None:
        pass

    def among(self, forest: Forest, other: str | None) -> Numbers:
        check_regression(forest, other)
        return self

    def numeric(self, y: AnyArray) -> FloatArray:
        return y

    def predictions(self, y: AnyArray, weight: FloatArray, coverage: Coverage) -> list[dict[str, Any]]:
        return number_answers(Mean(), *moments(y, weight, coverage))


Task = Labels | Numbers
