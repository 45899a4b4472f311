"""How much each feature matters to an ensemble.

The library's own ``feature_importances_`` where it has one number a column; otherwise computed from the trees: which
share of the differences between a tree's answers its splits on a feature make.

Features of a forest that look at the same column count as one: :attr:`hedgerow.features.Feature.source`.
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

#: Importance by feature: a column by its number, an output by its steps and its place, all else by itself.
Importances = dict[Hashable, float]


def sources(forest: Forest) -> list[Hashable]:
    """Return all features of an ensemble, in the order of the columns, also those that no tree looks at.

    Of series, and where steps of a pipeline make features that are no columns, those that some tree looks at.
    """
    found = dict.fromkeys(feature.source for feature in forest.features)
    if all(isinstance(source, int) for source in found) and not forest.inputs.of_series:
        return list(range(forest.n_features))
    return list(found)


def ensemble_importances(model: Any, X: Any = None, forest: Forest | None = None) -> Importances:
    """Return how much each feature matters to an ensemble; the numbers add up to 1, or are all 0.

    Parameters
    ----------
    model : estimator, pipeline, booster, path, Forest, or list of them
        Its own ``feature_importances_`` count if there is one a column; of a list, the mean of its members.
    X : array or data frame, optional
        Samples for an ensemble without importances of its own: how many reach each node says how much it matters. If
        not given, each split is taken to halve the samples.
    forest : Forest, optional
        The neutral form of the model, if it has been read already.
    """
    forest = read_forest(model) if forest is None else forest
    if forest.members:
        models = model if isinstance(model, (list, tuple)) and len(model) == len(forest.members) else forest.members
        said = [ensemble_importances(one, X, member) for one, member in zip(models, forest.members, strict=True)]
        return {source: float(np.mean([one[source] for one in said])) for source in sources(forest)}
    own = _own_importances(model, forest)
    return _scaled(forest, _of_trees(forest, X) if own is None else own)


def _own_importances(model: Any, forest: Forest) -> Importances | None:
    """Return what the library says, if it says one number a column; None otherwise."""
    while isinstance(model, (FrozenEstimator, BaseSearchCV)):
        model = inside(model)
    try:
        said = np.asarray(model.feature_importances_, dtype=np.float64)
    except (AttributeError, TypeError, ValueError):
        return None
    of_columns = sources(forest) == list(range(forest.n_features))
    if not of_columns or said.shape != (forest.n_features,) or not np.isfinite(said).all():
        return None
    return dict(enumerate(said.tolist()))


def _of_trees(forest: Forest, X: Any) -> Importances:
    """Return the importances that the trees themselves show.

    A split of n samples into a and b, which the tree answers with the means u and v, makes the part a b / n |u - v|²
    of the sum of squares of the tree's answers. If the samples are those the tree was grown on and its leaves answer
    with their means, that is the decrease in impurity (Gini or squared error). In a sum of trees these parts are added
    up over the trees as they are, each with the square of the tree's weight; in a mean or median each tree counts
    with its weight, as in scikit-learn's random forests.
    """
    nodes = forest.nodes
    split = _parts(forest, np.exp2(-nodes.depth) if X is None else _leaf_counts(forest, X))
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


def _leaf_counts(forest: Forest, X: Any) -> FloatArray:
    """Return how many samples end at each node of all trees."""
    leaves = forest.apply(X)
    counted = [np.bincount(leaves[:, k], minlength=tree.n_nodes) for k, tree in enumerate(forest.trees)]
    return np.concatenate(counted).astype(np.float64)


def _parts(forest: Forest, reached: FloatArray) -> FloatArray:
    """Return the part of the sum of squares of a tree's answers that each node makes; 0 at leaves."""
    nodes = forest.nodes
    width = max(tree.value.shape[1] for tree in forest.trees)
    values = [np.pad(tree.value, ((0, 0), (0, width - tree.value.shape[1]))) for tree in forest.trees]
    # What inner nodes answer, if the library says it at all, is not asked for.
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


def _scaled(forest: Forest, importances: Importances) -> Importances:
    """Return the importances of all features, also those not looked at, scaled to add up to 1."""
    every = {source: importances.get(source, 0.0) for source in sources(forest)}
    total = sum(every.values())
    return {source: amount / total for source, amount in every.items()} if total > 0 else every
