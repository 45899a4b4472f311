"""How much each feature matters to an ensemble.

The library's own ``feature_importances_`` if there is one number per column. Otherwise they are computed from the
trees: the share of the variation of a tree's predictions that is due to its splits on a feature.

Features of a forest that use the same column count as one: :attr:`hedgerow.features.Feature.source`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection._search import BaseSearchCV

from hedgerow._support.arrays import FloatArray
from hedgerow.forests.forest import Forest
from hedgerow.readers import read_forest
from hedgerow.readers.from_sklearn import inside

#: Importance by feature: columns by their number, outputs by their steps and position, all others by themselves.
Importances = dict[Hashable, float]


def sources(forest: Forest) -> list[Hashable]:
    """Return all features of an ensemble, in the order of the columns, including those that no tree uses.

    For series, and where steps of a pipeline create features that are not columns, only those that some tree uses.
    """
    found = dict.fromkeys(feature.source for feature in forest.features)
    if all(isinstance(source, int) for source in found) and not forest.inputs.of_series:
        return list(range(forest.n_features))
    return list(found)


def ensemble_importances(model: Any, X: Any = None, forest: Forest | None = None) -> Importances:
    """Return the importance of each feature to an ensemble; they add up to 1, or are all 0.

    Parameters
    ----------
    model : estimator, pipeline, booster, path, Forest, or list of them
        Its own ``feature_importances_`` are used if there is one number per column; for a list, the mean over its
        members.
    X : array or data frame, optional
        Samples for an ensemble without importances of its own: a node counts by the number of samples that reach it. If
        not given, each split is assumed to halve the samples.
    forest : Forest, optional
        The neutral form of the model, if already read.
    """
    forest = read_forest(model) if forest is None else forest
    if forest.members:
        models = model if isinstance(model, (list, tuple)) and len(model) == len(forest.members) else forest.members
        each = [ensemble_importances(one, X, member) for one, member in zip(models, forest.members, strict=True)]
        return {source: float(np.mean([one[source] for one in each])) for source in sources(forest)}
    own = _own_importances(model, forest)
    found = _of_trees(forest, X) if own is None else own
    every = {source: found.get(source, 0.0) for source in sources(forest)}  # including unused ones
    total = sum(every.values())
    return {source: amount / total for source, amount in every.items()} if total > 0 else every


def _own_importances(model: Any, forest: Forest) -> Importances | None:
    """Return the library's own importances if there is one number per column; None otherwise."""
    while isinstance(model, (FrozenEstimator, BaseSearchCV)):
        model = inside(model)
    try:
        own = np.asarray(model.feature_importances_, dtype=np.float64)
    except (AttributeError, TypeError, ValueError):
        return None
    of_columns = sources(forest) == list(range(forest.n_features))
    if not of_columns or own.shape != (forest.n_features,) or not np.isfinite(own).all():
        return None
    return dict(enumerate(own.tolist()))


def _of_trees(forest: Forest, X: Any) -> Importances:
    """Return the importances computed from the trees.

    A split of n samples into a and b with mean predictions u and v contributes a b / n |u - v|² to the sum of squares
    of the tree's predictions. If the samples are those the tree was grown on and its leaves predict their means, this
    is the decrease in impurity (Gini or squared error). In a sum of trees, the contributions are added up over the
    trees, each with the square of the tree's weight. In a mean or median, each tree counts with its weight, as in
    scikit-learn's random forests.
    """
    nodes = forest.nodes
    if X is None:
        reached = np.exp2(-nodes.depth)
    else:
        leaves = zip(forest.trees, forest.apply(X).T, strict=True)
        reached = np.concatenate([np.bincount(mine, minlength=tree.n_nodes) for tree, mine in leaves])
    split = _parts(forest, reached.astype(np.float64))
    if forest.aggregation == "sum":
        weight = forest.tree_weights**2
    else:
        per_tree = np.bincount(nodes.tree, split, minlength=forest.n_trees)
        weight = np.divide(
            np.abs(forest.tree_weights), per_tree, out=np.zeros_like(per_tree), where=per_tree > np.finfo(float).tiny
        )
    inner = nodes.left >= 0
    total = np.bincount(nodes.feature[inner], (weight[nodes.tree] * split)[inner], minlength=len(forest.features))
    importances: Importances = {}
    for feature, amount in zip(forest.features, total.tolist(), strict=True):
        importances[feature.source] = importances.get(feature.source, 0.0) + amount
    return importances


def _parts(forest: Forest, reached: FloatArray) -> FloatArray:
    """Return the contribution of each node to the sum of squares of its tree's predictions; 0 at leaves."""
    nodes = forest.nodes
    width = max(tree.value.shape[1] for tree in forest.trees)
    values = [np.pad(tree.value, ((0, 0), (0, width - tree.value.shape[1]))) for tree in forest.trees]
    # Values of inner nodes, which not every library has, are not used.
    mean, count = np.where(nodes.left[:, None] < 0, np.concatenate(values), 0.0), np.where(nodes.left < 0, reached, 0.0)
    part = np.zeros(len(count))
    for level in reversed(nodes.levels):
        here = level[nodes.left[level] >= 0]
        left, right = nodes.left[here], nodes.right[here]
        count[here] = count[left] + count[right]
        share = np.divide(count[left], count[here], out=np.full(len(here), 0.5), where=count[here] > 0)[:, None]
        mean[here] = share * mean[left] + (1 - share) * mean[right]
        part[here] = (count[here, None] * share * (1 - share) * (mean[left] - mean[right]) ** 2).sum(axis=1)
    return part
