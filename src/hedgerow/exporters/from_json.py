"""A rule list out of JSON: every part is checked, and against the others, before there is a list."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import Any, get_args

import numpy as np

from hedgerow.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Inputs, SeriesInputs, inputs_from_record
from hedgerow.forest import Forest
from hedgerow.forest_json import classes_from_record
from hedgerow.forest_json import from_record as forest_from_record
from hedgerow.json_field import Field, parse
from hedgerow.rule import Condition, Rule
from hedgerow.rule_list import RuleList
from hedgerow.solution import Solution, Status

FORMAT, VERSION = "hedgerow.rule_list", 1
#: What a rule says that comes from no tree: the default.
UNSAID: dict[str, Any] = {"conditions": [], "coverage": 0, "share": 0.0, "tree": -1, "node": -1}

#: Shares may miss 1 by rounding, and a bound the objective.
_TOLERANCE = 1e-6

_HEAD = ("format", "version", "n_samples", "classes", "class_dtype")
_LIST = (*_HEAD, "rules", "default", "solution", "inputs", "fallback")
_RULE = ("text", *(field.name for field in fields(Rule) if field.name != "class_share"))
_CONDITION = ("feature", "name", "lower", "upper", "categories", "missing")
_SOLUTION = ("status", "objective", "bound", "gap", "seconds", "chosen")


def read(text: str) -> RuleList:
    """Return the list that ``to_json`` wrote; raise an error if anything does not fit together."""
    document = Field(parse(text, "A rule list"))
    if document["format"].value != FORMAT:
        raise document["format"].error(f"{json.dumps(FORMAT)} in a rule list")
    version = document["version"].whole(at_least=1)
    if version > VERSION:
        raise InvalidDataError(
            f"The rule list is of version {version}; this release of hedgerow reads versions up to {VERSION}. "
            "Upgrade hedgerow to read it."
        )
    return checked(document)


def texts(rule_list: RuleList) -> list[str]:
    """Return what each rule says, the default last. Another wording is another version: texts are compared."""
    digits = rule_list.digits
    rules = [f"if {rule.describe(digits)} then {rule.describe_prediction()}" for rule in rule_list]
    return [*rules, f"otherwise {rule_list.describe_default()}"]


def checked(document: Field) -> RuleList:
    """Return the list in a document of this version, if everything in it fits together."""
    document.only(_LIST)
    classes = classes_from_record(document)
    inputs = inputs_from_record(document["inputs"].value)
    n_samples = document["n_samples"].whole(at_least=0)
    rules = tuple(_rule(rule, inputs, classes, n_samples) for rule in document["rules"])
    if not rules:
        raise document["rules"].error("a list of at least one rule")
    solution, fallback = document.get("solution"), document.get("fallback")
    rule_list = RuleList(
        rules=rules,
        default=_rule(document["default"], inputs, classes, n_samples, is_default=True),
        inputs=inputs,
        classes=classes,
        n_samples=n_samples,
        solution=None if solution is None else _solution(solution),
        fallback=None if fallback is None else _fallback(fallback, inputs, classes),
    )
    if rule_list.solution is not None:
        _check_partition(rule_list, rule_list.solution)
    _check_texts(document, rule_list)
    return rule_list


def _check_texts(document: Field, rule_list: RuleList) -> None:
    """Refuse a text that says something else than the rule does; one that is not there is no harm."""
    for field, text in zip((*document["rules"], document["default"]), texts(rule_list), strict=True):
        if "text" in field and _ascii(field["text"].text()) != _ascii(text):
            raise InvalidDataError(
                f"{field.path}.text says something else than the rule, which is {json.dumps(text)}. If the rule was "
                "changed on purpose, leave the text out."
            )


def _ascii(text: str) -> bytes:
    """Return a text with escapes: which letters are written so depends on the release of Python."""
    return text.encode("ascii", "backslashreplace")


def _check_partition(rule_list: RuleList, solution: Solution) -> None:
    """Refuse numbers that rules cannot have which a solver chose: each training sample is in one of them."""
    covered, share = sum(rule.coverage for rule in rule_list), math.fsum(rule.share for rule in rule_list)
    if covered != rule_list.n_samples:
        raise InvalidDataError(f"The rules cover {covered} samples together, but n_samples is {rule_list.n_samples}.")
    if abs(share - 1) > _TOLERANCE:
        raise InvalidDataError(f"The shares of the rules must sum to 1; they sum to {share:.6g}.")
    if len(solution.chosen) != len(rule_list):
        raise InvalidDataError(f"solution.chosen names {len(solution.chosen)} rules, but there are {len(rule_list)}.")


def _rule(field: Field, inputs: Inputs, classes: AnyArray | None, n_samples: int, is_default: bool = False) -> Rule:
    members = field.only(_RULE).members()
    needed = ("conditions", "coverage", "share") if not is_default else ()
    unsaid = {name: value for name, value in UNSAID.items() if name not in needed}
    field = Field(unsaid | members, field.path)
    coverage = field["coverage"].whole(0, n_samples + 1 if n_samples else None)
    share = field["share"].finite(0, 1 + _TOLERANCE)
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
    size = max(1.0, abs(solution.objective))
    if solution.bound < solution.objective - _TOLERANCE * size:
        raise field["bound"].error(f"at least the objective, {solution.objective!r}")
    if solution.optimal and not solution.bound <= solution.objective + _TOLERANCE * size:
        raise field["status"].error("not optimal, as the bound is above the objective")
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
