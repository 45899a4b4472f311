"""The boxes of a drawn tree have places of their own, and every rule has one."""

from itertools import combinations

import numpy as np
import pytest
from rule_lists import KINDS, make

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.tree_svg import curve, draw_tree
from hedgerow.features import Column, Inputs
from hedgerow.rules.rule_tree import RuleTree, walk


def drawn(rule_list):
    tree = RuleTree.of(rule_list)
    return tree, draw_tree(tree, Listing.of(rule_list), rule_list.digits)


def apart(one, other):
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@pytest.mark.parametrize("kind", KINDS)
def test_boxes_are_apart_and_inside_the_picture(kind):
    rule_list, _ = make(kind, False)
    tree, picture = drawn(rule_list)
    for box in picture.boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= picture.width
        assert box.y + box.height <= picture.height
        for child in box.children:
            assert box.x + box.width <= child.x
    for one, other in combinations(picture.boxes, 2):
        assert apart(one, other)
    rules = [node.rule + 1 for root in tree.trees for node in walk(root) if node.rule >= 0]
    assert [box.rule for box in picture.boxes if box.rule > 0] == rules


def test_a_list_that_always_answers_is_one_box():
    a = Column(0, "a")
    _, picture = drawn(RuleList((Rule((), "yes", 3, 1.0, (1.0,)),), Rule((), "yes"), Inputs((a,)), np.array(["yes"])))
    assert [box.lines for box in picture.boxes] == [("yes", "rule 1 · 100 % · 3 samples")]


def test_an_endless_name_is_broken_into_lines():
    a = Column(0, "w" * 300)
    rules = (Rule((Condition(a, upper=1.0),), 1.0, 2, 0.5), Rule((Condition(a, lower=1.0),), 2.0, 2, 0.5))
    _, picture = drawn(RuleList(rules, Rule((), 1.0), Inputs((a,))))
    assert picture.width < 900
    root, *_ = picture.boxes
    assert root.is_cut
    assert root.text == f"{'w' * 300} <= 1"
    assert len(root.lines) == 4
    assert root.lines[-1].endswith("<= 1")


def test_a_deep_tree_of_long_names_is_made_narrow_enough_for_a_page():
    columns = tuple(Column(i, f"a column with quite a long name, the number {i}") for i in range(5))
    rules, before = [], ()
    for column in columns:
        rules.append(Rule((*before, Condition(column, upper=1.0)), 1.0, 2, 0.2))
        before = (*before, Condition(column, lower=1.0))
    _, picture = drawn(RuleList((*rules, Rule(before, 2.0, 2, 0.2)), Rule((), 1.0), Inputs(columns)))
    assert max(box.x for box in picture.boxes) > 5 * 115  # six columns of boxes
    assert picture.width <= 1280
    assert not any(box.is_cut for box in picture.boxes)


def test_a_curve_goes_from_its_first_number_to_its_last():
    assert curve((0.0, 1.0, 0.5), 10, 4) == "M0.0 4.0L5.0 0.0L10.0 2.0"
    assert curve((3.0,), 10, 4) == "M0.0 4.0L10.0 4.0"
    assert curve((2.0, 2.0), 10, 4) == "M0.0 4.0L10.0 4.0"
