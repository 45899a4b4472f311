from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier

from hedgerow.candidates import excerpt as module
from hedgerow.candidates.coverage import Coverage, Ends, cover
from hedgerow.candidates.excerpt import Excerpt, FirstRows, LowestHashes, mixed, reduced, row_hashes
from hedgerow.candidates.pool import make_pool
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers import Highs, RowGeneration
from hedgerow.readers import read_forest


@pytest.fixture
def ends():
    """Return the ends that 3000 rows reach in seven trees; rare ends come late."""
    rng = np.random.default_rng(0)
    ranks = rng.geometric(0.4, (3000, 7)).clip(1, 12) - 1
    return Ends(np.asfortranarray(ranks.astype(np.uint8)), np.full(7, 12))


def excerpt_of(ends, order, size, limit):
    whole = Excerpt(ends.n_ranks, limit)
    for start in range(0, len(order), size):
        part = Excerpt(ends.n_ranks, limit)
        mine = Ends(ends.ranks[order[start : start + size]], ends.n_ranks)
        part.add(mine.ranks, mine.counts > 0)
        whole.merge(part)
    return whole


def test_few_rows_are_all_kept_in_their_order(ends):
    found = excerpt_of(ends, np.arange(3000), 700, 3000)
    assert found.is_whole
    assert_array_equal(found.ranks(), ends.ranks)


@pytest.mark.parametrize("size", [1, 37, 1000, 3000])
def test_an_excerpt_does_not_depend_on_the_chunks(ends, size):
    expected, found = (excerpt_of(ends, np.arange(3000), n, 200) for n in (3000, size))
    assert not found.is_whole
    assert_array_equal(found.ranks(), expected.ranks())


def test_the_drawn_rows_do_not_depend_on_the_order(ends):
    shuffled = np.random.default_rng(1).permutation(3000)
    one, other = LowestHashes(200), LowestHashes(200)
    one.add(ends.ranks)
    other.add(ends.ranks[shuffled[:1000]])
    other.add(ends.ranks[shuffled[1000:]])
    assert_array_equal(one.ranks, other.ranks)
    assert len(np.unique(one.ranks, axis=0)) == 200


def test_every_end_that_a_row_reaches_has_a_row(ends):
    found = Ends(excerpt_of(ends, np.arange(3000), 500, 20).ranks(), ends.n_ranks)
    assert_array_equal(found.counts > 0, ends.counts > 0)
    assert len(found.ranks) < 20 + 7 * 12


def test_the_row_of_an_end_is_the_first_that_reaches_it(ends):
    whole = FirstRows(ends.n_ranks)
    for start in range(0, 3000, 900):
        part, mine = FirstRows(ends.n_ranks), Ends(ends.ranks[start : start + 900], ends.n_ranks)
        part.add(mine.ranks, mine.counts > 0)
        whole.merge(part)
    for k in range(7):
        for rank in range(12):
            reached = np.flatnonzero(ends.ranks[:, k] == rank)
            place = whole.place[12 * k + rank]
            assert (place >= 0) == (len(reached) > 0)
            if len(reached):
                assert_array_equal(whole.ranks[place], ends.ranks[reached[0]])


def test_equal_rows_have_equal_hashes_and_others_do_not(ends):
    _, expected = np.unique(ends.ranks, axis=0, return_inverse=True)
    _, found = np.unique(row_hashes(ends.ranks), return_inverse=True)
    assert len(np.unique(np.column_stack([expected, found]), axis=0)) == expected.max() + 1 == found.max() + 1
    wide = ends.ranks.astype(np.uint16)
    assert len(np.unique(row_hashes(wide))) == expected.max() + 1


def test_mixed_numbers_stay_different():
    assert len(np.unique(mixed(np.arange(10_000, dtype=np.uint64)))) == 10_000


@pytest.fixture
def problem(monkeypatch):
    """Return the problem of a forest with all rows, and the same with an excerpt of few."""
    monkeypatch.setattr(module, "MOST_ROWS", 5)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(4000, 2))
    y = (X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=4000) > 0).astype(int)
    forest = read_forest(RandomForestClassifier(40, max_depth=3, random_state=0).fit(X, y))
    pool = make_pool(forest, "nodes")
    coverage = cover(pool, forest.inputs.matrix(X))
    scores = rng.random(len(pool))
    return PartitionProblem(scores, coverage, 6), PartitionProblem(scores, reduced(coverage), 6)


def test_the_list_of_an_excerpt_is_the_list_of_all_rows(problem):
    whole, few = problem
    assert few.n_samples < 400
    expected, found = Highs().solve(whole), RowGeneration().solve(few)
    assert found.optimal
    assert found.objective == pytest.approx(expected.objective, abs=1e-9)
    assert whole.accepts(found.chosen)


def test_the_log_of_all_searches_is_one(problem):
    whole, few = problem
    found = RowGeneration().solve(few)
    assert sum(step.phase == "proof" for step in found.log) > 1
    seconds, bounds = ([getattr(step, name) for step in found.log] for name in ("seconds", "bound"))
    assert seconds == sorted(seconds)
    assert max(seconds) <= found.seconds
    assert all(after <= before + 1e-9 for before, after in pairwise(bounds))
    assert min(bounds) >= Highs().solve(whole).objective - 1e-9


def test_a_list_of_the_excerpt_alone_is_not_one_of_all_rows(problem):
    """Without asking about the other rows, the best list would be wrong here; so the test above tests something."""
    whole, few = problem
    ends = few.coverage.ends
    alone = Coverage(Ends(ends.ranks, ends.n_ranks), few.coverage.group, few.coverage.first, few.coverage.last)
    found = RowGeneration().solve(PartitionProblem(few.scores, alone, 6))
    assert not whole.accepts(found.chosen)


def test_all_budgets_and_other_solvers_agree(problem):
    whole, few = problem
    path = RowGeneration().feasible_path(few, [2, 4, 6])
    for budget, found in path.items():
        limited = PartitionProblem(whole.scores, whole.coverage, budget)
        assert found.objective == pytest.approx(Highs().solve(limited).objective, abs=1e-9)
    assert Highs().solve(few).objective == pytest.approx(path[6].objective, abs=1e-9)
    assert whole.accepts(Highs().solve(few).chosen)


def test_rows_against_a_list_are_those_it_does_not_cover_once(problem):
    whole, few = problem
    rest, rules = few.coverage.ends.rest, whole.coverage.subset(np.array([1, 5, 9]))
    found = rest.against(rules)
    bad = rules.counts_of(np.arange(3)) != 1
    expected = {tuple(row) for row in whole.coverage.ends.ranks[bad].tolist()}
    assert {tuple(row) for row in found.tolist()} <= expected
    assert len(found) == min(len(expected), module.MORE_ROWS)


def test_the_best_pruned_tree_is_returned_when_time_runs_out(problem):
    whole, few = problem
    found = RowGeneration().solve(few, 0.0)
    assert whole.accepts(found.chosen)
    assert found.bound >= Highs().solve(whole).objective - 1e-9
