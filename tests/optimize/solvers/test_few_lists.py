"""All lists within a bound are offered, and no more effort is spent than allowed."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hedgerow.optimize.solvers.cliques import conflicts
from hedgerow.optimize.solvers.few_lists import _fewest, every_list


def drawn(seed):
    rng = np.random.default_rng(seed)
    covers = np.concatenate([rng.random((6, 10)) < 0.3, np.eye(6, dtype=bool)], axis=1)[:, rng.permutation(16)]
    covers = covers[:, covers.any(axis=0)]
    return covers, conflicts(sparse.csr_array(covers.astype(float))), rng.random(covers.shape[1])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), most=st.one_of(st.none(), st.integers(1, 4)), slack=st.sampled_from([0.3, 1.0, 9.0]))
def test_the_lists_are_those_that_trying_all_choices_finds(seed, most, slack):
    covers, pairs, regrets = drawn(seed)
    found = []
    done = every_list(covers, pairs, regrets, lambda: slack, lambda c: found.append(tuple(sorted(c))), most, 10**9)
    expected = [
        chosen
        for size in range(1, (most or 6) + 1)
        for chosen in itertools.combinations(range(covers.shape[1]), size)
        if (covers[:, list(chosen)].sum(axis=1) == 1).all() and regrets[list(chosen)].sum() <= slack
    ]
    assert done
    assert sorted(found) == sorted(expected)


def test_each_list_that_is_offered_can_make_the_others_lose_too_much():
    covers, pairs, regrets = drawn(3)
    best = [9.0]

    def offer(chosen):
        best.append(regrets[chosen].sum())

    assert every_list(covers, pairs, regrets, lambda: best[-1] - 1e-9, offer, None, 10**9)
    everything = []
    every_list(covers, pairs, regrets, lambda: 9.0, lambda c: everything.append(regrets[c].sum()), None, 10**9)
    assert best[-1] == pytest.approx(min(everything))


def test_without_the_effort_it_is_not_done():
    covers, pairs, regrets = drawn(3)
    assert not every_list(covers, pairs, regrets, lambda: 9.0, lambda c: None, None, 30)


def test_the_row_with_the_fewest_rules_that_are_left_comes_next():
    assert _fewest([0b1111, 0b0111, 0b0110, 0b1100], 0b1111) == 0b0110
    assert _fewest([0b1111, 0b0111, 0b0110, 0b1100], 0b1011) == 0b0010
    assert _fewest([0b0011, 0b1100], 0b0011) == 0  # nothing is left of the second one
