"""What documents of rule lists and of weighted rules share: rules as data and back, their texts, the layout.

A rule looks at features by their places among the inputs that are written beside it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow._support.json_field import Field, number_record, parse
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import Feature, Inputs, to_record
from hedgerow.rules.rule import Condition, Rule

#: What a rule says that comes from no tree: the default.
UNSAID: dict[str, Any] = {"conditions": [], "coverage": 0, "share": 0.0, "tree": -1, "node": -1}
#: Shares may miss 1 by rounding, and a bound the objective.
TOLERANCE = 1e-6

#: A line of an indented document is at most so long, if it is a whole list or object.
_WIDTH = 120
#: Who reads which format.
_READERS = {
    "hedgerow.rule_list": "hedgerow.RuleList.from_json",
    "hedgerow.weighted_rules": "hedgerow.baselines.WeightedRules.from_json",
    "hedgerow.forest": "hedgerow.Forest.from_json",
}
_RULE = ("text", *(field.name for field in fields(Rule) if field.name != "class_share"))
_CONDITION = ("feature", "name", "lower", "upper", "categories", "missing")


def opened(text: str, what: str, name: str, version: int) -> Field:
    """Return a document of that format, of this version or an older one."""
    document = Field(parse(text, f"A {what}"))
    said = document["format"].value
    if said != name:
        reader = _READERS.get(said) if isinstance(said, str) else None
        more = "" if reader is None else f" {reader} reads this."
        raise InvalidDataError(f"{document['format'].error(json.dumps(name) + ' in a ' + what)}{more}")
    found = document["version"].whole(at_least=1)
    if found > version:
        raise InvalidDataError(
            f"The {what} is of version {found}; this release of hedgerow reads versions up to {version}. "
            "Upgrade hedgerow to read it."
        )
    return document


def laid_out(text: str, indent: int | None) -> str:
    """Return a document on one line, as it is, or indented for reading."""
    if indent is not None and (type(indent) is not int or indent < 0):
        raise InvalidParameterError(f"indent is a number of spaces, or None for one line; got {indent!r}.")
    return text if indent is None else _laid_out(json.loads(text), indent)


def check_text(field: Field, text: str) -> None:
    """Refuse a text that says something else than the rule does; one that is not there is no harm."""
    if "text" in field and _ascii(field["text"].text()) != _ascii(text):
        raise InvalidDataError(
            f"{field.path}.text says something else than the rule, which is {json.dumps(text)}. If the rule was "
            "changed on purpose, leave the text out."
        )


def needed_inputs(inputs: Inputs, looked_at: Iterable[Feature]) -> tuple[Inputs, dict[int, int]]:
    """Return the inputs to write, and the place in them of each feature that is looked at, by its id.

    Features that no rule looks at are left out where the columns are known without them: a forest of series has
    thousands of shapelets, and a pipeline may have made features that cannot be written.
    """
    known, places = {id(feature): i for i, feature in enumerate(inputs.features)}, {}
    for feature in looked_at:
        key = id(feature)
        places[key] = known[key] if key in known else _place_of_equal(feature, inputs)
    if inputs.columns is None and not inputs.of_series:
        return inputs, places
    used = sorted(set(places.values()))
    inputs = replace(inputs, features=tuple(inputs.features[i] for i in used))
    return inputs, {key: used.index(place) for key, place in places.items()}


def _place_of_equal(wanted: Feature, inputs: Inputs) -> int:
    # Equal features may have different names, which would change what is shown.
    for i, feature in enumerate(inputs.features):
        if feature == wanted and to_record(feature) == to_record(wanted):
            return i
    raise InvalidDataError(f"A rule looks at {wanted.name}, which is not among the inputs of the list.")


def rule_record(rule: Rule, places: Mapping[int, int]) -> dict[str, Any]:
    """Return a rule as data."""
    record = {
        "conditions": [_condition_record(condition, places) for condition in rule.conditions],
        "prediction": _plain(rule.prediction),
        "coverage": _plain(rule.coverage),
        "share": number_record(float(rule.share)),
        "distribution": None if rule.distribution is None else [number_record(float(x)) for x in rule.distribution],
        "spread": None if rule.spread is None else number_record(float(rule.spread)),
        "kind": rule.kind or None,
        "tree": _plain(rule.tree),
        "node": _plain(rule.node),
    }
    return {name: value for name, value in record.items() if value is not None}


def feature_record(feature: Feature, places: Mapping[int, int]) -> dict[str, Any]:
    """Return where a feature is found among the inputs, and its name, so that a mix-up is noticed."""
    return {"feature": places[id(feature)], "name": feature.name}


def _condition_record(condition: Condition, places: Mapping[int, int]) -> dict[str, Any]:
    record = feature_record(condition.feature, places)
    if condition.lower != -math.inf:
        record["lower"] = number_record(float(condition.lower))
    if condition.upper != math.inf:
        record["upper"] = number_record(float(condition.upper))
    if condition.categories is not None:
        record["categories"] = sorted(condition.categories)
    if condition.missing:
        record["missing"] = True
    return record


def read_rule(field: Field, inputs: Inputs, classes: AnyArray | None, n_samples: int, is_default: bool = False) -> Rule:
    """Return the rule that a record says, if it fits the inputs, the classes and the number of samples."""
    members = field.only(_RULE).members()
    needed = ("conditions", "coverage", "share") if not is_default else ()
    unsaid = {name: value for name, value in UNSAID.items() if name not in needed}
    field = Field(unsaid | members, field.path)
    coverage = field["coverage"].whole(0, n_samples + 1 if n_samples else None)
    share = field["share"].finite(0, 1 + TOLERANCE)
    if n_samples and share and not coverage:
        raise InvalidDataError(f"{field.path}.share is {share!r}, but coverage is 0.")
    spread, kind = field.get("spread"), field.get("kind")
    prediction, distribution = _prediction(field["prediction"], classes), _distribution(field, classes)
    said = None if classes is None else classes.tolist().index(prediction)
    return Rule(
        conditions=tuple(_condition(condition, inputs) for condition in field["conditions"]),
        prediction=prediction,
        coverage=coverage,
        share=share,
        distribution=distribution,
        class_share=None if distribution is None or said is None else distribution[said],
        spread=None if spread is None else spread.number(at_least=0),
        kind="" if kind is None else kind.text(),
        tree=field["tree"].whole(-1),
        node=field["node"].whole(-1),
    )


def read_feature(field: Field, inputs: Inputs) -> Feature:
    """Return the feature that a record names."""
    feature = inputs.features[field["feature"].whole(0, len(inputs.features))]
    if field["name"].text() != feature.name:
        raise field["name"].error(f"the name of the feature, {json.dumps(feature.name)}")
    return feature


def _condition(field: Field, inputs: Inputs) -> Condition:
    feature = read_feature(field.only(_CONDITION), inputs)
    lower, upper, categories, missing = (field.get(name) for name in _CONDITION[2:])
    condition = Condition(
        feature,
        lower=-math.inf if lower is None else lower.number(),
        upper=math.inf if upper is None else upper.number(),
        categories=None if categories is None else _codes(categories, feature.n_codes),
        missing=False if missing is None else missing.truth(),
    )
    if condition.lower > condition.upper:
        raise InvalidDataError(f"{field.path}.lower is above upper: {condition.lower!r} > {condition.upper!r}.")
    return condition


def _codes(field: Field, n_codes: int) -> frozenset[int]:
    if not n_codes:
        raise InvalidDataError(f"{field.path} is for features with categories; this one has none.")
    return frozenset(code.whole(0, n_codes) for code in field)


def _prediction(field: Field, classes: AnyArray | None) -> Any:
    if classes is None:
        return field.number()
    said = field.scalar()
    for label in classes.tolist():
        # True is no 1 here.
        if label == said and isinstance(label, bool) == isinstance(said, bool):
            return label
    raise field.error("one of the classes")


def _distribution(field: Field, classes: AnyArray | None) -> tuple[float, ...] | None:
    given = field.get("distribution")
    if classes is None:
        if given is not None:
            raise InvalidDataError(f"{given.path} is for classes; this list has none.")
        return None
    shares = tuple(share.finite(0, 1 + TOLERANCE) for share in field["distribution"])
    if len(shares) != len(classes):
        raise field["distribution"].error(f"a list of {len(classes)} shares, one a class")
    if abs(math.fsum(shares) - 1) > TOLERANCE:
        raise InvalidDataError(f"{field['distribution'].path} must sum to 1; it sums to {math.fsum(shares):.6g}.")
    return shares


def _ascii(text: str) -> bytes:
    """Return a text with escapes: which letters are written so depends on the release of Python."""
    return text.encode("ascii", "backslashreplace")


def _plain(value: Any) -> Any:
    """Return a number of numpy as one of Python; infinity and NaN as text."""
    value = value.item() if isinstance(value, np.generic) else value
    return number_record(value) if isinstance(value, float) else value


def _laid_out(value: Any, indent: int, depth: int = 0) -> str:
    """Return JSON over several lines; what fits into one, and every list of plain values, in one."""
    flat = json.dumps(value)
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    nested = any(isinstance(one, (dict, list)) for one in inside)
    is_short = indent * depth + len(flat) <= _WIDTH
    if not inside or (is_short and depth) or (isinstance(value, list) and not nested):
        return flat
    keys = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    margin = "\n" + " " * indent * (depth + 1)
    lines = [margin + key + _laid_out(one, indent, depth + 1) for key, one in zip(keys, inside, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + ",".join(lines) + margin[: len(margin) - indent] + closing
