"""Fingerprints add up like sets of samples, and every pair that matches is found."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import drawn_forest

from hedgerow.candidates.coverage import Coverage
from hedgerow.optimize.solvers import fingerprints as module
from hedgerow.optimize.solvers.fingerprints import (
    OutOfTimeError,
    Wanted,
    check_clock,
    fingerprints,
    matching_pairs,
    sample_keys,
)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), candidates=st.sampled_from(["leaves", "nodes"]))
def test_a_fingerprint_is_the_sum_of_keys_in_integers_without_limit(seed, candidates):
    coverage, _ = drawn_forest(seed, 20, 3, candidates)
    keys = [int(key) for key in sample_keys(20)]
    found, total = fingerprints(coverage)
    assert int(total) == sum(keys) % 2**64
    assert [int(one) for one in found] == [
        sum(keys[i] for i in coverage.members(j)) % 2**64 for j in range(coverage.n_rules)
    ]


def test_sums_over_many_samples_are_exact():
    n_samples = 300_000
    found, total = fingerprints(Coverage.from_matrix(np.ones((n_samples, 1))))
    assert int(total) == sum(sample_keys(n_samples).tolist()) % 2**64
    assert found.tolist() == [int(total)]


@settings(max_examples=100, deadline=None)
@given(
    keys=st.lists(st.integers(0, 9), min_size=1, max_size=12),
    wanted=st.lists(st.integers(0, 20), max_size=8),
    looked_up=st.sampled_from([1, 5, 1000]),
    seed=st.integers(0, 100),
)
def test_all_pairs_that_match_are_found_once(keys, wanted, looked_up, seed):
    scale = np.uint64(2**60 // 7)  # so that sums wrap
    numbers = np.array(keys, dtype=np.uint64) * scale
    targets = Wanted.of(np.array(wanted, dtype=np.uint64) * scale)
    rng = np.random.default_rng(seed)
    first = np.arange(1, len(keys) + 1) + rng.integers(0, 2, len(keys))
    last = rng.integers(0, len(keys) + 1, len(keys))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LOOKED_UP", looked_up)
        parts = list(matching_pairs(numbers, first, last, targets, None))
    found = sorted(
        (int(i), int(j), int(targets.order[place]))
        for ones, others, which in parts
        for i, j, k in zip(ones, others, which, strict=True)
        for place in range(targets.starts[k], targets.starts[k + 1])
    )
    expected = [
        (i, j, place)
        for i, j in combinations(range(len(keys)), 2)
        if first[i] <= j < last[i]
        for place in range(len(wanted))
        if (int(numbers[i]) + int(numbers[j]) - wanted[place] * int(scale)) % 2**64 == 0
    ]
    assert found == expected


def test_what_is_wanted_most_often_has_its_highest_score():
    wanted = Wanted.of(np.array([7, 3, 7], dtype=np.uint64))
    assert wanted.numbers.tolist() == [3, 7]
    assert wanted.counts.tolist() == [1, 2]
    assert wanted.highest(np.array([1.0, 2.0, 5.0])).tolist() == [2.0, 5.0]
    assert wanted.find(np.array([5, 7], dtype=np.uint64))[0].tolist() == [1]


def test_nothing_wanted_is_never_found():
    nothing = Wanted.of(np.empty(0, dtype=np.uint64))
    assert not len(nothing.find(np.array([1], dtype=np.uint64))[0])
    assert not len(nothing.highest(np.empty(0)))


def test_the_clock_is_heeded():
    check_clock(None)
    check_clock(time.perf_counter() + 100)
    late = time.perf_counter() - 1
    with pytest.raises(OutOfTimeError):
        check_clock(late)
    keys = np.ones(3, dtype=np.uint64)
    with pytest.raises(OutOfTimeError):
        list(matching_pairs(keys, np.arange(1, 4), np.full(3, 3), Wanted.of(keys), late))


@pytest.mark.parametrize("n_wanted", [1, 100, 3000])
def test_most_sums_that_are_not_wanted_are_sorted_out_at_once(n_wanted):
    rng = np.random.default_rng(0)
    wanted = Wanted.of(rng.integers(0, 2**64, n_wanted, dtype=np.uint64))
    sums = np.concatenate([rng.integers(0, 2**64, 20_000, dtype=np.uint64), wanted.numbers])
    possible = wanted.possible(sums)
    assert np.isin(np.arange(20_000, len(sums)), possible).all()
    assert len(possible) - n_wanted <= 0.07 * 20_000
