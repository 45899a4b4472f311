"""Trees that differ in their first split.

A tree that grows greedily starts with the split that is best by itself. Often, another one leads to a better tree, but
what it is good for shows only further down. So some trees start with each of the splits that are nearly as good, and
grow greedily from there. The same holds below the best first splits, where trees may differ in their second split. The
choice among all their nodes is left to the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
#: Below how many of the other first splits the second splits differ as well.
_VARIED = 5


class RootedTrees(BaseEstimator):  # type: ignore[misc]
    """A greedy tree, and trees that start with other splits and grow greedily from there.

    Parameters
    ----------
    tree : DecisionTreeClassifier or DecisionTreeRegressor
        The greedy tree. On each side of another first split, half as many leaves are grown.
    n_roots : int
        The number of other first splits; fewer if there are not so many.
    n_second : int
        The number of other second splits on each side of the greedy tree's first split and of the five best other
        ones. The best split of each column comes first, since splits of one column are much alike. A fourth as many
        leaves as the greedy tree has are grown on each side of them.

    Attributes
    ----------
    tree_ : the greedy tree, fitted
    roots_ : list of (int, float)
        Columns and thresholds of the other first splits, the best first.
    sides_ : list of pairs of trees
        What is grown on the left and on the right of each.
    grown_ : list
        All trees but the greedy one.

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

    def __init__(self, tree: Any, n_roots: int = 40, n_second: int = 0) -> None:
        self.tree = tree
        self.n_roots = n_roots
        self.n_second = n_second

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
        self.tree_ = clone(self.tree).fit(X, y, weight)
        self.roots_ = _best_splits(X, targets, weight)[: self.n_roots]
        half = self._smaller(2)
        self.grown_ = [_grown(half, self.tree_, root, X, y, weight) for root in self.roots_]
        self.sides_ = [[grown.left, grown.right] for grown in self.grown_]
        if self.n_second:
            for root in self._varied():
                self.grown_ += self._with_second_splits(root, X, y, weight, targets)
        return self

    def _smaller(self, parts: int) -> Any:
        """Return the tree with this part of the leaves, and one more."""
        leaves = self.tree.max_leaf_nodes
        return clone(self.tree).set_params(max_leaf_nodes=None if leaves is None else leaves // parts + 1)

    def _varied(self) -> list[tuple[int, float]]:
        """Return the first splits below which the second ones differ."""
        greedy = self.tree_.tree_
        own = [(int(greedy.feature[0]), float(greedy.threshold[0]))] if greedy.node_count > 1 else []
        return [*own, *(root for root in self.roots_ if root not in own)][: _VARIED + 1]

    def _with_second_splits(
        self, root: tuple[int, float], X: AnyArray, y: AnyArray, weight: FloatArray, targets: FloatArray
    ) -> list[_Grown]:
        """Return trees with this first split that go on on one side, each with another second split."""
        goes_left, found = X[:, root[0]] <= root[1], []
        leaves = [_leaf(self.tree, X[rows], y[rows], weight[rows]) for rows in (goes_left, ~goes_left)]
        for side, rows in enumerate((goes_left, ~goes_left)):
            splits = _each_column_first(_best_splits(X[rows], targets[rows], weight[rows]))[: self.n_second]
            for split in splits:
                below = _grown(self._smaller(4), leaves[side], split, X[rows], y[rows], weight[rows])
                left, right = (leaves[0], below) if side else (below, leaves[1])
                found.append(_Grown(*root, left, right, self.tree_))
        return found

    def apply(self, X: Any) -> AnyArray:
        """Return the leaf of each sample in each tree, as in the neutral form; the greedy tree comes first."""
        X = validate_data(self, X, dtype=np.float32, ensure_all_finite="allow-nan", reset=False)
        return np.column_stack([self.tree_.apply(X), *(grown.apply(X) for grown in self.grown_)])

    def to_forest(self, feature_names: Sequence[str] | None = None) -> Forest:
        """Return the neutral form."""
        if not hasattr(self, "grown_"):
            raise UnfittedModelError("These RootedTrees are not fitted. Call fit first.")
        if feature_names is None:
            feature_names = getattr(self, "feature_names_in_", None)
        greedy = read_forest(self.tree_, feature_names)
        classes = getattr(self, "classes_", None)
        trees = (greedy.trees[0], *(grown.to_tree(classes) for grown in self.grown_))
        return replace(greedy, trees=trees, tree_weights=np.full(len(trees), 1 / len(trees)))


@dataclass(frozen=True, eq=False)
class _Grown:
    """A first split and what is grown on its sides: trees of scikit-learn, or the same once more.

    Nodes are numbered from the root on, with all of the left side before the right one. ``whole`` is a tree whose root
    predicts for all of the rows.
    """

    column: int
    threshold: float
    left: Any
    right: Any
    whole: Any

    @property
    def tree_(self) -> _Grown:
        """Where a tree of scikit-learn has its nodes."""
        return self

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return 1 + sum(int(side.tree_.node_count) for side in (self.left, self.right))

    def apply(self, X: AnyArray) -> AnyArray:
        """Return the leaf of each sample."""
        found = 1 + self.left.tree_.node_count + self.right.apply(X)
        goes_left = X[:, self.column] <= self.threshold
        found[goes_left] = 1 + self.left.apply(X)[goes_left]
        return found

    def to_tree(self, classes: AnyArray | None) -> Tree:
        """Return the neutral form; a side may know only some of the classes."""
        below = [_neutral(side, classes) for side in (self.left, self.right)]
        starts = [1, 1 + below[0].n_nodes]

        def children(name: str) -> AnyArray:
            moved = [
                np.where(getattr(t, name) < 0, -1, getattr(t, name) + start)
                for t, start in zip(below, starts, strict=True)
            ]
            return np.concatenate([[starts[name == "right"]], *moved])

        def nodes(name: str, root: Any) -> AnyArray:
            return np.concatenate([[root], *(getattr(t, name) for t in below)])

        return Tree(
            left=children("left"),
            right=children("right"),
            feature=nodes("feature", self.column),
            threshold=nodes("threshold", self.threshold),
            missing_left=nodes("missing_left", False),
            value=nodes("value", _neutral(self.whole, classes).value[0]),
        )


def _grown(tree: Any, whole: Any, split: tuple[int, float], X: AnyArray, y: AnyArray, weight: FloatArray) -> _Grown:
    """Return a split with a tree grown on each of its sides."""
    goes_left = X[:, split[0]] <= split[1]
    left, right = (clone(tree).fit(X[rows], y[rows], weight[rows]) for rows in (goes_left, ~goes_left))
    return _Grown(*split, left, right, whole)


def _leaf(tree: Any, X: AnyArray, y: AnyArray, weight: FloatArray) -> Any:
    """Return a tree of one leaf."""
    return clone(tree).set_params(min_samples_split=len(y) + 1).fit(X, y, weight)


def _neutral(tree: Any, classes: AnyArray | None) -> Tree:
    """Return the neutral form of one tree, with a column for each class."""
    if isinstance(tree, _Grown):
        return tree.to_tree(classes)
    found = read_forest(tree).trees[0]
    if classes is None:
        return found
    full = np.zeros((len(found.value), len(classes)))
    full[:, np.searchsorted(classes, tree.classes_)] = found.value
    return replace(found, value=full)


def _each_column_first(splits: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return splits in another order: the best one of each column, then the second of each, and so on."""
    n_seen: Counter[int] = Counter()
    rounds = []
    for column, _ in splits:
        rounds.append(n_seen[column])
        n_seen[column] += 1
    return [splits[i] for i in np.argsort(rounds, kind="stable")]


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
        total = np.cumsum(np.bincount(place, weight))  # some values are after all cuts
        sides = np.cumsum([np.bincount(place, each) for each in sums.T], axis=1)
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
