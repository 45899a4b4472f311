"""Read wildboar's shapelet forests (the generalized Random Shapelet Forest), interval forests, and their single trees.

A node compares a distance to a shapelet, or a statistic of an interval, in
float64: ``value <= t`` goes left. Values of inner nodes and thresholds of leaves
are not set by the library.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from hedgerow.exceptions import UnfittedModelError, UnsupportedModelError
from hedgerow.features import IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.features.series import METRICS
from hedgerow.forest import Forest, Tree
from hedgerow.readers.interval_trees import dimension_names, interval_name

#: What the number of an interval's statistic means.
_STATISTICS = ("mean", "variance", "slope")


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted shapelet or interval tree, or a forest of them; names are those of a series' dimensions."""
    name = type(model).__qualname__
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise UnfittedModelError(f"This {name} is not fitted yet. Call fit on it before its rules are read.") from None
    members = getattr(model, "estimators_", [model])
    if not all(hasattr(member, "tree_") for member in members):
        raise UnsupportedModelError(
            f"Cannot read a {name}. Of wildboar these can be read: ShapeletForestClassifier and Regressor, "
            "ExtraShapeletTreesClassifier and Regressor, IntervalForestClassifier and Regressor, and their trees."
        )
    if getattr(model, "n_outputs_", 1) > 1:
        raise UnsupportedModelError(f"This {name} has several outputs. Train one model an output and read each.")
    dimensions = dimension_names(int(model.n_dims_in_), feature_names)
    # Equal features are one, so that stability finds what trees share.
    features: dict[Any, int] = {}
    trees = [_tree(member, features, dimensions) for member in members]
    classes = getattr(model, "classes_", None)
    return Forest(
        trees=tuple(trees),
        inputs=SeriesInputs(
            features=tuple(features),
            dtype=np.float64,
            n_dimensions=len(dimensions),
            length=int(model.n_timesteps_in_),
        ),
        tree_weights=np.ones(len(trees)),
        base=np.zeros(1 if classes is None else len(classes)),
        classes=classes,
    )


def _tree(member: Any, features: dict[Any, int], dimensions: list[str]) -> Tree:
    arrays = member.tree_
    left = np.asarray(arrays.left, dtype=np.int64)
    is_leaf = left < 0
    feature = np.full(len(left), -1)
    for node in np.flatnonzero(~is_leaf):
        feature[node] = _number(arrays.attribute[node], member, features, dimensions)
    value = np.where(is_leaf[:, None], np.asarray(arrays.value).reshape(len(left), -1), 0.0)
    return Tree(
        left=left,
        right=np.where(is_leaf, -1, np.asarray(arrays.right, dtype=np.int64)),
        feature=feature,
        threshold=np.where(is_leaf, 0.0, arrays.threshold),
        missing_left=np.zeros(len(left), dtype=bool),
        value=value,
    )


def _number(attribute: Any, member: Any, features: dict[Any, int], dimensions: list[str]) -> int:
    """Return the number of a node's feature among all, a new one if none is equal."""
    dimension, what = attribute
    feature: Any
    if len(what) == 2 and np.ndim(what[1]) == 1:
        feature = _shapelet(int(dimension), what[1], member, len(features), dimensions)
    elif len(what) == 3 and np.ndim(what[0]) == 0:
        feature = _interval(int(dimension), what, member, dimensions)
    else:
        raise UnsupportedModelError(
            f"This {type(member).__qualname__} looks at neither shapelets nor intervals. Train a ShapeletForest or an "
            "IntervalForest."
        )
    return features.setdefault(feature, len(features))


def _shapelet(dimension: int, shapelet: Any, member: Any, number: int, dimensions: list[str]) -> ShapeletDistance:
    metric, settings = getattr(member, "metric", None), getattr(member, "metric_params", None)
    if metric not in METRICS or settings:
        raise UnsupportedModelError(
            f"This {type(member).__qualname__} has metric={metric!r}. Train it with one of {', '.join(METRICS)}."
        )
    name = f"dist({dimensions[dimension]}, s{number + 1})"
    return ShapeletDistance(dimension, tuple(np.asarray(shapelet, dtype=np.float64).tolist()), metric, name)


def _interval(dimension: int, what: Any, member: Any, dimensions: list[str]) -> IntervalStatistic:
    if getattr(member, "summarizer", None) != "mean_var_slope":
        raise UnsupportedModelError(
            f"This {type(member).__qualname__} has summarizer={member.summarizer!r}; rules know the mean, the variance "
            "and the slope. Train with summarizer='mean_var_slope'."
        )
    start, length, statistic = (int(number) for number in what)
    kind, end = _STATISTICS[statistic], start + length
    name = interval_name(dimensions[dimension], start, end, kind)
    return IntervalStatistic(dimension, start, end, kind, "sequential", name)
