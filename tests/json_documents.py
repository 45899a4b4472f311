"""Rule lists as JSON documents: a small one to change, and checks that a list comes back as it was."""

import copy
import json
import re
from importlib.resources import files

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from numpy.testing import assert_array_equal

from hedgerow import Condition, Rule, RuleList, Solution
from hedgerow.features import Column, Inputs, SeriesInputs

SCHEMA = Draft202012Validator(json.loads((files("hedgerow.exporters.json") / "rule_list.schema.json").read_text()))
A, B = Column(0, "a"), Column(1, "b")
LIST = RuleList(
    rules=(
        Rule((Condition(A, upper=5),), "yes", 6, 0.6, (0.25, 0.75), tree=3, node=2),
        Rule((Condition(A, lower=3), Condition(B, lower=0, missing=True)), "no", 4, 0.4, (1.0, 0.0)),
    ),
    default=Rule((), "yes", distribution=(0.45, 0.55)),
    inputs=Inputs((A, B)),
    classes=np.array(["no", "yes"]),
    n_samples=10,
    solution=Solution(np.array([0, 1]), 1.5, 2.0, "time_limit", 0.1),
)
#: In :func:`changed`: the member is to be left out.
GONE = object()


def strictly(text):
    """What a parser says that knows no Infinity and no NaN."""
    return json.loads(text, parse_constant=lambda token: pytest.fail(f"{token} is not JSON"))


def check_round_trip(rules, X):
    text = rules.to_json()
    SCHEMA.validate(strictly(text))
    again = RuleList.from_json(text)
    assert again.to_json() == text
    assert strictly(rules.to_json(indent=2)) == strictly(text)
    assert RuleList.from_json(rules.to_json(indent=0)).to_json() == text
    check_same(again, rules, X)
    return again


def check_same(again, rules, X):
    assert_array_equal(again.apply(X), rules.apply(X))
    assert_array_equal(again.matches(X), rules.matches(X))
    assert_array_equal(again.predict(X), rules.predict(X))
    assert again.predict(X).dtype == rules.predict(X).dtype
    assert again.explain(X) == rules.explain(X)
    assert again.to_text() == rules.to_text()
    assert again.to_records() == rules.to_records()
    assert repr(again) == repr(rules)
    assert [rule.conditions for rule in again] == [rule.conditions for rule in rules]
    for name in (
        "dtype",
        "allows_missing",
        "allows_infinity",
        "has_names",
        "columns",
        "absent",
        "delicate",
        "notations",
        "names",
    ):
        assert getattr(again.inputs, name) == getattr(rules.inputs, name)
    assert [(rule.tree, rule.node) for rule in again] == [(rule.tree, rule.node) for rule in rules]
    if rules.classes is not None:
        assert_array_equal(again.predict_proba(X), rules.predict_proba(X))  # bit by bit
        assert again.classes.dtype == rules.classes.dtype
        assert again.classes.tolist() == rules.classes.tolist()


def changed(document, path, value):
    """The document with the value at the path, or without it."""
    document, keys = copy.deepcopy(document), [int(k) if k.isdigit() else k for k in path.split(".")]
    here = document
    for key in keys[:-1]:
        here = here[key]
    if value is GONE:
        del here[keys[-1]]
    else:
        here[keys[-1]] = value
    return document


def shapelet_list(*features):
    rules = tuple(Rule((Condition(feature, upper=1.5),), 1.0, 2, 0.5) for feature in features)
    return RuleList(rules, Rule((), 0.0), SeriesInputs(features, np.float64, n_dimensions=2, length=8))


def pattern(message):
    """Return a pattern for errors with these parts, which are separated by " ... "."""
    return ".*".join(map(re.escape, message.split(" ... ")))
