"""Whether each rule holds on rows that the list was not learned from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hedgerow.evidence.groups import measured
from hedgerow.evidence.training_rows import are_training
from hedgerow.evidence.validating import validated
from hedgerow.evidence.validation import RuleValidation, Validation
from hedgerow.evidence.wording import written_p, written_value
from hedgerow.exporters.html.report.samples import TRAINING, Samples
from hedgerow.features import is_present
from hedgerow.rules.rule_list import RuleList


@dataclass(frozen=True)
class RuleHolding:
    """A rule on new rows.

    Attributes
    ----------
    number : int
        0 for the rows that no rule matches.
    n_rows : int
    verdict : str
        "holds", "lower", "higher" or "no rows".
    value, interval, in_training, p : str
        The rate with its interval, that of training, and the p-value that both are equal.
    span : tuple of float, or None
        Where the interval starts and ends, and where the rate is, from 0 to 1; None without rows.
    mark : float or None
        Where the rate of training is.
    """

    number: int
    n_rows: int
    verdict: str
    value: str
    interval: str
    in_training: str
    p: str
    span: tuple[float, float, float] | None
    mark: float | None


@dataclass(frozen=True)
class Holding:
    """What the rows say about each rule.

    Attributes
    ----------
    of : str
        The rows: "held-out" or "tested".
    n_rows : int
    rules : tuple of RuleHolding
    n_tested, n_changed : int
        The rules that have rows, and those of them whose rate is another one than in training.
    alike : tuple of (int, int)
        Rules whose rate cannot be told from that of the nearest other rule that makes another prediction.
    n_several, n_none : int
        Rows that match several rules, or none.
    is_training : bool
        Whether these seem to be the training rows.
    about : tuple of str
        What is said about all rows, in sentences.
    """

    of: str
    n_rows: int
    rules: tuple[RuleHolding, ...]
    n_tested: int
    n_changed: int
    alike: tuple[tuple[int, int], ...]
    n_several: int
    n_none: int
    is_training: bool
    about: tuple[str, ...] = ()


def find_holding(rule_list: RuleList, samples: Sequence[Samples]) -> Holding | None:
    """Return what the last of the samples say about each rule; None if they are training rows or have no targets."""
    rows = samples[-1] if samples else None
    if rows is None or rows.name == TRAINING or rows.y is None or not len(rule_list):
        return None
    found_labels = set(rows.y.tolist()) if rule_list.task.has_labels else set()
    if found_labels and all(map(is_present, found_labels)) and not found_labels & set(rule_list.task.labels):
        return None  # other labels altogether, of which the page says elsewhere that none is right
    found = validated(rule_list, rows.seen, rows.y)
    scale = _scale(found)
    return Holding(
        of=rows.name,
        n_rows=found.n_rows,
        rules=tuple(_row(found, row, scale) for row in found.rules),
        n_tested=sum(row.n_rows > 0 for row in found.rules if row.rule),
        n_changed=len(found.changed),
        alike=_alike(found),
        n_several=found.n_several,
        n_none=found.n_none,
        is_training=are_training(rule_list, measured(rule_list, rows.seen, rows.y)),
        about=tuple(found.about_all()),
    )


def _scale(found: Validation) -> tuple[float, float]:
    """Return the least and the largest number that is drawn."""
    if found.is_labels:
        return 0.0, 1.0
    ends = [e for row in found.rules for e in (row.value.low, row.value.high, row.value.value, row.value_in_training)]
    finite = [end for end in ends if math.isfinite(end)]
    return (min(finite), max(finite)) if finite else (0.0, 1.0)


def _row(found: Validation, row: RuleValidation, scale: tuple[float, float]) -> RuleHolding:
    low, high = scale

    def place(value: float) -> float:
        return min(1.0, max(0.0, (value - low) / ((high - low) or 1.0)))

    written = [written_value(value, found.is_labels) for value in (row.value.low, row.value.high)]
    return RuleHolding(
        number=row.rule,
        n_rows=row.n_rows,
        verdict=found.verdict(row) if row.rule else "",
        value=written_value(row.value.value, found.is_labels),
        interval=f"{written[0]} to {written[1]}" if row.n_rows else "",
        in_training=written_value(row.value_in_training, found.is_labels),
        p=written_p(row.p.training),
        span=(place(row.value.low), place(row.value.high), place(row.value.value)) if row.n_rows else None,
        mark=None if math.isnan(row.value_in_training) else place(row.value_in_training),
    )


def _alike(found: Validation) -> tuple[tuple[int, int], ...]:
    """Return pairs of rules that predict different classes or numbers, but whose rates are the same by the test."""
    predicted = {row.rule: row.prediction for row in found.rules}
    pairs = [
        (min(row.rule, row.nearest), max(row.rule, row.nearest))
        for row in found.rules
        if row.nearest and row.p.nearest >= 1 - found.level and predicted[row.rule] != predicted[row.nearest]
    ]
    return tuple(dict.fromkeys(pairs))
