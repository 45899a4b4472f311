"""Fewer candidates for the solver, where a pool is larger than necessary.

1. Among rules with the same coverage, only the one with the best score is kept, as in the solver itself. With extra
   rows, which may distinguish them, all are kept.
2. The best list of pruned trees (:mod:`.prunings`) is kept whole. So the best list of what is left is never worse than
   what any single tree of the pool gives within the budget.
3. The other rules are ranked by an upper bound on the objective of a list with them: the bound of the linear relaxation
   over a few hundred samples, plus the rule's reduced cost. Ties go to the higher score.

The relaxation ranks better than prices of samples taken from the best pruned trees. On three data sets (tic-tac-toe,
heart-c, autoMpg; all nodes of 60 trees, 1,200 to 1,500 unique rules; budgets 6 and 12, λ 0 and 0.5), the rules of
the optimum were all among the first 10 to 454, compared to 42 to 1,222. With 1,000 candidates, all twelve optima were
kept; with 300, eight were kept, compared to five, and the other four lost between 0.1 and 3.7 % of the objective.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.exceptions import warn
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.twins import best_of_twins

#: Number of samples in the relaxation.
N_ROWS = 300


def screen(
    problem: PartitionProblem, max_candidates: int, budgets: Sequence[int] | None, time_limit: float | None = None
) -> IntArray:
    """Return the candidates to keep, in increasing order.

    There are at most ``max_candidates``, unless the lists that are kept whole have more rules.

    Parameters
    ----------
    problem : PartitionProblem
    max_candidates : int
    budgets : sequence of int, or None
        The budgets that the problem will be solved for, or None for no budget. For each, a list is kept whole.
    time_limit : float, optional
        Seconds for the relaxation; what it has found by then is used.
    """
    unique, best_twin = best_of_twins(problem)
    if len(unique) <= max_candidates:
        return unique
    safe = _safe_rules(problem, best_twin, budgets)
    if not len(safe):
        warn(
            f"max_candidates={max_candidates} is ignored: no pruned tree satisfies the budget and the constraints, so "
            "leaving out candidates could leave no list at all. Raise max_rules, or use candidates='nodes'."
        )
        return unique
    others = _ranked(problem, unique, budgets, time_limit)
    others = others[~np.isin(others, safe)]
    return np.sort(np.concatenate([safe, others[: max(0, max_candidates - len(safe))]]))


def _safe_rules(problem: PartitionProblem, best_twin: IntArray, budgets: Sequence[int] | None) -> IntArray:
    """Return the rules of the best list of pruned trees for each budget."""
    prunings = Prunings(problem.coverage, problem.scores, best_twin, None if budgets is None else max(budgets))
    found: list[IntArray] = [np.empty(0, dtype=np.int64)]
    for budget in [None] if budgets is None else budgets:
        limited = replace(problem, max_rules=budget)
        found.append(next((pruning for pruning in prunings.best(budget) if limited.accepts(pruning)), found[0]))
    return np.unique(np.concatenate(found))


def _ranked(
    problem: PartitionProblem, rules: IntArray, budgets: Sequence[int] | None, time_limit: float | None
) -> IntArray:
    """Return the rules, most promising first, by their best rank for the smallest, middle and largest budget."""
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    drawn = np.random.default_rng(0).permutation(problem.n_samples)[:N_ROWS]
    place = np.full(len(rules), len(rules))
    ascending = [None] if budgets is None else sorted(budgets)
    for budget in dict.fromkeys([ascending[0], ascending[len(ascending) // 2], ascending[-1]]):
        relaxation = Relaxation(replace(problem.subset(rules), max_rules=budget))
        relaxation.add(np.sort(drawn))
        if relaxation.solve(deadline) == "infeasible":
            continue
        order = np.lexsort((-problem.scores[rules], -relaxation.reduced))
        place[order] = np.minimum(place[order], np.arange(len(rules)))
    return rules[np.argsort(place, kind="stable")]
