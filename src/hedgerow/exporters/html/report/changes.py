"""What the page needs to find the smallest changes: the cells of each field, and the answer of each rule.

The page's script ``least_changes.js`` finds the same changes as :func:`hedgerow.evidence.reasons`, for fields instead
of columns: where a field asks for a computed number, such as a part of a date, it is this number that changes. The page
says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hedgerow.evidence.cell_values import bounds_of
from hedgerow.evidence.changed_rows import numbers_in
from hedgerow.evidence.places import Place
from hedgerow.evidence.spreads import Spread
from hedgerow.exporters.html.report.form import Form
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Feature
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value


@dataclass(frozen=True)
class FieldCells:
    """The cells of a field of numbers, and how changes of it are measured.

    Attributes
    ----------
    parts : tuple of (float, float)
        The least and the largest number of each cell; the first is larger if the cell has no integer.
    ends : tuple of float
        Where the cells end, before they are narrowed to integers.
    unit, middle : float or None
        The spread and the median of the column, if they are known.
    is_whole : bool
        Whether only integers are suggested.
    """

    parts: tuple[tuple[float, float], ...] = ()
    ends: tuple[float, ...] = ()
    unit: float | None = None
    middle: float | None = None
    is_whole: bool = False


@dataclass(frozen=True)
class PossibleChanges:
    """What may change in the form, and what that may lead to.

    Attributes
    ----------
    fields : tuple of FieldCells
    n_levels : tuple of int
        For each feature of the form, its number of known categories.
    answers : tuple of int or float
        What each rule predicts, the default last: the position of a label, or a number.
    labels : tuple of str
        The labels; empty if numbers are predicted.
    """

    fields: tuple[FieldCells, ...]
    n_levels: tuple[int, ...]
    answers: tuple[float, ...]
    labels: tuple[str, ...]


def find_changes(
    rule_list: RuleList, form: Form, used: tuple[Feature, ...], samples: Samples | None
) -> PossibleChanges | None:
    """Return what the page needs; None if there is nothing to change, or if fields ask for series."""
    if not form.fields or any(field.kind == "series" for field in form.fields):
        return None
    labels = rule_list.task.labels if rule_list.task.has_labels else ()
    said = [rule.prediction for rule in (*rule_list, rule_list.default)]
    return PossibleChanges(
        fields=tuple(_field(rule_list, form, used, i, samples) for i in range(len(form.fields))),
        n_levels=tuple(len(feature.levels or ()) for feature in used),
        answers=tuple(list(labels).index(one) if labels else float(one) for one in said),
        labels=tuple(format_value(label) for label in labels),
    )


def _field(rule_list: RuleList, form: Form, used: tuple[Feature, ...], i: int, samples: Samples | None) -> FieldCells:
    field = form.fields[i]
    if field.kind == "choice":
        return FieldCells()
    features = tuple(feature for feature, made in zip(used, form.features, strict=True) if made.field == i)
    conditions = tuple(c for rule in rule_list for c in rule.simplified if c.feature in features)
    column = None if field.is_computed else features[0].form_entry.place
    place, spread = Place(field.label, column, features, conditions), Spread()
    if samples is not None:
        spread = Spread.of(numbers_in(place, samples.seen.X, rule_list.inputs, dict(samples.seen.values)))
    bounds = bounds_of(features, conditions, rule_list.inputs)
    unit, middle = (None if math.isnan(number) else number for number in (spread.unit, spread.middle))
    return FieldCells(tuple(bounds.parts(spread.is_whole)), bounds.ends, unit, middle, spread.is_whole)
