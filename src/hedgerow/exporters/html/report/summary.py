"""Everything that a report shows, assembled from what is given."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hedgerow._support.palette import MORE_CLASS_COLORS
from hedgerow.evidence.company import Company
from hedgerow.exceptions import HedgerowError, InvalidParameterError
from hedgerow.exporters.html.report.budget_lists import BudgetLists, try_budgets
from hedgerow.exporters.html.report.cards import Card, make_cards
from hedgerow.exporters.html.report.example import ExplainedRow, explain_row
from hedgerow.exporters.html.report.faithfulness import Faithfulness, find_faithfulness
from hedgerow.exporters.html.report.holding import Holding, find_holding
from hedgerow.exporters.html.report.insisting import Insisting, insist
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.report.proof import Proof
from hedgerow.exporters.html.report.quality import Quality, measure_all
from hedgerow.exporters.html.report.question import Question, pose_question
from hedgerow.exporters.html.report.samples import HELD_OUT, TESTED, TRAINING, check_samples
from hedgerow.exporters.html.report.series_pictures import SeriesPictures, make_pictures
from hedgerow.exporters.html.report.side_by_side import SideBySide, lay_side_by_side
from hedgerow.exporters.html.report.standing import Standing, find_standing
from hedgerow.exporters.html.report.usage import Usage, write_usage
from hedgerow.exporters.html.report.what_if import WhatIf, make_what_if
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.asking import forest_of
from hedgerow.rules.alternatives import Alternatives
from hedgerow.rules.edit import Edit
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import RuleTree
from hedgerow.rules.wording import format_value, printable


@dataclass(frozen=True)
class ReportSummary:
    """One member per section, in the order of the page; a section without data is None or empty.

    Attributes
    ----------
    title : str
    question : Question
    faithfulness : Faithfulness or None
    standing : Standing or None
    listing : Listing
    holding : Holding or None
    pictures : SeriesPictures or None
    example : ExplainedRow or None
    what_if : WhatIf
    tree : RuleTree
    qualities : tuple of Quality
        The rows to test on first.
    cards : tuple of Card
    cards_of : str
        The rows that the cards are about: "training", "held-out" or "tested".
    budgets : BudgetLists or None
    insisting : Insisting or None
    others : SideBySide or None
    constraints : tuple of str
        What the list had to satisfy.
    edits : tuple of Edit
        What was changed about it since the fit.
    proof : Proof or None
    usage : Usage or None
    classes : tuple of str
        Names of the classes; empty for regression.
    colored : tuple of int
        The classes that have a color of their own, in the order of the colors.
    """

    title: str
    question: Question
    faithfulness: Faithfulness | None
    standing: Standing | None
    listing: Listing
    holding: Holding | None
    pictures: SeriesPictures | None
    example: ExplainedRow | None
    what_if: WhatIf
    tree: RuleTree
    qualities: tuple[Quality, ...]
    cards: tuple[Card, ...]
    cards_of: str
    budgets: BudgetLists | None
    insisting: Insisting | None
    others: SideBySide | None
    constraints: tuple[str, ...]
    edits: tuple[Edit, ...]
    proof: Proof | None
    usage: Usage | None
    classes: tuple[str, ...]
    colored: tuple[int, ...]


def summarize(
    rule_list: RuleList,
    *,
    title: str | None = None,
    estimator: Any = None,
    X: Any = None,
    y: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    test_name: str | None = None,
    budgets: Iterable[int] | None = None,
    wishes: bool | Iterable[Any] | None = None,
    alternatives: bool | int | Alternatives | None = None,
    target: str | None = None,
    source: str | None = None,
    left_out: Mapping[str, str] | None = None,
    created: datetime.date | None = None,
    company: Company | None = None,
    show_samples: bool = True,
) -> ReportSummary:
    """Compute everything that a report shows; :meth:`hedgerow.RuleList.to_html` describes the parameters."""
    check_estimator(rule_list, estimator)
    if budgets is not None and estimator is None:
        raise InvalidParameterError(
            "Lists for other budgets come from an estimator: pass it as well, or leave budgets out."
        )
    if wishes and estimator is None:
        raise InvalidParameterError(
            "The price of a wish comes from an estimator: pass it as well, or leave wishes out."
        )
    if alternatives and estimator is None and not isinstance(alternatives, Alternatives):
        raise InvalidParameterError(
            "Alternatives are found by an estimator: pass it as well, or what its method alternatives returned."
        )
    given = ((TRAINING, "X", X, y), (TESTED if test_name else HELD_OUT, "X_test", X_test, y_test))
    samples = [found for one in given if (found := check_samples(rule_list, *one)) is not None]
    main, unseen = (samples[0], samples[-1]) if samples else (None, None)
    solution = rule_list.solution
    what_if = make_what_if(rule_list, main if show_samples else None, _whole(rule_list, estimator))
    n_test = unseen.seen.n_samples if unseen is not None and unseen.name != TRAINING else 0
    question = pose_question(rule_list, what_if.form, n_test, test_name, target, source, created, left_out)
    solvable = None if wishes is False and alternatives is False else with_own_rows(estimator, X, y)
    n_rules, qualities = len(rule_list), measure_all(rule_list, samples[::-1], estimator)
    return ReportSummary(
        title=printable(title) if title else f"{question.title}: {n_rules} rule{'s' * (n_rules != 1)}",
        question=question,
        faithfulness=find_faithfulness(rule_list, qualities, estimator),
        standing=find_standing(rule_list, samples, estimator, company),
        listing=Listing.of(rule_list, frozenset().union(*(one.gaps for one in samples))),
        holding=find_holding(rule_list, samples),
        pictures=make_pictures(rule_list, main if show_samples else None),
        example=explain_row(rule_list, unseen) if unseen is not None and show_samples else None,
        what_if=what_if,
        tree=RuleTree.of(rule_list),
        qualities=qualities,
        cards=() if main is None else make_cards(rule_list, main, show_samples),
        cards_of="" if main is None else main.name,
        budgets=None if budgets is None else try_budgets(rule_list, estimator, budgets, samples),
        insisting=insist(rule_list, solvable, wishes, samples),
        others=lay_side_by_side(rule_list, solvable, alternatives, samples),
        constraints=rule_list.constraints,
        edits=rule_list.edits,
        proof=None if solution is None else Proof.of(solution, estimator),
        usage=write_usage(rule_list),
        classes=tuple(format_value(label) for label in rule_list.task.labels),
        colored=_colored(rule_list),
    )


def with_own_rows(estimator: Any, X: Any, y: Any) -> Any:
    """Return an estimator that was unpickled with its training samples, if these are they."""
    fitted = None if estimator is None else estimator.without_search
    if fitted is None or "posed_" in vars(fitted) or X is None or y is None:
        return fitted
    try:
        return fitted.with_rows(X, y)
    except HedgerowError:
        return fitted


def _whole(rule_list: RuleList, estimator: Any) -> tuple[Any, Forest | None] | None:
    """Return what the list stands for, and its neutral form if it has one; None if that is not known."""
    if estimator is None:
        return None if rule_list.fallback is None else (None, rule_list.fallback)
    model, forest = estimator.explained
    return model, forest_of(model) if forest is None else forest


def _colored(rule_list: RuleList) -> tuple[int, ...]:
    """Return the classes that have a color: all if there are enough colors, else those that the list predicts first."""
    labels, n_colors = rule_list.task.labels, len(MORE_CLASS_COLORS)
    if len(labels) <= n_colors:
        return tuple(range(len(labels)))
    predicted = dict.fromkeys(labels.index(rule.prediction) for rule in (*rule_list, rule_list.default))
    return tuple(dict.fromkeys([*predicted, *range(len(labels))]))[:n_colors]


def check_estimator(rule_list: RuleList, estimator: Any, method: str = "to_html") -> None:
    """Refuse an estimator that is not fitted, or that has another list; ``method`` is what was called."""
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
            "The estimator has a different rule list from the one the page is about. Write "
            f"estimator.rule_list_.{method}(..., estimator=estimator), or leave it out."
        )
