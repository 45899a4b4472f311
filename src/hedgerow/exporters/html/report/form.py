"""The what-if form: the fields that are needed to find the matching rule, and how rules use them.

A field is a column that rules use; or a series, from which distances and
statistics are computed; or, if the computation is left to fitted steps or to
another library, the computed number itself. Bounds are stored as they are
compared: rounded down to the precision of the list, to which a value is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import ValueArray
from hedgerow._support.rounding import round_down
from hedgerow.features import Column, Feature, FormEntry, Inputs, Recipe
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import MORE_DIGITS, format_value, printable

#: Options after the categories of a field, in more brackets if a category has the same name.
MISSING, OTHER = "(missing)", "(another value)"


@dataclass(frozen=True)
class WrittenNumbers:
    """How numbers are written in a column (:class:`hedgerow.features.notation.Notation`), for the page's script."""

    decimal: str
    thousands: str
    affixes: tuple[str, ...]
    missing: tuple[float, ...]


@dataclass(frozen=True)
class FormField:
    """A field to fill in.

    Attributes
    ----------
    label : str
    kind : "number", "choice" or "series"
    options : tuple of str
        The options of a choice.
    length : int
        The length of a series.
    takes_missing : bool
        Whether the field may be left empty.
    is_computed : bool
        Whether the field asks for a number that the list itself would compute.
    notation : WrittenNumbers or None
        How numbers are written in the column, if the list knows it.
    """

    label: str
    kind: Literal["number", "choice", "series"]
    options: tuple[str, ...] = ()
    length: int = 0
    takes_missing: bool = False
    is_computed: bool = False
    notation: WrittenNumbers | None = None


@dataclass(frozen=True, kw_only=True)
class FormFeature(Recipe):
    """How the value of a feature follows from a field.

    Attributes
    ----------
    name : str
    field : int
        The position of the field.
    codes : tuple of float
        For a choice: the code of each option, NaN where the value is missing.
    """

    name: str
    field: int
    codes: tuple[float, ...] = ()


@dataclass(frozen=True)
class FormText:
    """A condition in words, and its bounds as written there: :class:`hedgerow.rules.condition.WrittenBounds`."""

    text: str
    lower: float
    least: bool
    upper: float
    excluded: bool


@dataclass(frozen=True)
class FormCondition:
    """A condition to check: ``lower < value <= upper``, or the value is one of the codes.

    Rounded bounds may be wrong for a value next to them, so there are several texts with more and more digits.
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
    """The fields, the features that follow from them, and the conditions of each rule."""

    fields: tuple[FormField, ...]
    features: tuple[FormFeature, ...]
    rules: tuple[tuple[FormCondition, ...], ...]
    precision: str
    allows_infinity: bool

    @property
    def has_computed(self) -> bool:
        """Whether some field asks for a number that the list itself would compute."""
        return any(field.is_computed for field in self.fields)


def make_form(rule_list: RuleList) -> tuple[Form, tuple[Feature, ...]]:
    """Return the form of a rule list, and the list's features in the order of the form."""
    used = tuple(dict.fromkeys(c.feature for rule in rule_list for c in rule.simplified))
    makers = _Fields(rule_list.inputs, used)
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
    """Makes one field for all features that look at the same column, or the same dimension of a series."""

    def __init__(self, inputs: Inputs, used: tuple[Feature, ...]) -> None:
        self.fields: list[FormField] = []
        self._inputs = inputs
        self._asked = {feature: feature.form_entry for feature in used}
        self._place: dict[Any, int] = {}

    def feature(self, feature: Feature) -> FormFeature:
        """Return how a feature follows from its field, which is added if it is new."""
        entry = self._entry(feature)
        together = self._together(entry) or {feature: entry}
        takes_missing = all(map(self._inputs.can_be_missing, together))
        name, kind = printable(feature.name), entry.recipe.field_kind
        options, codes = _options(entry, list(together.values()), takes_missing) if kind == "choice" else ((), ())
        field = FormField(
            label=name if entry.place is None else self._label(kind, entry.place),
            kind=kind,
            options=options,
            length=self._inputs.sample_shape[-1] if kind == "series" else 0,
            takes_missing=takes_missing and kind != "series",
            is_computed=entry.place is None,
            notation=self._notation(entry.place) if kind == "number" else None,
        )
        key = feature if entry.place is None else entry.place
        if key not in self._place:
            self._place[key] = len(self.fields)
            self.fields.append(field)
        return FormFeature(**vars(entry.recipe), name=name, field=self._place[key], codes=codes)

    def _entry(self, feature: Feature) -> FormEntry:
        """Return what is asked for: the value itself if one field would have to serve different kinds of features."""
        entry = self._asked[feature]
        kind = entry.recipe.field_kind
        # A series is worth asking for only if everything can be computed from it.
        beside = self._asked if kind == "series" else self._together(entry)
        if all(self._asked[other].recipe.field_kind == kind for other in beside):
            return entry
        return FormEntry(recipe=entry.recipe) if kind == "number" else FormEntry()

    def _together(self, entry: FormEntry) -> dict[Feature, FormEntry]:
        if entry.place is None:
            return {}
        return {feature: other for feature, other in self._asked.items() if other.place == entry.place}

    def _notation(self, place: int | None) -> WrittenNumbers | None:
        known = None if place is None else self._inputs.notation_of(place)
        if known is None or known.kind != "number":
            return None
        return WrittenNumbers(known.decimal, known.thousands, known.affixes, known.missing_numbers)

    def _label(self, kind: str, place: int) -> str:
        if kind != "series":
            return printable(self._inputs.names[place])
        return "series" if len(self._inputs.names) == 1 else f"series, dimension {place}"


