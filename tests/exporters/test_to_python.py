"""Generated Python answers as the rule list does, row by row, and needs nothing but Python."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from rule_lists import KINDS, make
from table_lists import cells, drawn_table_lists, expected, probes

from hedgerow import Condition, HedgerowError, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.features import Category, Column, HashedCategory, Inputs

OF_SERIES = [kind for kind in KINDS if kind in ("aeon", "sktime") or "wildboar" in kind]
A = Column(0, "a")


def function(rules, name="predict"):
    namespace = {}
    exec(compile(rules.to_python(name), "<rules>", "exec"), namespace)
    return namespace[name]


def asked(predict, row):
    try:
        return predict(row)
    except ValueError:
        return None


def check(rules, rows):
    predict, said = function(rules), expected(rules, rows)
    names = rules.inputs.names
    for row, answer in zip(cells(rows), said, strict=True):
        for given_as in [row, list(row)] + [dict(zip(names, row, strict=True))] * (len(set(names)) == len(names)):
            mine = asked(predict, given_as)
            assert mine == answer, f"{given_as}: {mine!r} instead of {answer!r}"
            assert type(mine) is type(answer)


@given(drawn_table_lists())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_drawn_lists_answer_alike_on_thresholds_and_beside(rules):
    rows = probes(rules)
    check(rules, rows)
    assert expected(RuleList.from_json(rules.to_json()), rows) == expected(rules, rows)
