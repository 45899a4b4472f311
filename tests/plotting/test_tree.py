"""The drawn tree shows every rule once, and nothing in it overlaps."""

from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest

from hedgerow import Condition, InvalidParameterError, Rule, RuleList
from hedgerow.features import Column, Inputs, IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.plotting import plot_tree
from hedgerow.plotting.lettering import wrap
from hedgerow.plotting.tree_layout import lay_out
from hedgerow.rules.rule_tree import walk

mpl.use("Agg")
import matplotlib.pyplot as plt

A, B = Column(0, "a"), Column(1, "a column with quite a long name that costs $5")
INPUTS = Inputs((A, B))
TREE = RuleList(
    rules=(
        Rule((Condition(A, upper=5),), "yes", 6, 0.6, (0.25, 0.75)),
        Rule((Condition(A, lower=5), Condition(B, upper=0)), "no", 3, 0.3, (1.0, 0.0)),
        Rule((Condition(A, lower=5), Condition(B, lower=0)), "yes", 1, 0.1, (0.0, 1.0)),
    ),
    default=Rule((), "yes", distribution=(0.45, 0.55)),
    inputs=INPUTS,
    classes=np.array(["no", "yes"]),
)
RISE, MEAN = ShapeletDistance(0, (0.0, 1.0, 3.0), name="dist(x, s1)"), IntervalStatistic(0, 1, 3, "mean")
SERIES = RuleList(
    rules=(Rule((Condition(RISE, upper=2),), 3.5, 6, 0.6, spread=1.0), Rule((Condition(MEAN, upper=0),), 1.5, 4, 0.4)),
    default=Rule((), 2.0),
    inputs=SeriesInputs((RISE, MEAN), np.float64, n_dimensions=1, length=5),
)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def texts(ax):
    return [text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in ax.texts]


def test_it_shows_questions_branches_and_answers():
    shown = texts(plot_tree(TREE))
    assert "a <= 5" in shown
    assert {"rule 1", "rule 2", "rule 3"} <= set(shown)
    assert "75 % of 6 samples" in shown
    assert "100 % of 1 sample" in shown
    assert shown.count("yes") == 4  # two branches, two answers
    assert shown.count("no") == 3
    assert not [text for text in shown if text.startswith("no rule")]


def test_long_names_are_wrapped_and_dollars_are_no_formula():
    shown = texts(plot_tree(TREE))
    assert "a column with quite a long" in shown
    assert r"name that costs \$5 <= 0" in shown
    assert wrap("abc <= 0.123", 8) == ["abc", "<=\N{NO-BREAK SPACE}0.123"]


def test_a_class_has_one_color_and_a_value_a_shade():
    bars = plot_tree(TREE).containers
    colors = [container[0].get_facecolor() for container in bars]
    assert colors[0] == colors[2] != colors[1]
    shades = [container[0].get_facecolor() for container in plot_tree(SERIES).containers]
    assert sum(shades[0][:3]) < sum(shades[1][:3])  # the larger value is darker


def test_a_shapelet_is_drawn_in_its_box():
    lines = [line for line in plot_tree(SERIES).get_lines() if len(line.get_xdata()) == 3]
    assert len(lines) == 1
    heights = lines[0].get_ydata()  # y grows downwards
    assert heights[0] - heights[2] == pytest.approx(3 * (heights[0] - heights[1]))


def test_several_trees_say_how_they_are_read():
    shown = " ".join(texts(plot_tree(SERIES))).replace("\n", " ")
    assert "the one with the smallest number answers. No rule at all: 2." in shown
    assert "mean(x[1:3]) <= 0" in shown
    assert "3.5 ± 1" in shown


def test_boxes_do_not_overlap_and_lie_in_the_picture():
    random = np.random.default_rng(0)
    columns = tuple(Column(i, f"column number {i} of a table") for i in range(4))
    rules = [
        Rule(tuple(Condition(columns[i], lower=float(random.normal())) for i in random.permutation(4)[:3]), 1.0, 1, 0.1)
        for _ in range(12)
    ]
    layout = lay_out(RuleList(tuple(rules), Rule((), 0.0), Inputs(columns)))
    boxes = [box for root in layout.roots for box in walk(root)]
    assert len({box.node.rule for box in boxes if box.node.rule >= 0}) > 8
    for i, box in enumerate(boxes):
        assert 0 <= box.x <= box.x + box.width <= layout.width
        assert 0 <= box.y - box.height / 2 <= box.y + box.height / 2 <= layout.height
        for other in boxes[:i]:
            apart = abs(box.y - other.y) >= (box.height + other.height) / 2
            assert apart or box.x >= other.x + other.width or other.x >= box.x + box.width


