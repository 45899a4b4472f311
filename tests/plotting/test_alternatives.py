"""The picture shows the numbers of the lists."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.ensemble import RandomForestClassifier
from small_data import IRIS, small_forest

from hedgerow import InvalidParameterError, RuleListClassifier
from hedgerow.plotting import plot_alternatives
from hedgerow.sources import Chunks


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def found(k=4):
    return RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS).alternatives(k)


def test_each_list_is_a_point_below_the_best():
    lists = found()
    objectives, _ = plot_alternatives(lists)
    assert_allclose(objectives.lines[0].get_ydata(), [-100 * share for share in lists.shares])
    (scores,) = [one for one in objectives.figure.axes if one.get_ylabel() == "training accuracy"]
    assert_allclose(scores.lines[0].get_ydata(), lists.scores)


def test_each_feature_is_an_interval_with_a_point_per_list():
    lists = found()
    _, reliance = plot_alternatives(lists)
    assert [label.get_text() for label in reliance.get_yticklabels()] == [one.name for one in lists.reliances]
    for i, one in enumerate(lists.reliances):
        interval, points, best = reliance.lines[3 * i : 3 * i + 3]
        assert list(interval.get_xdata()) == [one.lowest, one.highest]
        assert list(points.get_xdata()) == list(one.of)
        assert list(best.get_xdata()) == [one.of[0]]


def test_rows_in_chunks_have_scores_but_no_reliance_to_draw():
    X, y = IRIS
    frame = pd.DataFrame(X, columns=list("abcd"))
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(frame, y)
    source = Chunks(lambda: ((frame.iloc[i : i + 40], y[i : i + 40]) for i in range(0, 150, 40)))
    axes = plot_alternatives(RuleListClassifier(forest, max_rules=4).fit(source).alternatives(3))
    assert not axes[1].lines
    assert len(axes[0].figure.axes) == 3


def test_it_draws_into_given_axes_and_refuses_anything_else():
    _, axes = plt.subplots(2)
    assert np.array_equal(plot_alternatives(found(), axes=axes), axes)
    with pytest.raises(InvalidParameterError, match="axes must be two axes"):
        plot_alternatives(found(), axes=plt.subplots(3)[1])
    with pytest.raises(InvalidParameterError, match="Only what estimator"):
        plot_alternatives([1, 2])
