"""The trees of a report fit a page, and lines are SVG paths."""

import numpy as np
import pytest
from rule_lists import KINDS, make

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.tree_svg import curve, draw_tree, path, text_width
from hedgerow.features import Column, Inputs
from hedgerow.rules.rule_tree import RuleTree


def drawn(rule_list):
    return draw_tree(RuleTree.of(rule_list), Listing.of(rule_list), rule_list.digits)


@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_is_told_with_its_number_and_rows(kind):
    rule_list, _ = make(kind, False)
    told = {box.rule: box.lines[-1].text for box in drawn(rule_list).boxes if box.rule >= 0}
    assert sorted(told) == list(range(len(rule_list)))
    for i, rule in enumerate(rule_list):
        rows = "1 row" if rule.coverage == 1 else f"{rule.coverage} rows"
        assert told[i].startswith(f"rule {i + 1} · ")
        assert told[i].endswith(f" · {rows}")


def test_a_list_that_always_matches_is_one_box():
    a = Column(0, "a")
    picture = drawn(RuleList((Rule((), "yes", 3, 1.0, (1.0,)),), Rule((), "yes"), Inputs((a,)), np.array(["yes"])))
    (box,) = picture.boxes
    assert [line.text for line in box.lines] == ["yes", "rule 1 · 100 % · 3 rows"]
    assert not box.is_cut


def test_an_endless_name_is_broken_into_lines():
    a = Column(0, "w" * 300)
    rules = (Rule((Condition(a, upper=1.0),), 1.0, 2, 0.5), Rule((Condition(a, lower=1.0),), 2.0, 2, 0.5))
    picture = drawn(RuleList(rules, Rule((), 1.0), Inputs((a,))))
    assert picture.width < 900
    assert len(picture.boxes[0].lines) == 4


def test_a_deep_tree_of_long_names_is_made_narrow_enough_for_a_page():
    columns = tuple(Column(i, f"a column with quite a long name, the number {i}") for i in range(5))
    rules, before = [], ()
    for column in columns:
        rules.append(Rule((*before, Condition(column, upper=1.0)), 1.0, 2, 0.2))
        before = (*before, Condition(column, lower=1.0))
    picture = drawn(RuleList((*rules, Rule(before, 2.0, 2, 0.2)), Rule((), 1.0), Inputs(columns)))
    assert max(box.x for box in picture.boxes) > 5 * 115  # six columns of boxes
    assert picture.width <= 1280
    assert not any(box.is_cut for box in picture.boxes)


def test_wide_letters_are_wider_and_marks_take_no_room():
    assert text_width("iiii") < text_width("nnnn") < text_width("MMMM") < text_width("収縮期血")
    assert text_width("n\u0301") == text_width("n")
    assert text_width("n", is_bold=True) > text_width("n")


def test_a_path_goes_through_its_points():
    assert path([(0, 1), (2.25, 3)]) == "M0.0 1.0L2.2 3.0"


def test_a_curve_goes_from_its_first_number_to_its_last():
    assert curve((0.0, 1.0, 0.5), 10, 4) == "M0.0 4.0L5.0 0.0L10.0 2.0"
    assert curve((3.0,), 10, 4) == "M0.0 4.0L10.0 4.0"
    assert curve((2.0, 2.0), 10, 4) == "M0.0 4.0L10.0 4.0"
