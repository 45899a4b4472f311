"""How often the list is right, beside simple rivals and the ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.evidence.company import Company, keep_company
from hedgerow.evidence.statistics import wilson
from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.html.report.samples import TRAINING, Samples
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value

#: The most complex competitor, without and with a model that the list explains.
_WHOLE = {
    False: ("the whole ensemble that the rules come from", "the whole ensemble"),
    True: ("the model that the list explains", "the model"),
}


@dataclass(frozen=True)
class Competitor:
    """Someone's score: what it is, in words, and a name for the sentence that compares the list with it."""

    name: str
    short: str
    score: float
    is_list: bool = False


@dataclass(frozen=True)
class Standing:
    """The scores of the list and of its rivals on the same rows.

    Attributes
    ----------
    of : str
        The rows: "held-out", "tested" or "training".
    n_rows : int
    score_name : str
        "accuracy" or "R²".
    competitors : tuple of Competitor
        From the simplest to the most complex.
    interval : pair of float, or None
        For classification, where the share of right predictions on many new rows probably lies (95 %).
    off : pair of float, or None
        For regression, the median absolute error of the list and of the constant prediction.
    constant : str
        What is predicted if no column is looked at.
    loses_to_tree : bool
        Whether the decision tree is better by more than chance explains.
    """

    of: str
    n_rows: int
    score_name: str
    competitors: tuple[Competitor, ...]
    interval: tuple[float, float] | None
    off: tuple[float, float] | None
    constant: str
    loses_to_tree: bool = False

    @property
    def of_list(self) -> float:
        """The score of the list."""
        return next(one.score for one in self.competitors if one.is_list)

    @property
    def comparisons(self) -> tuple[tuple[float, str], ...]:
        """How much better (above 0) or worse the list is than each of the others."""
        return tuple((self.of_list - one.score, one.short) for one in self.competitors if not one.is_list)


def find_standing(
    rule_list: RuleList, samples: Sequence[Samples], estimator: Any, company: Company | None
) -> Standing | None:
    """Return the scores on the last of the samples with targets, after the training rows; None without targets."""
    known = [one for one in samples if one.y is not None]
    if company is not None and (not known or known[-1].name == TRAINING):
        raise InvalidParameterError(
            "company holds scores on held-out rows: pass X_test and y_test as well, or leave company out."
        )
    if not known:
        return None
    rows = known[-1]
    if company is None and estimator is not None and len(known) == 2:
        train = known[0]
        company = keep_company(estimator, train.seen.X, train.y, rows.seen.X, rows.y)
    constant = rule_list.task.pick([rule_list.default.prediction], np.zeros(rows.seen.n_samples, dtype=np.int64))
    competitors = _alone(rule_list, rows, constant) if company is None else _with_company(rule_list, company)
    standing = Standing(
        of=rows.name,
        n_rows=rows.seen.n_samples,
        score_name=rule_list.task.score_name,
        competitors=competitors,
        interval=None,
        off=None,
        constant=format_value(rule_list.default.prediction),
        loses_to_tree=company is not None and company.loses_to_tree,
    )
    if rule_list.task.has_labels:
        return replace(standing, interval=wilson(standing.of_list, standing.n_rows))
    assert rows.y is not None
    off = [float(np.median(np.abs(rows.y - one))) for one in (rows.seen.predictions, constant)]
    return replace(standing, off=(off[0], off[1]))


def _alone(rule_list: RuleList, rows: Samples, constant: Any) -> tuple[Competitor, ...]:
    task = rule_list.task
    return (
        _simplest(rule_list, task.score(rows.y, constant)),
        _itself(rule_list, task.score(rows.y, rows.seen.predictions)),
    )


def _with_company(rule_list: RuleList, company: Company) -> tuple[Competitor, ...]:
    leaves = f"{company.tree_leaves} lea{'f' if company.tree_leaves == 1 else 'ves'}"
    return (
        _simplest(rule_list, company.of_majority),
        Competitor(f"a single decision tree with {leaves}", "a decision tree", company.of_tree),
        _itself(rule_list, company.of_list),
        Competitor(*_WHOLE[company.explains], company.of_ensemble),
    )


def _simplest(rule_list: RuleList, score: float) -> Competitor:
    constant = format_value(rule_list.default.prediction)
    if rule_list.task.has_labels:
        return Competitor(f"always “{constant}”, the most frequent class", f"always predicting “{constant}”", score)
    return Competitor(f"always {constant}, the mean", "always predicting the mean", score)


def _itself(rule_list: RuleList, score: float) -> Competitor:
    n = len(rule_list)
    return Competitor(f"this list of {n} rule{'s' * (n != 1)}", "this list", score, is_list=True)
