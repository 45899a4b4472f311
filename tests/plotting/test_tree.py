"""The drawn tree shows every rule once, and no text overlaps."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow import InvalidParameterError, Rule, RuleList
from hedgerow.plotting import plot_tree
from hedgerow.plotting.tree_page import TreePage


def texts(ax):
    return [text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in ax.texts]


def drawn_within(ax):
    """The places of all texts, in pixels, inside the axes by a hair."""
    ax.figure.canvas.draw()
    room = ax.get_window_extent().padded(1)
    places = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert all(room.x0 <= place.x0 and place.x1 <= room.x1 for place in places)
    assert all(room.y0 <= place.y0 and place.y1 <= room.y1 for place in places)
    return places


def test_it_shows_questions_branches_and_predictions(tree):
    shown = texts(plot_tree(tree))
    assert "a <= 5" in shown
    assert {"rule 1", "rule 2", "rule 3"} <= set(shown)
    assert "75 % of 6 samples" in shown
    assert "100 % of 1 sample" in shown
    assert shown.count("yes") == 4  # two branches, two predictions
    assert shown.count("no") == 3
    assert not [text for text in shown if text.startswith("no rule")]


def test_long_names_are_wrapped_and_dollars_are_not_formulas(tree):
    shown = texts(plot_tree(tree))
    assert "a column with quite a long" in shown
    assert r"name that costs \$5 <= 0" in shown


def test_a_class_has_one_color_and_a_value_a_shade(tree, two_trees):
    colors = [container[0].get_facecolor() for container in plot_tree(tree).containers]
    assert colors[0] == colors[2] != colors[1]
    shades = [container[0].get_facecolor() for container in plot_tree(two_trees).containers]
    assert sum(shades[0][:3]) < sum(shades[1][:3])  # the larger value is darker


def test_bars_are_as_long_as_their_rules_share(tree):
    lengths = [container[0].get_width() for container in plot_tree(tree).containers]
    assert np.array(lengths) / lengths[0] == pytest.approx([1, 0.3 / 0.6, 0.1 / 0.6])


def test_a_shapelet_is_drawn_in_its_box(two_trees):
    (line,) = [line for line in plot_tree(two_trees).get_lines() if len(line.get_xdata()) == 3]
    heights = line.get_ydata()  # y grows downwards
    assert heights[0] - heights[2] == pytest.approx(3 * (heights[0] - heights[1]))


@pytest.mark.parametrize("size", [(5, 2), (4, 6), (9, 1.6), (8, 8)], ids=str)
@pytest.mark.parametrize("kind", ["tree", "two_trees"])
def test_it_draws_where_it_is_told_to_and_at_that_size(request, kind, size):
    ax = plt.figure(figsize=size).add_axes((0, 0, 1, 1))
    assert plot_tree(request.getfixturevalue(kind), ax=ax) is ax
    assert min(text.get_fontsize() for text in ax.texts if text.get_text()) >= 0.85 * 5
    places = drawn_within(ax)
    assert not [(a, b) for i, a in enumerate(places) for b in places[:i] if a.padded(-1).overlaps(b.padded(-1))]


def test_lines_in_given_axes_are_as_long_as_makes_letters_largest(tree):
    def letters(size):
        ax = plt.figure(figsize=size).add_axes((0, 0, 1, 1))
        return max(text.get_fontsize() for text in plot_tree(tree, ax=ax).texts)

    own = TreePage.of(tree)
    for size, gain in (((4, 4), 1.2), ((5, 3), 1.2), ((12, 1.2), 1.0)):
        assert letters(size) >= gain * 9 * min(size[0] / own.width, size[1] / own.height)


def test_axes_that_are_too_small_raise_a_warning_with_the_way_out(tree):
    own = plot_tree(tree).figure.get_size_inches()
    ax = plt.figure(figsize=(2, 1)).add_axes((0, 0, 1, 1))
    with pytest.warns(
        UserWarning, match=rf"2\.0 x 1\.0 inches.*about {own[0]:.1f} x {own[1]:.1f} inches.*leave ax out"
    ):
        plot_tree(tree, ax=ax)
    drawn_within(ax)


@pytest.mark.parametrize("name", ["W" * 200, "a class that has a name of many words " * 6, "snake_case_" * 20])
def test_an_endless_label_is_cut_and_does_not_widen_its_box(tree, name):
    rules = tuple(replace(rule, prediction=name if rule.prediction == "yes" else "no") for rule in tree)
    long = RuleList(rules, replace(tree.default, prediction=name), tree.inputs, np.array(["no", name]))
    usual, page = TreePage.of(tree), TreePage.of(long)
    assert page.width < usual.width + 2.1
    (first, *_, last) = next(box.lines for box in page.boxes.boxes if box.rule == 0)
    assert name.startswith(first.text)
    assert name.strip().endswith(last.text)
    assert page.height < 3 * usual.height
    places = drawn_within(plot_tree(long))
    assert len(places) == len([text for text in plot_tree(tree).texts if text.get_text()])


def test_a_list_of_one_rule_is_its_prediction(tree):
    alone = RuleList((Rule((), "yes", 10, 1.0, (0.4, 0.6)),), tree.default, tree.inputs, tree.classes)
    assert texts(plot_tree(alone)) == ["yes", "rule 1", "60 % of 10 samples", ""]


def test_an_empty_label_has_an_empty_box(tree):
    nameless = replace(tree[0], prediction="")
    alone = RuleList((nameless, *tree.rules[1:]), tree.default, tree.inputs, np.array(["no", "yes", ""]))
    assert "rule 1" in texts(plot_tree(alone))


def test_a_fitted_estimator_is_drawn_by_its_list(tree):
    class Fitted:
        rule_list_ = tree

    assert texts(plot_tree(Fitted())) == texts(plot_tree(tree))
    with pytest.raises(InvalidParameterError, match=r"rule_list_.*this Inputs has none"):
        plot_tree(tree.inputs)
