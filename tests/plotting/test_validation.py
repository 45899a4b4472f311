"""The picture shows the rates and intervals of the validation."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow.evidence import validate
from hedgerow.plotting import plot_validation


def drawn(axes, marker):
    return [
        line.get_xydata().tolist() for line in axes.get_lines() if line.get_marker() == marker and len(line.get_xdata())
    ]


def test_each_rule_has_its_rate_its_interval_and_that_of_training(tree):
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 10, size=(80, 2)) - [0, 5]
    y = np.where(rng.uniform(size=80) < 0.7, "yes", "no")
    found = validate(tree, X, y)
    axes = plot_validation(found)
    marks = drawn(axes, "o")
    assert [x for ((x, _),) in marks] == pytest.approx([row.value.value for row in found.rules])
    assert [x for ((x, _),) in drawn(axes, "|")] == pytest.approx([0.75, 1.0, 1.0])
    lines = [list(line.get_xdata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert lines == [[row.value.low, row.value.high] for row in found.rules]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[0].startswith("1. a <=")
    assert r"\$5" in labels[1].replace("\n", "")


def test_rules_without_rows_and_rows_without_rule_are_drawn_where_they_are_told_to(tree):
    _, axes = plt.subplots()
    found = validate(tree, np.array([[1.0, 1.0]]), ["yes"])
    assert plot_validation(found, axes=axes) is axes
    assert len(drawn(axes, "o")) == 1
    assert [text.get_text() for text in axes.texts] == [" 1 row", " 0 rows", " 0 rows"]


def test_means_have_a_scale_of_their_own(two_trees):
    rng = np.random.default_rng(0)
    found = validate(two_trees, rng.normal(size=(40, 5)), rng.normal(3, 1, size=40))
    axes = plot_validation(found)
    assert axes.get_xlabel() == "mean of the targets"
    assert axes.get_xlim()[1] > 3
