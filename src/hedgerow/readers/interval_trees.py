"""Forests of scikit-learn's trees on statistics of intervals, whichever library built them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.tree import BaseDecisionTree

from hedgerow.exceptions import InvalidParameterError, UnsupportedModelError
from hedgerow.features import IntervalStatistic, SeriesInputs
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.readers import from_sklearn
from hedgerow.readers.checks import unfitted

#: For each column of a tree's table: dimension, start, end, statistic.
Intervals = Sequence[tuple[int, int, int, str]]


def check_trained(model: Any) -> None:
    """Refuse a model that is not fitted, or that has no trees."""
    if not model.is_fitted:
        raise unfitted(model)
    if not len(getattr(model, "estimators_", ())):
        raise UnsupportedModelError(
            f"This {type(model).__qualname__} has no trees. Train it on at least two classes, with n_estimators > 0."
        )


def dimension_names(n_dimensions: int, names: Sequence[str] | None) -> list[str]:
    """Return the names of the dimensions of a series."""
    if names is None:
        return ["x"] if n_dimensions == 1 else [f"x{i}" for i in range(n_dimensions)]
    if len(names) != n_dimensions:
        raise InvalidParameterError(f"{len(names)} names for series of {n_dimensions} dimensions; pass one each.")
    return [str(name) for name in names]


def interval_name(dimension: str, start: int, end: int, statistic: str) -> str:
    """Return the name of a statistic of an interval."""
    return f"{statistic}({dimension}[{start}:{end}])"


def make_forest(
    model: Any, intervals: Sequence[Intervals], dimensions: Sequence[str], length: int, order: str
) -> Forest:
    """Return the forest of a model's ``estimators_`` on these intervals, whose sums are taken in this order."""
    # Equal features get one number, so that stability finds what trees share.
    features: dict[IntervalStatistic, int] = {}

    def number(dimension: int, start: int, end: int, statistic: str) -> int:
        name = interval_name(dimensions[dimension], start, end, statistic)
        feature = IntervalStatistic(dimension, start, end, statistic, order, name)
        return features.setdefault(feature, len(features))

    trees = []
    for member, columns in zip(model.estimators_, intervals, strict=True):
        tree = _tree(model, member)
        numbers = [-1 if leaf else number(*columns[i]) for i, leaf in zip(tree.feature, tree.left < 0, strict=True)]
        trees.append(replace(tree, feature=np.array(numbers)))
    n_outputs = trees[0].value.shape[1]
    return Forest(
        trees=tuple(trees),
        inputs=SeriesInputs(tuple(features), np.float32, n_dimensions=len(dimensions), length=length),
        tree_weights=np.ones(len(trees)),
        base=np.zeros(n_outputs),
        classes=None if n_outputs == 1 else np.asarray(model.classes_),
    )


def _tree(model: Any, member: Any) -> Tree:
    if not isinstance(member, BaseDecisionTree):
        raise UnsupportedModelError(
            f"This {type(model).__qualname__} consists of {type(member).__qualname__}, which is not a decision tree of "
            "scikit-learn. Train it with a DecisionTreeClassifier or DecisionTreeRegressor as its base_estimator."
        )
    return from_sklearn.read(member).trees[0]
