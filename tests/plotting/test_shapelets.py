"""A shapelet is drawn where it matches, on the series that is typical of its class."""

import sys
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from contrast import contrast_with_white
from numpy.testing import assert_allclose

from hedgerow import Condition, InvalidDataError, InvalidParameterError, Rule, RuleList, RuleListClassifier
from hedgerow.features import Column, Inputs, IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.plotting import plot_shapelets

BUMP = ShapeletDistance(0, (0.0, 2.0, 0.0), name="dist(x, s1)")
CLASSES = np.array(["bump", "flat"])
# The bump is off by 0, 1 and 2 at the places 1, 2 and 3; the flat ones are all the same.
X = np.array(
    [[0, 2, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 4, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]], dtype=float
)
Y = np.array(["bump"] * 3 + ["flat"] * 2)


def listed(*features, threshold=1.5, classes=CLASSES, inputs=None):
    rules = [
        Rule((side,), classes[i % 2] if classes is not None else float(i), 5, 0.5, (1.0, 0.0) if i % 2 else (0.0, 1.0))
        for feature in features
        for i, side in enumerate((Condition(feature, upper=threshold), Condition(feature, lower=threshold)))
    ]
    inputs = inputs or SeriesInputs(features, np.float64, n_dimensions=1, length=6)
    return RuleList(tuple(rules), rules[0], inputs, classes)


def headings(axes):
    return [ax.get_title().strip() for ax in axes[0]]


def boxes(texts):
    """Where texts are in the picture as it is drawn."""
    texts[0].figure.canvas.draw()
    return [text.get_window_extent() for text in texts]


def test_the_series_of_median_distance_has_the_shapelet_where_it_matches_best():
    axes = plot_shapelets(listed(BUMP), X, Y)
    assert axes.shape == (1, 2)
    series, shapelet = axes[0, 0].get_lines()
    assert_allclose(series.get_ydata(), X[1])
    assert_allclose(shapelet.get_xydata(), [[1, 0], [2, 2], [3, 0]])
    assert [ax.get_title("left") for ax in axes[0]] == ["dist 1 <= 1.5", "dist 2 > 1.5"]
    assert headings(axes) == ["class bump", "class flat"]
    assert axes[0, 0].get_ylabel() == "dist(x, s1)\nrules 1, 2"


def test_without_labels_the_columns_are_the_predictions_of_the_list():
    axes = plot_shapelets(listed(BUMP), X)
    assert_allclose(axes[0, 0].get_lines()[0].get_ydata(), X[0])  # nearer than the threshold: series 0 and 1
    assert headings(axes) == ["class bump", "class flat"]


def test_a_scaled_shapelet_takes_the_size_of_the_stretch():
    scaled = ShapeletDistance(0, (0.0, 2.0, 0.0), "scaled_euclidean")
    high = 10 + 3 * X[:1]
    shapelet = plot_shapelets(listed(scaled), high, Y[:1])[0, 0].get_lines()[1]
    assert_allclose(shapelet.get_ydata(), [10, 16, 10])


@pytest.mark.parametrize(
    ("metric", "line"),
    [("manhattan", [0, 2, 0]), ("normalized_euclidean", [10, 12, 10]), ("mass", [10, 16, 10]), ("dtw", [0, 2, 0])],
)
def test_a_shapelet_of_another_metric_is_drawn_as_it_is_compared(metric, line):
    if sys.version_info < (3, 12):
        pytest.importorskip("wildboar")
    height = 2 if metric == "normalized_euclidean" else 6
    bump = np.array([[19.0, 9, 19, 10, 10 + height, 10]])
    feature = ShapeletDistance(0, (0.0, 2.0, 0.0), metric)
    shapelet = plot_shapelets(listed(feature), bump, Y[:1])[0, 0].get_lines()[1]
    assert_allclose(shapelet.get_ydata(), line)


@pytest.mark.parametrize(
    ("statistic", "title", "line"),
    [
        ("mean", "mean 2 > 1.5", [2, 2, 2]),
        ("slope", "slope 2 > 1.5", [0, 2, 4]),
        ("variance", "variance 2.667 > 1.5", [2, 2, 2]),
        ("std", "std 1.633 > 1.5", [2, 2, 2]),
    ],
)
def test_an_interval_is_shaded_and_its_statistic_is_drawn(statistic, title, line):
    rising = np.array([[0.0, 0, 2, 4, 0, 0]])
    ax = plot_shapelets(listed(IntervalStatistic(0, 1, 4, statistic)), rising, Y[:1])[0, 0]
    assert ax.get_title("left") == title
    assert_allclose(ax.get_lines()[1].get_xydata(), np.column_stack([[1, 2, 3], line]), atol=1e-9)
    shaded = ax.patches[0].get_extents().transformed(ax.transData.inverted())
    assert_allclose([shaded.x0, shaded.x1], [0.5, 3.5])
    assert len(ax.collections) == (statistic in ("variance", "std"))  # the spread, as a band


