"""The drawn tree shows every rule once, and nothing in it overlaps."""

import matplotlib as mpl
import numpy as np
import pytest

from hedgerow import Condition, InvalidParameterError, Rule, RuleList
from hedgerow.features import Column, Inputs, IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.plotting import plot_tree
from hedgerow.plotting.lettering import wrap
from hedgerow.plotting.tree_layout import lay_out
from hedgerow.rule_tree import walk

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


def test_it_draws_where_it_is_told_to_and_in_that_size():
    _, ax = plt.subplots(figsize=(3, 1))
    assert plot_tree(TREE, ax=ax) is ax
    assert max(text.get_fontsize() for text in ax.texts) < 6


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
