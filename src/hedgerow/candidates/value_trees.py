"""Trees on the features that a forest or a rule list knows, whatever these are.

:meth:`hedgerow.features.Inputs.matrix` computes all features as a table of numbers. Trees of scikit-learn that are
grown on this table split on the same features, so that their rules use the names a person knows. scikit-learn's trees
compare numbers only: a category is shown to them as one column of zeros and ones for each frequent value, and one for
missing values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, ValueArray
from hedgerow.features import Inputs
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.readers import read_forest

#: At most this many values of a category get a column of their own, those that occur most often.
_MOST_CODES = 30
_LARGEST = float(np.finfo(np.float32).max)
#: The code of a column that says whether a category is missing, and of one that is not about a category.
_MISSING, _NONE = -1, -2


class _Shown(NamedTuple):
    """A column that trees see: the feature it is of, and the code that it stands for."""

    feature: int
    code: int
    values: FloatArray


def grow_trees(trees: Any, inputs: Inputs, values: ValueArray, y: AnyArray) -> Forest:
    """Fit trees to the values of features, and return them as a forest on these features.

    Parameters
    ----------
    trees : unfitted estimator
        A tree or a forest of scikit-learn, or :class:`hedgerow.candidates.rooted_trees.RootedTrees`.
    inputs : Inputs
        The features.
    values : array of shape (n_samples, n_features)
        ``inputs.matrix(X)``.
    y : array
        The targets.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from hedgerow.features import Category, Inputs
    >>> inputs = Inputs((Category(0, "color", ("blue", "green", "red")),), np.float64)
    >>> X = np.array([["red"], ["blue"], ["green"]] * 5, dtype=object)
    >>> forest = grow_trees(DecisionTreeClassifier(max_depth=1), inputs, inputs.matrix(X), X[:, 0] == "red")
    >>> forest.labels(X[:3]).tolist()
    [True, False, False]
    """
    shown = [column for i in range(len(inputs.features)) for column in _columns(inputs, values, i)]
    grown = read_forest(trees.fit(np.column_stack([column.values for column in shown]), y))
    n_codes = max((feature.n_codes for feature in inputs.features), default=0)
    made = tuple(_on_features(tree, shown, inputs, n_codes) for tree in grown.trees)
    return replace(grown, trees=made, inputs=inputs)


def _columns(inputs: Inputs, values: ValueArray, i: int) -> Iterator[_Shown]:
    """Yield what trees see of a feature."""
    column, n_codes = values[:, i], inputs.features[i].n_codes
    if not n_codes:
        yield _Shown(i, _NONE, np.clip(column, -_LARGEST, _LARGEST).astype(np.float32))
        return
    missing = np.isnan(column)
    counts = np.bincount(column[~missing].astype(np.int64), minlength=n_codes)
    for code in np.argsort(-counts, kind="stable")[:_MOST_CODES].tolist():
        yield _Shown(i, code, (column == code).astype(np.float32))
    if missing.any():
        yield _Shown(i, _MISSING, missing.astype(np.float32))


def _on_features(tree: Tree, shown: list[_Shown], inputs: Inputs, n_codes: int) -> Tree:
    """Return a tree that splits on the features themselves: of a category, into one value and all others."""
    inner = np.flatnonzero(tree.left >= 0)
    feature, missing_left = np.full(tree.n_nodes, -1), tree.missing_left.copy()
    category = np.full(tree.n_nodes, -1)
    sets: list[BoolArray] = []
    for node in inner.tolist():
        column = shown[tree.feature[node]]
        feature[node] = column.feature
        if column.code == _NONE:
            continue
        left = np.arange(n_codes) < inputs.features[column.feature].n_codes  # zeros go left
        if column.code != _MISSING:
            left[column.code] = False
        category[node], missing_left[node] = len(sets), column.code != _MISSING
        sets.append(left)
    if not sets:
        return replace(tree, feature=feature)
    return replace(
        tree, feature=feature, missing_left=missing_left, category=category, left_codes=np.array(sets, dtype=bool)
    )
