"""Weighted rules as JSON: data alone, as :mod:`hedgerow.exporters.to_json` writes a rule list.

``weighted_rules.schema.json`` beside this file says what a document holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hedgerow.arrays import FloatArray
from hedgerow.baselines import LinearTerm, WeightedRules
from hedgerow.exporters.json_rules import feature_record, laid_out, needed_inputs, rule_record
from hedgerow.exporters.weighted_from_json import FORMAT, VERSION, checked
from hedgerow.features import inputs_to_record
from hedgerow.forest_json import classes_to_record, dump
from hedgerow.json_field import Field


def export(rules: WeightedRules, indent: int | None = None) -> str:
    """Return the rules as JSON, on one line or indented for reading."""
    record = _record(rules)
    # What was made by hand may not fit together: say so now, not when it is read.
    again = checked(Field(json.loads(dump(record))))
    for part, rule in zip(record["rules"], again, strict=True):
        part["rule"] = {"text": rule.sentence(again.listed.digits)} | part["rule"]
    return laid_out(dump(record), indent)


def _record(rules: WeightedRules) -> dict[str, Any]:
    of_rules = [condition.feature for rule in rules for condition in rule.conditions]
    inputs, places = needed_inputs(rules.inputs, [*of_rules, *(term.feature for term in rules.linear)])
    parts = zip(rules, rules.weights, rules.inside, rules.outside, strict=True)
    return {
        "format": FORMAT,
        "version": VERSION,
        "n_samples": rules.n_samples,
        **classes_to_record(rules.classes),
        "combination": rules.combination,
        "link": rules.link,
        "intercept": _numbers(rules.intercept),
        "rules": [
            {
                "weight": _numbers(weight),
                "inside": _numbers(inside),
                "outside": _numbers(outside),
                "rule": rule_record(rule, places),
            }
            for rule, weight, inside, outside in parts
        ],
        "linear": [_term_record(term, places) for term in rules.linear],
        "inputs": inputs_to_record(inputs),
    }


def _term_record(term: LinearTerm, places: Mapping[int, int]) -> dict[str, Any]:
    ends = {name: float(getattr(term, name)) for name in ("low", "high", "center", "spread")}
    return feature_record(term.feature, places) | {"slope": _numbers(term.slope)} | ends


def _numbers(values: FloatArray) -> list[float]:
    """Return one number an output."""
    numbers: list[float] = values.astype(float).tolist()
    return numbers
