"""What a list's scores mean, in words: the table of scores, and the warnings that go with it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.text_table import aligned
from hedgerow.evidence.company import Company, Surrogate, grow_surrogate
from hedgerow.evidence.disagreements import Disagreements, find_disagreements
from hedgerow.pipeline.asking import forest_of, predictions_of
from hedgerow.pipeline.poor_lists import Standing
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number, format_value

#: Scores on fewer held-out rows than this say little about new rows.
_FEW_ROWS = 30
#: The least share of the way from a constant prediction to its model that a list should go.
_LEAST = 0.4


@dataclass(frozen=True)
class Explained:
    """How far a list agrees with the model that it explains, beside a surrogate tree and a constant prediction.

    Attributes
    ----------
    found : Disagreements
    surrogate : Surrogate
    constant : label or number
        The best prediction that is the same for all rows.
    of_constant : float
        How often it agrees with the model; its R², which is 0, for numbers.
    held_out : bool
        Whether the rows were held out, not learned from.
    model_knows : bool
        Whether the model seems to have been trained on them.
    """

    found: Disagreements
    surrogate: Surrogate
    constant: Any
    of_constant: float
    held_out: bool = True
    model_knows: bool = False

    @property
    def of_list(self) -> float:
        """How far the list agrees with the model: the share of equal labels, or R²."""
        measured = self.found.agreement if self.found.mean_difference is None else self.found.r2
        return float("nan") if measured is None else measured.value

    @property
    def rows(self) -> str:
        """What the rows are called."""
        return f"{'held-out' if self.held_out else 'training'} row{'s' * (self.found.n_samples != 1)}"


def explain(estimator: Any, X: Any, rows: Any, held_out: bool, model_knows: bool) -> Explained:
    """Compare a fitted list with its model on some rows; ``X`` are the training samples, for the surrogate tree."""
    rules, (model, forest) = estimator.rule_list_, estimator.explained
    task = rules.task
    expected, _ = predictions_of(model, forest_of(model) if forest is None else forest, task, rows)
    found = find_disagreements(rules, model, rows, expected=expected)
    constant = task.best_constant(expected, np.ones(len(expected)))
    of_constant = float(np.mean(expected == constant)) if task.has_labels else 0.0
    return Explained(found, grow_surrogate(estimator, X, rows), constant, of_constant, held_out, model_knows)


def scores_text(company: Company, n_rows: int) -> str:
    """Return the scores of the list and of its rivals as a table, with the numbers of rows they come from."""
    rows = [("", company.score_name), *((name, _written(score)) for name, score in company.rows)]
    coverage = f"rows covered by no rule {100 * company.uncovered:.2f} %, by several {100 * company.overlapping:.2f} %"
    right = [] if company.n_right is None else [f"the list is right on {company.n_right} of {company.n_rows} rows"]
    return "\n".join(
        [
            f"learned from {n_rows} rows, tested on {company.n_rows} held out:",
            *aligned(rows, right=frozenset({1})),
            *right,
            coverage,
        ]
    )


def agreement_text(explained: Explained) -> str:
    """Return how far the list agrees with the model that it explains, beside a surrogate tree, and where they part."""
    found, surrogate = explained.found, explained.surrogate
    leaves = "1 leaf" if surrogate.n_leaves == 1 else f"{surrogate.n_leaves} leaves"
    tree = f"a decision tree of {leaves} that is grown on the model's predictions"
    rows = f"{found.n_samples} {explained.rows}"
    if found.mean_difference is None:
        low, high = (f"{100 * end:.1f} %" for end in (found.agreement.low, found.agreement.high))
        n_same = found.n_samples - len(found)
        said = f"the list agrees with the model on {n_same} of {rows}, {100 * found.agreement.value:.1f} %"
        said += f" (95 % interval: {low} to {high})"
        tree += f" agrees on {100 * surrogate.agreement:.1f} %"
    else:
        said = f"the list differs from the model by {format_number(found.mean_difference)} on average on {rows}"
        if found.r2 is not None:
            low, high = (f"{end:.3f}" for end in (found.r2.low, found.r2.high))
            said += f"; R² to the model is {found.r2.value:.3f} (95 % interval: {low} to {high})"
        tree += f" has R² {_written(surrogate.agreement)} to it"
    return "\n".join([said, tree, *found.describe_places()])


def warnings_about_agreement(explained: Explained) -> list[str]:
    """Return what a reader of the agreement should know: one sentence each."""
    of_labels, rows = explained.found.mean_difference is None, explained.rows
    of_list, of_tree, of_constant = (
        f"{100 * score:.1f} %" if of_labels else f"{score:.3f}"
        for score in (explained.of_list, explained.surrogate.agreement, explained.of_constant)
    )
    always = f"always predicting {format_value(explained.constant)}"
    found, more = [], "allow more rules with --max-rules"
    standing = Standing("the model", "", explained.of_list, explained.constant, explained.of_constant)
    if standing.is_poor(_LEAST):
        said = f"it agrees with the model on {of_list} of the {rows}, and {always} on {of_constant}"
        if not of_labels:
            said = f"its R² to the model is {of_list} on the {rows}, and that of {always} is {of_constant}"
        found.append(f"the list explains the model poorly: {said}; {more}")
    if explained.surrogate.agreement > explained.of_list:
        said = f"it agrees with the model on {of_tree} of the {rows}, and the list on {of_list}"
        if not of_labels:
            said = f"its R² to the model is {of_tree} on the {rows}, and that of the list is {of_list}"
        found.append(f"a decision tree of the same size explains the model better than the list: {said}; {more}")
    if explained.model_knows:
        found.append(
            "the model does so well on the held-out rows that it was probably trained on them. If so, its score and "
            "the agreement with it may be quite different on new rows; for figures that hold, extract from a table of "
            "rows that the model has not seen"
        )
    return found


def warnings_about(company: Company, published: bool, constrained: bool = False) -> list[str]:
    """Return what a reader of the scores should know: one sentence each.

    Parameters
    ----------
    company : Company
    published : bool
        Whether ``--published`` was given, without which the list may be better.
    constrained : bool
        Whether the list satisfies constraints, which the tree need not.
    """
    found = []
    if company.n_rows < _FEW_ROWS:
        rows = "row" if company.n_rows == 1 else "rows"
        found.append(
            f"the scores come from only {company.n_rows} held-out {rows}, too few to say how well the list does on new "
            "rows"
        )
    if company.of_tree > company.of_list and not company.explains:  # a list that explains a model may be as wrong
        more = "allow more rules with --max-rules"
        more = f"try without --published, or {more}" if published else more
        more = "but the tree need not satisfy your constraints" if constrained else more
        chance = "is more than chance explains" if company.loses_to_tree else f"may be chance on {company.n_rows} rows"
        found.append(
            f"a single decision tree of the same size is better on the held-out rows: its {company.score_name} is "
            f"higher by {company.of_tree - company.of_list:.4f}, which {chance}; {more}"
        )
    if not company.beats_majority and not math.isnan(company.of_list):
        constant = "the mean" if company.n_right is None else "the majority class"
        found.append(f"the list is no better on the held-out rows than always predicting {constant}")
    return found


def warnings_about_size(rules: RuleList, max_rules: Any, proven: bool) -> list[str]:
    """Return what there is to say about the number of rules: one sentence each.

    Parameters
    ----------
    rules : RuleList
    max_rules : int or None
        The budget.
    proven : bool
        Whether the list is proven to be the best one.
    """
    found, n_classes = [], len(rules.task.labels)
    fits = rules.task.has_labels and all(max(rule.distribution or (0.0,)) == 1 for rule in rules)
    if max_rules is not None and len(rules) < max_rules and not fits:  # a list without errors needs no more rules
        why = "one more of the candidate rules would change too little"
        if not proven:
            why = "no better list was found in time; more time may help (--time-limit)"
        found.append(f"the list has {len(rules)} of the {max_rules} rules allowed: {why}")
    # A single rule where more are allowed is no better than the majority class, which is said already.
    if len(rules) < n_classes and (len(rules) > 1 or max_rules == 1):
        never = n_classes - len({rule.prediction for rule in rules})
        more = "; allow more rules with --max-rules" if len(rules) == max_rules else ""
        found.append(
            f"the list has fewer rules ({len(rules)}) than there are classes ({n_classes}), so that it never predicts "
            f"{never} of them{more}"
        )
    return found


def _written(score: float) -> str:
    return "undefined" if math.isnan(score) else f"{score:.4f}"
