"""The best list for each budget, and its scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.exceptions import HedgerowError
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.report.proof import Proof
from hedgerow.exporters.html.report.quality import score_name, score_of
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.optimize.budgets import check_budgets, feasible_path
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class BudgetList:
    """A budget, its list, its proof, and the list's score on each set of samples that has targets."""

    budget: int
    listing: Listing
    proof: Proof
    scores: tuple[tuple[str, float], ...]
    is_chosen: bool


@dataclass(frozen=True)
class BudgetLists:
    """The lists by increasing budget, the name of their score, and the reasons why other budgets have no list."""

    lists: tuple[BudgetList, ...]
    score: str
    skipped: tuple[tuple[int, str], ...]


def lists_of_budgets(estimator: Any, budgets: Iterable[int]) -> dict[int, RuleList | str]:
    """Return the best list for each budget among the candidates of a fitted estimator, or why there is none."""
    wanted, problem, known = sorted(set(check_budgets(budgets))), estimator.problem_, estimator.solution_
    found: dict[int, Solution | HedgerowError] = {}
    others = [budget for budget in wanted if budget != problem.max_rules]
    if others:
        solver = RowGeneration() if estimator.solver is None else estimator.solver
        found |= feasible_path(problem, others, time_limit=estimator.time_limit, solver=solver)
    if problem.max_rules in wanted:
        found[problem.max_rules] = known
    return {
        budget: str(found[budget]) if isinstance(one := found[budget], HedgerowError) else estimator.list_of(one)
        for budget in wanted
    }


def try_budgets(rule_list: RuleList, estimator: Any, budgets: Iterable[int], samples: Sequence[Samples]) -> BudgetLists:
    """Find the list for each budget, and score it on each set of samples."""
    lists, skipped = [], []
    for budget, one in lists_of_budgets(estimator, budgets).items():
        if isinstance(one, str):
            skipped.append((budget, one))
            continue
        assert one.solution is not None
        scores = tuple((s.name, score_of(one, s.y, one.predict(s.X))) for s in samples if s.y is not None)
        is_chosen = budget == estimator.problem_.max_rules
        lists.append(BudgetList(budget, Listing.of(one), Proof.of(one.solution), scores, is_chosen))
    return BudgetLists(tuple(lists), score_name(rule_list), tuple(skipped))