def _options(
    entry: FormEntry, together: list[FormEntry], takes_missing: bool
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the options of a choice, and the code of each."""
    known = list(dict.fromkeys(value for other in together for value in other.levels))
    unseen = math.nan if entry.unseen is None else entry.unseen
    options = [format_value(value) for value in known]
    codes = [_code(entry.levels, value, unseen) for value in known]
    if all(other.unseen is not None and (takes_missing or not math.isnan(other.unseen)) for other in together):
        options.append(_unlike(OTHER, options))
        codes.append(unseen)
    if takes_missing:
        options.append(_unlike(MISSING, options))
        codes.append(math.nan)
    return tuple(options), tuple(codes)


def _code(levels: tuple[Any, ...], value: Any, unseen: float) -> float:
    # By type too: True and 1 are different values, though they compare equal.
    for code, known in enumerate(levels):
        if known == value and isinstance(known, bool) == isinstance(value, bool):
            return float(code)
    return unseen


def field_values(
    form: Form, used: tuple[Feature, ...], values: Mapping[Feature, ValueArray], X: Any
) -> list[list[Any]]:
    """Return the entries for some samples: one list per field, one value per sample; None where it is missing."""
    filled: list[list[Any]] = []
    for i, field in enumerate(form.fields):
        made, feature = next((made, f) for made, f in zip(form.features, used, strict=True) if made.field == i)
        filled.append(_filled(field, made, feature.form_entry.place or 0, values[feature], X))
    return filled


def _filled(field: FormField, made: FormFeature, place: int, values: ValueArray, X: Any) -> list[Any]:
    if field.kind == "series":
        series = np.asarray(X, dtype=np.float64)
        return (series if series.ndim == 2 else series[:, place]).tolist()
    if field.kind == "choice":
        option = {code: i for i, code in reversed(list(enumerate(made.codes)))}
        last = len(field.options) - 1
        return [option.get(code, last) for code in values.tolist()]
    numbers = values if field.is_computed else Column(place, field.label).compute(X)
    return [None if math.isnan(number) else float(number) for number in numbers.tolist()]


def _unlike(text: str, options: list[str]) -> str:
    """Return the text in enough brackets to differ from all options."""
    while text in options:
        text = f"({text})"
    return text
