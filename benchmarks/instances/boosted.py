"""Boosted trees, which differ more from each other than those of a forest.

Cases: ``LIBRARY-SET-BUDGET`` of all nodes with up to 4 conditions of 100 trees of depth 3 (leaves of at most 8);
``gradient`` and ``histogram`` are scikit-learn's, ``xgboost`` is there where it is installed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

from benchmarks.case import is_installed
from benchmarks.instances.posing import CLASSIFICATION, posed, rows_of, rule_list, there
from hedgerow.optimize.problem import PartitionProblem

SETS = ("sk-wine", "sk-breast-cancer", "noisy-numbers", "diabetes", "boston")
BUDGETS = (8, 15)


def cases() -> list[str]:
    """Return the libraries that are there, with each set and budget."""
    libraries = ["gradient", "histogram", *(["xgboost"] if is_installed("xgboost") else [])]
    return [f"{library}-{name}-{budget}" for library in libraries for name in there(*SETS) for budget in BUDGETS]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    library, _, rest = case.partition("-")
    name, _, budget = rest.rpartition("-")
    X, y, task = rows_of(name, seed)
    if library == "xgboost" and task == CLASSIFICATION:
        y = np.unique(y, return_inverse=True)[1]
    settings: dict[str, Any] = {"candidates": "nodes", "max_conditions": 4}
    return posed(rule_list(task)(_model(library, task, seed), max_rules=int(budget), **settings), X, y)


def _model(library: str, task: str, seed: int) -> Any:
    labels = task == CLASSIFICATION
    if library == "gradient":
        kind = GradientBoostingClassifier if labels else GradientBoostingRegressor
        return kind(n_estimators=100, max_depth=3, subsample=0.8, random_state=seed)
    if library == "histogram":
        kind = HistGradientBoostingClassifier if labels else HistGradientBoostingRegressor
        return kind(max_iter=100, max_leaf_nodes=8, early_stopping=False, random_state=seed)
    import xgboost

    kind = xgboost.XGBClassifier if labels else xgboost.XGBRegressor
    return kind(n_estimators=100, max_depth=3, subsample=0.8, random_state=seed, n_jobs=1)
