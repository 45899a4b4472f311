"""Lists of some columns come out in order, down to a target; scores that are multiples of one number round bounds."""

import itertools
import time

import numpy as np
import pytest
from small_problems import COVERAGE, SCORES, random_sets

from hedgerow import PartitionProblem
from hedgerow.optimize.solvers import ranked_beginnings
from hedgerow.optimize.solvers.ranked_beginnings import Aim, EndedError, Progress, RankedBeginnings
from hedgerow.optimize.solvers.relaxation import Relaxation


def level(columns=(0, 1, 2, 3), samples=(0, 1, 2), **aim):
    """The beginnings of a problem with two lists, of objectives 3 and 1, with regrets that tell nothing."""
    problem = PartitionProblem(SCORES, COVERAGE)
    relaxation = Relaxation(problem, np.array(samples, dtype=np.int64))
    return RankedBeginnings(Aim(Progress(), **aim), relaxation, np.array(columns), 3.0, np.zeros(len(columns)))


def lists(beginnings, above=np.inf):
    return [found.tolist() for found in beginnings.lists(above)]


def test_lists_come_out_in_order_down_to_the_target():
    assert lists(level(target=-np.inf)) == [[0, 1], [2, 3]]
    assert lists(level(target=2.0)) == [[0, 1]]


def test_lists_that_have_come_out_are_skipped():
    assert lists(level(target=-np.inf), above=2.0) == [[2, 3]]


def test_columns_that_are_left_out_are_in_no_list():
    assert lists(level(columns=(0, 2, 3), target=-np.inf)) == [[2, 3]]


def test_samples_that_are_not_looked_at_show_when_a_list_is_complete():
    beginnings = level(samples=(0,), target=-np.inf)
    assert lists(beginnings) == [[0, 1], [2, 3]]
    assert set(beginnings.relaxation.samples) > {0}


def test_the_bound_falls_as_lists_come_out():
    beginnings, bounds = level(target=-np.inf), []
    for _ in beginnings.lists(np.inf):
        bounds.append(beginnings.aim.open_bound)
    assert bounds == sorted(bounds, reverse=True)
    assert beginnings.aim.open_bound == -np.inf


def test_it_ends_when_the_time_is_up():
    with pytest.raises(EndedError):
        lists(level(target=-np.inf, deadline=0.0))


def test_each_beginning_that_is_continued_counts_once():
    beginnings = level(target=-np.inf)
    lists(beginnings)
    # Nothing, then {0} and {0,1} for the first sample, then the two lists, which are complete.
    assert beginnings.n_steps == beginnings.aim.progress.n_steps == 5


@pytest.mark.parametrize(("steps", "n_cuts"), [(0, 1), (3, 1), (4, 0)])
def test_after_so_many_steps_it_begins_again_with_cliques_once(monkeypatch, steps, n_cuts):
    monkeypatch.setattr(ranked_beginnings, "_STEPS_BEFORE_CUTS", steps)
    beginnings = level(target=-np.inf)
    cut, cuts = beginnings._cut, []

    def counted():
        cuts.append(beginnings.n_steps)
        return cut()

    monkeypatch.setattr(beginnings, "_cut", counted)
    found = list(dict.fromkeys(map(tuple, lists(beginnings))))  # a list may come out again, which others skip
    assert found == [(0, 1), (2, 3)]
    assert cuts == [steps + 1] * n_cuts


def test_the_regrets_with_cliques_bound_every_list():
    # Three samples in a ring: with the clique of the pairs, and central multipliers, the bound is that of a list.
    ring = PartitionProblem([1.0, 1, 1, 0, 0, 0], [[1, 0, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 1]])
    relaxation = Relaxation(ring, np.arange(3))
    beginnings = RankedBeginnings(Aim(Progress(), target=-1.0), relaxation, np.arange(6), 3.0, np.zeros(6))
    bound, regrets = beginnings._cut()
    assert bound == pytest.approx(1.0, abs=0.01)
    of_column = dict(zip(beginnings.columns.tolist(), regrets, strict=True))
    for pair, single in ((0, 5), (1, 3), (2, 4)):
        assert bound - of_column[pair] - of_column[single] >= 1.0 - 1e-9
    assert bound - sum(of_column[single] for single in (3, 4, 5)) >= -1e-9


def test_the_bound_is_that_of_the_list_to_come_at_least():
    problem = random_sets(0, 12, 60, 3)
    relaxation = Relaxation(problem, np.arange(12))
    relaxation.solve(None)
    regrets = -np.minimum(relaxation.reduced, 0.0)
    aim = Aim(Progress(), target=relaxation.last_bound - 1.0)
    beginnings = RankedBeginnings(aim, relaxation, np.arange(72), relaxation.last_bound, regrets)
    found = [(problem.objective(chosen), aim.open_bound) for chosen in beginnings.lists(np.inf)]
    assert len(found) > 5
    for (objective, bound), (following, _) in itertools.pairwise(found):
        assert objective + 1e-9 >= bound >= following - 1e-9


@pytest.mark.parametrize(("n_open", "ends"), [(0, False), (3, False), (4, True), (9, True)])
def test_the_search_ends_if_more_beginnings_are_open_than_may_be_kept(monkeypatch, n_open, ends):
    monkeypatch.setattr(ranked_beginnings, "_MOST_OPEN", 3)
    if ends:
        with pytest.raises(EndedError):
            Aim(Progress()).check(n_open)
    else:
        Aim(Progress(), deadline=time.perf_counter() + 100).check(n_open)
