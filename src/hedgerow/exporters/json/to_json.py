"""The rule list as JSON: data alone, so that reading one runs no code and needs no other library.

``rule_list.schema.json`` beside this file says what a document holds. Numbers come back bit by bit; infinity and NaN,
which JSON does not have, are written as text. A change of the format is a new version, and old ones stay readable.
"""

from __future__ import annotations

import json
from typing import Any

from hedgerow._support.json_field import Field, number_record
from hedgerow.exporters.json.documents import UNSAID, laid_out, needed_inputs, rule_record
from hedgerow.exporters.json.from_json import FORMAT, VERSION, checked
from hedgerow.features import inputs_to_record
from hedgerow.forests.json import classes_to_record, dump
from hedgerow.forests.json import to_record as forest_to_record
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution


def export(rule_list: RuleList, indent: int | None = None) -> str:
    """Return the list as JSON, on one line or indented for reading."""
    record = _record(rule_list)
    # What was made by hand may not fit together: say so now, not when it is read.
    again = checked(Field(json.loads(dump(record))))
    return laid_out(dump(_with_texts(record, again)), indent)


def _record(rule_list: RuleList) -> dict[str, Any]:
    rules = (*rule_list, rule_list.default)
    inputs, places = needed_inputs(rule_list.inputs, (c.feature for rule in rules for c in rule.conditions))
    solution, fallback = rule_list.solution, rule_list.fallback
    default = rule_record(rule_list.default, places)
    default = {name: value for name, value in default.items() if name not in UNSAID or value != UNSAID[name]}
    return {
        "format": FORMAT,
        "version": VERSION,
        "n_samples": rule_list.n_samples,
        **classes_to_record(rule_list.classes),
        "rules": [rule_record(rule, places) for rule in rule_list],
        "default": default,
        "solution": None if solution is None else _solution_record(solution),
        "inputs": inputs_to_record(inputs),
        "fallback": None if fallback is None else forest_to_record(fallback),
    }


def _with_texts(record: dict[str, Any], rule_list: RuleList) -> dict[str, Any]:
    """Return the record with what each rule says, for people."""
    *said, default = rule_list.sentences()
    rules = [{"text": text} | rule for text, rule in zip(said, record["rules"], strict=True)]
    return record | {"rules": rules, "default": {"text": default} | record["default"]}


def _solution_record(solution: Solution) -> dict[str, Any]:
    return {
        "status": solution.status,
        **{name: number_record(float(getattr(solution, name))) for name in ("objective", "bound", "gap", "seconds")},
        "chosen": solution.chosen.tolist(),
    }
