"""The paper's settings: 500 trees, of depth 2 with 4 rules for labels, of depth 3 with 15 for numbers; leaves, λ = 0.5.

A case is a set.
"""

from __future__ import annotations

from benchmarks.case import BUDGETS
from benchmarks.datasets import find_data, paper_forest, paper_sets
from benchmarks.instances.posing import posed, rows_of, rule_list
from hedgerow.optimize.problem import PartitionProblem

#: Fitting a forest on 563 columns takes minutes, and these two sets have more than 30,000 training rows.
_LEFT_OUT = ("Mercedes_Benz", "adult", "bank-marketing")


def cases() -> list[str]:
    """Return the sets: the paper's, where they are, and embedded ones."""
    data = find_data(None)
    known = [] if data is None else [name for name, _ in paper_sets(data) if name not in _LEFT_OUT]
    return ["sk-wine", "sk-breast-cancer", "sk-diabetes", *known]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a set."""
    X, y, task = rows_of(case, seed)
    return posed(rule_list(task)(paper_forest(task, seed), max_rules=BUDGETS[task], candidates="leaves"), X, y)
