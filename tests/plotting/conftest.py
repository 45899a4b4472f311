"""Figures are drawn without a screen and closed; two small lists to draw."""

import matplotlib as mpl
import numpy as np
import pytest

from hedgerow import Condition, Rule, RuleList
from hedgerow.features import Column, Inputs, IntervalStatistic, SeriesInputs, ShapeletDistance

mpl.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture
def tree():
    """The leaves of one tree, for two classes."""
    a, b = Column(0, "a"), Column(1, "a column with quite a long name that costs $5")
    return RuleList(
        rules=(
            Rule((Condition(a, upper=5),), "yes", 6, 0.6, (0.25, 0.75)),
            Rule((Condition(a, lower=5), Condition(b, upper=0)), "no", 3, 0.3, (1.0, 0.0)),
            Rule((Condition(a, lower=5), Condition(b, lower=0)), "yes", 1, 0.1, (0.0, 1.0)),
        ),
        default=Rule((), "yes", distribution=(0.45, 0.55)),
        inputs=Inputs((a, b)),
        classes=np.array(["no", "yes"]),
    )


@pytest.fixture
def two_trees():
    """A shapelet and an interval that share no tree, for regression."""
    rise, mean = ShapeletDistance(0, (0.0, 1.0, 3.0), name="dist(x, s1)"), IntervalStatistic(0, 1, 3, "mean")
    return RuleList(
        rules=(
            Rule((Condition(rise, upper=2),), 3.5, 6, 0.6, spread=1.0),
            Rule((Condition(mean, upper=0),), 1.5, 4, 0.4),
        ),
        default=Rule((), 2.0),
        inputs=SeriesInputs((rise, mean), np.float64, n_dimensions=1, length=5),
    )
