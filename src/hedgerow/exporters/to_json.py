"""The rule list as JSON: data alone, so that reading one runs no code and needs no other library.

``rule_list.schema.json`` beside this file says what a document holds. Numbers come back bit by bit; infinity and NaN,
which JSON does not have, are written as text. A change of the format is a new version, and old ones stay readable.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.from_json import FORMAT, UNSAID, VERSION, checked, texts
from hedgerow.features import Inputs, SeriesInputs, inputs_to_record, to_record
from hedgerow.forest_json import classes_to_record, dump
from hedgerow.forest_json import to_record as forest_to_record
from hedgerow.json_field import Field, number_record
from hedgerow.rule import Condition, Rule
from hedgerow.rule_list import RuleList
from hedgerow.solution import Solution

#: A line of an indented document is at most so long, if it is a whole list or object.
_WIDTH = 120


def export(rule_list: RuleList, indent: int | None = None) -> str:
    """Return the list as JSON, on one line or indented for reading."""
    if indent is not None and (type(indent) is not int or indent < 0):
        raise InvalidParameterError(f"indent is a number of spaces, or None for one line; got {indent!r}.")
    record = _record(rule_list)
    # What was made by hand may not fit together: say so now, not when it is read.
    again = checked(Field(json.loads(dump(record))))
    text = dump(_with_texts(record, again))
    return text if indent is None else _laid_out(json.loads(text), indent)


def _record(rule_list: RuleList) -> dict[str, Any]:
    inputs, places = _needed_inputs(rule_list)
    solution, fallback = rule_list.solution, rule_list.fallback
    default = _rule_record(rule_list.default, places)
    default = {name: value for name, value in default.items() if name not in UNSAID or value != UNSAID[name]}
    return {
        "format": FORMAT,
        "version": VERSION,
        "n_samples": rule_list.n_samples,
        **classes_to_record(rule_list.classes),
        "rules": [_rule_record(rule, places) for rule in rule_list],
        "default": default,
        "solution": None if solution is None else _solution_record(solution),
        "inputs": inputs_to_record(inputs),
        "fallback": None if fallback is None else forest_to_record(fallback),
    }


def _with_texts(record: dict[str, Any], rule_list: RuleList) -> dict[str, Any]:
    """Return the record with what each rule says, for people."""
    *said, default = texts(rule_list)
    rules = [{"text": text} | rule for text, rule in zip(said, record["rules"], strict=True)]
    return record | {"rules": rules, "default": {"text": default} | record["default"]}


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
