"""The picture shows the shares of both tables, and their states."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow.evidence import drift
from hedgerow.plotting import plot_drift


def test_each_rule_and_condition_has_both_shares_and_its_index(tree):
    rng = np.random.default_rng(0)
    before, now = (rng.uniform(0, 10, size=(400, 2)) - [shift, 5] for shift in (0, 3))
    found = drift(tree, before, now)
    _, axes = plt.subplots()
    assert plot_drift(found, axes=axes) is axes
    rows = (*found.shares, *found.conditions)
    lines = [list(line.get_xdata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert [line for line in lines if line != [0, 1]] == [[one.reference, one.current] for one in rows]
    assert [label.get_text().replace("\\", "") for label in axes.get_yticklabels()][:3] == [
        "rule 1",
        "rule 2",
        "rule 3",
    ]
    assert axes.texts[0].get_text() == f" {rows[0].index:.3f} {rows[0].state}".removesuffix(" green")


def test_a_figure_is_made_if_none_is_given(tree):
    X = np.zeros((5, 2))
    axes = plot_drift(drift(tree, X, X))
    assert [label.get_text() for label in axes.get_yticklabels()][3] == "a <= 5"
    assert axes.get_xlim() == pytest.approx((-0.02, 1.02))
