"""Trees that differ in their first split.

A tree that grows greedily starts with the split that is best by itself. Often, another one leads to a better tree, but
what it is good for shows only further down. So some trees start with each of the splits that are nearly as good, and
grow greedily from there. The choice among all their nodes is left to the solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.exceptions import UnfittedModelError
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.readers import read_forest

#: How many thresholds of a column are tried as first splits, and how many of them are kept.
_TRIED, _KEPT = 15, 4


class RootedTrees(BaseEstimator):  # type: ignore[misc]
    """A greedy tree, and trees that start with other splits and grow greedily from there.

    Parameters
    ----------
    tree : DecisionTreeClassifier or DecisionTreeRegressor
        The greedy tree. On each side of another first split, half as many leaves are grown.
    n_roots : int
        The number of other first splits; fewer if there are not so many.

    Attributes
    ----------
    tree_ : the greedy tree, fitted
    roots_ : list of (int, float)
        Columns and thresholds of the other first splits, the best first.
    sides_ : list of pairs of trees
        What is grown on the left and on the right of each.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from hedgerow import RuleListClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> trees = RootedTrees(DecisionTreeClassifier(max_leaf_nodes=6, random_state=0), n_roots=5)
    >>> RuleListClassifier(trees, max_rules=3, candidates="nodes").fit(X, y).forest_.n_trees
    6
    """

    def __init__(self, tree: Any, n_roots: int = 40) -> None:
        self.tree = tree
        self.n_roots = n_roots

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.tree)

    def fit(self, X: Any, y: Any, sample_weight: FloatArray | None = None) -> Self:
        """Find the first splits, and grow the trees."""
        X = validate_data(self, X, dtype=np.float32, ensure_all_finite="allow-nan")
        y, weight = np.asarray(y), np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight)
        if is_classifier(self.tree):
            self.classes_, codes = np.unique(y, return_inverse=True)
            targets = np.eye(len(self.classes_))[codes]
        else:
            targets = (y - np.average(y, weights=weight))[:, None]
        self.roots_ = _best_splits(X, targets, weight)[: self.n_roots]
        leaves = self.tree.max_leaf_nodes
        half = clone(self.tree).set_params(max_leaf_nodes=None if leaves is None else leaves // 2 + 1)
        self.sides_ = []
        for column, threshold in self.roots_:
            left = X[:, column] <= threshold
            self.sides_.append([clone(half).fit(X[rows], y[rows], weight[rows]) for rows in (left, ~left)])
        self.tree_ = clone(self.tree).fit(X, y, weight)
        return self

    def apply(self, X: Any) -> AnyArray:
        """Return the leaf of each sample in each tree, as in the neutral form; the greedy tree comes first."""
        X = validate_data(self, X, dtype=np.float32, ensure_all_finite="allow-nan", reset=False)
        leaves = [self.tree_.apply(X)]
        for (column, threshold), (left, right) in zip(self.roots_, self.sides_, strict=True):
            found = 1 + left.tree_.node_count + right.apply(X)
            goes_left = X[:, column] <= threshold
            found[goes_left] = 1 + left.apply(X)[goes_left]
            leaves.append(found)
        return np.column_stack(leaves)

    def to_forest(self, feature_names: Sequence[str] | None = None) -> Forest:
        """Return the neutral form."""
        if not hasattr(self, "sides_"):
            raise UnfittedModelError("These RootedTrees are not fitted. Call fit first.")
        if feature_names is None:
            feature_names = getattr(self, "feature_names_in_", None)
        greedy = read_forest(self.tree_, feature_names)
        first = greedy.trees[0]
        others = (
            self._grafted(*root, first.value[0], sides) for root, sides in zip(self.roots_, self.sides_, strict=True)
        )
        trees = (first, *others)
        return replace(greedy, trees=trees, tree_weights=np.full(len(trees), 1 / len(trees)))

    def _grafted(self, column: int, threshold: float, value: FloatArray, sides: Sequence[Any]) -> Tree:
        """Return the tree with this root, and both sides below it."""
        below = [read_forest(side).trees[0] for side in sides]
        starts = [1, 1 + below[0].n_nodes]

        def children(name: str) -> AnyArray:
            moved = [
                np.where(getattr(t, name) < 0, -1, getattr(t, name) + start)
                for t, start in zip(below, starts, strict=True)
            ]
            return np.concatenate([[starts[name == "right"]], *moved])

        def nodes(name: str, root: Any) -> AnyArray:
            return np.concatenate([[root], *(getattr(t, name) for t in below)])

        values = [self._over_all_classes(t.value, side) for t, side in zip(below, sides, strict=True)]
        return Tree(
            left=children("left"),
            right=children("right"),
            feature=nodes("feature", column),
            threshold=nodes("threshold", threshold),
            missing_left=nodes("missing_left", False),
            value=np.concatenate([value[None], *values]),
        )

    def _over_all_classes(self, value: FloatArray, side: Any) -> FloatArray:
        """Return what nodes predict, with a column for each class; a side may know only some."""
        if not hasattr(self, "classes_"):
            return value
        full = np.zeros((len(value), len(self.classes_)))
        full[:, np.searchsorted(self.classes_, side.classes_)] = value
        return full


def _best_splits(X: FloatArray, targets: FloatArray, weight: FloatArray) -> list[tuple[int, float]]:
    """Return columns and thresholds, those with the lowest squared error first; of shares, that is Gini impurity."""
    found = []
    sums = targets * weight[:, None]
    for column, values in enumerate(X.T):
        known = values[~np.isnan(values)]
        if not len(known):
            continue
        cuts = np.unique(np.quantile(known, np.linspace(0, 1, _TRIED + 2)[1:-1], method="lower"))
        cuts = cuts[cuts < known.max()]
        if not len(cuts):
            continue
        place = np.searchsorted(cuts, values)  # after all cuts if missing
        total = np.cumsum(np.bincount(place, weight, len(cuts) + 1))
        sides = np.cumsum([np.bincount(place, each, len(cuts) + 1) for each in sums.T], axis=1)
        left, right = sides[:, :-1], sides[:, -1:] - sides[:, :-1]
        below, above = total[:-1], total[-1] - total[:-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            explained = (left**2).sum(axis=0) / below + (right**2).sum(axis=0) / above
        for best in np.argsort(-explained, kind="stable")[:_KEPT]:
            if np.isfinite(explained[best]):
                found.append((-explained[best], column, cuts[best]))
    return [(column, _between(X[:, column], cut)) for _, column, cut in sorted(found)]


def _between(values: FloatArray, cut: float) -> float:
    """Return the middle between a value and the next larger one."""
    return (float(cut) + float(values[values > cut].min())) / 2