def drawn_within(ax):
    """The places of all texts, in pixels, inside the axes by a hair."""
    ax.figure.canvas.draw()
    room = ax.get_window_extent().padded(1)
    places = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert all(room.x0 <= place.x0 and place.x1 <= room.x1 for place in places)
    assert all(room.y0 <= place.y0 and place.y1 <= room.y1 for place in places)
    return places


@pytest.mark.parametrize("size", [(5, 2), (4, 6), (9, 1.6), (8, 8)], ids=str)
@pytest.mark.parametrize("rules", [TREE, SERIES], ids=["tree", "series"])
def test_it_draws_where_it_is_told_to_and_in_that_size(rules, size):
    figure = plt.figure(figsize=size)
    ax = figure.add_axes((0, 0, 1, 1))
    assert plot_tree(rules, ax=ax) is ax
    assert min(text.get_fontsize() for text in ax.texts if text.get_text()) >= 0.85 * 5
    places = drawn_within(ax)
    assert not [(a, b) for i, a in enumerate(places) for b in places[:i] if a.padded(-1).overlaps(b.padded(-1))]


def test_lines_in_given_axes_are_as_long_as_makes_letters_largest():
    def letters(size):
        ax = plt.figure(figsize=size).add_axes((0, 0, 1, 1))
        return max(text.get_fontsize() for text in plot_tree(TREE, ax=ax).texts)

    own = lay_out(TREE)
    for size, gain in (((4, 4), 1.2), ((5, 3), 1.2), ((12, 1.2), 1.0)):
        assert letters(size) >= gain * 9 * min(size[0] / own.width, size[1] / own.height)


def test_what_cannot_be_read_is_said_with_the_way_out():
    own = plot_tree(TREE).figure.get_size_inches()
    ax = plt.figure(figsize=(2, 1)).add_axes((0, 0, 1, 1))
    with pytest.warns(
        UserWarning, match=rf"2\.0 x 1\.0 inches.*about {own[0]:.1f} x {own[1]:.1f} inches.*leave ax out"
    ):
        plot_tree(TREE, ax=ax)
    drawn_within(ax)


@pytest.mark.parametrize("name", ["W" * 200, "a class that has a name of many words " * 6, "snake_case_" * 20])
def test_an_endless_label_is_cut_and_does_not_widen_its_box(name):
    labels = np.array(["no", name])
    rules = tuple(replace(rule, prediction=name if rule.prediction == "yes" else "no") for rule in TREE)
    long = RuleList(rules, replace(TREE.default, prediction=name), INPUTS, labels)
    usual, layout = lay_out(TREE), lay_out(long)
    assert layout.width < usual.width + 2.1
    (first, *_, last) = next(box.lines for root in layout.roots for box in walk(root) if box.node.rule == 0)
    assert name.startswith(first)
    assert name.strip().endswith(last)
    assert layout.height < 3 * usual.height
    places = drawn_within(plot_tree(long))
    assert len(places) == len([text for text in plot_tree(TREE).texts if text.get_text()])


def test_a_list_of_one_rule_is_its_answer():
    alone = RuleList((Rule((), "yes", 10, 1.0, (0.4, 0.6)),), TREE.default, INPUTS, TREE.classes)
    assert texts(plot_tree(alone)) == ["yes", "rule 1", "60 % of 10 samples", ""]


def test_a_mean_and_its_spread_stay_in_one_line():
    together = "5.51\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}3.447"
    assert wrap("No rule at all: 5.51 ± 3.447.", 24) == ["No rule at all:", f"{together}."]
    assert wrap("walking (60 %)", 11) == ["walking", "(60\N{NO-BREAK SPACE}%)"]


def test_a_fitted_estimator_is_drawn_by_its_list():
    class Fitted:
        rule_list_ = TREE

    assert texts(plot_tree(Fitted())) == texts(plot_tree(TREE))
    with pytest.raises(InvalidParameterError, match=r"rule_list_.*this Inputs has none"):
        plot_tree(INPUTS)
