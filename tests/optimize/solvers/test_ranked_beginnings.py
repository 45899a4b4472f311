"""Lists of some columns come out in order, down to a target; scores that are multiples of one number round bounds."""

import numpy as np
import pytest
from small_problems import COVERAGE, SCORES

from hedgerow import PartitionProblem
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
