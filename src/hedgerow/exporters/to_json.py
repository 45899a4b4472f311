"""The rule list as JSON: data alone, so that reading one runs no code and needs no other library.

``rule_list.schema.json`` beside this file says what a document holds. Numbers come back bit by bit; infinity and NaN,
which JSON does not have, are written as text. A change of the format is a new version, and old ones stay readable.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, get_args

import numpy as np

from hedgerow.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import Inputs, SeriesInputs, inputs_from_record, inputs_to_record, to_record
from hedgerow.forest import Forest
from hedgerow.forest_json import classes_from_record, classes_to_record, dump
from hedgerow.forest_json import from_record as forest_from_record
from hedgerow.forest_json import to_record as forest_to_record
from hedgerow.json_field import Field, number_record, parse
from hedgerow.rule import Condition, Rule
from hedgerow.rule_list import RuleList
from hedgerow.solution import Solution, Status

FORMAT, VERSION = "hedgerow.rule_list", 1

#: A line of an indented document is at most so long, if it is a whole list or object.
_WIDTH = 120
#: Class shares may miss 1 by rounding.
_TOLERANCE = 1e-6

_HEAD = ("format", "version", "n_samples", "classes", "class_dtype")
_LIST = (*_HEAD, "rules", "default", "solution", "inputs", "fallback")
_RULE = ("text", *(field.name for field in fields(Rule) if field.name != "class_share"))
_CONDITION = ("feature", "name", "lower", "upper", "categories", "missing")
#: What a rule says that comes from no tree: the default.
_UNSAID: dict[str, Any] = {"conditions": [], "coverage": 0, "share": 0.0, "tree": -1, "node": -1}
_SOLUTION = ("status", "objective", "bound", "gap", "seconds", "chosen")


def export(rule_list: RuleList, indent: int | None = None) -> str:
    """Return the list as JSON, on one line or indented for reading."""
    if indent is not None and (type(indent) is not int or indent < 0):
        raise InvalidParameterError(f"indent is a number of spaces, or None for one line; got {indent!r}.")
    text = dump(_record(rule_list))
    document = json.loads(text)
    _rule_list(Field(document))  # what was made by hand may not fit together: say so now, not when it is read
    return text if indent is None else _laid_out(document, indent)


def read(text: str) -> RuleList:
    """Return the list that :func:`export` wrote; raise an error if anything does not fit together."""
    document = Field(parse(text, "A rule list"))
    if document["format"].value != FORMAT:
        raise document["format"].error(f"{json.dumps(FORMAT)} in a rule list")
    version = document["version"].whole(at_least=1)
    if version > VERSION:
        raise InvalidDataError(
            f"The rule list is of version {version}; this release of hedgerow reads versions up to {VERSION}. "
            "Upgrade hedgerow to read it."
        )
    return _rule_list(document)


# Writing


def _record(rule_list: RuleList) -> dict[str, Any]:
    inputs, places = _needed_inputs(rule_list)
    solution, fallback, digits = rule_list.solution, rule_list.fallback, rule_list.digits
    default = _rule_record(rule_list.default, places)
    default = {name: value for name, value in default.items() if name not in _UNSAID or value != _UNSAID[name]}
    return {
        "format": FORMAT,
        "version": VERSION,
        "n_samples": rule_list.n_samples,
        **classes_to_record(rule_list.classes),
        "rules": [
            {"text": f"if {rule.describe(digits)} then {rule.describe_prediction()}"} | _rule_record(rule, places)
            for rule in rule_list
        ],
        "default": {"text": f"otherwise {rule_list.describe_default()}"} | default,
        "solution": None if solution is None else _solution_record(solution),
        "inputs": inputs_to_record(inputs),
        "fallback": None if fallback is None else forest_to_record(fallback),
    }


def _needed_inputs(rule_list: RuleList) -> tuple[Inputs, dict[int, int]]:
    """Return the inputs to write, and the place in them of the feature of each condition, by its id.

    Features that no rule looks at are left out where the columns are known without them: a forest of series has
    thousands of shapelets, and a pipeline may have made features that cannot be written.
    """
    inputs, known = rule_list.inputs, {id(feature): i for i, feature in enumerate(rule_list.inputs.features)}
    places = {}
    for rule in (*rule_list, rule_list.default):
        for condition in rule.conditions:
            key = id(condition.feature)
            places[key] = known[key] if key in known else _place_of_equal(condition, inputs)
    if inputs.columns is None and not isinstance(inputs, SeriesInputs):
        return inputs, places
    used = sorted(set(places.values()))
    inputs = replace(inputs, features=tuple(inputs.features[i] for i in used))
    return inputs, {key: used.index(place) for key, place in places.items()}


def _place_of_equal(condition: Condition, inputs: Inputs) -> int:
    # Equal features may have different names, which would change what is shown.
    for i, feature in enumerate(inputs.features):
        if feature == condition.feature and to_record(feature) == to_record(condition.feature):
            return i
    raise InvalidDataError(f"A rule looks at {condition.feature.name}, which is not among the inputs of the list.")


def _rule_record(rule: Rule, places: Mapping[int, int]) -> dict[str, Any]:
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


def _condition_record(condition: Condition, places: Mapping[int, int]) -> dict[str, Any]:
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


def _solution_record(solution: Solution) -> dict[str, Any]:
    return {
        "status": solution.status,
        **{name: number_record(float(getattr(solution, name))) for name in ("objective", "bound", "gap", "seconds")},
        "chosen": solution.chosen.tolist(),
    }


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


# Reading


def _rule_list(document: Field) -> RuleList:
    document.only(_LIST)
    classes = classes_from_record(document)
    inputs = inputs_from_record(document["inputs"].value)
    n_samples = document["n_samples"].whole(at_least=0)
    rules = tuple(_rule(rule, inputs, classes, n_samples) for rule in document["rules"])
    if not rules:
        raise document["rules"].error("a list of at least one rule")
    solution, fallback = document.get("solution"), document.get("fallback")
    return RuleList(
        rules=rules,
        default=_rule(document["default"], inputs, classes, n_samples, is_default=True),
        inputs=inputs,
        classes=classes,
        n_samples=n_samples,
        solution=None if solution is None else _solution(solution),
        fallback=None if fallback is None else _fallback(fallback, inputs, classes),
    )


def _rule(field: Field, inputs: Inputs, classes: AnyArray | None, n_samples: int, is_default: bool = False) -> Rule:
    members = field.only(_RULE).members()
    needed = ("conditions", "coverage", "share") if not is_default else ()
    unsaid = {name: value for name, value in _UNSAID.items() if name not in needed}
    field = Field(unsaid | members, field.path)
    if "text" in field:
        field["text"].text()  # for people alone
    spread, kind = field.get("spread"), field.get("kind")
    prediction, distribution = _prediction(field["prediction"], classes), _distribution(field, classes)
    said = None if classes is None else classes.tolist().index(prediction)
    return Rule(
        conditions=tuple(_condition(condition, inputs) for condition in field["conditions"]),
        prediction=prediction,
        coverage=field["coverage"].whole(0, n_samples + 1 if n_samples else None),
        share=field["share"].finite(0, 1 + _TOLERANCE),
        distribution=distribution,
        class_share=None if distribution is None or said is None else distribution[said],
        spread=None if spread is None else spread.number(at_least=0),
        kind="" if kind is None else kind.text(),
        tree=field["tree"].whole(-1),
        node=field["node"].whole(-1),
    )


def _condition(field: Field, inputs: Inputs) -> Condition:
    features = inputs.features
    feature = features[field.only(_CONDITION)["feature"].whole(0, len(features))]
    if field["name"].text() != feature.name:
        raise field["name"].error(f"the name of the feature, {json.dumps(feature.name)}")
    lower, upper, categories, missing = (field.get(name) for name in _CONDITION[2:])
    condition = Condition(
        feature,
        lower=-math.inf if lower is None else lower.number(),
        upper=math.inf if upper is None else upper.number(),
        categories=None if categories is None else _codes(categories, getattr(feature, "n_codes", 0)),
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
    shares = tuple(share.finite(0, 1 + _TOLERANCE) for share in field["distribution"])
    if len(shares) != len(classes):
        raise field["distribution"].error(f"a list of {len(classes)} shares, one a class")
    if abs(math.fsum(shares) - 1) > _TOLERANCE:
        raise InvalidDataError(f"{field['distribution'].path} must sum to 1; it sums to {math.fsum(shares):.6g}.")
    return shares


def _solution(field: Field) -> Solution:
    status: Any = field.only(_SOLUTION)["status"].text(get_args(Status))
    solution = Solution(
        chosen=np.array([column.whole(0) for column in field["chosen"]], dtype=np.int64),
        objective=field["objective"].number(),
        bound=field["bound"].number(),
        status=status,
        seconds=field["seconds"].number(at_least=0),
    )
    said = field["gap"].number(nan=True)
    if not math.isclose(said, solution.gap, rel_tol=1e-9, abs_tol=1e-12) and not math.isnan(solution.gap):
        raise field["gap"].error(f"{solution.gap!r} by objective and bound")
    return solution


def _fallback(field: Field, inputs: Inputs, classes: AnyArray | None) -> Forest:
    try:
        forest = forest_from_record(field.value)
    except InvalidDataError as error:
        raise InvalidDataError(f"{field.path}: {error}") from None
    if _labels(forest.classes) != _labels(classes):
        raise InvalidDataError(f"{field.path}.classes are other than those of the list.")
    if _shape(forest.inputs) != _shape(inputs):
        raise InvalidDataError(f"{field.path}.inputs takes samples of another shape than the list.")
    return forest


def _labels(classes: AnyArray | None) -> list[Any] | None:
    return None if classes is None else classes.tolist()


def _shape(inputs: Inputs) -> tuple[int, ...]:
    """Return the shape of one sample."""
    return (inputs.n_dimensions, inputs.length) if isinstance(inputs, SeriesInputs) else (len(inputs.names),)
