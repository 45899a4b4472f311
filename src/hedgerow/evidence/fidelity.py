"""How true rules are to their ensemble, inside and out.

Inside: how many trees have a condition or a whole path among the rules, and whether the features that matter to the
ensemble matter to the rules. Outside: how often the rules answer otherwise than the ensemble. Accuracy, the agreement
with ``y``, is another matter. All of it is for rule lists and for weighted rules alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, Literal, Protocol

import numpy as np
from scipy.stats import kendalltau
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import column_or_1d

from hedgerow._support.arrays import AnyArray, BoolArray
from hedgerow._support.text_table import aligned
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.evidence.importances import Importances, ensemble_importances
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features import Feature
from hedgerow.forests.forest import Forest
from hedgerow.readers import read_forest
from hedgerow.rules.rule import Condition, Rule, format_number

#: The share of the ensemble's features that the rules' are compared with.
TOP = 0.05


class Rules(Protocol):
    """What fidelity is measured of: a rule list, or weighted rules."""

    @property
    def classes(self) -> AnyArray | None:
        """The labels; None for regression."""
        ...

    def __iter__(self) -> Iterator[Rule]:
        """Yield the rules."""
        ...

    def predict(self, X: Any) -> AnyArray:
        """Return the label or value of each sample."""
        ...

    def matches(self, X: Any) -> BoolArray:
        """Return which rules each sample satisfies, of shape (n_samples, n_rules)."""
        ...

    def feature_importances(self) -> dict[Feature, float]:
        """Return how much each feature that is used matters, each column once."""
        ...


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
    feature_f1 : float or None
        F1 between the features of the list and the top 5 % of the ensemble's.
    importance_correlation : float or None
        Kendall's tau between the features' importances in the list and in the ensemble; NaN if there is none.
    """

    disagreement: float
    trees_by_condition: float
    trees_by_path: float
    uncovered: float
    overlapping: float
    score: float | None = None
    ensemble_score: float | None = None
    feature_f1: float | None = None
    importance_correlation: float | None = None

    def __str__(self) -> str:
        rows = [
            ("disagreement with the ensemble", self.disagreement),
            ("trees represented by a condition", self.trees_by_condition),
            ("trees represented by a path", self.trees_by_path),
            ("F1 with the ensemble's top features", self.feature_f1),
            ("Kendall's tau of importances", self.importance_correlation),
            ("samples covered by no rule", self.uncovered),
            ("samples covered by several rules", self.overlapping),
            ("score of the rules", self.score),
            ("score of the ensemble", self.ensemble_score),
        ]
        known = [(name, _written(value)) for name, value in rows if value is not None]
        return "\n".join(aligned(known, right=frozenset({1})))


def _written(value: float) -> str:
    """Write a share with four decimals; what is in units of the targets may be too small or too large for these."""
    return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e4 or np.isnan(value) else format_number(value)


def represented_trees(rules: Rules, model: Any, by: Literal["condition", "path"] = "condition") -> float:
    """Return the share of the ensemble's trees that the rules represent.

    By condition: the rules have at least one of the tree's conditions, side
    included. By path: they have at least one of its root-to-leaf paths whole.
    """
    if by not in ("condition", "path"):
        raise InvalidParameterError(f"by is 'condition' or 'path'; got {by!r}.")
    _check_rules(rules)
    forest = read_forest(model)
    pool = make_pool(forest, "leaves")
    numbers = _numbers(forest)
    if by == "condition":
        rule, branch, is_left, _ = pool.conditions
        found = np.zeros(len(rule), dtype=bool)
        for condition in {c for listed in rules for c in listed.conditions}:
            found |= _equal(pool, numbers, condition, branch, is_left)
        trees = pool.tree[rule[found]]
    else:
        found = np.zeros(len(pool), dtype=bool)
        for path in {listed.conditions for listed in rules}:
            found |= _has_path(pool, numbers, path)
        trees = pool.tree[found]
    return len(np.unique(trees)) / forest.n_trees


def feature_f1(rules: Rules, model: Any, X: Any = None, top: float = TOP) -> float:
    """Return how well the features of the rules agree with those that matter most to the ensemble.

    With L the features in conditions (and linear terms) of the rules and E the most important ones of the ensemble,
    F1 = 2 |L ∩ E| / (|L| + |E|); 1 if both are empty. E are the first ⌊top · n⌋ of the ensemble's n features, but at
    least one; of features that matter as much the first column comes first, and one that does not matter is never
    among them.

    Parameters
    ----------
    rules : RuleList or WeightedRules
    model : estimator, pipeline, booster, path, Forest, or list of them
    X : array or data frame, optional
        Samples for ensembles without importances of their own: see
        :func:`hedgerow.evidence.importances.ensemble_importances`. What counts as one feature says
        :attr:`hedgerow.features.Feature.source`.
    top : float
        The share of the features.
    """
    _check_rules(rules)
    if not isinstance(top, Real) or not 0 <= top <= 1:
        raise InvalidParameterError(f"top is a share of the features, between 0 and 1; got {top!r}.")
    return _f1(rules, ensemble_importances(model, X), top)


def importance_correlation(rules: Rules, model: Any, X: Any = None) -> float:
    """Return Kendall's tau between the importances of the features in the rules and in the ensemble.

    Over all features of the ensemble; those that the rules do not use are 0 there. Ties are taken care of (tau-b).
    NaN if all features are as important as each other, in one or the other.

    Parameters
    ----------
    rules : RuleList or WeightedRules
        ``feature_importances`` says how important their features are.
    model, X :
        As of :func:`feature_f1`.
    """
    _check_rules(rules)
    return _tau(rules, ensemble_importances(model, X))


