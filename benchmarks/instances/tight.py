"""Tight budgets: the smallest that has a list, one less, and the search for it.

Cases: ``breast-cancer-4`` (the leaves of 500 trees of depth 3, 4 rules: there is a list, but it is hard to find) and
``breast-cancer-3``; ``SET-fewest``, of 500 trees; ``SET-least`` and ``SET-below``, of 100 trees: the smallest
budget for which the default solver knows a list when the instance is made, and one below, for which there is none.
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks.instances.bounds import counted, leaves
from benchmarks.instances.posing import there
from hedgerow.optimize.budgets import fewest_rules
from hedgerow.optimize.problem import PartitionProblem

#: Where 500 trees make the search for the fewest rules long.
MANY_TREES = ("sonar-like", "clustered-classes", "heart-c", "ionosphere")
SETS = ("sk-iris", "sk-wine", "sk-breast-cancer", "sonar-like", "heart-c", "glass", "ionosphere", "diabetes", "vehicle")
_SECONDS = 60.0


def cases() -> list[str]:
    """Return the cases of the sets that are there."""
    fewest = [f"{name}-fewest" for name in there(*MANY_TREES)]
    return ["breast-cancer-4", "breast-cancer-3", *fewest, *(f"{n}-{w}" for n in there(*SETS) for w in _OFFSETS)]


_OFFSETS = {"least": 0, "below": -1}


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    name, _, which = case.rpartition("-")
    if name == "breast-cancer":
        return leaves("sk-breast-cancer", 500, seed, int(which))
    if which == "fewest":
        return counted(leaves(name, 500, seed), -1.0)
    problem = leaves(name, 100, seed)
    return replace(problem, max_rules=max(1, fewest_rules(problem, _SECONDS)[0] + _OFFSETS[which]))
