"""Pools of 50,000 to a million rules.

Cases: ``nodes-TREES-DEPTH-ROWS`` of drawn rows, all nodes with up to that many conditions; 15 rules, λ = 0.
"""

from __future__ import annotations

from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from benchmarks.instances.posing import CLASSIFICATION, posed, rule_list
from hedgerow.optimize.problem import PartitionProblem


def cases() -> list[str]:
    """Return one case of about 50,000 rules, one of 150,000 and one of a million."""
    return ["nodes-100-9-5000", "nodes-100-12-10000", "nodes-300-0-20000"]


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case; a depth of 0 stands for trees that are grown fully."""
    n_trees, depth, n_rows = map(int, case.split("-")[1:])
    X, y = make_classification(n_rows, 20, n_informative=8, flip_y=0.1, random_state=seed)
    forest = RandomForestClassifier(n_trees, max_depth=depth or None, random_state=seed)
    rules = rule_list(CLASSIFICATION)(
        forest, max_rules=15, candidates="nodes", max_conditions=depth or 50, stability_weight=0.0
    )
    return posed(rules, X, y)
