"""The judge of the attack: right answers pass, and every kind of wrong answer is named."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import COVERAGE, SCORES

from benchmarks.attack_draws import draw
from benchmarks.exact import (
    ROW_TOLERANCE,
    TooManyError,
    faults,
    faults_of_infeasible,
    find_truth,
    holds,
    partitions,
)
from hedgerow import InfeasibleError, LinearRows, PartitionProblem
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.rules.solution import Solution


def found(problem, chosen, objective, bound, status="optimal"):
    return list(faults(problem, find_truth(problem), Solution(np.array(chosen), objective, bound, status, 0.0)))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_an_exhaustive_search_passes(seed):
    problem, _ = draw(seed)
    truth = find_truth(problem)
    try:
        solution = Exhaustive().solve(problem)
    except InfeasibleError:
        # Floating-point sums may tell a list that is on the edge of a row from one that satisfies it; ours allow that.
        assert list(faults_of_infeasible(problem, truth, "")) == []
    else:
        assert list(faults(problem, truth, solution)) == []


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_a_list_is_one_of_the_partitions_or_none(seed):
    problem, _ = draw(seed)
    every = partitions(problem)
    assert len(set(every)) == len(every)
    matrix = problem.coverage.matrix().toarray()
    assert all((matrix[:, list(chosen)].sum(axis=1) == 1).all() for chosen in every)


def test_right_answers_are_right():
    problem = PartitionProblem(SCORES, COVERAGE, 2)
    assert found(problem, [0, 1], 3.0, 3.0) == []
    assert found(problem, [2, 3], 1.0, 3.5, "time_limit") == ["no proof"]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (([2, 3], 1.0, 1.0, "optimal"), "wrong proof"),
        (([2, 3], 1.0, 2.0, "time_limit"), "wrong bound"),
        (([0, 3], 1.5, 3.0, "optimal"), "wrong list"),
        (([0, 1], 3.1, 3.1, "optimal"), "wrong objective"),
        (([0, 1], 3.0, np.nan, "optimal"), "gap"),
        (([0, 1], 3.0, 2.0, "time_limit"), "gap"),
    ],
)
def test_wrong_answers_are_named(answer, fault):
    assert fault in found(PartitionProblem(SCORES, COVERAGE, 2), *answer)


@pytest.mark.parametrize(
    ("column", "score", "fault"),
    [
        ([1, 0, 1], 1e12, ["wrong proof"]),  # in no list
        ([1, 1, 1], -1e12, ["wrong proof"]),  # in a list that nobody wants
        ([1, 1, 1], 2.0, ["wrong proof"]),
    ],
)
def test_huge_scores_of_rules_that_cannot_matter_excuse_nothing(column, score, fault):
    problem = PartitionProblem([*SCORES, score], np.column_stack([COVERAGE, column]))
    assert found(problem, [2, 3], 1.0, 1.0) == fault


def test_huge_scores_that_cancel_out_excuse_rounding():
    together = [[1, 0], [0, 1], [1, 0]]  # {0,2}, which only {1} completes
    problem = PartitionProblem([*SCORES, 1e12, -1e12], np.hstack([COVERAGE, together]))
    assert found(problem, [2, 3], 1.0, 1.0) == []


def test_a_row_may_be_violated_by_rounding_and_no_more():
    rows = LinearRows([[0.1, 0.2, 0.3]], 0.3, 0.3)
    assert not holds(rows, (0, 1))  # 0.1 + 0.2 is not 0.3, as floating-point numbers go
    assert holds(rows, (0, 1), ROW_TOLERANCE)
    assert not holds(LinearRows([[0.1, 0.2001]], 0.3, 0.3), (0, 1), ROW_TOLERANCE)
    assert holds(LinearRows([[0.0, 0.0]], -np.inf, 0.0), (0, 1))
    assert not holds(LinearRows([[0.0, 0.0]], 1e-12, np.inf), (0, 1), ROW_TOLERANCE)


def test_a_wrong_no_and_a_wrong_advice_are_named():
    possible, impossible = (PartitionProblem(SCORES, COVERAGE, budget) for budget in (2, 1))
    advice = "The smallest budget that works is max_rules={}."
    assert list(faults_of_infeasible(possible, find_truth(possible), "")) == ["wrong infeasible"]
    assert list(faults_of_infeasible(impossible, find_truth(impossible), advice.format(2))) == []
    assert list(faults_of_infeasible(impossible, find_truth(impossible), advice.format(3))) == ["wrong advice"]


def test_sums_are_exact():
    problem = PartitionProblem([1e300, -1e300, 1e-300], np.eye(3))
    assert find_truth(problem).optimum == Fraction(1e-300)


def test_too_many_partitions_are_not_gone_through():
    twins = np.repeat(np.eye(8), 4, axis=1)
    with pytest.raises(TooManyError, match="more than 20000"):
        partitions(PartitionProblem(np.zeros(32), twins))