def test_a_value_between_two_thresholds_is_told_with_both():
    rules = [Rule((Condition(BUMP, lower=0.5, upper=1.0000001),), "bump", 1, 1.0, (1.0, 0.0))]
    rules.append(Rule((Condition(BUMP, lower=1.0000001),), "flat", 1, 1.0, (0.0, 1.0)))
    inputs = SeriesInputs((BUMP,), np.float64, n_dimensions=1, length=6)
    axes = plot_shapelets(RuleList(tuple(rules), rules[0], inputs, CLASSES), X, Y)
    assert axes[0, 0].get_title("left") == "0.5 < dist 1 <= 1"
    assert axes[0, 1].get_title("left") == "dist 2 > 1"


def test_a_value_just_above_a_threshold_is_told_as_the_list_tells_it():
    rules = listed(BUMP, threshold=1 - 1e-7)
    assert rules[1].describe() == "dist(x, s1) >= 1"
    assert plot_shapelets(rules, X, Y)[0, 0].get_title("left") == "dist 1 >= 1"


def test_an_interval_of_one_value_is_seen():
    one = np.array([[0.0, 0, 0, 0, 2, 0]])
    ax = plot_shapelets(listed(IntervalStatistic(0, 4, 5, "mean")), one, Y[:1])[0, 0]
    shaded = ax.patches[0].get_extents().transformed(ax.transData.inverted())
    assert_allclose([shaded.x0, shaded.x1], [3.5, 4.5])
    point = ax.get_lines()[1]
    assert_allclose(point.get_xydata(), [[4, 2]])
    assert point.get_marker() == "o"


def long_names(n_classes):
    names = np.array(
        [f"an abnormal heartbeat (premature contraction of the ventricle), kind {i}" for i in range(n_classes)]
    )
    rules = [Rule((Condition(BUMP, upper=1),), names[-1], 1, 1.0, tuple(np.eye(n_classes)[-1]))]
    inputs = SeriesInputs((BUMP,), np.float64, n_dimensions=1, length=6)
    return RuleList(tuple(rules), rules[0], inputs, names), np.zeros((n_classes, 6)), names


@pytest.mark.parametrize("own", [False, True])
def test_long_names_of_classes_neither_meet_nor_move_the_axes(own):
    rules, X, y = long_names(3)
    axes = plot_shapelets(
        rules, X, y, axes=plt.subplots(1, 3, figsize=(10, 3), layout="constrained")[1] if own else None
    )
    titles = boxes([ax.title for ax in axes[0]])
    assert titles[0].x1 < titles[1].x0 < titles[1].x1 < titles[2].x0
    assert titles[2].x1 < axes[0, 0].figure.bbox.x1
    assert titles[0].y1 < axes[0, 0].figure.bbox.y1
    joined = [heading.replace("\n", " ") for heading in headings(axes)]
    assert len(set(joined)) == 3
    for i, heading in enumerate(joined):
        assert heading.startswith("class an abnormal heartbeat")
        assert heading.endswith(f"kind {i}")
    short = plot_shapelets(listed(BUMP), X, Y[2:])
    short[0, 0].figure.canvas.draw()
    assert own or axes[0, 0].bbox.width == pytest.approx(short[0, 0].bbox.width, rel=0.05)


def test_above_axes_that_do_not_move_a_heading_has_as_many_lines_as_there_is_room_for():
    rules, X, y = long_names(2)
    for height, n_lines in ((4.8, 1), (6, 2), (12, 3)):
        axes = plot_shapelets(rules, X, y, axes=plt.subplots(1, 2, figsize=(8, height))[1])
        assert {len(heading.split("\n")) for heading in headings(axes)} == {n_lines}
        assert boxes([axes[0, 0].title])[0].y1 < axes[0, 0].figure.bbox.y1


def test_a_name_without_end_is_cut_in_its_middle():
    rules = listed(BUMP, classes=np.array(["begin" + 300 * "x" + "end", "flat"]))
    y = np.where(Y == "flat", Y, rules.classes[0])
    axes = plot_shapelets(rules, X, y)
    assert headings(axes)[0].startswith("class begin")
    assert headings(axes)[0].endswith("end")
    assert headings(axes)[0].count("\n") <= 2
    left, right = boxes([ax.title for ax in axes[0]])
    assert left.x1 < right.x0


@pytest.mark.parametrize("scale", [1e-5, 1.23456e-5, 1 + 1e-7])
def test_a_value_between_two_long_thresholds_does_not_reach_the_next_column(scale):
    feature = IntervalStatistic(0, 0, 6, "variance")
    ends = [0.5 * scale, 2 * scale, 2.000001 * scale]
    rules = [Rule((Condition(feature, *pair),), "bump", 1, 1.0, (1.0, 0.0)) for pair in pairwise(ends)]
    inputs = SeriesInputs((feature,), np.float64, n_dimensions=1, length=6)
    series = np.sqrt(scale) * np.array([[1.0, -1, 1, -1, 1, -1]] * 2)
    axes = plot_shapelets(RuleList(tuple(rules), rules[0], inputs, CLASSES), series, Y[2:4])
    left, right = boxes([ax._left_title for ax in axes[0]])
    assert left.x1 < right.x0
    assert right.x1 < axes[0, 0].figure.bbox.x1
    assert "variance" in axes[0, 0].get_title("left")
    assert boxes([axes[0, 0].title])[0].y1 > left.y1


