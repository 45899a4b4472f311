"""Everything that a report shows, assembled from what is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.html.report.budget_lists import BudgetLists, try_budgets
from hedgerow.exporters.html.report.cards import Card, make_cards
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.report.proof import Proof
from hedgerow.exporters.html.report.quality import Quality, measure_all
from hedgerow.exporters.html.report.samples import check_samples
from hedgerow.exporters.html.report.series_pictures import SeriesPictures, make_pictures
from hedgerow.exporters.html.report.what_if import WhatIf, make_what_if
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import RuleTree
from hedgerow.rules.wording import format_value, printable


@dataclass(frozen=True)
class ReportSummary:
    """One member per section; a section without data is None or empty.

    Attributes
    ----------
    title : str
    classes : tuple of str
        Names of the classes; empty for regression.
    n_samples : int
        Number of training samples.
    listing : Listing
    tree : RuleTree
    proof : Proof or None
    pictures : SeriesPictures or None
    qualities : tuple of Quality
    budgets : BudgetLists or None
    cards : tuple of Card
    what_if : WhatIf
    """

    title: str
    classes: tuple[str, ...]
    n_samples: int
    listing: Listing
    tree: RuleTree
    proof: Proof | None
    pictures: SeriesPictures | None
    qualities: tuple[Quality, ...]
    budgets: BudgetLists | None
    cards: tuple[Card, ...]
    what_if: WhatIf


def summarize(
    rule_list: RuleList,
    *,
    title: str | None = None,
    estimator: Any = None,
    X: Any = None,
    y: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    budgets: Iterable[int] | None = None,
) -> ReportSummary:
    """Compute everything that a report shows; :meth:`hedgerow.RuleList.to_html` describes the parameters."""
    _check_estimator(rule_list, estimator)
    if budgets is not None and estimator is None:
        raise InvalidParameterError(
            "Lists for other budgets come from an estimator: pass it as well, or leave budgets out."
        )
    given = (("training", "X", X, y), ("held-out", "X_test", X_test, y_test))
    samples = [found for one in given if (found := check_samples(rule_list, *one)) is not None]
    main = samples[0] if samples else None
    forest = rule_list.fallback if estimator is None else estimator.forest_
    solution = rule_list.solution
    return ReportSummary(
        title=printable(title) if title else f"A list of {len(rule_list)} rule{'s' * (len(rule_list) != 1)}",
        classes=tuple(format_value(label) for label in rule_list.task.labels),
        n_samples=rule_list.n_samples,
        listing=Listing.of(rule_list),
        tree=RuleTree.of(rule_list),
        proof=None if solution is None else Proof.of(solution, estimator),
        pictures=make_pictures(rule_list, main),
        qualities=measure_all(rule_list, samples, estimator),
        budgets=None if budgets is None else try_budgets(rule_list, estimator, budgets, samples),
        cards=() if main is None else make_cards(rule_list, main),
        what_if=make_what_if(rule_list, main, forest),
    )


def _check_estimator(rule_list: RuleList, estimator: Any) -> None:
    if estimator is None:
        return
    own = getattr(estimator, "rule_list_", None)
    if own is None:
        raise InvalidParameterError(
            f"estimator must be a fitted RuleListClassifier or RuleListRegressor; this {type(estimator).__qualname__} "
            "has no rule_list_. Fit one, or leave it out."
        )
    if own is not rule_list and own.rules != rule_list.rules:
        raise InvalidParameterError(
            "The estimator has a different rule list from the one the report is about. Write "
            "estimator.rule_list_.to_html(..., estimator=estimator), or leave it out."
        )