def disagreement(rules: Rules, model: Any, X: Any) -> float:
    """Return how far the rules' answers are from the ensemble's.

    Share of different labels, or mean squared difference of values.
    """
    _check_rules(rules)
    forest = read_forest(model)
    if (rules.classes is None) != (forest.classes is None):
        kinds = ("values", "labels") if rules.classes is None else ("labels", "values")
        raise InvalidParameterError(
            f"The rules answer {kinds[0]} and the model {kinds[1]}; only answers of one kind can be compared."
        )
    said = rules.predict(X)
    if forest.classes is None:
        return float(np.mean((said - forest.answer(X)) ** 2))
    return float(np.mean(said != forest.labels(X)))


def ensemble_score(model: Any, X: Any, y: Any) -> float:
    """Return the accuracy or R² of an ensemble."""
    forest = read_forest(model)
    return _score(forest, y, forest.answer(X) if forest.classes is None else forest.labels(X))


def summarize(rules: Rules, model: Any, X: Any, y: Any = None, forest: Forest | None = None) -> Fidelity:
    """Return all measures at once; with ``y`` the scores, too. ``forest`` is the model's, if it has been read."""
    forest = read_forest(model) if forest is None else forest
    n_matching = rules.matches(X).sum(axis=1)
    importances = ensemble_importances(model, X, forest)
    return Fidelity(
        disagreement=disagreement(rules, forest, X),
        trees_by_condition=represented_trees(rules, forest, "condition"),
        trees_by_path=represented_trees(rules, forest, "path"),
        uncovered=float(np.mean(n_matching == 0)),
        overlapping=float(np.mean(n_matching > 1)),
        score=None if y is None else _score(forest, y, rules.predict(X)),
        ensemble_score=None if y is None else ensemble_score(forest, X, y),
        feature_f1=_f1(rules, importances, TOP),
        importance_correlation=_tau(rules, importances),
    )


def _check_rules(rules: Any) -> None:
    if not hasattr(rules, "matches") or not hasattr(rules, "feature_importances"):
        raise InvalidParameterError(
            "rules is a rule list or weighted rules, such as the rule_list_ or weighted_rules_ of a fitted estimator; "
            f"got {type(rules).__qualname__}."
        )


def _score(forest: Forest, y: Any, said: AnyArray) -> float:
    score = r2_score if forest.classes is None else accuracy_score
    return float(score(column_or_1d(y), said))


def _f1(rules: Rules, importances: Importances, top: float) -> float:
    used, importances = set(_in_rules(rules)), _settled(importances)
    n_top = max(1, int(np.floor(top * len(importances) + 1e-9)))  # so that 0.29 of 100 are 29
    # Stable: of equals the first column.
    ranked = sorted(importances, key=lambda source: -importances[source])
    matter = {source for source in ranked[:n_top] if importances[source] > 0}
    return 2 * len(used & matter) / (len(used) + len(matter)) if used or matter else 1.0


def _tau(rules: Rules, importances: Importances) -> float:
    listed, importances = _settled(_in_rules(rules)), _settled(importances)
    known = [*importances, *(source for source in listed if source not in importances)]
    here, there = ([of.get(source, 0.0) for source in known] for of in (listed, importances))
    if len(set(here)) < 2 or len(set(there)) < 2:
        return float("nan")
    return float(kendalltau(here, there).statistic)


def _in_rules(rules: Rules) -> Importances:
    return {feature.source: amount for feature, amount in rules.feature_importances().items()}


def _settled(importances: Importances) -> Importances:
    """Return importances as parts of the largest, without their last digits: sums in another order are no other."""
    largest = max(importances.values(), default=0.0)
    return {source: round(amount / largest, 12) if largest > 0 else 0.0 for source, amount in importances.items()}


def _numbers(forest: Forest) -> dict[Feature, list[int]]:
    """Return the numbers by which the trees know each feature, whatever its name.

    A library may change the names of columns, or a forest be trained without any.
    """
    numbers: dict[Feature, list[int]] = {}
    for number, feature in enumerate(forest.features):
        numbers.setdefault(_nameless(feature), []).append(number)
    return numbers


def _nameless(feature: Any) -> Feature:
    named = any(field.name == "name" for field in fields(feature))
    return replace(feature, name="") if named else feature


def _equal(
    pool: RulePool, numbers: dict[Feature, list[int]], condition: Condition, branch: Any, is_left: BoolArray
) -> BoolArray:
    """Say which (branch node, side) pairs are this condition.

    Where missing values go is no part of it: the paper's condition is a split and a side.
    """
    nodes = pool.forest.nodes
    same: BoolArray = np.isin(nodes.feature[branch], numbers.get(_nameless(condition.feature), []))
    if condition.categories is not None:
        same &= nodes.category[branch] >= 0
        for i in np.flatnonzero(same):
            same[i] = pool.condition(int(branch[i]), bool(is_left[i])).categories == condition.categories
        return same
    goes_left = condition.lower == -np.inf
    threshold = condition.upper if goes_left else condition.lower
    same &= (nodes.category[branch] < 0) & (nodes.threshold[branch] == threshold) & (is_left == goes_left)
    return same


def _has_path(pool: RulePool, numbers: dict[Feature, list[int]], path: tuple[Condition, ...]) -> BoolArray:
    """Say which rules of the pool are just this path, condition by condition."""
    rule, branch, is_left, position = pool.conditions
    n_equal = np.zeros(len(pool), dtype=np.int64)
    for k, condition in enumerate(path):
        at = position == k
        n_equal += np.bincount(rule[at][_equal(pool, numbers, condition, branch[at], is_left[at])], minlength=len(pool))
    return (n_equal == len(path)) & (pool.n_conditions == len(path))
