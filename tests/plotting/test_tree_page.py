"""A page has room for the boxes, a bar per rule beside them, and the note below."""

import pytest

from hedgerow import RuleList
from hedgerow.plotting.tree_page import SIZES, TreePage


def test_numbers_and_bars_stand_to_the_right_of_all_rules(tree):
    page = TreePage.of(tree)
    ends = [box.x + box.width for box in page.boxes.boxes if box.rule >= 0]
    assert max(ends) < page.numbers < page.bars < page.bars + page.bar < page.width


def test_several_trees_say_how_they_are_read(two_trees):
    page = TreePage.of(two_trees)
    assert "the one with the smallest number makes the prediction. If none is reached: 2." in " ".join(page.note)
    assert page.height == pytest.approx(page.boxes.height + len(page.note) * SIZES.line)
    written = [line.text for box in page.boxes.boxes for line in box.lines]
    assert "mean(x[1:3]) <= 0" in written
    assert "3.5 ± 1" in written


def test_one_tree_needs_no_note_and_names_the_default_where_no_rule_is_reached(tree):
    assert TreePage.of(tree).note == ()
    page = TreePage.of(RuleList(tree.rules[:2], tree.default, tree.inputs, tree.classes))
    (box,) = [box for box in page.boxes.boxes if not box.children and box.rule < 0]
    assert box.text == "no rule: yes (55 %)"
    assert page.note == ()


def test_rows_are_moved_apart_to_fill_the_height_but_at_most_twice_as_far(tree):
    own = TreePage.of(tree)
    for height, factor in ((1.5 * own.height, 1.5), (9 * own.height, 2.0)):
        page = TreePage.within(tree, own.width, height)
        assert page.height >= 0.99 * factor * own.height / max(1.0, page.scale(own.width, height))
        middles = [box.middle for box in page.boxes.boxes]
        assert all(0 < middle < page.height for middle in middles)
    assert TreePage.within(tree, own.width, 9 * own.height).height < 9 * own.height


def test_the_scale_is_that_of_the_tighter_side(tree):
    own = TreePage.of(tree)
    assert own.scale(2 * own.width, 3 * own.height) == pytest.approx(2)
    assert own.scale(2 * own.width, own.height / 2) == pytest.approx(0.5)
