"""Growing beginnings reaches each partition once, and grows nothing that cannot become one."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import COVERAGE, drawn_forest

from hedgerow import PartitionProblem
from hedgerow.candidates.coverage import Coverage
from hedgerow.optimize.solvers import beginnings
from hedgerow.optimize.solvers.beginnings import Nursery
from hedgerow.optimize.solvers.exhaustive import partitions
from hedgerow.optimize.solvers.fingerprints import OutOfTimeError


def nursery_of(coverage, deadline=None):
    return Nursery(coverage, np.zeros(coverage.n_rules), np.zeros(coverage.n_rules), deadline)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), candidates=st.sampled_from(["leaves", "nodes"]), max_rules=st.integers(2, 5))
def test_each_partition_has_one_beginning_of_each_length(seed, candidates, max_rules):
    coverage, _ = drawn_forest(seed, 12, 4, candidates)
    lists = [
        frozenset(chosen) for chosen in partitions(PartitionProblem(np.zeros(coverage.n_rules), coverage, max_rules))
    ]
    nursery = nursery_of(coverage)
    begun = nursery.none()
    for n_rules in range(1, max_rules):
        begun = nursery.grow(begun, max_rules - n_rules)
        rows = [frozenset(row) for row in begun.rules.tolist()]
        assert len(set(rows)) == len(rows)
        for chosen in lists:
            # A list is complete before it is as long as that, or goes on from exactly one of the beginnings.
            assert sum(row < chosen for row in rows) == (len(chosen) > n_rules)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_rules_of_a_beginning_are_disjoint_and_its_sums_are_theirs(seed):
    coverage, scores = drawn_forest(seed, 12, 4, "nodes")
    regrets = np.abs(scores)
    nursery = Nursery(coverage, scores, regrets)
    begun = nursery.grow(nursery.grow(nursery.none(), 3, 1.0), 2, 1.0)
    for k, rules in enumerate(begun.rules):
        assert coverage.counts_of(rules).max() == 1
        assert begun.counts[k] == coverage.counts[rules].sum()
        assert begun.scores[k] == pytest.approx(scores[rules].sum())
        assert begun.regrets[k] == pytest.approx(regrets[rules].sum())
        assert begun.regrets[k] + regrets.min() <= 1.0 + 1e-12
        assert (int(begun.left[k]) + sum(nursery.keys[rules].tolist()) - int(nursery.total)) % 2**64 == 0


def test_beginnings_of_three_samples():
    nursery = nursery_of(Coverage.from_matrix(COVERAGE))
    begun = nursery.grow(nursery.none(), 1)
    # The first sample is in {0} and {0,1}.
    assert sorted(begun.rules.tolist()) == [[0], [2]]
    assert nursery.later_rules().tolist() == [1, 3]
    assert nursery.grow(begun, 0).rules.tolist() == []


def test_rules_too_small_to_fill_what_is_left_are_not_taken():
    coverage = Coverage.from_matrix(np.column_stack([np.eye(6), np.arange(6) < 3, np.arange(6) >= 3]))
    nursery = nursery_of(coverage)
    assert nursery.grow(nursery.none(), 1).rules.tolist() == [[6]]
    assert sorted(nursery.grow(nursery.none(), 3).rules.tolist()) == [[0], [6]]


def test_the_deadline_is_heeded():
    coverage, _ = drawn_forest(0, 12, 4, "nodes")
    nursery = nursery_of(coverage, deadline=time.perf_counter() - 1)
    with pytest.raises(OutOfTimeError):
        nursery.grow(nursery.none(), 3)


def test_the_first_sample_is_one_that_the_fewest_rules_cover():
    coverage, _ = drawn_forest(5, 30, 6, "leaves")
    kept = np.flatnonzero(np.random.default_rng(0).random(coverage.n_rules) < 0.6)
    coverage = coverage.subset(kept)
    fewest = coverage.matrix().sum(axis=1).min()
    nursery = nursery_of(coverage)
    begun = nursery.grow(nursery.none(), coverage.n_rules)
    assert len(begun) == fewest
    assert len(nursery.later_rules()) == coverage.n_rules - fewest


def overlaps(coverage):
    """Which rules share a sample, and each rule with itself."""
    covers = coverage.matrix().toarray()
    return covers.T @ covers > 0


def test_the_effort_is_the_number_of_pairs_that_are_looked_at():
    coverage, _ = drawn_forest(3, 20, 6, "nodes")
    nursery, n_rules = nursery_of(coverage), coverage.n_rules
    one = nursery.grow(nursery.none(), 3)
    assert nursery.effort(nursery.none()) == n_rules
    # To compare a rule with all others is worth two pairs each; to grow, all rules are looked at.
    assert nursery.effort(one) == len(one) * n_rules + 2 * len(one) * n_rules
    two = nursery.grow(one, 2)
    assert nursery.effort(one) == len(one) * n_rules
    new = np.setdiff1d(two.rules, one.rules)
    disjoint = (~overlaps(coverage)).sum(axis=1)
    assert nursery.effort(two) == disjoint[two.rules[:, 0]].sum() + 2 * len(new) * n_rules


def test_what_takes_too_much_memory_is_not_grown(monkeypatch):
    coverage, _ = drawn_forest(3, 20, 6, "nodes")
    nursery = nursery_of(coverage)
    one = nursery.grow(nursery.none(), 3)
    n_entries = len(one) * coverage.n_rules
    monkeypatch.setattr(beginnings, "_MOST_DISJOINT", n_entries - 1)
    assert nursery.grow(one, 2) is None
    monkeypatch.setattr(beginnings, "_MOST_DISJOINT", n_entries)
    assert len(nursery.grow(one, 2))
    assert nursery.grow(nursery.grow(one, 2), 1) is None  # more rules to compare
