"""Graphviz source of a rule list: every rule once, names as they are; drawn by the real program."""

import json
import re
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from databases import needs
from rule_lists import KINDS, make

from hedgerow import Condition, Rule, RuleList
from hedgerow.features import Column, Inputs

NAME = 'a "b" \\N \\l </b> {x|y} %s <br/> ü\n'
NASTY = Column(0, NAME)
LIST = RuleList(
    (
        Rule((Condition(NASTY, upper=2.5),), 'yes "sir" \\', 6, 0.6, (0.25, 0.75)),
        Rule((Condition(NASTY, lower=2.5),), "no", 4, 0.4, (1.0, 0.0)),
    ),
    Rule((), "no", distribution=(0.45, 0.55)),
    Inputs((NASTY,)),
    np.array(["no", 'yes "sir" \\']),
    n_samples=10,
)


def drawn(source):
    """Return what Graphviz reads: nodes and edges with their attributes."""
    dot = needs("dot", "graphviz")
    done = subprocess.run([dot, "-Tjson0"], input=source.encode(), capture_output=True, check=True)
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


def text_of(label):
    """Return what a label shows, on one line."""
    return re.sub(r"\\(.)", lambda found: " " if found[1] == "l" else found[1], label).strip()


@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_that_has_its_turn_is_one_node(kind):
    rules, X = make(kind, False)
    graph = drawn(rules.to_dot())
    shown = [int(n) - 1 for node in graph["objects"] for n in re.findall(r"rule (\d+),", text_of(node["label"]))]
    assert len(shown) == len(set(shown))
    assert set(rules.apply(X)) - {-1} <= set(shown)
    answers = {edge["label"] for edge in graph["edges"]}
    assert answers == {"yes", "no"}
    n_roots = len({edge["tail"] for edge in graph["edges"]} - {edge["head"] for edge in graph["edges"]})
    assert len(graph["edges"]) == len(graph["objects"]) - n_roots  # trees
    assert ("Follow every tree" in graph.get("label", "")) == (n_roots > 1)


def test_names_stay_as_they_are():
    graph = drawn(LIST.to_dot())
    assert [text_of(node["label"]) for node in graph["objects"]] == [
        'a "b" \\N \\l </b> {x|y} %s <br/> ü\\n <= 2.5',
        'yes "sir" \\ rule 1, 75 % of 6 samples',
        "no rule 2, 100 % of 4 samples",
    ]
    assert [(e["tail"], e["head"], e["label"]) for e in graph["edges"]] == [(0, 1, "yes"), (0, 2, "no")]


def test_the_models_own_share_stands_below_the_samples():
    explained = replace(LIST, rules=tuple(replace(rule, of_model=0.875) for rule in LIST))
    leaves = [line for line in explained.to_dot().splitlines() if "samples" in line]
    assert len(leaves) == 2
    assert all("samples\\lmodel 88 %\\l" in line for line in leaves)
    assert "model" not in LIST.to_dot()


def test_classes_have_colours_of_their_own():
    features = tuple(Column(i, f"x{i}") for i in range(12))
    labels = np.array([f"class {i}" for i in range(12)])
    rules = tuple(
        Rule((Condition(feature, upper=0.0),), label, 1, 0.1, tuple(np.eye(12)[i].tolist()))
        for i, (feature, label) in enumerate(zip(features, labels.tolist(), strict=True))
    )
    listed = RuleList(rules, rules[0], Inputs(features), labels, n_samples=12)
    fills = [node["fillcolor"] for node in drawn(listed.to_dot())["objects"] if "fillcolor" in node]
    assert len({fill for fill in fills if fill != "white"}) == 12
