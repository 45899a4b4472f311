"""The page about exports shows what the calls return."""

import re
from functools import cache
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from hedgerow import RuleListClassifier

PAGE = Path(__file__).parents[2] / "docs" / "exports.md"


@cache
def rule_list():
    """The list of the README."""
    iris = load_iris(as_frame=True)
    X, y = iris.data, iris.target_names[iris.target]
    forest = RandomForestClassifier(500, max_depth=3, random_state=0).fit(X, y)
    return RuleListClassifier(forest, max_rules=4).fit(X, y).rule_list_


@pytest.mark.parametrize(
    ("language", "form"),
    [("sql", "to_sql"), ("text", "to_python"), ("tex", "to_latex"), ("dot", "to_dot")],
)
def test_the_block_is_in_what_the_call_returns(language, form):
    block = re.search(f"^```{language}\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)[1]
    assert block.rstrip() in getattr(rule_list(), form)()
