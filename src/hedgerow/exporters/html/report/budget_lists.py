"""The best list for each budget, and its scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.exceptions import HedgerowError
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.optimize.budgets import check_budgets
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class BudgetList:
    """A budget, its list, its solution, and the list's score on each set of samples that has targets."""

    budget: int
    listing: Listing
    solution: Solution
    scores: tuple[tuple[str, float], ...]
    is_chosen: bool


@dataclass(frozen=True)
class BudgetLists:
    """The lists by increasing budget, the name of their score, and the reasons why other budgets have no list."""

    lists: tuple[BudgetList, ...]
    score: str
    skipped: tuple[tuple[int, str], ...]


#: All other budgets together are given this many seconds; a list that is not proven by then says so.
SECONDS = 10.0


def try_budgets(rule_list: RuleList, estimator: Any, budgets: Iterable[int], samples: Sequence[Samples]) -> BudgetLists:
    """Find the list for each budget, and score it on each set of samples."""
    lists, skipped, task = [], [], rule_list.task
    wanted = check_budgets(budgets)
    for budget, one in estimator.lists_of(wanted, time_limit=SECONDS / len(wanted)).items():
        if isinstance(one, HedgerowError):
            skipped.append((budget, str(one)))
            continue
        assert one.solution is not None
        is_chosen = one is rule_list
        rows = [s if is_chosen else Samples(s.name, one.evaluate(s.seen.X), s.y) for s in samples]
        scores = tuple((s.name, task.score(s.y, s.seen.predictions)) for s in rows if s.y is not None)
        gaps = frozenset().union(*(s.gaps for s in rows))
        lists.append(BudgetList(budget, Listing.of(one, gaps), one.solution, scores, is_chosen))
    return BudgetLists(tuple(lists), task.score_name, tuple(skipped))
