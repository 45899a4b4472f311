"""Bounds are those of all partitions, and a path has the optimum of each budget, whatever the solver can do."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from small_problems import COVERAGE, SCORES

from hedgerow import (
    InfeasibleError,
    InvalidParameterError,
    LinearRows,
    PartitionProblem,
    RuleListClassifier,
    Solution,
    TimeLimitError,
    budget_path,
    rule_bounds,
)
from hedgerow.optimize.budgets import check_budgets, feasible_path, fewest_rules
from hedgerow.optimize.solvers import Exhaustive, RowGeneration
from hedgerow.optimize.solvers.exhaustive import partitions

IRIS, WINE = (load(return_X_y=True) for load in (load_iris, load_wine))


def problem_of_wine(n_trees=50, candidates="leaves"):
    forest = RandomForestClassifier(n_trees, max_depth=3, random_state=0)
    return RuleListClassifier(forest, candidates=candidates).fit(*WINE).problem_


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n_samples=st.integers(1, 8), n_rules=st.integers(1, 12))
def test_bounds_are_those_of_all_partitions(seed, n_samples, n_rules):
    rng = np.random.default_rng(seed)
    matrix = np.column_stack([rng.random((n_samples, n_rules)) < 0.4, np.eye(n_samples)])
    matrix = matrix[:, matrix.any(axis=0)]
    problem = PartitionProblem(rng.normal(size=matrix.shape[1]), matrix, max_rules=1)
    sizes = [len(chosen) for chosen in partitions(PartitionProblem(problem.scores, matrix))]
    bounds = rule_bounds(problem)
    assert bounds == (min(sizes), max(sizes))
    assert bounds.proven
    assert bounds.interval == bounds
    assert fewest_rules(problem) == (min(sizes), min(sizes))


def test_bounds_of_a_forest_hold_its_trees():
    forest = RandomForestClassifier(50, max_depth=3, random_state=0).fit(*WINE)
    sizes = [tree.get_n_leaves() for tree in forest.estimators_]
    bounds = rule_bounds(problem_of_wine())
    assert bounds.proven
    assert bounds[0] <= min(sizes)
    assert bounds[1] >= max(sizes)


def test_without_time_only_an_interval_is_known():
    problem = problem_of_wine()
    exact, rough = rule_bounds(problem), rule_bounds(problem, time_limit=1e-9)
    assert not rough.proven
    assert "not proven, within" in repr(rough)
    assert rough.interval[0] <= exact[0] <= rough[0]
    assert rough[1] <= exact[1] <= rough.interval[1]
    assert rough.interval[0] >= 1
    assert rough.interval[1] <= problem.n_samples  # each rule of a list has a sample of its own


class Late:
    """A solver that is never in time."""

    def solve(self, problem, time_limit=None):
        raise TimeLimitError("late")


def test_without_any_list_the_bounds_are_the_trivial_ones():
    problem = PartitionProblem(np.zeros(6), np.eye(3)[:, [0, 0, 1, 1, 2, 2]])
    bounds = rule_bounds(problem, solver=Late())
    assert (bounds, bounds.interval) == ((1, 3), (1, 3))
    assert not bounds.proven
    assert not pickle.loads(pickle.dumps(bounds)).proven


@pytest.mark.filterwarnings("ignore:No tree of the ensemble has more than")
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), n_samples=st.integers(4, 30), n_trees=st.integers(1, 6))
def test_the_heuristic_lower_bound_is_never_below_the_exact_one(seed, n_samples, n_trees):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n_samples, 3)), rng.integers(0, 2, n_samples)
    y[:2] = 0, 1
    forest = RandomForestClassifier(n_trees, max_depth=3, random_state=seed).fit(X, y)
    problem = RuleListClassifier(forest, candidates="leaves").fit(X, y).problem_
    rough, exact = rule_bounds(problem, "heuristic", data=(X, y)), rule_bounds(problem)
    assert rough[0] >= exact[0]
    assert rough[0] <= rough[1]
    assert rough.interval[0] <= exact[0] <= exact[1] <= rough.interval[1]


def test_heuristic_bounds_of_nodes_and_with_extra_rows():
    nodes = problem_of_wine(30, "nodes")
    rough, exact = rule_bounds(nodes, "heuristic"), rule_bounds(nodes)
    assert rough[0] == exact[0] == 1
    assert 1 < rough[1] <= exact[1]
    leaves = problem_of_wine(30)
    rows = LinearRows(np.ones((1, leaves.n_rules)), 7.0, np.inf)
    assert rule_bounds(replace(leaves, rows=rows), "heuristic")[0] >= 7


def test_without_a_whole_tree_the_heuristic_points_to_the_exact_bounds():
    with pytest.raises(InfeasibleError, match="method='exact'"):
        rule_bounds(PartitionProblem(SCORES, COVERAGE), "heuristic")


def test_bounds_can_be_pickled_and_other_methods_are_refused():
    problem = PartitionProblem(np.zeros(3), [[1, 0, 1], [0, 1, 1]])
    bounds = pickle.loads(pickle.dumps(rule_bounds(problem)))
    assert bounds == (1, 2)
    assert bounds.proven
    with pytest.raises(InvalidParameterError, match="'exact' or 'heuristic'"):
        rule_bounds(problem, "rough")


class OnlySolve:
    """A user's solver: it has the one method that is needed, and no more."""

    def __init__(self):
        self.budgets = []

    def solve(self, problem, time_limit=None):
        self.budgets.append(problem.max_rules)
        return Exhaustive().solve(problem, time_limit)


