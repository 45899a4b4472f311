"""What is asked to find out which rule fires: the fields of a form, and what the rules make of them.

A field is a column that rules look at; or a series, of which they compute
distances and statistics; or, where the computing is left to fitted steps or to
another library, the computed number itself. Bounds are given as they are
compared: rounded down to the precision of the list, to which a value is rounded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow._support.rounding import round_down
from hedgerow.features import (
    Category,
    CodedCategory,
    Column,
    ColumnWithBlank,
    ColumnWithGap,
    Feature,
    HashedCategory,
    IntervalStatistic,
    SeriesInputs,
    ShapeletDistance,
)
from hedgerow.features.shapelet_metrics import OWN_METRICS, moments
from hedgerow.rules.rule import MORE_DIGITS, Condition, format_value, printable
from hedgerow.rules.rule_list import RuleList

#: What stands behind the categories of a field, in more brackets if a category is called so.
MISSING, OTHER = "(missing)", "(another value)"


@dataclass(frozen=True)
class FormField:
    """Something to be typed or chosen.

    Attributes
    ----------
    label : str
    kind : "number", "choice" or "series"
    options : tuple of str
        What can be chosen.
    length : int
        Of a series.
    takes_missing : bool
        Whether it may be left empty.
    is_computed : bool
        Whether the number is one that the list itself would compute.
    """

    label: str
    kind: Literal["number", "choice", "series"]
    options: tuple[str, ...] = ()
    length: int = 0
    takes_missing: bool = False
    is_computed: bool = False


@dataclass(frozen=True)
class FormFeature:
    """How the number that rules compare comes from a field.

    Attributes
    ----------
    name : str
    field : int
        The position of the field.
    kind : "number", "choice", "shapelet" or "interval"
    codes : tuple of float
        For each option of a choice; NaN where it is missing.
    fill, lowest, highest, blank : float or None
        Of a number: what a missing one counts as; from where to where a number is missing; the one that is.
    shapelet : tuple of float
        With mean 0 and deviation 1 if ``is_scaled``.
    start, end, statistic, order :
        Of an interval, as :class:`hedgerow.features.IntervalStatistic` has them.
    """

    name: str
    field: int
    kind: Literal["number", "choice", "shapelet", "interval"]
    codes: tuple[float, ...] = ()
    fill: float | None = None
    lowest: float | None = None
    highest: float | None = None
    blank: float | None = None
    shapelet: tuple[float, ...] = ()
    is_scaled: bool = False
    start: int = 0
    end: int = 0
    statistic: str = ""
    order: str = ""


@dataclass(frozen=True)
class FormText:
    """A condition in words, and the bounds as they are written in it: :class:`hedgerow.rules.rule.WrittenBounds`."""

    text: str
    lower: float
    least: bool
    upper: float
    excluded: bool


@dataclass(frozen=True)
class FormCondition:
    """A condition to be checked: ``lower < value <= upper``, or the value is one of the codes.

    Rounded bounds may be wrong of a value beside them, so there are several texts, each with more digits.
    """

    feature: int
    texts: tuple[FormText, ...]
    text_if_missing: str
    lower: float | None
    upper: float | None
    codes: tuple[int, ...] | None
    missing: bool


@dataclass(frozen=True)
class Form:
    """The fields, the features made of them, and the conditions of each rule on these."""

    fields: tuple[FormField, ...]
    features: tuple[FormFeature, ...]
    rules: tuple[tuple[FormCondition, ...], ...]
    precision: str
    allows_infinity: bool


def make_form(rule_list: RuleList) -> tuple[Form, tuple[Feature, ...]]:
    """Return the form of a list, and the features of the list in the order in which the form has them."""
    used = tuple(dict.fromkeys(c.feature for rule in rule_list for c in rule.simplified))
    makers = _Fields(rule_list, used)
    features = tuple(makers.feature(feature) for feature in used)
    rules = tuple(tuple(_condition(c, used.index(c.feature), rule_list) for c in rule.simplified) for rule in rule_list)
    inputs = rule_list.inputs
    form = Form(tuple(makers.fields), features, rules, np.dtype(inputs.dtype).name, inputs.allows_infinity)
    return form, used


def _condition(condition: Condition, feature: int, rule_list: RuleList) -> FormCondition:
    dtype, digits = rule_list.inputs.dtype, rule_list.digits
    lower, upper = (
        None if math.isinf(bound) and bound == free else float(round_down(np.float64(bound), dtype))
        for bound, free in ((condition.lower, -math.inf), (condition.upper, math.inf))
    )
    return FormCondition(
        feature=feature,
        texts=_texts(condition, digits),
        text_if_missing=condition.describe(digits, show_missing=True),
        lower=lower,
        upper=upper,
        codes=None if condition.categories is None else tuple(sorted(condition.categories)),
        missing=condition.missing,
    )


def _texts(condition: Condition, digits: int) -> tuple[FormText, ...]:
    texts = {}
    for n in (digits, *(n for n in MORE_DIGITS if n is None or n > digits)):
        lower, least, upper, excluded = condition.written(n)
        text = condition.describe(n)
        texts[text] = FormText(text, float(lower), least, float(upper), excluded)
    return tuple(texts.values())


class _Fields:
    """Makes one field for all features that look at the same column."""

    def __init__(self, rule_list: RuleList, used: tuple[Feature, ...]) -> None:
        self.fields: list[FormField] = []
        self._inputs, self._used = rule_list.inputs, used
        self._place: dict[Any, int] = {}
        #: All distances must be computable for series to be asked for.
        self._from_series = all(
            isinstance(f, IntervalStatistic) or (isinstance(f, ShapeletDistance) and f.metric in OWN_METRICS)
            for f in used
        )

    def feature(self, feature: Feature) -> FormFeature:
        name = printable(feature.name)
        if isinstance(feature, ShapeletDistance | IntervalStatistic) and self._from_series:
            return self._of_series(feature, name)
        index: int | None = getattr(feature, "index", None)
        together = [f for f in self._used if index is not None and getattr(f, "index", None) == index]
        if isinstance(feature, Category) and all(isinstance(f, Category) for f in together):
            return self._of_choice(feature, name, [f for f in together if isinstance(f, Category)])
        if isinstance(feature, Column | ColumnWithGap) and not any(isinstance(f, Category) for f in together):
            label = printable(self._inputs.names[feature.index])
            place = self._field(("column", index), FormField(label, "number", takes_missing=self._takes(together)))
            return FormFeature(name, place, "number", **_gap(feature))
        field = FormField(name, "number", takes_missing=self._takes([feature]), is_computed=True)
        return FormFeature(name, self._field(feature, field), "number", **_gap(feature))

    def _of_series(self, feature: ShapeletDistance | IntervalStatistic, name: str) -> FormFeature:
        inputs = self._inputs
        assert isinstance(inputs, SeriesInputs)
        label = "series" if inputs.n_dimensions == 1 else f"series, dimension {feature.dimension}"
        place = self._field(feature.dimension, FormField(label, "series", length=inputs.length))
        if isinstance(feature, IntervalStatistic):
            stretch: dict[str, Any] = {"start": feature.start, "end": feature.end}
            return FormFeature(name, place, "interval", statistic=feature.statistic, order=feature.order, **stretch)
        shapelet, is_scaled = np.array(feature.shapelet), feature.metric == "scaled_euclidean"
        if is_scaled:
            mean, deviation = moments(shapelet)
            shapelet = (shapelet - mean) / (deviation or 1.0)
        return FormFeature(name, place, "shapelet", shapelet=tuple(shapelet.tolist()), is_scaled=is_scaled)

    def _of_choice(self, feature: Category, name: str, together: list[Category]) -> FormFeature:
        known = list(dict.fromkeys(value for f in together for value in f.categories))
        options = [format_value(value) for value in known]
        codes = [_code(feature, value) for value in known]
        takes_missing = self._takes(list(together)) and not any(isinstance(f, HashedCategory) for f in together)
        # What was never seen is an error to some, and to others as good as missing.
        if all(f.other or (takes_missing and not isinstance(f, CodedCategory)) for f in together):
            options.append(_unlike(OTHER, options))
            codes.append(_unseen(feature))
        if takes_missing:
            options.append(_unlike(MISSING, options))
            codes.append(math.nan)
        label = printable(self._inputs.names[feature.index])
        place = self._field(
            ("column", feature.index), FormField(label, "choice", tuple(options), takes_missing=takes_missing)
        )
        return FormFeature(name, place, "choice", codes=tuple(codes))

    def _takes(self, features: list[Any]) -> bool:
        return all(map(self._inputs.can_be_missing, features))

    def _field(self, key: Any, field: FormField) -> int:
        if key not in self._place:
            self._place[key] = len(self.fields)
            self.fields.append(field)
        return self._place[key]


def _code(feature: Category, value: Any) -> float:
    # By type too: True is no 1, though they are equal.
    for code, known in enumerate(feature.categories):
        if known == value and isinstance(known, bool) == isinstance(value, bool):
            return float(code)
    return _unseen(feature)


def _unseen(feature: Category) -> float:
    return float(len(feature.categories)) if feature.other else math.nan


def _gap(feature: Any) -> dict[str, Any]:
    """Return which numbers count as missing."""
    if isinstance(feature, ColumnWithBlank):
        return {"blank": None if math.isnan(feature.blank) else feature.blank}
    gap = getattr(feature, "gap", None)
    if gap is None:
        return {}
    return {"lowest": gap.lowest, "highest": gap.highest, "fill": getattr(feature, "fill", None)}


def field_values(form: Form, used: tuple[Feature, ...], rule_list: RuleList, X: Any) -> list[list[Any]]:
    """Return what to fill in for some samples: one list a field, one value a sample; None where it is missing."""
    filled: list[list[Any]] = []
    values = rule_list.inputs.values(X, used)
    for i, field in enumerate(form.fields):
        j = next(j for j, feature in enumerate(form.features) if feature.field == i)
        filled.append(_filled(field, form.features[j], used[j], values[used[j]], X))
    return filled


def _filled(field: FormField, made: FormFeature, feature: Any, values: FloatArray, X: Any) -> list[Any]:
    if field.kind == "series":
        series = np.asarray(X, dtype=np.float64)
        return (series if series.ndim == 2 else series[:, feature.dimension]).tolist()
    if field.kind == "choice":
        option = {code: i for i, code in reversed(list(enumerate(made.codes)))}
        last = len(field.options) - 1
        return [option.get(code, last) for code in values.tolist()]
    numbers = values if field.is_computed else Column(feature.index, feature.name).compute(X)
    return [None if math.isnan(number) else float(number) for number in numbers.tolist()]


def _unlike(text: str, options: list[str]) -> str:
    """Return the text in as many brackets as make it unlike all options."""
    while text in options:
        text = f"({text})"
    return text
