"""Read wildboar's shapelet forests (the generalized Random Shapelet Forest), interval forests, and their single trees.

A node compares the distance to a shapelet, or a statistic of an interval, in float64: ``value <= t`` goes left. A model
trained with several metrics numbers all combinations of a metric and its parameters, and a node stores the number of
its own; the library itself cannot load such a model from a pickle. The library does not set values of inner nodes and
thresholds of leaves. The mean and deviation of the shapelet of a scaled distance are not stored in the model; they are
computed as during fitting. A model loaded from a pickle rounds them differently, which only matters where a shapelet is
nearly flat relative to its distance from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hedgerow._support.lettering import with_article
from hedgerow.exceptions import InvalidDataError, UnsupportedModelError
from hedgerow.features import IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.features.shapelet_metrics import checked_parameters
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.readers.checks import check_readable
from hedgerow.readers.interval_trees import dimension_names, interval_name

_FORESTS = ("ShapeletForest", "ExtraShapeletTrees", "IntervalForest")
_TREES = ("ShapeletTree", "ExtraShapeletTree", "IntervalTree")
_TASKS = ("Classifier", "Regressor")

#: The statistics of an interval, by the library's numbers.
_STATISTICS = ("mean", "variance", "slope")


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted shapelet or interval tree or forest; ``feature_names`` are those of the series' dimensions."""
    _check_readable(model)
    members = getattr(model, "estimators_", [model])
    dimensions = dimension_names(int(model.n_dims_in_), feature_names)
    # Equal features get one number, so that stability finds what trees share.
    features: dict[Any, int] = {}
    trees = [_tree(member, features, dimensions) for member in members]
    classes = getattr(model, "classes_", None)
    length = int(model.n_timesteps_in_)
    return Forest(
        trees=tuple(trees),
        inputs=SeriesInputs(tuple(features), np.float64, n_dimensions=len(dimensions), length=length),
        tree_weights=np.ones(len(trees)),
        base=np.zeros(1 if classes is None else len(classes)),
        classes=classes,
    )


def _check_readable(model: Any) -> None:
    from wildboar import ensemble, tree

    name = type(model).__qualname__
    kinds = [getattr(ensemble, kind + task) for kind in _FORESTS for task in _TASKS]
    kinds += [getattr(tree, kind + task) for kind in _TREES for task in _TASKS]
    if not any(isinstance(model, kind) for kind in kinds):
        raise UnsupportedModelError(
            f"Cannot read {with_article(name)}. These wildboar models, and their subclasses, can be read: "
            f"{', '.join(kind.__name__ for kind in kinds)}."
        )
    check_readable(model)
    if hasattr(model, "summarizer") and model.summarizer != "mean_var_slope":
        raise UnsupportedModelError(
            f"This {name} has summarizer={model.summarizer!r}; rules can use the mean, variance and slope only. "
            "Train with summarizer='mean_var_slope'."
        )


def _metrics(model: Any) -> list[tuple[str, tuple[tuple[str, float], ...]]]:
    """Return the possible metrics of a model's shapelets with their parameters; none for intervals."""
    if not hasattr(model, "metric"):
        return []
    if isinstance(model.metric, str):
        metrics = [(model.metric, model.metric_params or {})]
    else:
        pairs = model.metric.items() if isinstance(model.metric, dict) else model.metric
        metrics = [(metric, parameters) for metric, grid in pairs for parameters in _grid(grid or {})]
    try:
        return [(metric, checked_parameters(metric, tuple(parameters.items()))) for metric, parameters in metrics]
    except InvalidDataError as error:
        name = type(model).__qualname__
        raise UnsupportedModelError(f"Cannot compute the distances of this {name}. {error}") from None


def _grid(ranges: dict[str, Any]) -> list[dict[str, float]]:
    """Return the parameters tried for one of several metrics, in the order in which trees number them."""
    from wildboar.distance._multi_metric import make_parameter_grid

    ends = {name: value for name, value in ranges.items() if name != "default_n"}
    return make_parameter_grid(ends, default_n=ranges.get("default_n", 10))


def _tree(member: Any, features: dict[Any, int], dimensions: list[str]) -> Tree:
    arrays = member.tree_
    left = np.asarray(arrays.left, dtype=np.int64)
    is_leaf = left < 0
    feature, metrics = np.full(len(left), -1), _metrics(member)
    for node, attribute in enumerate(arrays.attribute):
        if not is_leaf[node]:
            feature[node] = _number(attribute, member, metrics, features, dimensions)
    value = np.where(is_leaf[:, None], np.asarray(arrays.value).reshape(len(left), -1), 0.0)
    return Tree(
        left=left,
        right=np.where(is_leaf, -1, np.asarray(arrays.right, dtype=np.int64)),
        feature=feature,
        threshold=np.where(is_leaf, 0.0, arrays.threshold),
        missing_left=np.zeros(len(left), dtype=bool),
        value=value,
    )


def _number(attribute: Any, member: Any, metrics: list[Any], features: dict[Any, int], dimensions: list[str]) -> int:
    """Return the number of a node's feature, a new one if no earlier feature is equal."""
    dimension, what = int(attribute[0]), attribute[1]
    feature: Any
    if hasattr(member, "summarizer"):
        start, length, number = (int(part) for part in what)
        kind, end = _STATISTICS[number], start + length
        name = interval_name(dimensions[dimension], start, end, kind)
        feature = IntervalStatistic(dimension, start, end, kind, "sequential", name)
    else:
        # With several metrics, the node stores which one; with one, it repeats the dimension.
        one, what = (metrics[0], what) if isinstance(member.metric, str) else (metrics[what[0]], what[1])
        metric, parameters = one
        shapelet = tuple(np.asarray(what[1], dtype=np.float64).tolist())
        name = f"dist({dimensions[dimension]}, s{len(features) + 1}{_suffix(metric, parameters)})"
        feature = ShapeletDistance(dimension, shapelet, metric, name, metric_params=parameters)
    return features.setdefault(feature, len(features))


def _suffix(metric: str, parameters: tuple[tuple[str, float], ...]) -> str:
    """Return the metric as part of a name, as in ``; dtw r=0.1``; empty for the Euclidean distance."""
    if metric == "euclidean":
        return ""
    return "; " + " ".join([metric, *(f"{name}={value:g}" for name, value in parameters)])