class Paths(OnlySolve):
    """A user's solver that solves for several budgets at once."""

    def feasible_path(self, problem, budgets, time_limit=None):
        return {budget: Exhaustive().solve(replace(problem, max_rules=budget)) for budget in budgets}


@pytest.mark.parametrize("solver", [None, RowGeneration(), OnlySolve(), Paths()], ids=lambda s: type(s).__name__)
def test_a_path_has_the_optimum_of_every_budget(solver):
    forest = RandomForestClassifier(4, max_depth=2, random_state=0).fit(*IRIS)
    problem = RuleListClassifier(forest, candidates="nodes").fit(*IRIS).problem_
    path = budget_path(problem, [4, 2, 3], solver=solver)
    alone = [Exhaustive().solve(replace(problem, max_rules=budget)).objective for budget in (4, 2, 3)]
    assert_allclose([solution.objective for solution in path], alone, atol=1e-9)


def test_a_solver_without_paths_is_asked_once_per_budget_and_one_with_paths_never():
    plain, paths = OnlySolve(), Paths()
    for solver in (plain, paths):
        budget_path(PartitionProblem(SCORES, COVERAGE), [3, 2, 3], solver=solver)
    assert plain.budgets == [2, 3]
    assert paths.budgets == []


@pytest.mark.parametrize("solver", [None, OnlySolve()], ids=["default", "only solve"])
def test_a_budget_without_a_list_has_an_error_in_its_place(solver):
    found = feasible_path(PartitionProblem(SCORES, COVERAGE), [2, 1], solver=solver)
    assert found[2].objective == 3.0
    assert isinstance(found[1], InfeasibleError)
    with pytest.raises(InfeasibleError):
        budget_path(PartitionProblem(SCORES, COVERAGE), [2, 1], solver=solver)


def test_a_time_limit_without_a_list_is_an_error_in_its_place_too():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert isinstance(feasible_path(problem, [2], solver=Late())[2], TimeLimitError)
    with pytest.raises(TimeLimitError, match="late"):
        budget_path(problem, [2], solver=Late())


def test_an_infeasible_budget_says_which_one_works():
    with pytest.raises(InfeasibleError, match="smallest budget that works is max_rules=2"):
        budget_path(PartitionProblem(np.zeros(2), np.eye(2)), [2, 1])


def test_a_path_keeps_what_other_budgets_have_when_time_ends():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(60, max_depth=5, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        problem = RuleListClassifier(forest, candidates="leaves", max_rules=None, time_limit=0.1).fit(X, y).problem_
    path = feasible_path(problem, range(4, 20, 2), time_limit=0.05)
    found = [path[budget] for budget in sorted(path) if isinstance(path[budget], Solution)]
    assert found
    objectives = [solution.objective for solution in found]
    assert objectives == sorted(objectives)
    assert all(solution.bound >= solution.objective for solution in found)


@pytest.mark.parametrize(
    ("budgets", "message"),
    [([], "empty"), ([0], "at least 1; got 0"), ([2.5], "got 2.5"), ([True], "got True"), (None, "list of integers")],
)
def test_invalid_budgets(budgets, message):
    with pytest.raises(InvalidParameterError, match=message):
        budget_path(PartitionProblem(SCORES, COVERAGE), budgets)


def test_a_single_budget_is_a_list_of_one():
    assert check_budgets(np.int64(4)) == [4]


@pytest.mark.parametrize("classify", [None, True, False])
def test_the_heuristic_upper_bound_is_the_size_of_a_tree_that_gains_a_hundredth_at_each_split(classify):
    X, y = load_wine(return_X_y=True)
    problem = problem_of_wine(5)
    kind = DecisionTreeRegressor if classify is False else DecisionTreeClassifier
    grown = kind(random_state=0).fit(X, y)
    path = grown.cost_complexity_pruning_path(X, y)
    alpha = 0.01 * grown.tree_.impurity[0]
    # Each subtree of the path is the smallest until the next alpha.
    n_leaves = kind(random_state=0, ccp_alpha=path.ccp_alphas[path.ccp_alphas <= alpha].max()).fit(X, y).get_n_leaves()
    rough = rule_bounds(problem, "heuristic", data=(X, y), classify=classify)
    assert rough[1] == max(rough[0], n_leaves)
    assert 1 < n_leaves < grown.get_n_leaves() or classify is not False
