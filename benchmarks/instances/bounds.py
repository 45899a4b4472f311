"""The fewest and the most rules of any list: scores of -1 or 1, and no budget.

Cases: ``SET-fewest`` and ``SET-most``, of the leaves of 100 trees of depth 3.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from benchmarks.instances.posing import CLASSIFICATION, posed, rows_of, rule_list, there
from hedgerow.optimize.problem import PartitionProblem

SETS = (
    "sk-iris",
    "sk-wine",
    "sk-breast-cancer",
    "noisy-classes",
    "heart-c",
    "glass",
    "ionosphere",
    "diabetes",
    "stock",
)
SIGNS = {"fewest": -1.0, "most": 1.0}


def cases() -> list[str]:
    """Return the sets, twice each."""
    return [f"{name}-{which}" for name in there(*SETS) for which in SIGNS]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    name, _, which = case.rpartition("-")
    return counted(leaves(name, 100, seed), SIGNS[which])


def leaves(name: str, n_trees: int, seed: int, max_rules: int | None = None) -> PartitionProblem:
    """Return the problem of the leaves of trees of depth 3; λ = 0.5."""
    X, y, task = rows_of(name, seed)
    grow = RandomForestClassifier if task == CLASSIFICATION else RandomForestRegressor
    forest = grow(n_trees, max_depth=3, random_state=seed)
    return posed(rule_list(task)(forest, max_rules=max_rules, candidates="leaves"), X, y)


def counted(problem: PartitionProblem, sign: float) -> PartitionProblem:
    """Return the problem in which every rule has the same score, without a budget."""
    return replace(problem, scores=np.full(problem.n_rules, sign), max_rules=None)
