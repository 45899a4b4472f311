"""The diagram shows every method at its rank, and joins those that do not differ."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow.evidence.comparison import Comparison
from hedgerow.plotting import plot_critical_difference


@pytest.fixture
def comparison():
    p_values = np.array([[1, 0.5, 0.01], [0.5, 1, 0.01], [0.01, 0.01, 1]])
    return Comparison(("first", "$second", "third"), np.array([1.2, 1.8, 3.0]), 0.001, p_values, 9)


def test_every_method_has_a_label_with_its_rank(comparison):
    ax = plot_critical_difference(comparison)
    labels = [text.get_text() for text in ax.texts]
    assert sorted(label.split() for label in labels) == [["3.00", "third"], ["\\$second", "1.80"], ["first", "1.20"]]
    assert ax.get_xlim() == (1, 3)


def test_one_bar_joins_the_two_that_do_not_differ(comparison):
    bars = [line for line in plot_critical_difference(comparison).lines if line.get_linewidth() == 3]
    assert [sorted(bar.get_xdata()) for bar in bars] == [[1.2, 1.8]]
    assert not [line for line in plot_critical_difference(comparison, alpha=0.6).lines if line.get_linewidth() == 3]


def test_axes_that_are_given_are_drawn_on(comparison):
    ax = plt.figure().subplots()
    assert plot_critical_difference(comparison, ax=ax) is ax
