"""Shapelets and intervals are shown if the list is about series."""

from dataclasses import replace

import numpy as np

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.exporters.html.report.series_pictures import make_pictures
from hedgerow.features import Column, Inputs, IntervalStatistic, SeriesInputs, ShapeletDistance

MEAN, RISE = IntervalStatistic(1, 2, 4, "mean"), ShapeletDistance(1, (0.0, 1.0), name="dist(x1, s1)")


def about(feature, n_dimensions):
    inputs = SeriesInputs((feature,), np.float64, n_dimensions=n_dimensions, length=5)
    return RuleList((Rule((Condition(feature, upper=1),), 1.0),), Rule((), 0.0), inputs)


def test_the_report_says_once_how_dimensions_and_steps_are_counted():
    for feature, n_dimensions, told in (
        (MEAN, 2, "Dimensions and steps of a series are counted from 0; the step after the colon is not part of the"),
        (RISE, 2, "Dimensions of a series are counted from 0."),
        (replace(MEAN, dimension=0, name="mean(x[2:4])"), 1, "Steps of a series are counted from 0; the step after"),
        (replace(RISE, dimension=0), 1, None),
    ):
        html = about(feature, n_dimensions).to_html()
        assert html.count("counted from 0") == (told is not None)
        assert told is None or told in html


def test_shapelets_are_shown_by_name_and_on_samples_if_there_are_any():
    rule_list = about(replace(RISE, dimension=0), 1)
    alone = make_pictures(rule_list, None)
    assert alone.shapelets == (("dist(x1, s1)", (0.0, 1.0)),)
    assert alone.examples is None
    X = np.array([[0.0, 1, 0, 0, 0], [3, 3, 3, 3, 3]])
    found = make_pictures(rule_list, Samples("training", rule_list.evaluate(X), np.array([0.0, 1.0])))
    (row,) = found.examples.rows
    assert [example.start for example in row] == [0, 0]
    assert [name for name, _ in found.examples.groups] == ["y <= 0.5", "y > 0.5"]


def test_an_interval_is_not_a_shapelet_and_a_table_has_neither():
    assert make_pictures(about(MEAN, 2), None).shapelets == ()
    a = Column(0, "a")
    assert make_pictures(RuleList((Rule((Condition(a, upper=1),), 1.0),), Rule((), 0.0), Inputs((a,))), None) is None
    unused = SeriesInputs((MEAN,), np.float64, n_dimensions=2, length=5)
    assert make_pictures(RuleList((Rule((), 1.0),), Rule((), 0.0), unused), None) is None
