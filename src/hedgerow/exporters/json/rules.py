"""One rule as data, and back.

A condition refers to its feature by the position among the inputs that are written in the same document.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow._support.json_field import Field, number_record
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Inputs
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule import Rule

#: What may be left out of a record: the values of a rule that comes from no tree, such as the default.
UNSAID: dict[str, Any] = {"conditions": [], "coverage": 0, "share": 0.0, "tree": -1, "node": -1}
#: By how much rounding may keep shares from adding up to 1, and a bound from reaching the objective.
TOLERANCE = 1e-6

_RULE = ("text", *(field.name for field in fields(Rule)))
_CONDITION = ("feature", "name", "lower", "upper", "categories", "missing")


def rule_record(rule: Rule, places: Mapping[int, int]) -> dict[str, Any]:
    """Return a rule as data; ``places`` are the positions of the features among the inputs, by id."""
    record = {
        "conditions": [_condition_record(condition, places) for condition in rule.conditions],
        "prediction": _plain(rule.prediction),
        "coverage": _plain(rule.coverage),
        "share": number_record(float(rule.share)),
        "distribution": None if rule.distribution is None else [number_record(float(x)) for x in rule.distribution],
        "class_share": None if rule.class_share is None else number_record(float(rule.class_share)),
        "spread": None if rule.spread is None else number_record(float(rule.spread)),
        "kind": rule.kind or None,
        "of_model": None if rule.of_model is None else number_record(float(rule.of_model)),
        "tree": _plain(rule.tree),
        "node": _plain(rule.node),
    }
    return {name: value for name, value in record.items() if value is not None}


def _condition_record(condition: Condition, places: Mapping[int, int]) -> dict[str, Any]:
    # The name is there so that a mix-up of positions is noticed.
    record: dict[str, Any] = {"feature": places[id(condition.feature)], "name": condition.feature.name}
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
    """Return the rule in a record, if it fits the inputs, the classes and the number of samples."""
    members = field.only(_RULE).members()
    needed = ("conditions", "coverage", "share") if not is_default else ()
    unsaid = {name: value for name, value in UNSAID.items() if name not in needed}
    field = Field(unsaid | members, field.path)
    coverage = field["coverage"].whole(0, n_samples + 1 if n_samples else None)
    share = field["share"].finite(0, 1 + TOLERANCE)
    if n_samples and share and not coverage:
        raise InvalidDataError(f"{field.path}.share is {share!r}, but coverage is 0.")
    spread, kind, class_share, of_model = (field.get(name) for name in ("spread", "kind", "class_share", "of_model"))
    prediction, distribution = _prediction(field["prediction"], classes), _distribution(field, classes)
    said = None if classes is None else classes.tolist().index(prediction)
    shown = None if distribution is None or said is None else distribution[said]
    return Rule(
        conditions=tuple(_condition(condition, inputs) for condition in field["conditions"]),
        prediction=prediction,
        coverage=coverage,
        share=share,
        distribution=distribution,
        class_share=shown if class_share is None else class_share.finite(0, 1 + TOLERANCE),
        spread=None if spread is None else spread.number(at_least=0),
        kind="" if kind is None else kind.text(),
        of_model=None if of_model is None else of_model.number(at_least=0),
        tree=field["tree"].whole(-1),
        node=field["node"].whole(-1),
    )


def _condition(field: Field, inputs: Inputs) -> Condition:
    feature = inputs.features[field.only(_CONDITION)["feature"].whole(0, len(inputs.features))]
    if field["name"].text() != feature.name:
        raise field["name"].error(f"the name of the feature, {json.dumps(feature.name)}")
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
        # To Python True equals 1, but they are different labels.
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
        raise field["distribution"].error(f"a list of {len(classes)} shares, one per class")
    if abs(math.fsum(shares) - 1) > TOLERANCE:
        raise InvalidDataError(f"{field['distribution'].path} must sum to 1; it sums to {math.fsum(shares):.6g}.")
    return shares


def _plain(value: Any) -> Any:
    """Return a NumPy scalar as a Python one; infinity and NaN as strings."""
    value = value.item() if isinstance(value, np.generic) else value
    return number_record(value) if isinstance(value, float) else value
