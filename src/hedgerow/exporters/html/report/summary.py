"""All that a report says, put together of what is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import column_or_1d

from hedgerow._support.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.html.report.budget_lists import BudgetLists, try_budgets
from hedgerow.exporters.html.report.cards import Card, make_cards
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.report.proof import Proof
from hedgerow.exporters.html.report.quality import Quality, Samples, measure_all
from hedgerow.exporters.html.report.series_pictures import SeriesPictures, make_pictures
from hedgerow.exporters.html.report.what_if import WhatIf, make_what_if
from hedgerow.rules.rule import format_value, printable
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.rule_tree import RuleTree


@dataclass(frozen=True)
class ReportSummary:
    """A section a member; what there are no data for is None, or empty.

    Attributes
    ----------
    title : str
    classes : tuple of str
        Names of the classes; none for numbers.
    n_samples : int
        Training samples.
    columns : tuple of str
        Names of the columns.
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
    columns: tuple[str, ...]
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
    """Compute all that a report says; :meth:`hedgerow.RuleList.to_html` says what the parameters are."""
    _check_estimator(rule_list, estimator)
    if budgets is not None and estimator is None:
        raise InvalidParameterError(
            "Lists of other budgets come from an estimator: give it, too, or leave budgets out."
        )
    samples: Samples = _checked_samples(rule_list, {"training": ("X", X, y), "held-out": ("X_test", X_test, y_test)})
    of, (X, y) = next(iter(samples.items()), ("", (None, None)))
    forest = rule_list.fallback if estimator is None else estimator.forest_
    solution = rule_list.solution
    return ReportSummary(
        title=printable(title) if title else f"A list of {len(rule_list)} rule{'s' * (len(rule_list) != 1)}",
        classes=() if rule_list.classes is None else tuple(format_value(one) for one in rule_list.classes.tolist()),
        n_samples=rule_list.n_samples,
        columns=tuple(printable(name) for name in rule_list.inputs.names),
        listing=Listing.of(rule_list),
        tree=RuleTree.of(rule_list),
        proof=None if solution is None else Proof.of(solution, estimator),
        pictures=make_pictures(rule_list, X, y),
        qualities=measure_all(rule_list, samples, estimator),
        budgets=None if budgets is None else try_budgets(rule_list, estimator, budgets, samples),
        cards=() if X is None else make_cards(rule_list, X, y),
        what_if=make_what_if(rule_list, of, X, y, forest),
    )


def _check_estimator(rule_list: RuleList, estimator: Any) -> None:
    if estimator is None:
        return
    own = getattr(estimator, "rule_list_", None)
    if own is None:
        raise InvalidParameterError(
            f"estimator is a fitted RuleListClassifier or RuleListRegressor; this {type(estimator).__qualname__} has "
            "no rule_list_. Fit one, or leave it out."
        )
    if own is not rule_list and own.rules != rule_list.rules:
        raise InvalidParameterError(
            "The estimator has another rule list than the one that is reported on. Write estimator.rule_list_.to_html("
            "..., estimator=estimator), or leave it out."
        )


def _checked_samples(rule_list: RuleList, given: dict[str, tuple[str, Any, Any]]) -> Samples:
    """Return the sets of samples that are given, with their targets."""
    samples: dict[str, tuple[Any, AnyArray | None]] = {}
    for name, (word, X, y) in given.items():
        if X is None:
            if y is not None:
                raise InvalidParameterError(f"Targets were given without their samples: give {word}, too.")
            continue
        X = rule_list.inputs.as_samples(X)
        if not X.shape[0]:
            raise InvalidDataError(f"{word} has no samples; give some, or leave it out.")
        samples[name] = (X, None if y is None else _targets(rule_list, word, X, y))
    return samples


def _targets(rule_list: RuleList, word: str, X: Any, y: Any) -> AnyArray:
    targets: AnyArray = column_or_1d(y)
    if len(targets) != X.shape[0]:
        raise InvalidDataError(f"{word} has {X.shape[0]} samples, but there are {len(targets)} targets for them.")
    if rule_list.classes is not None:
        return targets
    try:
        numbers = targets.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(f"The list answers numbers; the targets of {word} are something else.") from None
    if not np.isfinite(numbers).all():
        raise InvalidDataError(f"The targets of {word} contain NaN or infinity; leave these samples out.")
    return numbers
