"""The rule list as JSON: pure data, so that reading it runs no code and needs no other library.

``rule_list.schema.json`` beside this file describes a document. Numbers come back bit by bit; infinity and NaN, which
JSON does not have, are written as strings. A change of the format is a new version, and old ones stay readable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hedgerow._support.json_field import Field, number_record
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.json.from_json import FORMAT, VERSION, checked
from hedgerow.exporters.json.rules import UNSAID, rule_record
from hedgerow.features import Feature, Inputs, inputs_to_record, to_record
from hedgerow.forests.json import classes_to_record, dump
from hedgerow.forests.json import to_record as forest_to_record
from hedgerow.rules.edit import Edit
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution

#: The longest list or object that takes one line of an indented document, without its key.
_WIDTH = 120


def export(rule_list: RuleList, indent: int | None = None, certificate: dict[str, Any] | None = None) -> str:
    """Return the list as JSON, on one line or indented for reading; with what proves it again, if that is given."""
    if indent is not None and (type(indent) is not int or indent < 0):
        raise InvalidParameterError(f"indent must be a number of spaces, or None for one line; got {indent!r}.")
    record = _record(rule_list)
    # Parts of a list made by hand may not fit together: say so now, not when it is read.
    again = checked(Field(json.loads(dump(record))))
    text = dump(_with_texts(record, again) | ({} if certificate is None else {"certificate": certificate}))
    return text if indent is None else _laid_out(json.loads(text), indent)


def _record(rule_list: RuleList) -> dict[str, Any]:
    rules = (*rule_list, rule_list.default)
    inputs, places = _needed_inputs(rule_list.inputs, (c.feature for rule in rules for c in rule.conditions))
    solution, fallback = rule_list.solution, rule_list.fallback
    default = rule_record(rule_list.default, places)
    default = {name: value for name, value in default.items() if name not in UNSAID or value != UNSAID[name]}
    changed: dict[str, Any] = {"constraints": list(rule_list.constraints)} if rule_list.constraints else {}
    if rule_list.edits:
        changed["edits"] = [_edit_record(edit) for edit in rule_list.edits]
    return {
        "format": FORMAT,
        "version": VERSION,
        "n_samples": rule_list.n_samples,
        **classes_to_record(rule_list.classes),
        "rules": [rule_record(rule, places) for rule in rule_list],
        "default": default,
        "solution": None if solution is None else _solution_record(solution),
        **changed,
        "inputs": inputs_to_record(inputs),
        "fallback": None if fallback is None else forest_to_record(fallback),
    }


def _needed_inputs(inputs: Inputs, looked_at: Iterable[Feature]) -> tuple[Inputs, dict[int, int]]:
    """Return the inputs to write, and the position in them of each feature of a rule, by its id.

    Features that no rule uses are left out if the columns are known without them: a forest on time series has
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
    raise InvalidDataError(f"A rule uses {wanted.name}, which is not among the inputs of the list.")


def _edit_record(edit: Edit) -> dict[str, Any]:
    numbers = {name: number_record(float(getattr(edit, name))) for name in ("before", "after")}
    return {"step": edit.step, "kind": edit.kind, "text": edit.text, **numbers, "proven": bool(edit.proven)}


def _solution_record(solution: Solution) -> dict[str, Any]:
    return {
        "status": solution.status,
        **{name: number_record(float(getattr(solution, name))) for name in ("objective", "bound", "gap", "seconds")},
        "chosen": solution.chosen.tolist(),
    }


def _with_texts(record: dict[str, Any], rule_list: RuleList) -> dict[str, Any]:
    """Return the record with a sentence for each rule, for people."""
    *sentences, default = rule_list.sentences()
    rules = [{"text": text} | rule for text, rule in zip(sentences, record["rules"], strict=True)]
    return record | {"rules": rules, "default": {"text": default} | record["default"]}


def _laid_out(value: Any, indent: int, depth: int = 0) -> str:
    """Return JSON over several lines; what fits into one line, and every list of scalars, on one line."""
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
