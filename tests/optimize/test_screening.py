"""Screening keeps what the best single tree needs, and the optimum where nothing is dropped."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from small_problems import COVERAGE, SCORES

from hedgerow import (
    InvalidParameterError,
    LinearRows,
    PartitionProblem,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
)
from hedgerow.optimize.screening import _ranked, screen
from hedgerow.optimize.solvers import Exhaustive, RowGeneration

WINE = load_wine(return_X_y=True)


def posed(seed, candidates, budget):
    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(30, 3)), 1), rng.normal(size=30)
    estimator = RuleListRegressor(
        RandomForestRegressor(6, max_depth=3, random_state=seed), candidates=candidates, max_rules=budget, loss="sse"
    )
    estimator.fit(X, y)
    return estimator.problem_, estimator.pool_.tree


def best_single_tree(problem, tree):
    """The best objective of the rules of one tree alone, by exhaustive search."""
    found = -np.inf
    for k in np.unique(tree):
        mine = problem.subset(np.flatnonzero(tree == k))
        try:
            found = max(found, Exhaustive().solve(mine).objective)
        except ValueError:  # this tree has no list within the budget
            continue
    return found


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["leaves", "nodes"]), st.integers(5, 30))
def test_what_is_left_is_never_worse_than_the_best_single_tree(seed, candidates, max_candidates):
    budget = 8 if candidates == "leaves" else 5
    problem, tree = posed(seed, candidates, budget)
    limit = max(max_candidates, budget)
    kept = screen(problem, limit, [budget])
    assert len(kept) <= limit
    assert_array_equal(kept, np.unique(kept))
    left = RowGeneration().solve(problem.subset(kept)).objective
    assert left >= best_single_tree(problem, tree) - 1e-9
    assert left <= RowGeneration().solve(problem).objective + 1e-9


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6))
def test_with_room_for_all_only_rules_with_a_better_twin_are_dropped(seed):
    problem, _ = posed(seed, "nodes", 5)
    kept = screen(problem, problem.n_rules, [5])
    matrix = problem.coverage.matrix().toarray()
    assert len(kept) == len(np.unique(matrix, axis=1).T)
    for j in np.setdiff1d(np.arange(problem.n_rules), kept):
        twins = [k for k in kept if np.array_equal(matrix[:, k], matrix[:, j])]
        assert len(twins) == 1
        assert problem.scores[twins[0]] >= problem.scores[j] - 1e-11  # up to rounding
    assert_allclose(RowGeneration().solve(problem.subset(kept)).objective, RowGeneration().solve(problem).objective)


def test_every_budget_keeps_its_own_best_tree():
    problem, tree = posed(3, "nodes", None)
    kept = screen(problem, 12, [1, 2, 4, 6])
    for budget in (1, 2, 4, 6):
        limited = replace(problem, max_rules=budget)
        left = RowGeneration().solve(limited.subset(kept)).objective
        assert left >= best_single_tree(limited, tree) - 1e-9


def test_without_a_budget_the_best_whole_tree_is_kept():
    problem, tree = posed(5, "leaves", None)
    kept = screen(problem, 15, None)
    assert len(kept) == 15
    left = RowGeneration().solve(problem.subset(kept)).objective
    assert left >= best_single_tree(problem, tree) - 1e-9


def test_few_candidates_of_a_forest_are_enough():
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(40, max_depth=4, random_state=0).fit(X, y)
    estimator = RuleListRegressor(forest, max_rules=6, candidates="nodes", loss="sse", stability_weight=0.0)
    free = estimator.fit(X, y).solution_
    fitted = estimator.set_params(max_candidates=300).fit(X, y)
    assert len(fitted.pool_) == fitted.problem_.n_rules == len(fitted.scores_.total) == 300
    assert_allclose(fitted.scores_.total, fitted.problem_.scores)
    assert_allclose(fitted.solution_.objective, free.objective, rtol=0.01)
    assert_array_equal(fitted.rule_list_.matches(X).sum(axis=1), 1)
    assert fitted.seconds_["screening"] > 0


def test_a_pool_that_is_small_enough_is_left_alone():
    X, y = WINE
    forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    plain = RuleListClassifier(forest, max_rules=4).fit(X, y)
    same = RuleListClassifier(forest, max_rules=4, max_candidates=len(plain.pool_)).fit(X, y)
    assert_array_equal(same.solution_.chosen, plain.solution_.chosen)


def test_extra_rows_are_kept_and_keep_twins():
    #            {0,1} twice, {0}, {1}
    coverage = np.array([[1, 1, 1, 0], [1, 1, 0, 1]])
    rows = LinearRows([[1.0, 0, 0, 0]], -np.inf, 0.0)  # not the first
    problem = PartitionProblem([5.0, 1.0, -1.0, -1.0], coverage, 2, rows)
    assert 1 in screen(problem, 2, [2])
    assert_array_equal(screen(replace(problem, rows=None), 3, [2]), [0, 2, 3])


def test_without_any_safe_list_nothing_is_dropped_and_a_warning_says_so():
    problem = PartitionProblem(SCORES, COVERAGE, 2)  # its rules come from no tree
    with pytest.warns(UserWarning, match="max_candidates=2 is ignored"):
        assert len(screen(problem, 2, [2])) == 4


def test_cross_validation_screens_in_each_fold():
    X, y = WINE
    forest = RandomForestClassifier(20, max_depth=3, random_state=0)
    found = RuleListClassifierCV(
        forest, max_rules=range(3, 6), max_candidates=60, candidates="nodes", min_coverages=[0.02], cv=3
    ).fit(X, y)
    assert found.problem_.n_rules <= 60
    assert found.score(X, y) > 0.8
    bounded = RuleListClassifierCV(forest, max_candidates=60, min_coverages=[0.05], cv=2).fit(X, y)
    free = RuleListClassifierCV(forest, min_coverages=[0.05], cv=2).fit(X, y)
    assert bounded.bounds_ == free.bounds_


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_candidates": 0}, "max_candidates must be .* of at least 1, or None; got 0"),
        ({"max_candidates": 2.5}, "max_candidates must be"),
        ({"max_candidates": 4, "max_rules": 8}, "max_candidates=4 is less than max_rules=8"),
    ],
)
def test_invalid_numbers_of_candidates(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        RuleListClassifier(RandomForestClassifier(3, max_depth=2), **settings).fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize("budgets", [[5], [2, 3, 5], None])
def test_the_rules_of_the_optimum_come_before_most_others(budgets):
    places = []
    for seed in range(8):
        problem, _ = posed(seed, "nodes", 5 if budgets else None)
        unique = screen(problem, problem.n_rules, budgets)
        ranked = _ranked(problem, unique, budgets, None)
        assert sorted(ranked) == unique.tolist()
        for budget in budgets or [None]:
            best = RowGeneration().solve(replace(problem, max_rules=budget).subset(unique))
            places.append(np.flatnonzero(np.isin(ranked, unique[best.chosen])).max() / len(ranked))
    assert np.mean(places) < 0.4  # of the last one


def test_without_time_as_many_rules_are_kept():
    problem, _ = posed(3, "nodes", 5)
    kept = screen(problem, 20, [5], time_limit=0.0)
    assert len(kept) == 20
    assert RowGeneration().solve(problem.subset(kept)).optimal


def test_a_budget_without_any_list_does_not_rank():
    problem, _ = posed(3, "leaves", None)
    unique = screen(problem, problem.n_rules, None)
    assert_array_equal(_ranked(problem, unique, [1, 8], None), _ranked(problem, unique, [8], None))
