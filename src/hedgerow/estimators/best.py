"""What an estimator with cross-validation has its best estimator do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sklearn.utils.validation import check_is_fitted

from hedgerow.estimators.base import RuleListEstimator
from hedgerow.optimize.problem import PartitionProblem

_Given = ParamSpec("_Given")
_Returned = TypeVar("_Returned")


def _of_best(
    method: Callable[Concatenate[Any, _Given], _Returned],
) -> Callable[Concatenate[Any, _Given], _Returned]:
    """Return a method that calls the one of the best estimator."""

    @wraps(method)
    def call(self: Any, /, *args: _Given.args, **kwargs: _Given.kwargs) -> _Returned:
        check_is_fitted(self, "best_estimator_")
        return method(self.best_estimator_, *args, **kwargs)

    return call


class OfBestEstimator:
    """Methods of ``best_estimator_``; those that return an estimator return one without cross-validation."""

    best_estimator_: RuleListEstimator

    @property
    def without_search(self) -> RuleListEstimator:
        """The best estimator, fitted to all samples."""
        return self.best_estimator_

    @property
    def problem_(self) -> PartitionProblem:
        """What was solved."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.problem_

    list_of = _of_best(RuleListEstimator.list_of)
    lists_of = _of_best(RuleListEstimator.lists_of)
    with_rows = _of_best(RuleListEstimator.with_rows)
    resolve = _of_best(RuleListEstimator.resolve)
    price = _of_best(RuleListEstimator.price)
    prices = _of_best(RuleListEstimator.prices)
    alternatives = _of_best(RuleListEstimator.alternatives)
    to_json = _of_best(RuleListEstimator.to_json)
