"""The best of all short lists is the best of an enumeration, ties included."""

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from small_problems import COVERAGE, SCORES, drawn_forest

from hedgerow import PartitionProblem, read_forest
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.pool import make_pool
from hedgerow.exceptions import InfeasibleError
from hedgerow.optimize.problem import LinearRows
from hedgerow.optimize.solvers import Highs, beginnings, fingerprints, short_lists
from hedgerow.optimize.solvers.exhaustive import partitions
from hedgerow.optimize.solvers.short_lists import best_short_list
from hedgerow.optimize.solvers.twins import best_of_twins


def first_in_order(problem, columns, max_rules, above=-np.inf):
    """The best of all partitions by the documented order, or None."""
    of_columns = replace(problem.subset(columns), max_rules=max_rules)
    lists = [np.sort(columns[list(chosen)]) for chosen in partitions(of_columns)]
    lists = [chosen for chosen in lists if problem.objective(chosen) >= above - 1e-12]
    preference = np.zeros(problem.n_rules) if problem.preference is None else problem.preference

    def rank(chosen):
        score = np.round(problem.scores[chosen].sum() / (np.abs(problem.scores[columns]).max() or 1), 12)
        return -score, len(chosen), np.round(preference[chosen].sum(), 12), *chosen

    return min(lists, key=rank, default=None)


def same(one, other):
    return one is None if other is None else one is not None and one.tolist() == other.tolist()


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_samples=st.integers(2, 14),
    n_trees=st.integers(1, 6),
    candidates=st.sampled_from(["leaves", "nodes"]),
    max_rules=st.integers(1, 7),
    scores=st.sampled_from(["drawn", "whole", "equal"]),
    has_preference=st.booleans(),
    share=st.floats(0.5, 1),
)
def test_the_list_is_the_first_of_all_partitions(
    seed, n_samples, n_trees, candidates, max_rules, scores, has_preference, share
):
    coverage, drawn = drawn_forest(seed, n_samples, n_trees, candidates)
    rng = np.random.default_rng(seed)
    drawn = {"drawn": drawn, "whole": np.round(drawn), "equal": -np.ones(len(drawn))}[scores]
    preference = rng.integers(0, 3, len(drawn)).astype(float) if has_preference else None
    problem = PartitionProblem(drawn, coverage, None, None, preference)
    columns = np.flatnonzero(rng.random(len(drawn)) < share)
    found = best_short_list(problem, columns, max_rules)
    assert found.tried == max_rules
    expected = first_in_order(problem, columns, max_rules) if len(columns) else None
    assert same(found.chosen, expected)
    if expected is not None:
        again = best_short_list(problem, columns, max_rules, above=problem.objective(expected))
        assert same(again.chosen, expected)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), max_rules=st.integers(1, 5), n_samples=st.integers(1, 7), n_rules=st.integers(1, 24))
def test_the_list_is_the_first_of_all_partitions_of_a_drawn_matrix(seed, max_rules, n_samples, n_rules):
    rng = np.random.default_rng(seed)
    matrix = rng.random((n_samples, n_rules)) < 0.4
    matrix[rng.integers(n_samples), ~matrix.any(axis=0)] = True
    problem = PartitionProblem(rng.integers(-3, 3, n_rules), matrix)
    found = best_short_list(problem, np.arange(n_rules), max_rules)
    assert found.tried == max_rules
    assert same(found.chosen, first_in_order(problem, np.arange(n_rules), max_rules))


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), max_rules=st.integers(1, 5), above_share=st.floats(0, 1))
def test_regrets_leave_out_no_list_that_is_good_enough(seed, max_rules, above_share):
    coverage, scores = drawn_forest(seed, 12, 5, "nodes")
    problem, every = PartitionProblem(scores, coverage), np.arange(len(scores))
    multipliers = np.random.default_rng(seed).normal(size=coverage.n_samples)
    reduced = scores - coverage.sums(multipliers)
    bound = multipliers.sum() + np.sort(np.maximum(reduced, 0))[::-1][:max_rules].sum()
    best = first_in_order(problem, every, max_rules)
    top = problem.objective(best)
    above = top - above_share
    found = best_short_list(problem, every, max_rules, above=above, regrets=-np.minimum(reduced, 0), bound=bound)
    assert same(found.chosen, best)
    assert best_short_list(problem, every, max_rules, above=top + 1e-3).chosen is None


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), max_rules=st.integers(1, 5))
def test_extra_rows_hold(seed, max_rules):
    coverage, scores = drawn_forest(seed, 10, 4, "nodes")
    rng = np.random.default_rng(seed)
    rows = LinearRows(rng.integers(-1, 3, (2, len(scores))), [-np.inf, 1], [3, 4])
    problem = PartitionProblem(scores, coverage, None, rows)
    every = np.arange(len(scores))
    found = best_short_list(problem, every, max_rules)
    assert found.tried == max_rules
    assert same(found.chosen, first_in_order(problem, every, max_rules))


@pytest.mark.parametrize("bits", [0, 1, 3])
def test_fingerprints_that_collide_do_no_harm(bits, monkeypatch):
    def poor_keys(n_samples):
        return np.arange(n_samples, dtype=np.uint64) % np.uint64(2**bits)

    monkeypatch.setattr(fingerprints, "sample_keys", poor_keys)
    for seed in range(15):
        coverage, scores = drawn_forest(seed, 9, 3, "nodes")
        problem, every = PartitionProblem(scores, coverage), np.arange(len(scores))
        for max_rules in (1, 2, 3, 4, 5):
            found = best_short_list(problem, every, max_rules)
            assert found.tried == max_rules
            assert same(found.chosen, first_in_order(problem, every, max_rules))


