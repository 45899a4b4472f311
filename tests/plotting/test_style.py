"""Colors can be told apart and read; a list is drawn as it is, an estimator by its list, and nothing else."""

import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from contrast import contrast_with_white

from hedgerow import InvalidParameterError, RuleListClassifier
from hedgerow._support.palette import CLASS_COLORS
from hedgerow.plotting.style import class_colors, for_text, matplotlib_or_error, plain, quiet, rule_list_of


@pytest.mark.parametrize("n_classes", [1, 6, 7, 20, 45])
def test_every_class_has_a_color_and_up_to_twenty_have_their_own(n_classes):
    colors = class_colors(n_classes)[:n_classes]
    assert len(colors) == n_classes
    assert len(set(colors)) == min(n_classes, 20)


@pytest.mark.parametrize("color", [*CLASS_COLORS, "yellow", "black"])
def test_text_colors_can_be_read_on_white(color):
    assert contrast_with_white(for_text(color)) >= 4.5
    if contrast_with_white(color) >= 4.5:
        assert for_text(color) == mpl.colors.to_rgb(color)


def test_dollars_are_shown_as_dollars():
    figure = plt.figure()
    assert (
        figure.text(0, 0, plain("$x$")).get_window_extent().width > figure.text(0, 0, "$x$").get_window_extent().width
    )


def test_quiet_axes_have_two_spines():
    axes = plt.figure().subplots()
    quiet(axes)
    assert [name for name, spine in axes.spines.items() if spine.get_visible()] == ["left", "bottom"]


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[plot\]'"):
        matplotlib_or_error()


def test_a_list_is_itself_and_a_fitted_estimator_has_one(tree):
    fitted = RuleListClassifier()
    fitted.rule_list_ = tree
    assert rule_list_of(tree) is tree
    assert rule_list_of(fitted) is tree


@pytest.mark.parametrize("given", [RuleListClassifier(), [1, 2], None])
def test_what_has_no_list_is_refused_with_the_way_out(given):
    with pytest.raises(InvalidParameterError, match=f"this {type(given).__name__} has none. Fit a RuleListClassifier"):
        rule_list_of(given)
