"""What a search knows: only better lists are taken, bounds only fall, and units change nothing."""

import time

import numpy as np
import pytest
from small_problems import COVERAGE, SCORES

from hedgerow import PartitionProblem
from hedgerow.optimize.solvers.record import Record


def record(scores=SCORES, max_rules=None, time_limit=None):
    return Record(PartitionProblem(scores, COVERAGE, max_rules), time_limit)


def test_the_first_bound_is_that_of_the_best_rules():
    assert record([1.0, 2.0, -0.5, 0.5], max_rules=2).bound == 3.0


def test_only_a_better_list_is_taken():
    kept = record()
    assert kept.offer(np.array([2, 3]))
    assert not kept.offer(np.array([2, 3]))
    assert not kept.offer(np.array([0, 2]))  # does not partition
    assert kept.offer(np.array([0, 1]))
    assert kept.best_objective == 3.0


def test_in_other_units_the_list_is_the_same_and_what_was_proved_is_void():
    kept = record([1.0, 2.0, 0.5, 1e9])
    kept.offer(np.array([0, 1]))
    kept.lower_to(3.0)
    kept.restart(np.arange(4))
    assert kept.unit == 1e9
    assert kept.best_objective * kept.unit == pytest.approx(3.0)
    kept.restart(np.arange(3))
    assert (kept.unit, kept.best_objective * kept.unit, kept.bound * kept.unit) == (2.0, 3.0, 3.5)


def test_whole_scores_have_whole_bounds():
    kept = record([1.0, 2.0, 0.0, 1.0])
    kept.restart(np.arange(4))
    kept.lower_to(1.4)  # 2.8 in the units that were given
    assert kept.bound * kept.unit == 2.0
    assert record([1.0, 0.5, 0.7, 1.0 / 3.0]).rounded(1.4) == 1.4


def test_a_list_is_proved_when_the_bound_meets_it():
    kept = record()
    assert not kept.beats(-1.0)  # there is no list
    kept.offer(np.array([0, 1]))
    assert not kept.proved
    kept.lower_to(3.0)
    assert kept.proved
    assert kept.beats(3.0)


def test_time_runs_out():
    assert not record().out_of_time
    assert not record(time_limit=60).out_of_time
    late = record(time_limit=1e-9)
    time.sleep(1e-3)
    assert late.out_of_time


def test_each_phase_is_logged_in_the_units_that_were_given():
    kept = record()
    kept.restart(np.arange(4))
    kept.note("before", 1, 4)
    kept.offer(np.array([0, 1]))
    kept.note("after", 2, 4)
    before, after = kept.log
    assert (before.phase, before.rows, before.columns, before.objective) == ("before", 1, 4, None)
    assert before.bound == pytest.approx(4.0)  # the sum of all scores
    assert after.objective == pytest.approx(3.0)
    assert after.seconds >= before.seconds


def test_the_log_has_a_bound_on_the_other_rules_too():
    kept = record()
    kept.restart(np.arange(4))
    kept.others = kept.bound + 1.0
    kept.note("some of the rules", 1, 2)
    assert kept.log[0].bound == pytest.approx(kept.others * kept.unit)


def test_a_bound_that_is_known_holds_in_any_units():
    kept = Record(PartitionProblem([-2.0, -2.0, -4.0, -1.0], COVERAGE), None, known=-3.0)
    assert kept.bound == -3.0
    kept.restart(np.arange(4))
    assert kept.bound == -0.75


def test_what_is_said_on_the_way_is_in_the_units_that_were_given(caplog):
    kept = record([4000.0, 8000.0, 2000.0, 2000.0])
    kept.restart(np.arange(4))
    caplog.set_level("INFO")
    kept.note("before", 1, 4)
    kept.offer(np.array([2, 3]))
    kept.note("after", 2, 4)
    before, after = caplog.messages
    assert before.startswith("searching, no list yet; before: 1 rows, 4 columns, bound 16000, ")
    assert after.startswith("proving, gap 75 %; after: 2 rows, 4 columns, bound 16000, best list 4000, ")
