"""Rates of groups differ by no more than the gap, as they are counted again from what the list predicts."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import Small, a_parity_gap, parity_gap, smalls, some_groups

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.constraints import ParityGap


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(2, 3)))
def test_the_best_list_with_the_gap_is_found(data, small):
    small.check(a_parity_gap(small, data.draw))


@settings(max_examples=15, deadline=None)
@given(small=smalls(n_labels=(2,)), gap=st.sampled_from([0.0, 0.2]))
def test_a_column_that_is_named_gives_the_groups(small, gap):
    X, _, _ = small.data
    groups = X["debt"].to_numpy()
    small.check((ParityGap("debt", gap, positive="good"), parity_gap(groups, gap, "selection", "good")))


def test_missing_groups_are_a_group_of_their_own():
    small = Small(4, max_rules=3)
    groups = some_groups(small).astype(object)
    groups[:4] = None
    named = np.where(pd.isna(groups), "none", groups.astype(str))
    small.check((ParityGap(groups, 0.2, positive="good"), parity_gap(named, 0.2, "selection", "good")))


def test_of_two_labels_the_second_counts_and_of_more_one_must_be_named():
    small = Small(4, max_rules=3)
    groups = some_groups(small)
    small.check((ParityGap(groups, 0.1), parity_gap(groups, 0.1, "selection", "good")))
    with pytest.raises(InvalidParameterError, match=r"needs positive=..., one of the labels 'bad', 'best', 'good'"):
        Small(0, n_labels=3, max_rules=3).fit([ParityGap(groups, 0.1)])


@pytest.mark.parametrize(
    ("group", "reason"),
    [
        (["f"] * 12, "all training samples are in the same one, 'f'. Take another column, or leave it out"),
        (["f", "m"], "was given 2 groups for 12 samples. In cross-validation.*name a column instead"),
    ],
)
def test_groups_that_cannot_be_compared_are_refused(group, reason):
    with pytest.raises(InvalidDataError, match=reason):
        Small(0, max_rules=3).fit([ParityGap(group, 0.1)])


def test_a_column_of_numbers_is_not_one_of_groups():
    small = Small(0, max_rules=3, n=40)
    with pytest.raises(InvalidDataError, match=r"40 different values, more than 20 groups. Put them into bins"):
        small.fit([ParityGap(np.arange(40), 0.1)])


def test_a_group_without_the_label_has_no_opportunity():
    small = Small(0, max_rules=3)
    groups = np.where(small.data[1] == "good", "f", "m")
    with pytest.raises(InvalidDataError, match=r"no training sample of 'm' has the label 'good'.*take of='selection'"):
        small.fit([ParityGap(groups, 0.1, of="opportunity")])


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"group": "agee"}, "ParityGap names the column 'agee', which there is not. Did you mean 'age'"),
        ({"positive": "goood"}, "names the label 'goood'.*Did you mean 'good'"),
        ({"max_gap": 1.5}, "must be a number between 0 and 1; got 1.5"),
        ({"max_gap": -0.1}, "must be a number between 0 and 1"),
        ({"max_gap": float("nan")}, "must be a number between 0 and 1"),
        ({"of": "fairness"}, "must be one of 'selection', 'opportunity', 'error'; got 'fairness'"),
        ({"group": None}, "must be the name or position of a column, or one value per sample"),
        ({"group": 3.5}, "must be the name or position of a column, or one value per sample"),
    ],
)
def test_what_makes_no_sense_is_refused(given, reason):
    with pytest.raises(InvalidParameterError, match=reason):
        Small(0, max_rules=3).fit([ParityGap(**{"group": "debt", "max_gap": 0.1} | given)])


def test_numbers_have_no_rates():
    with pytest.raises(InvalidParameterError, match="is about labels, but this list predicts numbers"):
        Small(0, n_labels=0, max_rules=3).fit([ParityGap("debt", 0.1)])


def test_it_is_said_in_words():
    assert repr(ParityGap(["f", "m"], 0.1)) == "ParityGap(<2 values>, 0.1, of='selection')"
    assert str(ParityGap("sex", 0.1, of="error")) == (
        "how often the list is wrong differs between the groups of sex by at most 0.1"
    )
