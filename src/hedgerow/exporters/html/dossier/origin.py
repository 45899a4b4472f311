"""Whether the rows that are given as training are those that a list was learned from, as far as its counts tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hedgerow.evidence.groups import measured
from hedgerow.evidence.training_rows import are_training
from hedgerow.exporters.html.report.samples import TRAINING, Samples
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList

#: Shares of rows that differ by no more are the same share.
_SAME = 1e-9
#: Numbers that are as close to an integer are one.
_WHOLE = 1e-6


@dataclass(frozen=True)
class Origin:
    """What the counts of a list say about rows.

    Attributes
    ----------
    fits : bool or None
        Whether the list can have been learned from them; None if it cannot be told.
    why : str
        What differs, or why it cannot be told; empty if nothing differs.
    """

    fits: bool | None
    why: str = ""


def find_origin(rule_list: RuleList, samples: Sequence[Samples]) -> Origin | None:
    """Return what can be told about the training rows; None if there are none."""
    rows = next((one for one in samples if one.name == TRAINING), None)
    if rows is None:
        return None
    if not rule_list.n_samples or not len(rule_list):
        return Origin(None, "the list does not know how many rows it was learned from")
    n, known = rows.seen.n_samples, rule_list.n_samples
    weighted = any(abs(rule.share - rule.coverage / known) > _SAME for rule in rule_list)
    if n > known and weighted:  # rows without a weight are not counted
        return Origin(None, "the list was learned with weights, and does not count rows without a weight")
    if n != known:
        return Origin(False, f"the list was learned from {known} rows, and these are {n}")
    matched = rows.seen.matches.sum(axis=0).tolist()
    for i, (rule, here) in enumerate(zip(rule_list, matched, strict=True), 1):
        if here != rule.coverage:
            return Origin(False, f"rule {i} covered {rule.coverage} rows in training, and covers {here} of these")
    if rows.y is None:
        return Origin(True)
    return _of_targets(rule_list, rows, weighted)


def _of_targets(rule_list: RuleList, rows: Samples, weighted: bool) -> Origin:
    """Return what the targets say, if every rule covers as many rows as in training."""
    found = measured(rule_list, rows.seen, rows.y, asked_by="A dossier")
    if are_training(rule_list, found):
        return Origin(True)
    if found.n_rows[-1]:
        return Origin(False, f"{found.n_rows[-1]} of these rows match no rule, as no training row does")
    if weighted or not all(map(_is_counted, rule_list)):
        why = (
            "every rule covers as many rows as in training, but the rates of the list are weighted, smoothed or taught"
        )
        return Origin(None, why)
    return Origin(False, "every rule covers as many rows as in training, but their targets differ")


def _is_counted(rule: Rule) -> bool:
    """Return whether the rate of a rule is a share of its rows; numbers may be moved from their mean in many ways."""
    hits = math.nan if rule.class_share is None else rule.class_share * rule.coverage
    return abs(hits - round(hits)) < _WHOLE if math.isfinite(hits) else False
