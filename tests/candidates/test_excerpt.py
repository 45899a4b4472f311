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
    X = rng.normal(size=(1500, 2))
    y = (X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=1500) > 0).astype(int)
    forest = read_forest(RandomForestClassifier(25, max_depth=3, random_state=0).fit(X, y))
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


def lowest_of(ranks, limit):
    """The distinct rows with the lowest hashes, found by sorting all of them."""
    distinct = np.unique(ranks, axis=0)
    return distinct[np.argsort(row_hashes(distinct))[:limit]]


@pytest.mark.parametrize("limit", [1, 5, 400, 3000])
def test_the_rows_with_the_lowest_hashes_are_those_of_sorting_all(ends, limit):
    whole = LowestHashes(limit)
    for start in range(0, 3000, 700):
        part = whole.empty()
        part.add(ends.ranks[start : start + 700])
        whole.merge(part)
    assert_array_equal(whole.ranks, lowest_of(ends.ranks, limit))
    assert_array_equal(whole.hashes, row_hashes(whole.ranks))
    whole.merge(LowestHashes(limit))  # of no rows
    assert_array_equal(whole.ranks, lowest_of(ends.ranks, limit))


def test_a_part_keeps_only_rows_that_the_whole_may_still_take(ends):
    whole = LowestHashes(50)
    whole.add(ends.ranks[:2000])
    part = whole.empty()
    part.add(ends.ranks[2000:])
    assert part.limit == 50
    assert part.hashes.max(initial=0) <= whole.hashes.max()
    firsts = FirstRows(ends.n_ranks)
    mine = Ends(ends.ranks[:2000], ends.n_ranks)
    firsts.add(mine.ranks, mine.counts > 0)
    late = Ends(ends.ranks[2000:], ends.n_ranks)
    others = firsts.empty()
    others.add(late.ranks, late.counts > 0)
    assert_array_equal(others.place >= 0, (late.counts > 0) & (mine.counts == 0))
    firsts.merge(others)
    assert_array_equal(firsts.place >= 0, ends.counts > 0)


@pytest.mark.parametrize("glance", [1, 10, 10**6])
def test_the_first_rows_do_not_depend_on_how_many_are_glanced_at(ends, glance, monkeypatch):
    monkeypatch.setattr(module, "_GLANCE", glance)
    found = FirstRows(ends.n_ranks)
    found.add(ends.ranks, ends.counts > 0)
    for k in range(7):
        for rank in np.flatnonzero(ends.counts[12 * k : 12 * k + 12]):
            row = found.ranks[found.place[12 * k + rank]]
            assert_array_equal(row, ends.ranks[np.argmax(ends.ranks[:, k] == rank)])


def test_hashes_do_not_depend_on_how_many_are_computed_at_once(ends, monkeypatch):
    expected = row_hashes(ends.ranks)
    monkeypatch.setattr(module, "_HASHED", 7)
    assert_array_equal(row_hashes(ends.ranks), expected)
    bits = np.unpackbits(expected.view(np.uint8).reshape(-1, 8), axis=1)
    distinct = bits[np.unique(expected, return_index=True)[1]]
    assert (np.abs(distinct.mean(axis=0) - 0.5) < 0.1).all()  # every bit is as good as random


def test_an_excerpt_keeps_what_its_parts_keep(ends):
    whole = Excerpt(ends.n_ranks, 100)
    for start in range(0, 3000, 500):
        part, mine = whole.empty(), Ends(ends.ranks[start : start + 500], ends.n_ranks)
        part.add(mine.ranks, mine.counts > 0)
        whole.merge(part)
    assert whole.n_rows == 3000
    assert_array_equal(whole.ranks(), excerpt_of(ends, np.arange(3000), 3000, 100).ranks())
    kept = {tuple(row) for row in whole.ranks().tolist()}
    assert {tuple(row) for row in lowest_of(ends.ranks, 100).tolist()} <= kept
    assert not whole.is_whole


def test_numbers_are_mixed_as_splitmix64_does():
    # The first numbers of that generator for the seed 0, from its publication (Steele, Lea and Flood, 2014).
    seeds = np.arange(1, 4, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert [f"{one:X}" for one in mixed(seeds).tolist()] == ["E220A8397B1DCDAF", "6E789E6AA1B965F4", "6C45D188009454F"]
