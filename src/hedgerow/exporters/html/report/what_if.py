"""A form to try values in, and some samples to compare them with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from hedgerow._support.arrays import AnyArray, IntArray
from hedgerow.exporters.html.report.form import Form, FormField, field_values, make_form
from hedgerow.features import frame_or_array
from hedgerow.forests.forest import Forest
from hedgerow.rules.rule import format_value
from hedgerow.rules.rule_list import RuleList

#: So many samples are kept at most, and so many numbers of all of them together: a page must stay small.
MOST_SAMPLES, MOST_NUMBERS = 500, 20_000
#: Of each rule so many samples at least, if there are.
_OF_EACH_RULE = 5


@dataclass(frozen=True)
class StoredSamples:
    """Samples to compare with.

    Attributes
    ----------
    of : str
        The set that they come from: "training" or "held-out".
    row : tuple of int
        Their positions in that set.
    values : tuple of tuples
        What to fill in: one tuple a field, one value a sample.
    spread : tuple of float
        How far apart numbers of each field usually are.
    rule : tuple of int
        The rule that fires, -1 if none.
    ensemble : tuple of str
        What the ensemble says; nothing if it is not known.
    truth : tuple of str
        The targets; nothing if they are not known.
    """

    of: str
    row: tuple[int, ...]
    values: tuple[tuple[Any, ...], ...]
    spread: tuple[float, ...]
    rule: tuple[int, ...]
    ensemble: tuple[str, ...]
    truth: tuple[str, ...]


@dataclass(frozen=True)
class WhatIf:
    """The form and the samples, if there are any."""

    form: Form
    samples: StoredSamples | None


def make_what_if(rule_list: RuleList, of: str, X: Any, y: AnyArray | None, forest: Forest | None) -> WhatIf:
    """Return the form, and some of the samples X (None: no samples) with what list, ensemble and targets say."""
    form, used = make_form(rule_list)
    if X is None or not X.shape[0]:
        return WhatIf(form, None)
    width = sum(max(1, field.length) for field in form.fields)
    rows = _chosen(rule_list.apply(X), min(MOST_SAMPLES, MOST_NUMBERS // max(1, width)))
    if not len(rows):
        return WhatIf(form, None)
    some = frame_or_array(_safe_indexing(X, rows))
    values = field_values(form, used, rule_list, some)
    samples = StoredSamples(
        of=of,
        row=tuple(rows.tolist()),
        values=tuple(tuple(column) for column in values),
        spread=tuple(_spread(field, column) for field, column in zip(form.fields, values, strict=True)),
        rule=tuple(rule_list.apply(some).tolist()),
        ensemble=() if forest is None else _said(forest, some),
        truth=() if y is None else tuple(format_value(one) for one in y[rows].tolist()),
    )
    return WhatIf(form, samples)


def _chosen(fired: IntArray, most: int) -> IntArray:
    """Return positions of samples, in order: some of each rule, and of the others as chance has it."""
    shuffled = np.random.default_rng(0).permutation(len(fired))
    turn = np.empty(len(fired), dtype=np.int64)
    for rule in np.unique(fired):
        of_rule = shuffled[fired[shuffled] == rule]
        turn[of_rule] = np.arange(len(of_rule))
    first = np.argsort(np.minimum(turn[shuffled], _OF_EACH_RULE), kind="stable")
    return np.sort(shuffled[first[:most]])


def _said(forest: Forest, X: Any) -> tuple[str, ...]:
    answer = forest.answer(X)
    if forest.classes is None:
        return tuple(format_value(value) for value in answer.tolist())
    labels, classes = forest.labels(X).tolist(), forest.classes.tolist()
    shares = [row[classes.index(label)] for label, row in zip(labels, answer, strict=True)]
    return tuple(f"{format_value(label)} ({100 * share:.0f} %)" for label, share in zip(labels, shares, strict=True))


def _spread(field: FormField, column: list[Any]) -> float:
    if field.kind == "choice":
        return 1.0
    numbers = np.array([np.nan if one is None else one for one in column], dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return 1.0
    low, high = np.quantile(numbers, [0.05, 0.95])
    # One number of a series is one of many.
    return float(high - low) * np.sqrt(field.length or 1) or 1.0
