"""A form in which to try values, and some samples to compare them with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from hedgerow._support.arrays import IntArray
from hedgerow.exporters.html.report.changes import PossibleChanges, find_changes
from hedgerow.exporters.html.report.form import Form, FormField, field_values, make_form
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import frame_or_array
from hedgerow.features.inputs import read_cells
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.asking import predictions_of
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value
from hedgerow.tasks import Task

#: The most samples that are kept, and the most numbers in all of them together: a page must stay small.
MOST_SAMPLES, MOST_NUMBERS = 500, 20_000
#: The least number of samples per rule, if there are as many.
_OF_EACH_RULE = 5


@dataclass(frozen=True)
class StoredSamples:
    """Samples to compare with.

    Attributes
    ----------
    of : str
        The set that they come from: "training", "held-out" or "tested".
    row : tuple of int
        Their positions in that set.
    values : tuple of tuples
        What to fill in: one tuple per field, one value per sample.
    spread : tuple of float
        How far apart the values of each field typically are.
    rule : tuple of int
        The first matching rule, -1 if none matches.
    ensemble : tuple of str
        What the ensemble predicts; empty if it is not known.
    truth : tuple of str
        The targets; empty if they are not known.
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
    """The form, the samples, if there are any, and what may change, unless that is not looked for."""

    form: Form
    samples: StoredSamples | None
    changes: PossibleChanges | None = None


def make_what_if(rule_list: RuleList, samples: Samples | None, whole: tuple[Any, Forest | None] | None) -> WhatIf:
    """Return the form, and some of the samples, if any, with the predictions of list and ensemble and their targets.

    ``whole`` is the ensemble, or the model that the list explains, and its neutral form if it has one.
    """
    form, used = make_form(rule_list)
    changes = find_changes(rule_list, form, used, samples)
    if samples is None:
        return WhatIf(form, None, changes)
    width = sum(max(1, field.length) for field in form.fields)
    rows = _chosen(samples.seen.fired, min(MOST_SAMPLES, MOST_NUMBERS // max(1, width)))
    if not len(rows):
        return WhatIf(form, None, changes)
    some = frame_or_array(_safe_indexing(samples.seen.X, rows))
    read = read_cells(some, rule_list.inputs.notations)
    values = field_values(form, used, {feature: samples.seen.values[feature][rows] for feature in used}, read)
    stored = StoredSamples(
        of=samples.name,
        row=tuple(rows.tolist()),
        values=tuple(tuple(column) for column in values),
        spread=tuple(_spread(field, column) for field, column in zip(form.fields, values, strict=True)),
        rule=tuple(samples.seen.fired[rows].tolist()),
        ensemble=() if whole is None else _predictions(*whole, rule_list.task, some),
        truth=() if samples.y is None else tuple(format_value(one) for one in samples.y[rows].tolist()),
    )
    return WhatIf(form, stored, changes)


def _chosen(fired: IntArray, most: int) -> IntArray:
    """Return sorted positions of samples: some of each rule, and random others."""
    shuffled = np.random.default_rng(0).permutation(len(fired))
    turn = np.empty(len(fired), dtype=np.int64)
    for rule in np.unique(fired):
        of_rule = shuffled[fired[shuffled] == rule]
        turn[of_rule] = np.arange(len(of_rule))
    first = np.argsort(np.minimum(turn[shuffled], _OF_EACH_RULE), kind="stable")
    return np.sort(shuffled[first[:most]])


def _predictions(model: Any, forest: Forest | None, task: Task, X: Any) -> tuple[str, ...]:
    said, shares = predictions_of(model, forest, task, X)
    texts = [format_value(one) for one in said.tolist()]
    if shares is None:
        return tuple(texts)
    of_label = shares[np.arange(len(said)), [task.labels.index(label) for label in said.tolist()]]
    return tuple(f"{text} ({100 * share:.0f} %)" for text, share in zip(texts, of_label, strict=True))


def _spread(field: FormField, column: list[Any]) -> float:
    if field.kind == "choice":
        return 1.0
    numbers = np.array([np.nan if one is None else one for one in column], dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return 1.0
    low, high = np.quantile(numbers, [0.05, 0.95])
    # The distance between two series is that of all their numbers.
    return float(high - low) * np.sqrt(field.length or 1) or 1.0
