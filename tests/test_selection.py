"""The fewest and the most rules of any partition."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier

from hedgerow import PartitionProblem, RuleListClassifier
from hedgerow.selection import rule_bounds
from hedgerow.solvers.exhaustive import partitions


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


def test_bounds_of_a_forest_hold_its_trees():
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(50, max_depth=3, random_state=0).fit(X, y)
    problem = RuleListClassifier(forest, candidates="leaves").fit(X, y).problem_
    sizes = [tree.get_n_leaves() for tree in forest.estimators_]
    bounds = rule_bounds(problem)
    assert bounds.proven
    assert bounds[0] <= min(sizes)
    assert bounds[1] >= max(sizes)


def test_without_time_only_an_interval_is_known():
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(50, max_depth=3, random_state=0).fit(X, y)
    problem = RuleListClassifier(forest, candidates="leaves").fit(X, y).problem_
    exact, rough = rule_bounds(problem), rule_bounds(problem, time_limit=1e-9)
    assert not rough.proven
    assert rough.interval[0] <= exact[0] <= rough[0]
    assert rough[1] <= exact[1] <= rough.interval[1]
