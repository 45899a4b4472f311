"""Which columns help on rows that a tree has not seen.

A forest splits on columns that do not matter, too: among many thresholds, some fit the training rows by chance. What
tells them apart is the rows that a tree was not trained on. There, a split by chance makes predictions worse.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.readers import read_forest


def column_gains(model: Any, X: Any, y: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return how much the splits on each column lower the squared error out of bag, and the standard error of that.

    For labels, the error is that of the class shares. The gain of a split on a row is the error of the node's
    prediction less that of the child's that the row goes to; both come from the rows that the tree was trained on.
    A column's gain is the sum over its splits, averaged over the trees that have not seen the row, then over the rows.

    Parameters
    ----------
    model : RandomForestClassifier or RandomForestRegressor, or a Pipeline that ends in one
        Fitted to ``X`` and ``y``, with bootstrap samples.
    X, y :
        The training samples.

    Returns
    -------
    gains, errors : float arrays of shape (n_columns,)

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> y = X[:, 0]
    >>> gains, errors = column_gains(RandomForestRegressor(30, max_leaf_nodes=8, random_state=0).fit(X, y), X, y)
    >>> bool(gains[0] > 2 * errors[0]), bool(gains[1] > 2 * errors[1])
    (True, False)
    """
    bagged = model.steps[-1][1] if isinstance(model, Pipeline) else model
    forest = read_forest(model)
    leaves, targets = forest.apply(X), forest.task.numeric(y).reshape(len(y), -1)
    total, n_unseen = np.zeros((len(y), forest.n_features)), np.zeros(len(y))
    for k, (tree, seen) in enumerate(zip(forest.trees, bagged.estimators_samples_, strict=True)):
        unseen = np.ones(len(y), dtype=bool)
        unseen[seen] = False
        rows = np.flatnonzero(unseen)
        _add_gains(total, forest, tree, leaves[rows, k], targets[rows], rows)
        n_unseen[rows] += 1
    each = total[n_unseen > 0] / n_unseen[n_unseen > 0, None]
    return each.mean(axis=0), each.std(axis=0) / np.sqrt(len(each))


def _add_gains(
    total: FloatArray, forest: Forest, tree: Tree, leaves: AnyArray, targets: FloatArray, rows: AnyArray
) -> None:
    """Add one tree's gains on rows that it has not seen, which reach these leaves."""
    parent = np.full(tree.n_nodes, -1)
    for children in (tree.left, tree.right):
        inner = np.flatnonzero(children >= 0)
        parent[children[inner]] = inner
    place = np.array([forest.inputs.places(feature)[0] for feature in forest.features])
    at, error = leaves.astype(np.intp), _errors(tree, leaves, targets)
    while True:
        going = np.flatnonzero(parent[at] >= 0)
        if not len(going):
            return
        at, error, rows, targets = parent[at[going]], error[going], rows[going], targets[going]
        before = _errors(tree, at, targets)
        # Each row occurs once, so that adding by index is safe.
        total[rows, place[tree.feature[at]]] += before - error
        error = before


def _errors(tree: Tree, nodes: AnyArray, targets: FloatArray) -> FloatArray:
    return np.sum((targets - tree.value[nodes]) ** 2, axis=1)
