"""What a list's scores mean, in words: the table of scores, and the warnings that go with it."""

from __future__ import annotations

import math
from typing import Any

from hedgerow._support.text_table import aligned
from hedgerow.evidence.company import Company, Surrogate
from hedgerow.evidence.disagreements import Disagreements
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number

#: Scores on fewer held-out rows than this say little about new rows.
_FEW_ROWS = 30


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


def agreement_text(found: Disagreements, surrogate: Surrogate, held_out: bool) -> str:
    """Return how far the list agrees with the model that it explains, beside a surrogate tree, and where they part."""
    leaves = "1 leaf" if surrogate.n_leaves == 1 else f"{surrogate.n_leaves} leaves"
    tree = f"a decision tree of {leaves} that is grown on the model's predictions"
    rows = f"{found.n_samples} {'held-out' if held_out else 'training'} row{'s' * (found.n_samples != 1)}"
    if found.mean_difference is None:
        low, high = (f"{100 * end:.1f} %" for end in (found.agreement.low, found.agreement.high))
        n_same = found.n_samples - len(found)
        said = f"the list agrees with the model on {n_same} of {rows}, {100 * found.agreement.value:.1f} %"
        tree += f" agrees on {100 * surrogate.agreement:.1f} %"
        return "\n".join([f"{said} (95 % interval: {low} to {high})", tree, *found.describe_places()])
    said = f"the list differs from the model by {format_number(found.mean_difference)} on average on {rows}"
    if found.r2 is not None:
        low, high = (f"{end:.3f}" for end in (found.r2.low, found.r2.high))
        said += f"; R² to the model is {found.r2.value:.3f} (95 % interval: {low} to {high})"
    tree += f" has R² {_written(surrogate.agreement)} to it"
    return "\n".join([said, tree, *found.describe_places()])


def warnings_about(company: Company, published: bool) -> list[str]:
    """Return what a reader of the scores should know: one sentence each.

    Parameters
    ----------
    company : Company
    published : bool
        Whether ``--published`` was given, without which the list may be better.
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
