"""Pairs of rules that exclude each other, and rows that exclude no list that keeps the promise."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from wishes import NAMES, Small, matches, monotone, rises, smalls

from hedgerow import InfeasibleError
from hedgerow.constraints import Monotone, monotone_rows
from hedgerow.constraints.constraint import demand_of


def rows_of(small, signs):
    (rows,) = demand_of(Monotone(signs), small.free.candidates, None).lazy
    return rows


SIGNS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([1, -1]), min_size=1, max_size=2)


@settings(max_examples=30, deadline=None)
@given(small=smalls(n_labels=(0, 2)), signs=SIGNS)
def test_two_rules_exclude_each_other_if_they_alone_break_the_promise_at_some_point(small, signs):
    if (
        not any(name in str(small.rules) for name in signs)
        or not demand_of(Monotone(signs), small.free.candidates, None).lazy
    ):
        return
    rows = rows_of(small, signs)
    everything = np.arange(len(small.rules))
    found = rows.conflicts(everything, everything)
    held = [matches(rule, small.grid) for rule in small.rules]
    weight = small.samples[2]
    sizes = [round(float(weight[mine].sum()), 9) for mine in small.held]
    for i, j in itertools.combinations(everything, 2):
        orders = [(i, j)] if sizes[i] > sizes[j] else [(j, i)] if sizes[i] < sizes[j] else [(i, j), (j, i)]
        clash = False
        for first, second in orders:
            values = small.values[first], small.values[second]
            said = np.where(held[first], values[0], np.where(held[second], values[1], np.nan))
            clash |= not all(rises(small.lines(said, name), sign) for name, sign in signs.items())
        assert found[i, j] == found[j, i] == clash, (small.rules[i], small.rules[j])


@settings(max_examples=40, deadline=None)
@given(small=smalls(n_labels=(0, 2), budgets=(3, 4)), signs=SIGNS, seed=st.integers(0, 100))
def test_no_row_excludes_a_list_that_keeps_the_promise(small, signs, seed):
    if not demand_of(Monotone(signs), small.free.candidates, None).lazy:
        return
    rows, means, lists = rows_of(small, signs), monotone(signs), list(small.lists())
    if not lists:
        return
    rng = np.random.default_rng(seed)
    mixture = np.zeros(len(small.rules))
    for share, k in zip(rng.dirichlet(np.ones(3)), rng.integers(len(lists), size=3), strict=True):
        mixture[list(lists[k])] += share
    for z in (
        mixture,
        *(np.isin(np.arange(len(small.rules)), lists[k]) * 1.0 for k in rng.integers(len(lists), size=5)),
    ):
        found = rows.violated(z)
        if found is None:
            continue
        assert (found.matrix @ z > found.upper + 1e-9).any()
        for chosen in lists:
            if means(small, chosen):
                assert found.hold(np.array(chosen)), (found.matrix.toarray(), chosen)


@settings(max_examples=40, deadline=None)
@given(small=smalls(n_labels=(0, 2), budgets=(3, 4)), signs=SIGNS)
def test_a_list_is_accepted_if_it_keeps_the_promise_with_some_answer_for_gaps(small, signs):
    if not demand_of(Monotone(signs), small.free.candidates, None).lazy:
        return
    rows, means = rows_of(small, signs), monotone(signs)
    for chosen in itertools.islice(small.lists(), 40):
        assert rows.hold(np.array(chosen)) == means(small, chosen)


def test_many_rules_are_looked_at_as_they_are_needed():
    small = Small(3, n_labels=0, n=30, depth=3)
    everything = np.arange(len(small.rules))
    expected = rows_of(small, {"age": 1}).conflicts(everything, everything)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(monotone_rows, "_MOST_PAIRS", 3)
        rows = rows_of(small, {"age": 1})
        assert rows.pairs is None
        assert_array_equal(rows.conflicts(everything, everything), expected)
        assert_array_equal(rows.fitting(np.array([4, 7])), ~expected[[4, 7]].any(axis=0))
        rules = small.fit([Monotone({"age": 1})], max_rules=4)
    assert rules.solution_.objective == small.fit([Monotone({"age": 1})], max_rules=4).solution_.objective


def test_some_candidates_exclude_each_other_as_before():
    small = Small(3, n_labels=0, n=30, depth=3)
    rows, some = rows_of(small, {"age": 1, "debt": -1}), np.arange(0, len(small.rules), 2)
    everything, expected = np.arange(len(some)), rows.conflicts(some, some)
    assert_array_equal(rows.subset(some).conflicts(everything, everything), expected)
    assert expected.any()


def test_where_gaps_may_be_anywhere_a_list_that_is_found_still_keeps_the_promise(monkeypatch):
    monkeypatch.setattr("hedgerow.constraints.gaps._MOST_REGIONS", 1)
    found = 0
    for seed in range(25):
        small = Small(seed, n_labels=0, n=20, max_rules=5)
        try:
            rules = small.fit([Monotone({"age": 1})])
        except InfeasibleError:
            continue
        found += len(rules.rule_list_) > 1
        assert rises(small.lines(rules.predict(pd.DataFrame(small.grid, columns=NAMES)), "age"), 1)
    assert found
