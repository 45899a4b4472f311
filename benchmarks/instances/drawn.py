"""Forests, pools, λ and budgets drawn at random, within the free licence of Gurobi: at most 2000 rules and 2000 rows.

A case is a number. ``drawn`` is for the attack, too, which takes other seeds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.instances.posing import CLASSIFICATION, EMBEDDED, REGRESSION, posed, rule_list
from hedgerow.exceptions import InfeasibleError
from hedgerow.optimize.problem import PartitionProblem

N_CASES = 60
#: The free licence: so many rules, and so many rows, of which one is the budget.
FREE_LICENCE = 2000
_TREES = {
    CLASSIFICATION: (RandomForestClassifier, ExtraTreesClassifier, GradientBoostingClassifier, BaggingClassifier),
    REGRESSION: (RandomForestRegressor, ExtraTreesRegressor, GradientBoostingRegressor, BaggingRegressor),
}
_LOSSES = {CLASSIFICATION: ("misclassification", "gini"), REGRESSION: ("mse", "sse")}


def cases() -> list[str]:
    """Return the numbers of the cases."""
    return [f"{number:03d}" for number in range(N_CASES)]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    return drawn(np.random.default_rng([seed, int(case)]))


def drawn(rng: np.random.Generator, most_rows: int = 1500, most_trees: int = 500) -> PartitionProblem:
    """Return the problem of a random forest, in both senses of the word."""
    while True:
        X, y, task = _rows(rng, most_rows)
        budget = None if rng.random() < 0.2 else int(rng.integers(2, 21))
        settings = {
            "max_rules": budget,
            "candidates": str(rng.choice(["leaves", "nodes"])),
            "max_conditions": int(rng.integers(2, 6)),
            "stability_weight": float(rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])),
            "min_coverage": float(rng.choice([0.0, 0.0, 0.01, 0.05])),
            "loss": str(rng.choice(_LOSSES[task])),
        }
        if settings["candidates"] == "leaves":
            settings["max_conditions"] = None
        try:
            problem = posed(rule_list(task)(_ensemble(rng, task, most_trees), **settings), X, y)
        except InfeasibleError:  # no rule covers enough
            continue
        return within_licence(problem)


def within_licence(problem: PartitionProblem) -> PartitionProblem:
    """Return the problem with its first trees only, so that it has at most 2000 rules."""
    if problem.n_rules <= FREE_LICENCE:
        return problem
    group = problem.coverage.group
    per_group = np.bincount(group)
    fits = np.cumsum(per_group) <= FREE_LICENCE
    if not fits.any():
        return problem.subset(np.arange(FREE_LICENCE))
    return problem.subset(np.flatnonzero(fits[group]))


def _rows(rng: np.random.Generator, most_rows: int) -> tuple[Any, Any, str]:
    """Return some rows of an embedded set, or drawn ones."""
    n_rows = int(np.exp(rng.uniform(np.log(30), np.log(most_rows))))
    seed = int(rng.integers(2**31))
    if rng.random() < 0.4:
        task, read = EMBEDDED[str(rng.choice(list(EMBEDDED)))]
        X, y = read(return_X_y=True)
        some = rng.permutation(len(X))[:n_rows]
        if task == REGRESSION or len(np.unique(y[some])) > 1:
            return X[some], y[some], task
    n_columns = int(rng.integers(3, 20))
    informative = int(rng.integers(2, n_columns))
    if rng.random() < 0.4:
        noise = float(rng.choice([0.0, 10.0, 100.0]))
        return *make_regression(
            n_rows, n_columns, n_informative=informative, noise=noise, random_state=seed
        ), REGRESSION
    X, y = make_classification(
        n_rows,
        n_columns,
        n_informative=informative,
        n_redundant=0,
        n_classes=int(rng.integers(2, min(4, 2**informative) + 1)),
        n_clusters_per_class=1,
        flip_y=float(rng.choice([0.0, 0.1, 0.4])),
        random_state=seed,
    )
    return X, y, CLASSIFICATION


def _ensemble(rng: np.random.Generator, task: str, most_trees: int) -> Any:
    kind = _TREES[task][rng.choice(4, p=[0.5, 0.25, 0.15, 0.1])]
    n_trees, depth = int(np.exp(rng.uniform(np.log(5), np.log(most_trees)))), int(rng.integers(2, 7))
    seed = int(rng.integers(2**31))
    if kind in (BaggingClassifier, BaggingRegressor):
        tree = DecisionTreeClassifier if task == CLASSIFICATION else DecisionTreeRegressor
        return kind(tree(max_depth=depth), n_estimators=n_trees, max_features=0.6, random_state=seed)
    if kind in (GradientBoostingClassifier, GradientBoostingRegressor):
        n_trees = min(n_trees, 100)
    return kind(n_estimators=n_trees, max_depth=depth, random_state=seed)
