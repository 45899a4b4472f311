"""Trees with random splits, whose relaxations are weak: few rows and many odd leaves.

Cases: ``SET-deep-λ``, 100 trees of depth 4; ``SET-whole-λ``, 60 trees that are grown fully on at most 200 rows. No
budget, and the leaves are the candidates.
"""

from __future__ import annotations

from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from benchmarks.instances.posing import CLASSIFICATION, posed, rows_of, rule_list, there
from hedgerow.optimize.problem import PartitionProblem

SETS = ("sk-wine", "sk-iris", "heart-c", "ionosphere", "sk-diabetes", "noisy-classes")
TREES = {"deep": {"n_estimators": 100, "max_depth": 4}, "whole": {"n_estimators": 60}}
WEIGHTS = ("0.5", "0")
_MOST_ROWS = 200


def cases() -> list[str]:
    """Return the sets with each kind of trees and each λ."""
    return [f"{name}-{kind}-{weight}" for name in there(*SETS) for kind in TREES for weight in WEIGHTS]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    name, kind, weight = case.rsplit("-", 2)
    X, y, task = rows_of(name, seed)
    if kind == "whole":
        X, y = X[::-1][:_MOST_ROWS], y[::-1][:_MOST_ROWS]
    grow = ExtraTreesClassifier if task == CLASSIFICATION else ExtraTreesRegressor
    forest = grow(**TREES[kind], random_state=seed)
    return posed(rule_list(task)(forest, max_rules=None, candidates="leaves", stability_weight=float(weight)), X, y)