def test_of_several_dimensions_the_right_one_is_drawn_and_named():
    second = ShapeletDistance(1, (0.0, 2.0, 0.0), name="dist(x1, s1)")
    both = np.stack([X + 7, X], axis=1)
    inputs = SeriesInputs((second,), np.float64, n_dimensions=2, length=6)
    ax = plot_shapelets(listed(second, inputs=inputs), both, Y)[0, 0]
    assert_allclose(ax.get_lines()[0].get_ydata(), X[1])
    assert "dimension 1" in ax.get_ylabel()


def test_a_long_list_says_what_is_left_out():
    many = [ShapeletDistance(0, (0.0, float(i)), name=f"dist(x, s{i})") for i in range(9)]
    axes = plot_shapelets(listed(*many), X, Y)
    assert len(axes) == 6
    note = axes[0, 0].figure.get_supxlabel().replace("\n", " ")
    assert "Not drawn: 3 more features (dist(x, s6), dist(x, s7), dist(x, s8))." in note
    assert len(plot_shapelets(listed(*many), X, Y, features=[many[8], "dist(x, s2)"])) == 2
    assert len(plot_shapelets(listed(*many), X, Y, features=many)) == 9


def test_headings_can_be_read_on_white():
    names = np.array([f"{i:02}" for i in range(20)])
    for first in range(0, 20, 6):
        rules = [Rule((Condition(BUMP, upper=1),), names[first], 1, 1.0, tuple(np.eye(20)[first]))]
        inputs = SeriesInputs((BUMP,), np.float64, n_dimensions=1, length=6)
        y = names[first : first + 6]
        axes = plot_shapelets(RuleList(tuple(rules), rules[0], inputs, names), np.zeros((len(y), 6)), y)
        assert len(y) == len([heading for heading in headings(axes) if heading])
        assert min(contrast_with_white(ax.title.get_color()) for ax in axes[0]) >= 4.5
    for ax in plot_shapelets(listed(BUMP), X, Y)[0]:
        assert contrast_with_white(ax.title.get_color()) >= 4.5


def test_values_are_divided_at_their_median():
    rules = listed(BUMP, classes=None)
    assert headings(plot_shapelets(rules, X, np.arange(5.0))) == ["y <= 2", "y > 2"]
    assert headings(plot_shapelets(rules, X)) == ["prediction <= 1"]


def test_it_draws_where_it_is_told_to_as_far_as_there_is_room():
    figure, axes = plt.subplots(1, 2)
    other = ShapeletDistance(0, (1.0, 1.0), name="dist(x, s2)")
    drawn = plot_shapelets(listed(BUMP, other), X, Y, axes=axes)
    assert drawn[0, 0].figure is figure
    assert any("Not drawn" in text.get_text() for text in drawn[0, 0].texts)


def test_a_list_without_series_cannot_be_drawn():
    column = Column(0, "a")
    plain = RuleList((Rule((Condition(column, upper=1),), "a", 1, 1.0, (1.0,)),), Rule(()), Inputs((column,)))
    with pytest.raises(InvalidParameterError, match=r"nothing to draw.*plot_tree"):
        plot_shapelets(plain, X[:, :1])


def test_bad_input_is_refused():
    with pytest.raises(InvalidParameterError, match=r"No rule of the list uses s9. The rules use: dist\(x, s1\)"):
        plot_shapelets(listed(BUMP), X, features=["s9"])
    with pytest.raises(InvalidDataError, match="give one label per series"):
        plot_shapelets(listed(BUMP), X, Y[:2])
    with pytest.raises(InvalidDataError, match="length 5"):
        plot_shapelets(listed(BUMP), X[:, :5], Y)
    with pytest.raises(InvalidDataError, match="no series"):
        plot_shapelets(listed(BUMP), X[:0], Y[:0])


class Fitted:
    rule_list_ = listed(BUMP)


def test_a_fitted_estimator_is_drawn_by_its_list():
    assert plot_shapelets(Fitted(), X, Y).shape == (1, 2)
    with pytest.raises(InvalidParameterError, match=r"rule_list_.*this RuleListClassifier has none"):
        plot_shapelets(RuleListClassifier(), X, Y)


def test_one_feature_needs_no_list():
    other = ShapeletDistance(0, (1.0, 1.0), name="dist(x, s2)")
    for one in (other, "dist(x, s2)"):
        axes = plot_shapelets(listed(BUMP, other), X, Y, features=one)
        assert [ax.get_ylabel().split("\n")[0] for ax in axes[:, 0]] == ["dist(x, s2)"]
