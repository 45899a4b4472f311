"""What the tabular suites compare: a name, and how to make its model for a task, a budget and a seed.

To add one, write a function ``f(task, budget, seed)`` that returns an unfitted
scikit-learn estimator, and name it in ``METHODS``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.datasets import paper_forest
from hedgerow import RuleListClassifier, RuleListClassifierCV, RuleListRegressor, RuleListRegressorCV
from hedgerow.teachers import Teacher

#: The most rules of a list, and the most leaves of a tree: those of the paper.
BUDGETS = {"classification": 4, "regression": 15}
#: An optimal tree looks at so many thresholds a column, and at most so many seconds.
STREED_THRESHOLDS, STREED_SECONDS = 10, 60


def paper(task: str, budget: int, seed: int) -> Any:
    """The published method: leaves of the paper's forest, λ = 0.5, the minimum coverage by cross-validation."""
    estimator = RuleListClassifierCV if task == "classification" else RuleListRegressorCV
    return estimator(
        paper_forest(task, seed),
        max_rules=[budget],
        min_coverages=(0.001, 0.01),
        cv=3,  # the paper does not say how many parts
        candidates="leaves",
        time_limit=60,
        random_state=seed,
    )


def accurate(task: str, budget: int, seed: int) -> Any:
    """The settings that win at equal size: docs/study.md says how they were found."""
    estimator = RuleListClassifier if task == "classification" else RuleListRegressor
    return estimator.accurate(max_rules=budget, random_state=seed)


def distilled(task: str, budget: int, seed: int) -> Any:
    """Rules that learn from a forest and from made-up rows; for numbers that is the accurate way itself."""
    if task == "regression":
        return accurate(task, budget, seed)
    deep = RandomForestClassifier(300, min_samples_leaf=3, oob_score=True, random_state=seed)
    return RuleListClassifier(
        teacher=Teacher(deep, share=0.5),
        max_rules=budget,
        candidates="nodes",
        max_conditions=3,
        min_coverage=0.02,
        stability_weight=0.0,
        time_limit=10,
        random_state=seed,
    )


def cart(task: str, budget: int, seed: int) -> Any:
    """One tree of scikit-learn with as many leaves as the list has rules."""
    tree = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    return tree(max_leaf_nodes=budget, random_state=seed)


def forest(task: str, budget: int, seed: int) -> Any:
    """The whole forest of the paper: what a short list gives up."""
    return paper_forest(task, seed)


def streed(task: str, budget: int, seed: int) -> Any:
    """The optimal tree of pystreed with as many leaves, over quantiles of each column."""
    # Only for who asks for it: the package is not among those of the benchmarks.
    from pystreed import STreeDClassifier, STreeDRegressor

    from benchmarks.optimal_trees import OptimalTreeClassifier

    settings: dict[str, Any] = {
        "max_num_nodes": budget - 1,
        "n_thresholds": STREED_THRESHOLDS,
        "time_limit": STREED_SECONDS,
        "random_seed": seed,
    }
    if task == "classification":
        return OptimalTreeClassifier(STreeDClassifier("accuracy", max_depth=min(3, budget - 1), **settings))
    return STreeDRegressor("regression", max_depth=4, **settings)


METHODS: dict[str, Callable[[str, int, int], Any]] = {
    "paper": paper,
    "accurate": accurate,
    "distilled": distilled,
    "cart": cart,
    "forest": forest,
    "streed": streed,
}
#: What is measured if nothing is said; the optimal trees need a package of their own.
DEFAULT = ("paper", "accurate", "cart", "forest")


def count_rules(model: Any) -> int:
    """Return how many rules a fitted model has: those of a list, or its leaves."""
    if hasattr(model, "rule_list_"):
        return len(model.rule_list_)
    if hasattr(model, "estimators_"):
        return int(np.sum([tree.get_n_leaves() for tree in model.estimators_]))
    return int(model.get_n_leaves())
