"""Weighted rules out of JSON: every part is checked, and against the others, before there are rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args, get_type_hints

import numpy as np

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.baselines import LinearTerm, WeightedRules
from hedgerow.exceptions import InvalidDataError
from hedgerow.exporters.json_rules import TOLERANCE, check_text, opened, read_feature, read_rule
from hedgerow.features import Inputs, inputs_from_record
from hedgerow.forest_json import classes_from_record
from hedgerow.json_field import Field
from hedgerow.rule import Rule

FORMAT, VERSION = "hedgerow.weighted_rules", 1

_HEAD = ("format", "version", "n_samples", "classes", "class_dtype")
_RULES = (*_HEAD, "combination", "link", "intercept", "rules", "linear", "inputs")
_SAYINGS = ("weight", "inside", "outside")
_TERM = ("feature", "name", "slope", "low", "high", "center", "spread")


def read(text: str) -> WeightedRules:
    """Return the rules that ``to_json`` wrote; raise an error if anything does not fit together."""
    return checked(opened(text, "document of weighted rules", FORMAT, VERSION))


def checked(document: Field) -> WeightedRules:
    """Return the rules in a document of this version, if everything in it fits together."""
    document.only(_RULES)
    classes = classes_from_record(document)
    if classes is not None and len(classes) < 2:
        raise document["classes"].error("a list of at least two labels, or null")
    n_outputs = 1 if classes is None or len(classes) == 2 else len(classes)
    inputs = inputs_from_record(document["inputs"].value)
    n_samples = document["n_samples"].whole(at_least=0)
    parts = [part.only((*_SAYINGS, "rule")) for part in document["rules"]]
    weights, inside, outside = (_table(parts, name, n_outputs) for name in _SAYINGS)
    rules = WeightedRules(
        rules=tuple(read_rule(part["rule"], inputs, classes, n_samples) for part in parts),
        weights=weights,
        inside=inside,
        outside=outside,
        intercept=np.array(_outputs(document["intercept"], n_outputs)),
        inputs=inputs,
        classes=classes,
        n_samples=n_samples,
        combination=_one_of(document, "combination"),
        link=_one_of(document, "link"),
        linear=tuple(_term(term, inputs, n_outputs) for term in document["linear"]),
    )
    _check_ways(document, rules)
    for part, rule in zip(parts, rules, strict=True):
        check_text(part["rule"], rule.sentence(rules.listed.digits))
    return rules


def _check_ways(document: Field, rules: WeightedRules) -> None:
    """Refuse ways to combine that do not fit the rest: a mean is of what rules answer, and numbers are no shares."""
    if rules.combination == "mean":
        for part, rule, weight, inside in zip(document["rules"], rules, rules.weights, rules.inside, strict=True):
            if (weight < 0).any():
                raise part["weight"].error("a list of numbers of at least 0 in a mean")
            if not np.allclose(inside, _answer(rule, rules.classes), rtol=TOLERANCE, atol=TOLERANCE):
                raise part["inside"].error("what the rule answers in a mean: its prediction, or the shares of classes")
        if rules.linear:
            raise document["linear"].error("an empty list in a mean")
    if rules.classes is None and rules.link != "identity":
        raise document["link"].error('"identity" in a regression')


def _answer(rule: Rule, classes: AnyArray | None) -> Any:
    """Return what a rule that answers alone says: a value, the share of the second class, or those of all."""
    if classes is None or rule.distribution is None:
        return rule.prediction
    return rule.distribution[1:] if len(classes) == 2 else rule.distribution


def _one_of(document: Field, name: str) -> Any:
    return document[name].text(get_args(get_type_hints(WeightedRules)[name]))


def _table(parts: Sequence[Field], name: str, n_outputs: int) -> FloatArray:
    """Return one row a rule, one column an output."""
    return np.array([_outputs(part[name], n_outputs) for part in parts], dtype=float).reshape(len(parts), n_outputs)


def _outputs(field: Field, n_outputs: int) -> list[float]:
    numbers = [number.finite() for number in field]
    if len(numbers) != n_outputs:
        raise field.error(f"a list of {n_outputs} numbers, one an output")
    return numbers


def _term(field: Field, inputs: Inputs, n_outputs: int) -> LinearTerm:
    feature = read_feature(field.only(_TERM), inputs)
    if getattr(feature, "n_codes", 0):
        raise InvalidDataError(f"{field.path}.feature has categories, which no slope is for.")
    low, high, center = (field[name].finite() for name in ("low", "high", "center"))
    if not low <= high:
        raise field["high"].error(f"at least low, {low!r}")
    slope = np.array(_outputs(field["slope"], n_outputs))
    return LinearTerm(feature, slope, low, high, center, field["spread"].finite(at_least=0))
