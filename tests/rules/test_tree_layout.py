"""Every node has a box of its own, and edges lead from box to box."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from rule_lists import KINDS, make

from hedgerow import Condition, Rule, RuleList
from hedgerow.features import Column, Inputs, SeriesInputs, ShapeletDistance
from hedgerow.rules.rule_tree import RuleTree
from hedgerow.rules.tree_layout import Sizes, Text, lay_out

A, B = Column(0, "a"), Column(1, "b")
SIZES = Sizes(
    text_width=lambda text, is_bold: len(text) * (2 if is_bold else 1),
    line=2,
    pad=1,
    curve_width=30,
    curve_height=5,
    stub=3,
    reach=4,
    row_gap=1,
    tree_gap=6,
    margin=2,
)


def leaf(rule):
    return [Text("none")] if rule < 0 else [Text(f"class {rule}", is_bold=True), Text(f"rule {rule}", on_one_line=True)]


def laid_out(rules, inputs=None, room=20, sizes=SIZES):
    rule_list = rules if isinstance(rules, RuleList) else RuleList(tuple(rules), Rule(()), inputs or Inputs((A, B)))
    return lay_out(RuleTree.of(rule_list), rule_list.digits, leaf, sizes, room)


def check_apart(layout):
    for box in layout.boxes:
        assert SIZES.margin <= box.x <= box.x + box.width <= layout.width - SIZES.margin
        assert SIZES.margin <= box.y <= box.y + box.height <= layout.height - SIZES.margin
    for one, other in combinations(layout.boxes, 2):
        beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert beside or one.y + one.height <= other.y or other.y + other.height <= one.y


@pytest.mark.parametrize("kind", KINDS)
def test_boxes_are_apart_and_every_rule_has_one(kind):
    rule_list, _ = make(kind, False)
    layout = laid_out(rule_list)
    check_apart(layout)
    rules = [node.rule for root in RuleTree.of(rule_list).trees for node in root.nodes if node.rule >= 0]
    assert [box.rule for box in layout.boxes if box.rule >= 0] == rules


def test_boxes_of_many_trees_are_apart():
    random = np.random.default_rng(0)
    columns = tuple(Column(i, f"column number {i} of a table") for i in range(4))
    rules = [
        Rule(tuple(Condition(columns[i], lower=float(random.normal())) for i in random.permutation(4)[:3]), 1.0, 1, 0.1)
        for _ in range(12)
    ]
    layout = laid_out(rules, Inputs(columns))
    assert len(layout.roots) > 1
    assert len({box.rule for box in layout.boxes if box.rule >= 0}) > 8
    check_apart(layout)


def test_lengths_are_those_of_the_sizes():
    layout = laid_out([Rule((Condition(A, upper=5),)), Rule((Condition(A, lower=5),))])
    question, yes, no = layout.boxes
    assert (question.text, question.width, question.height) == ("a <= 5", 6 + 2, 2 + 2)
    assert (yes.text, yes.width, yes.height) == ("class 0", 2 * 7 + 2, 2 * 2 + 2)
    assert (question.x, question.elbow, yes.x) == (2, 2 + 8 + 3, 2 + 8 + 3 + 4)
    assert (layout.end_of_rules, layout.width) == (17 + 16, 17 + 16 + 2)
    assert (yes.y, no.y) == (2.5, 2.5 + 6 + 1)
    assert layout.height == 2 + 7 + 7 + 2
    assert [(line.y, line.text, line.is_bold) for line in yes.lines] == [(1, "class 0", True), (3, "rule 0", False)]


def test_edges_lead_from_a_question_to_what_follows():
    layout = laid_out(
        [Rule((Condition(A, upper=5),)), *(Rule((Condition(A, lower=5), side)) for side in (Condition(B, upper=1),))]
    )
    for box in layout.boxes:
        assert [word for word, _ in box.edges] == ["yes", "no"][: len(box.children)]
        for child, (_, points) in zip(box.children, box.edges, strict=True):
            assert points[0] == (box.x + box.width, box.middle)
            assert points[-1] == (child.x, child.middle)
            assert points[1][0] == points[2][0] == box.elbow
            assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points))


def test_the_rules_share_a_column_but_dead_ends_stay_where_they_are():
    layout = laid_out([Rule((Condition(A, upper=5),)), Rule((Condition(A, lower=6), Condition(B, upper=1)))])
    rules = [box for box in layout.boxes if box.rule >= 0]
    (dead,) = [box for box in layout.boxes if box.rule < 0 and not box.children]
    assert len({(box.x, box.width) for box in rules}) == 1
    assert dead.text == "none"
    assert dead.width == 4 + 2


def test_long_text_is_wrapped_and_cut():
    a = Column(0, "w" * 300)
    layout = laid_out([Rule((Condition(a, upper=1.0),)), Rule((Condition(a, lower=1.0),))], Inputs((a,)))
    root, *others = layout.boxes
    assert root.is_cut
    assert root.text == f"{'w' * 300} <= 1"
    assert len(root.lines) == 4
    assert root.lines[-1].text.endswith("<= 1")
    assert root.width <= 20 + 2
    assert not any(box.is_cut for box in others)


def test_a_shapelet_is_a_curve_above_its_condition():
    shape = ShapeletDistance(0, (0.0, 2.0, 1.0), name="dist")
    layout = laid_out(
        [Rule((Condition(shape, upper=1),))], SeriesInputs((shape,), np.float64, n_dimensions=1, length=9)
    )
    curve, text = layout.boxes[0].lines
    assert curve.curve == (0.0, 2.0, 1.0)
    assert (curve.y, text.y) == (1, 1 + 5)
    assert text.text == "dist <= 1"
    assert layout.boxes[0].width == 30 + 2


def test_a_mark_widens_the_rules_alone():
    rules = [Rule((Condition(A, upper=5),))]
    plain, marked = laid_out(rules), laid_out(rules, sizes=replace(SIZES, mark=3))
    assert [b.width - a.width for a, b in zip(plain.boxes, marked.boxes, strict=True)] == [0, 3, 0]


def test_a_list_without_rules_has_no_boxes():
    layout = laid_out([])
    assert layout.boxes == []
    assert layout.width > 0


def test_a_question_is_half_way_between_what_follows_and_edges_leave_boxes_in_the_middle():
    layout = laid_out([Rule((Condition(A, upper=5),)), Rule((Condition(A, lower=5),))])
    question, yes, no = layout.boxes
    assert (question.height, yes.height, no.height) == (4, 6, 6)
    # The boxes of the rules are at 2.5 and 9.5, six high, so that their middles are 5.5 and 12.5.
    assert (yes.y, no.y, question.y) == (2.5, 9.5, 9 - 2)
    assert [points for _, points in question.edges] == [
        ((10, 9), (13, 9), (13, 5.5), (17, 5.5)),
        ((10, 9), (13, 9), (13, 12.5), (17, 12.5)),
    ]


def test_a_question_that_is_higher_than_what_follows_stays_in_its_band():
    a = Column(0, "w" * 60)
    layout = laid_out([Rule((Condition(a, upper=1.0),)), Rule((Condition(a, lower=1.0),))], Inputs((a,)), room=7)
    question, yes, no = layout.boxes
    assert question.band == max(question.height + 1, yes.band + no.band)
    assert layout.height == 2 + question.band + 2
    assert 2.5 <= question.y <= 2 + question.band - 0.5 - question.height
    assert yes.y - 2 == pytest.approx(layout.height - 2 - no.y - no.height)
