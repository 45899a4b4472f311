"""Pools of all nodes, with tight and loose budgets; λ = 0.

Cases: ``accurate-SET-BUDGET``, the candidates of the preset ``accurate`` at 4, 8, 15 and 30 rules; and
``forest-SET-BUDGET``, the nodes of 100 to 300 trees with up to 4 conditions at 8, 12, 15 and 20 rules. Of the first
kind, any set of the benchmark data is a case; those that are listed are a choice.
"""

from __future__ import annotations

from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from benchmarks.instances.posing import CLASSIFICATION, posed, rows_of, rule_list, there
from hedgerow.optimize.problem import PartitionProblem

ACCURATE_SETS = ("sk-wine", "sk-diabetes", "wdbc", "diabetes", "tic-tac-toe", "heart-c", "vehicle", "boston", "kin8nm")
ACCURATE_BUDGETS = (4, 8, 15, 30)
#: Sets with the number of trees.
FOREST_SETS = {"sk-breast-cancer": 300, "noisy-classes": 200, "diabetes": 300, "vehicle": 200, "stock": 200, "no2": 100}
FOREST_BUDGETS = (8, 12, 15, 20)


def cases() -> list[str]:
    """Return the choice of sets and budgets."""
    accurate = [f"accurate-{name}-{budget}" for name in there(*ACCURATE_SETS) for budget in ACCURATE_BUDGETS]
    return accurate + [f"forest-{name}-{budget}" for name in there(*FOREST_SETS) for budget in FOREST_BUDGETS]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    kind, _, rest = case.partition("-")
    name, _, budget = rest.rpartition("-")
    X, y, task = rows_of(name, seed)
    if kind == "accurate":
        return posed(rule_list(task).accurate(max_rules=int(budget), random_state=seed), X, y)
    grow = RandomForestClassifier if task == CLASSIFICATION else RandomForestRegressor
    settings = {"candidates": "nodes", "max_conditions": 4, "stability_weight": 0.0}
    if task != CLASSIFICATION:
        settings["loss"] = "sse"
    forest = grow(FOREST_SETS[name], max_depth=4, random_state=seed)
    return posed(rule_list(task)(forest, max_rules=int(budget), **settings), X, y)
