"""Of equally good lists, the one that the documentation names is taken."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from small_problems import drawn_forest

from hedgerow import PartitionProblem
from hedgerow.optimize.problem import LinearRows
from hedgerow.optimize.solvers import ties
from hedgerow.optimize.solvers.exhaustive import partitions
from hedgerow.optimize.solvers.ties import best_of_tied


def best(problem, columns=None, regrets=None, slack=0.0):
    columns = np.arange(problem.n_rules) if columns is None else np.array(columns)
    found = best_of_tied(problem, columns, np.zeros(len(columns)) if regrets is None else np.array(regrets), slack)
    return None if found is None else found.tolist()


#                {0}  {1} {0,1} {2} {3} {2,3} {2,3}
SIX = np.array([[1, 0, 1, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 1], [0, 0, 0, 0, 1, 1, 1]])


def test_fewest_rules_come_first_then_the_lowest_preference_then_the_first_rules():
    scores = np.zeros(7)
    assert best(PartitionProblem(scores, SIX)) == [2, 5]
    assert best(PartitionProblem(scores, SIX, preference=np.array([0, 0, 5, 0, 0, 2, 1.0]))) == [2, 6]
    assert best(PartitionProblem(scores, SIX), columns=[0, 1, 3, 4, 6]) == [0, 1, 6]


def test_a_higher_score_comes_before_all():
    assert best(PartitionProblem(np.array([1.0, 1, 0, 0, 0, 0, 0]), SIX)) == [0, 1, 5]


def test_a_list_that_loses_too_much_is_left_out():
    assert best(PartitionProblem(np.zeros(7), SIX), regrets=[0, 0, 1, 0, 0, 0, 0], slack=0.5) == [0, 1, 5]


@pytest.mark.parametrize(("budget", "expected"), [(4, [0, 1, 3, 4]), (3, [0, 1, 5]), (2, [2, 5]), (1, None)])
def test_a_list_over_the_budget_is_left_out(budget, expected):
    assert best(PartitionProblem(np.ones(7), SIX, budget)) == expected


def test_rules_that_all_lists_have_count():
    columns = [0, 1, 3, 4, 5]  # rules 0 and 1 alone cover their samples
    assert best(PartitionProblem(np.ones(7), SIX, 4), columns) == [0, 1, 3, 4]
    assert best(PartitionProblem(np.ones(7), SIX, 3), columns) == [0, 1, 5]
    assert best(PartitionProblem(np.ones(7), SIX, 1), columns) is None


def test_extra_rows_hold():
    not_both = LinearRows([0, 0, 1, 0, 0, 1, 1], -np.inf, 1.0)
    assert best(PartitionProblem(np.zeros(7), SIX, rows=not_both)) == [0, 1, 5]


def test_without_a_list_there_is_none():
    assert best(PartitionProblem(np.zeros(7), SIX), columns=[0, 5]) is None
    assert best(PartitionProblem(np.zeros(7), SIX), columns=[0, 3, 4]) is None


def test_too_many_lists_are_not_tried(monkeypatch):
    monkeypatch.setattr(ties, "_EFFORT", 1)
    assert best(PartitionProblem(np.zeros(7), SIX)) is None


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    candidates=st.sampled_from(["leaves", "nodes"]),
    budget=st.one_of(st.none(), st.integers(1, 6)),
    many=st.booleans(),
)
def test_it_is_the_first_of_an_enumeration(seed, candidates, budget, many):
    coverage, preference = drawn_forest(seed, 12, 3, candidates)
    # Where each rule scores 1, the lists with the most rules come first, and budgets bind.
    scores = np.full(coverage.n_rules, float(many))
    problem = PartitionProblem(scores, coverage, budget, None, preference.round(1))
    lists = [sorted(chosen) for chosen in partitions(problem)]
    ranks = [
        (-scores[chosen].sum(), len(chosen), round(problem.preference[chosen].sum(), 9), chosen) for chosen in lists
    ]
    found = best(problem, slack=100.0)
    if found is not None:
        assert found == min(ranks)[3]


def test_a_sample_in_one_rule_only_settles_what_overlaps_it():
    forced, left, covers = ties._settled(SIX.T[[0, 2, 1, 3, 4, 5]] > 0)
    assert_array_equal(forced, [])
    assert len(left) == 6
    forced, left, covers = ties._settled(SIX.T[[2, 3, 4, 5]] > 0)
    assert_array_equal(forced, [0])
    assert_array_equal(left, [1, 2, 3])
    assert covers.shape == (3, 2)


def test_rules_without_samples_in_common_are_settled_apart():
    # Each of twelve pairs of samples is one rule or two: 4096 lists.
    pair = np.array([[1, 1, 0], [1, 0, 1]])
    problem = PartitionProblem(np.tile([2.0, 1.0, 1.0], 12), np.kron(np.eye(12), pair))
    assert best(problem) == list(range(0, 36, 3))
    # With extra rows, or where the fewest rules are too many, all lists have to be tried.
    assert best(replace(problem, rows=LinearRows(np.zeros(36), -np.inf, 1.0))) is None
    assert best(replace(problem, max_rules=12)) == list(range(0, 36, 3))


def test_less_is_tried_where_ties_are_rare(monkeypatch):
    problem, columns = PartitionProblem(np.zeros(7), SIX), np.arange(7)
    monkeypatch.setattr(ties, "_EFFORT_IF_RARE", 1)
    assert best_of_tied(problem, columns, np.zeros(7), 0.0, rare=True) is None
    assert best_of_tied(problem, columns, np.zeros(7), 0.0).tolist() == [2, 5]
