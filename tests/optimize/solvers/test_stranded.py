"""Rules with which some sample cannot be covered are found, and no rule of any list is."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hedgerow.optimize.solvers.cliques import conflicts
from hedgerow.optimize.solvers.stranded import without_stranded


def left_of(covers, allowed=None):
    allowed = np.ones(covers.shape[1], dtype=bool) if allowed is None else allowed
    left = np.zeros(len(allowed), dtype=bool)
    covers = covers[:, allowed]
    left[allowed] = without_stranded(conflicts(sparse.csr_array(covers.astype(float))), covers)
    return left


def test_a_rule_that_excludes_all_rules_of_another_sample_is_stranded():
    #                  {0,1} {0} {1,2} {2}
    covers = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1]]) > 0
    assert left_of(covers).all()
    # Without {2}, sample 2 needs {1,2}, which excludes {0,1}.
    assert left_of(covers, np.array([True, True, True, False])).tolist() == [False, True, True, False]


def test_if_a_sample_has_no_rule_none_is_left():
    assert not left_of(np.array([[1, 1], [0, 0]]) > 0).any()


def test_pairs_that_are_not_known_to_exclude_each_other_strand_nothing():
    assert without_stranded(np.zeros((2, 2), dtype=bool), np.ones((1, 2), dtype=bool)).all()


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_rule_of_a_list_is_left(seed):
    rng = np.random.default_rng(seed)
    covers = rng.random((6, 12)) < 0.35
    left = left_of(covers)
    for size in range(1, 5):
        for chosen in itertools.combinations(range(12), size):
            if (covers[:, list(chosen)].sum(axis=1) == 1).all():
                assert left[[j for j in chosen if covers[:, j].any()]].all()
