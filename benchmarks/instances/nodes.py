"""Pools of all nodes, with tight and loose budgets; λ = 0.

Cases: ``accurate-SET-BUDGET``, the candidates of the preset ``accurate`` at 4, 8, 15 and 30 rules; and
``forest-SET-BUDGET``, the nodes of 100 to 300 trees with up to 4 conditions at 8, 12, 15 and 20 rules. The sets of the
first kind are two of scikit-learn's, the paper's 36 tables, those of many classes, and the eight sets of series with
the least to compute, for which the candidates are of two shapelet forests.
"""

from __future__ import annotations

from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from benchmarks.datasets import find_data, load_series, series_sets, size_sets
from benchmarks.instances.posing import CLASSIFICATION, REGRESSION, posed, rows_of, rule_list, there
from hedgerow import RuleListClassifier
from hedgerow.optimize.problem import PartitionProblem

#: Sets of scikit-learn, for those who do not have the benchmark data.
ACCURATE_SETS = ("sk-wine", "sk-diabetes")
N_SERIES_SETS = 8
ACCURATE_BUDGETS = (4, 8, 15, 30)
#: Sets with the number of trees.
FOREST_SETS = {"sk-breast-cancer": 300, "noisy-classes": 200, "diabetes": 300, "vehicle": 200, "stock": 200, "no2": 100}
FOREST_BUDGETS = (8, 12, 15, 20)


def cases() -> list[str]:
    """Return the sets and budgets, the small sets first."""
    sets = [*ACCURATE_SETS, *_small_series(), *_tables()]
    accurate = [f"accurate-{name}-{budget}" for name in sets for budget in ACCURATE_BUDGETS]
    return accurate + [f"forest-{name}-{budget}" for name in there(*FOREST_SETS) for budget in FOREST_BUDGETS]


def _tables() -> list[str]:
    data = find_data(None)
    rows = {} if data is None else size_sets(data, CLASSIFICATION) | size_sets(data, REGRESSION)
    return sorted(rows, key=rows.__getitem__)


def _small_series() -> list[str]:
    data = find_data(None)
    return [] if data is None else series_sets(data)[:N_SERIES_SETS]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    kind, _, rest = case.partition("-")
    name, _, budget = rest.rpartition("-")
    if name in _small_series():
        return _of_series(name, int(budget), seed)
    X, y, task = rows_of(name, seed)
    if kind == "accurate":
        return posed(rule_list(task).accurate(max_rules=int(budget), random_state=seed), X, y)
    grow = RandomForestClassifier if task == CLASSIFICATION else RandomForestRegressor
    settings = {"candidates": "nodes", "max_conditions": 4, "stability_weight": 0.0}
    if task != CLASSIFICATION:
        settings["loss"] = "sse"
    forest = grow(FOREST_SETS[name], max_depth=4, random_state=seed)
    return posed(rule_list(task)(forest, max_rules=int(budget), **settings), X, y)


def _of_series(name: str, budget: int, seed: int) -> PartitionProblem:
    from benchmarks.series_sizes import N_TREES, Case  # which needs wildboar

    data = find_data(None)
    assert data is not None
    series = Case(*load_series(name, data), seed, N_TREES)
    rules = RuleListClassifier.accurate(series.forests(), max_rules=budget, random_state=seed)
    return posed(rules, series.X, series.y)
