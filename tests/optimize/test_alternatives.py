"""The k best lists, those within a share of the best, and those that differ: as when all lists are tried."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from small_problems import COVERAGE, SCORES, drawn_forest, with_few

from hedgerow import InfeasibleError, PartitionProblem
from hedgerow.candidates.excerpt import reduced
from hedgerow.optimize.alternatives import best_lists
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.optimize.solvers.exhaustive import partitions


def drawn(seed, budget=4, shift=0.0):
    coverage, scores = drawn_forest(seed, 14, 4, "nodes")
    return PartitionProblem(scores.round(2) + shift, coverage, budget)


def in_order(problem):
    """The sets of each list's rules with its objective, the best list first."""
    best = {}
    for chosen in partitions(problem):
        sets = frozenset(problem.coverage.twins[list(chosen)].tolist())
        best[sets] = max(best.get(sets, -np.inf), problem.objective(np.array(chosen)))
    return sorted(best.items(), key=lambda item: -item[1])


def objectives(problem, found):
    return [problem.objective(chosen) for chosen in found.chosen]


def solved(problem):
    try:
        return RowGeneration().solve(problem)
    except InfeasibleError:
        return None


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 12), knows=st.booleans())
def test_the_k_best(seed, k, knows):
    problem = drawn(seed)
    expected = [objective for _, objective in in_order(problem)]
    found = best_lists(problem, k, best=solved(problem) if knows else None)
    assert_allclose(objectives(problem, found), expected[:k], atol=1e-8)
    assert not found.ended_early
    assert found.bound >= max(expected[k:], default=-np.inf) - 1e-8
    assert found.more is (None if len(expected) >= k else False)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), within=st.floats(0.0, 0.6), shift=st.sampled_from([-2.0, 0.0, 2.0]))
def test_all_within_a_share_of_the_best(seed, within, shift):
    problem = drawn(seed, shift=shift)
    expected = [objective for _, objective in in_order(problem)]
    if not expected:
        return
    near = [x for x in expected if x >= expected[0] - within * abs(expected[0]) - 1e-9]
    for best in (solved(problem), None):
        found = best_lists(problem, 1000, within=within, best=best)
        assert_allclose(objectives(problem, found), near, atol=1e-8)
        assert found.more is False
    if len(near) > 1:
        assert best_lists(problem, len(near) - 1, within=within).more is True


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 6))
def test_lists_that_differ_are_taken_one_after_the_other(seed, k):
    problem = drawn(seed)
    problem = PartitionProblem(problem.scores + 1e-4 * np.arange(problem.n_rules), problem.coverage, 4)  # no ties

    def differ(one, other):
        return len(one & other) <= 1

    expected, n_alike = [], 0
    for sets, objective in in_order(problem):
        if len(expected) == k:
            break
        if all(differ(sets, other) for other, _ in expected):
            expected.append((sets, objective))
        else:
            n_alike += 1

    def differs(chosen, taken):
        twins = problem.coverage.twins
        mine = frozenset(twins[chosen].tolist())
        return all(differ(mine, frozenset(twins[other].tolist())) for other in taken)

    found = best_lists(problem, k, differs=differs)
    assert_allclose(objectives(problem, found), [objective for _, objective in expected], atol=1e-8)
    if len(expected) == k:
        assert found.n_alike == n_alike


def test_a_known_best_list_comes_first_among_equals():
    problem = PartitionProblem([1.0, 1.0, 1.0, 1.0], COVERAGE)
    for chosen in ([0, 1], [2, 3]):
        best = RowGeneration().solve(problem)
        vars(best)["chosen"] = np.array(chosen)
        assert best_lists(problem, 2, best=best).chosen[0].tolist() == chosen


def test_one_list_may_be_enough():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert len(best_lists(problem, 1, best=RowGeneration().solve(problem)).chosen) == 1


def test_without_time_only_what_is_known_is_returned():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert best_lists(problem, 2, time_limit=0.0).chosen == ()
    found = best_lists(problem, 2, best=RowGeneration().solve(problem), time_limit=0.0)
    assert found.ended_early
    assert found.more is None
    assert len(found.chosen) == 1


def test_samples_that_are_not_at_hand_count():
    # The problem has a few of many samples; of its lists, only those of all samples are taken.
    coverage, scores = drawn_forest(3, 60, 4, "nodes")
    few = np.arange(6)
    kept = np.flatnonzero(coverage.rows(few).sum(axis=0) > 0)
    coverage, scores = coverage.subset(kept), scores[kept]
    whole, part = PartitionProblem(scores, coverage, 6), PartitionProblem(scores, with_few(coverage, few), 6)
    found, expected = best_lists(part, 8), best_lists(whole, 8)
    assert len(expected.chosen) == 5
    assert_allclose(objectives(whole, found), objectives(whole, expected))
    assert all(whole.accepts(chosen) for chosen in found.chosen)


@pytest.mark.parametrize("n_samples", [50_000])
def test_excerpts_of_many_samples_give_the_same(n_samples):
    coverage, scores = drawn_forest(5, n_samples, 10, "nodes")
    whole = PartitionProblem(scores, coverage, 4)
    part = PartitionProblem(scores, reduced(coverage), 4)
    assert part.n_samples < n_samples
    assert_allclose(objectives(whole, best_lists(part, 5)), objectives(whole, best_lists(whole, 5)))
