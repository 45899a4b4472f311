"""What lies around the gaps of a list along a feature, compared with looking at every cell of the grid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import NAMES, Small, matches, smalls

from hedgerow.constraints import gaps
from hedgerow.constraints.boxes import Boxes
from hedgerow.constraints.gaps import Gaps


def some_list(small, draw):
    """Some candidates in some order: lists need not partition the samples."""
    n = len(small.rules)
    chosen = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4, unique=True))
    values = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=len(chosen), max_size=len(chosen)))
    return chosen, values


def by_looking(small, chosen, values, name):
    """The highest value that fires below a gap on its line, and the lowest above one; None if there is none."""
    said = np.full(len(small.grid), np.nan)
    for j, value in list(zip(chosen, values, strict=True))[::-1]:
        said[matches(small.rules[j], small.grid)] = value
    below, above = [], []
    for line in small.lines(said, name):
        gap = np.flatnonzero(np.isnan(line))
        if len(gap):
            below += line[: gap[-1]][~np.isnan(line[: gap[-1]])].tolist()
            above += line[gap[0] + 1 :][~np.isnan(line[gap[0] + 1 :])].tolist()
    return max(below, default=None), min(above, default=None)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(0,)), name=st.sampled_from(NAMES))
def test_it_is_what_looking_at_every_cell_finds(data, small, name):
    chosen, values = some_list(small, data.draw)
    boxes = Boxes.of(small.free.pool.subset(np.array(chosen)))
    found = Gaps(boxes, values, NAMES.index(name)).around()
    assert found.exact
    below, above = by_looking(small, chosen, values, name)
    assert (None if found.below is None else found.below.value) == below
    assert (None if found.above is None else found.above.value) == above


@settings(max_examples=80, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(0,)), name=st.sampled_from(NAMES))
def test_the_points_that_it_names_are_such_points(data, small, name):
    chosen, values = some_list(small, data.draw)
    boxes = Boxes.of(small.free.pool.subset(np.array(chosen)))
    k = NAMES.index(name)
    found = Gaps(boxes, values, k).around()
    for side, sign in ((found.below, 1), (found.above, -1)):
        if side is None:
            continue
        assert not boxes.contain(side.gap).any()
        inside = np.flatnonzero(boxes.contain(side.at))
        assert inside[0] == side.rule
        assert values[side.rule] == side.value
        assert sign * side.at[k] < sign * side.gap[k]
        assert {q: v for q, v in side.at.items() if q != k and v == v} == {
            q: v for q, v in side.gap.items() if q != k and v == v
        }


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(0,)), name=st.sampled_from(NAMES))
def test_where_there_is_too_much_to_look_at_gaps_may_be_anywhere(data, small, name):
    chosen, values = some_list(small, data.draw)
    boxes = Boxes.of(small.free.pool.subset(np.array(chosen)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gaps, "_MOST_REGIONS", 1)
        found = Gaps(boxes, values, NAMES.index(name)).around()
    below, above = by_looking(small, chosen, values, name)
    # What is asked of the answer for gaps may be too much, never too little.
    assert below is None or found.below.value >= below
    assert above is None or found.above.value <= above


def test_a_list_without_gaps_has_nothing_around_them():
    small = Small(0, n_labels=0, candidates="nodes")
    root = [j for j, rule in enumerate(small.rules) if not rule.conditions][:1]
    boxes = Boxes.of(small.free.pool.subset(np.array(root)))
    found = Gaps(boxes, [1.0], 0).around()
    assert found.below is None
    assert found.above is None
