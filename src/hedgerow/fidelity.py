"""How true a rule list is to its ensemble, inside and out.

Inside: how many trees have a condition or a whole path in the list. Outside:
how often the list answers otherwise than the ensemble. Accuracy, the agreement
with ``y``, is another matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hedgerow.arrays import BoolArray
from hedgerow.exceptions import InvalidParameterError
from hedgerow.pool import RulePool, make_pool
from hedgerow.readers import read_forest
from hedgerow.rule import Condition
from hedgerow.rule_list import RuleList


@dataclass(frozen=True)
class Fidelity:
    """The summary that ``estimator.fidelity(X)`` returns; print it for a table.

    Attributes
    ----------
    disagreement : float
        Share of samples with another label than the ensemble's, or mean
        squared difference from the ensemble's values.
    trees_by_condition, trees_by_path : float
        Share of trees that have at least one condition, one whole
        root-to-leaf path, in the list.
    uncovered, overlapping : float
        Share of samples that no rule, that more than one rule covers.
    score, ensemble_score : float or None
        Accuracy or R² of the list and of the ensemble, if ``y`` was given.
    """

    disagreement: float
    trees_by_condition: float
    trees_by_path: float
    uncovered: float
    overlapping: float
    score: float | None = None
    ensemble_score: float | None = None

    def __str__(self) -> str:
        rows = [
            ("disagreement with the ensemble", self.disagreement),
            ("trees represented by a condition", self.trees_by_condition),
            ("trees represented by a path", self.trees_by_path),
            ("samples covered by no rule", self.uncovered),
            ("samples covered by several rules", self.overlapping),
            ("score of the list", self.score),
            ("score of the ensemble", self.ensemble_score),
        ]
        return "\n".join(f"{name:<34}{value:>8.4f}" for name, value in rows if value is not None)


def represented_trees(rule_list: RuleList, model: Any, by: Literal["condition", "path"] = "condition") -> float:
    """Return the share of the ensemble's trees that the list represents.

    By condition: the list has at least one of the tree's conditions, side
    included. By path: it has at least one of its root-to-leaf paths whole.
    """
    if by not in ("condition", "path"):
        raise InvalidParameterError(f"by is 'condition' or 'path'; got {by!r}.")
    forest = read_forest(model)
    pool = make_pool(forest, "leaves")
    if by == "condition":
        rule, branch, is_left, _ = pool.conditions
        found = np.zeros(len(rule), dtype=bool)
        for condition in {c for listed in rule_list for c in listed.conditions}:
            found |= _equal(pool, condition, branch, is_left)
        trees = pool.tree[rule[found]]
    else:
        found = np.zeros(len(pool), dtype=bool)
        for path in {listed.conditions for listed in rule_list}:
            found |= _has_path(pool, path)
        trees = pool.tree[found]
    return len(np.unique(trees)) / forest.n_trees


def disagreement(rule_list: RuleList, model: Any, X: Any) -> float:
    """Return how far the list's answers are from the ensemble's.

    Share of different labels, or mean squared difference of values.
    """
    forest = read_forest(model)
    said = rule_list.predict(X)
    if forest.classes is None:
        return float(np.mean((said - forest.answer(X)) ** 2))
    return float(np.mean(said != forest.labels(X)))


def summarize(rule_list: RuleList, model: Any, X: Any) -> Fidelity:
    """Return all measures at once."""
    forest = read_forest(model)
    n_matching = rule_list.matches(X).sum(axis=1)
    return Fidelity(
        disagreement=disagreement(rule_list, forest, X),
        trees_by_condition=represented_trees(rule_list, forest, "condition"),
        trees_by_path=represented_trees(rule_list, forest, "path"),
        uncovered=float(np.mean(n_matching == 0)),
        overlapping=float(np.mean(n_matching > 1)),
    )


def _equal(pool: RulePool, condition: Condition, branch: Any, is_left: BoolArray) -> BoolArray:
    """Say which (branch node, side) pairs are this condition.

    Where missing values go is no part of it: the paper's condition is a split and a side.
    """
    nodes = pool.forest.nodes
    same: BoolArray = nodes.feature[branch] == pool.forest.features.index(condition.feature)
    if condition.categories is not None:
        same &= nodes.category[branch] >= 0
        for i in np.flatnonzero(same):
            same[i] = pool.condition(int(branch[i]), bool(is_left[i])).categories == condition.categories
        return same
    goes_left = condition.lower == -np.inf
    threshold = condition.upper if goes_left else condition.lower
    same &= (nodes.category[branch] < 0) & (nodes.threshold[branch] == threshold) & (is_left == goes_left)
    return same


def _has_path(pool: RulePool, path: tuple[Condition, ...]) -> BoolArray:
    """Say which rules of the pool are just this path, condition by condition."""
    rule, branch, is_left, position = pool.conditions
    n_equal = np.zeros(len(pool), dtype=np.int64)
    for k, condition in enumerate(path):
        at = position == k
        n_equal += np.bincount(rule[at][_equal(pool, condition, branch[at], is_left[at])], minlength=len(pool))
    same: BoolArray = (n_equal == len(path)) & (pool.n_conditions == len(path))
    return same
