"""Sets of rules that exclude each other: every pair does, the set is used more than once, and nothing more fits."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from hedgerow.optimize.solvers.cliques import conflicts, enlarged, violated_cliques

#: Three samples in a ring, and the rule of the first sample alone.
RING = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0]])


def pairs_of(matrix):
    return conflicts(sparse.csr_array(np.asarray(matrix, dtype=float)))


def drawn_pairs(seed, n_rows=12, n_columns=90):
    rng = np.random.default_rng(seed)
    return pairs_of(rng.random((n_rows, n_columns)) < 0.25), rng


def excludes_in_pairs(clique, pairs):
    return all(pairs[i, j] for i, j in itertools.combinations(np.flatnonzero(clique), 2))


def test_columns_exclude_each_other_if_they_share_a_row():
    expected = [[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 0]]
    assert_array_equal(pairs_of(RING), np.array(expected, dtype=bool))


def test_the_pairs_of_a_ring_at_one_half_are_violated():
    cliques = violated_cliques(pairs_of(RING), np.array([0.5, 0.5, 0.5, 0.0]), 10)
    assert_array_equal(cliques, [[True, True, True, False]])


def test_a_solution_that_uses_no_set_twice_violates_none():
    assert len(violated_cliques(pairs_of(RING), np.array([1.0, 0.0, 0.0, 0.0]), 10)) == 0
    assert len(violated_cliques(pairs_of(RING), np.array([0.5, 0.0, 0.5, 0.0]), 10)) == 0


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_set_excludes_in_pairs_and_is_used_more_than_once(seed):
    pairs, rng = drawn_pairs(seed)
    z = np.where(rng.random(len(pairs)) < 0.4, rng.random(len(pairs)) / 2, 0.0)
    cliques = violated_cliques(pairs, z, 20)
    assert len(cliques) <= 20
    assert (cliques @ z > 1).all()
    assert all(excludes_in_pairs(clique, pairs) for clique in cliques)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), n_allowed=st.integers(2, 90))
def test_enlarged_sets_exclude_in_pairs_and_nothing_allowed_can_be_added(seed, n_allowed):
    pairs, rng = drawn_pairs(seed)
    allowed = rng.permutation(len(pairs))[:n_allowed]
    start = np.zeros((1, len(pairs)), dtype=bool)
    start[0, allowed[0]] = True
    (clique,) = enlarged(start, pairs, allowed)
    assert clique[allowed[0]]
    assert excludes_in_pairs(clique, pairs)
    others = allowed[~clique[allowed]]
    assert not pairs[np.ix_(others, np.flatnonzero(clique))].all(axis=1).any()
