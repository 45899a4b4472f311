"""What follows from pairs that exclude each other: nothing is tried in vain, and a list near the best one is found."""

import numpy as np
import pytest
from small_problems import drawn_forest, random_sets

from hedgerow import PartitionProblem
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.optimize.solvers.pairs import Pairs
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.relaxation import Relaxation


def solved(problem, samples):
    record, relaxation = Record(problem, None), Relaxation(problem, samples)
    relaxation.solve(None)
    return record, relaxation, Pairs(relaxation, record, np.arange(problem.n_rules))


def forest_problem():
    coverage, scores = drawn_forest(3, 12, 3, "nodes")
    return PartitionProblem(scores, coverage)


def leaves_of_a_tree(problem):
    whole = np.flatnonzero(problem.coverage.group == 0)
    return whole[[not any(_inside(problem, j, k) for k in whole) for j in whole]]


def test_pairs_share_a_sample():
    _, _, pairs = solved(PartitionProblem([1.0, 1.0, 1.0], [[1, 0, 1], [0, 1, 1]]), np.arange(2))
    assert pairs.matrix.tolist() == [[False, False, True], [False, False, True], [True, True, False]]


def test_from_any_list_the_best_one_is_found_by_trying_all():
    problem = forest_problem()
    record, relaxation, pairs = solved(problem, np.arange(12))
    everything = np.ones(problem.n_rules, dtype=bool)
    assert not pairs.try_every_list(everything)  # without a list, there is no bound on what may be lost
    assert record.offer(leaves_of_a_tree(problem))
    assert pairs.try_every_list(everything)
    np.testing.assert_allclose(record.best_objective, Exhaustive().solve(problem).objective)
    pairs.improve()
    assert record.best_objective <= relaxation.bound + 1e-9


def test_rules_of_other_samples_are_not_left_out():
    problem = PartitionProblem([1.0, 1.0, 1.5], [[1, 0, 1], [0, 1, 1]])
    record, _, pairs = solved(problem, np.array([0]))
    assert record.offer(np.array([2]))
    assert not pairs.try_every_list(np.ones(3, dtype=bool))


def _inside(problem, j, k):
    """Whether rule k covers some samples of rule j and no others."""
    mine, other = problem.coverage.holds(j), problem.coverage.holds(k)
    return k != j and other.sum() < mine.sum() and not (other & ~mine).any()


@pytest.mark.parametrize("seed", range(3))
def test_near_a_poor_list_good_ones_are_found(seed):
    problem = random_sets(seed, n_rules=300)
    record, relaxation, pairs = solved(problem, np.arange(24))
    singles = np.arange(300, 324)
    assert record.offer(singles)
    pairs.improve()
    assert record.best_objective < 0.3 * relaxation.bound  # no linear program has taken long yet
    relaxation.work = 10**9
    pairs.improve()
    assert record.best_objective > 0.85 * relaxation.bound
    assert problem.accepts(record.best)
    before = record.best_objective
    pairs.improve()  # nor has any since then
    assert record.best_objective == before


def test_the_effort_for_lists_grows_with_success_and_falls_with_failure(monkeypatch):
    record, relaxation, pairs = solved(forest_problem(), np.arange(12))
    everything = np.ones(len(relaxation.active), dtype=bool)
    assert record.offer(leaves_of_a_tree(forest_problem()))
    efforts, results = [], iter([False, False, False, True, True, True])

    def tried(*arguments):
        efforts.append(arguments[-1])
        return next(results)

    monkeypatch.setattr("hedgerow.optimize.solvers.pairs.every_list", tried)
    for _ in range(6):
        relaxation.work += 10**6
        pairs.try_every_list(everything)
    # 30,000, and 0.01 for each of a million entries that were looked at since the last time: by shares of 1 to 1/4.
    assert np.array(efforts[1:]) / 40_000 == pytest.approx([1 / 2, 1 / 4, 1 / 4, 1 / 2, 1])