def test_few_witnesses_do_no_harm(monkeypatch):
    monkeypatch.setattr(beginnings, "_WITNESSES", 4)
    monkeypatch.setattr(beginnings, "_BRANCHED", 2)
    for seed in range(20):
        coverage, scores = drawn_forest(seed, 14, 4, "nodes")
        problem, every = PartitionProblem(np.round(scores), coverage), np.arange(len(scores))
        for max_rules in (2, 3, 4, 5):
            assert same(best_short_list(problem, every, max_rules).chosen, first_in_order(problem, every, max_rules))


def test_small_blocks_do_no_harm(monkeypatch):
    monkeypatch.setattr(beginnings, "_BLOCK", 7)
    monkeypatch.setattr(short_lists, "_BLOCK", 3)
    monkeypatch.setattr(fingerprints, "_LOOKED_UP", 2)
    for seed in range(20):
        coverage, scores = drawn_forest(seed, 12, 5, "nodes")
        problem, every = PartitionProblem(np.round(scores), coverage), np.arange(len(scores))
        for max_rules in (2, 3, 4, 5):
            assert same(best_short_list(problem, every, max_rules).chosen, first_in_order(problem, every, max_rules))


def test_best_partition_of_three_samples():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert best_short_list(problem, np.arange(4), 2).chosen.tolist() == [0, 1]
    assert best_short_list(problem, np.arange(1, 4), 2).chosen.tolist() == [2, 3]


def test_the_sample_to_start_with_is_not_always_the_rarest():
    # Sample 0 is in two rules. Sample 1 is in four, but three are too small for a list of three rules.
    sets = [range(1, 5), {0, 5, 6}, {7, 8, 9}, {0, 5}, {1}, {1}, {1}]
    sets += [set(pair) for first in range(2, 10) for pair in ((first, 2), (first, 4), (first, 9))]
    matrix = np.array([[sample in rule for rule in sets] for sample in range(10)])
    problem = PartitionProblem(np.zeros(len(sets)), matrix)
    assert matrix.sum(axis=1).argmin() == 0
    assert best_short_list(problem, np.arange(len(sets)), 3).chosen.tolist() == [0, 1, 2]


def test_no_list_is_proven_to_be_none():
    problem = PartitionProblem(SCORES, COVERAGE)
    for columns, max_rules in (([0, 1, 2, 3], 1), ([0, 2, 3][:2], 4), ([], 3)):
        found = best_short_list(problem, np.array(columns, dtype=np.int64), max_rules)
        assert found.chosen is None
        assert found.tried == max_rules


def test_one_sample_and_one_rule():
    problem = PartitionProblem([1.0, 2.0], [[1, 1]])
    assert best_short_list(problem, np.arange(2), 4).chosen.tolist() == [1]
    assert best_short_list(problem, np.array([0]), 1).chosen.tolist() == [0]


def test_after_the_deadline_nothing_is_claimed():
    coverage, scores = drawn_forest(0, 12, 5, "nodes")
    found = best_short_list(
        PartitionProblem(scores, coverage), np.arange(len(scores)), 4, deadline=time.perf_counter() - 1
    )
    assert found.tried <= 1


def test_too_many_beginnings_are_not_tried(monkeypatch):
    coverage, scores = drawn_forest(3, 14, 6, "nodes")
    problem, every = PartitionProblem(scores, coverage), np.arange(len(scores))
    monkeypatch.setattr(beginnings, "_MOST_BEGINNINGS", 20)
    found = best_short_list(problem, every, 6)
    assert 0 < found.tried < 6
    best = first_in_order(problem, every, found.tried)
    assert found.chosen is not None
    assert problem.objective(found.chosen) >= problem.objective(best) - 1e-9


def test_what_takes_too_much_effort_is_not_begun():
    coverage, scores = drawn_forest(3, 14, 6, "nodes")
    problem, every = PartitionProblem(scores, coverage), np.arange(len(scores))
    tried = []
    for effort in (0, 500, 2000, 5000, 20000, 10**6):
        found = best_short_list(problem, every, 6, effort=effort)
        tried.append(found.tried)
        best = first_in_order(problem, every, found.tried) if found.tried else None
        assert best is None or problem.objective(found.chosen) >= problem.objective(best) - 1e-9
    assert tried == sorted(tried)
    assert tried[0] == 0
    assert tried[-1] == 6
    assert len(set(tried)) > 2


@pytest.mark.parametrize("candidates", ["leaves", "nodes"])
def test_the_objective_is_that_of_an_integer_program(candidates):
    X, y = load_wine(return_X_y=True)
    forest = read_forest(RandomForestClassifier(40, max_depth=3, random_state=0).fit(X, y))
    coverage = cover(make_pool(forest, candidates), forest.inputs.matrix(X))
    coverage = coverage.subset(np.flatnonzero(coverage.counts))
    scores = np.random.default_rng(0).normal(size=coverage.n_rules)
    for max_rules in (4, 5, 6):
        problem = PartitionProblem(scores, coverage, max_rules)
        found = best_short_list(problem, best_of_twins(problem)[0], max_rules)
        assert found.tried == max_rules
        expected = solve(problem)
        if expected is None:
            assert found.chosen is None
        else:
            assert problem.accepts(found.chosen)
            assert problem.objective(found.chosen) == pytest.approx(expected, abs=1e-7)


def solve(problem):
    """The objective by integer programming, or None without a list."""
    try:
        return Highs().solve(problem).objective
    except InfeasibleError:
        return None
