"""HiGHS runs to its end, to the deadline or to Ctrl-C, and keeps what it has found."""

import _thread
import subprocess
import sys
import threading
import time

import highspy
import numpy as np
import pytest
from scipy import sparse

from hedgerow import SolverError
from hedgerow.optimize.solvers import interruptible
from hedgerow.optimize.solvers.highs import build_model
from hedgerow.optimize.solvers.interruptible import run, run_linear


def model(scores, matrix, lower, upper, integer=False):
    rows = sparse.csr_array(np.array(matrix, dtype=float)), np.array(lower), np.array(upper)
    return build_model(np.array(scores), rows, integer=integer, threads=1)


def hard_model():
    """Random set packing: HiGHS has a solution at once, and takes many seconds for the proof."""
    rng = np.random.default_rng(0)
    rows = sparse.csr_array((rng.random((100, 3000)) < 0.1).astype(float))
    return build_model(rng.random(3000) + 0.5, (rows, np.full(100, -np.inf), np.ones(100)), integer=True, threads=1)


def test_an_optimum_is_solved_and_can_be_read():
    highs = model([1.0, 2.0], [[2, 3]], [-np.inf], [4.0], integer=True)
    ran = run(highs, None)
    assert ran.ending == "solved"
    assert ran.values == pytest.approx([0.0, 1.0])
    assert ran.bound == pytest.approx(2.0)


def test_a_linear_program_has_multipliers():
    ran = run_linear(model([1.0, 2.0], [[2, 3]], [-np.inf], [4.0]), None)
    assert ran.values == pytest.approx([0.5, 1.0])
    assert ran.duals == pytest.approx([0.5])


def test_contradicting_rows_are_infeasible():
    contradicting = [1.0], [[1], [1]], [1.0, 0.0], [1.0, 0.0]
    assert run_linear(model(*contradicting), None).ending == "infeasible"
    assert run(model(*contradicting, integer=True), None).ending == "infeasible"


def test_a_linear_program_that_fails_is_solved_another_way_and_options_are_restored(monkeypatch):
    highs, ways = model([1.0, 2.0], [[2, 3]], [-np.inf], [4.0]), []
    option = lambda: highs.getOptionValue("simplex_strategy")[1]  # noqa: E731
    status, before = highs.getModelStatus, option()

    def fails_at_first():
        ways.append(option())
        return status() if option() != before else highspy.HighsModelStatus.kUnknown

    monkeypatch.setattr(highs, "getModelStatus", fails_at_first)
    ran = run_linear(highs, None)
    assert (ran.ending, option()) == ("solved", before)
    assert ran.values == pytest.approx([0.5, 1.0])
    assert ran.duals == pytest.approx([0.5])
    assert len(set(ways)) == 2


def test_any_other_status_is_an_error():
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.addVar(0.0, highspy.kHighsInf)
    highs.changeColCost(0, -1.0)
    with pytest.raises(SolverError, match="Unbounded"):
        run(highs, None)


def long_enough(interrupted):
    """Return a run that was interrupted after it has found something: on a busy machine, that takes longer."""
    for seconds in (0.5, 2.0, 8.0, 30.0):
        ran = interrupted(seconds)
        if ran.values is not None and np.isfinite(ran.bound):
            return ran
    return pytest.fail("HiGHS found nothing to keep.")


def test_the_deadline_stops_a_long_run_which_keeps_its_solution():
    def interrupted(seconds):
        highs, spent = hard_model(), time.process_time()
        ran = run(highs, time.perf_counter() + seconds)
        assert ran.ending == "stopped"
        # Processor time: a busy machine may give this process its turn whenever it likes.
        assert time.process_time() - spent < seconds + 5
        return ran

    long_enough(interrupted).pass_on_interrupt()


def test_ctrl_c_stops_a_long_run_which_keeps_its_solution():
    highs, found, spent = hard_model(), threading.Event(), time.process_time()
    has_solution = threading.Event()
    highs.cbMipImprovingSolution.subscribe(lambda _: has_solution.set())

    def press_once(event):  # after it has found something, however long that takes on a busy machine
        if has_solution.is_set() and np.isfinite(event.data_out.mip_dual_bound) and not found.is_set():
            found.set()
            _thread.interrupt_main()

    highs.cbMipInterrupt.subscribe(press_once)
    ran = run(highs, None)
    assert (ran.ending, ran.interrupted) == ("stopped", True)
    assert ran.values.sum() >= 1
    assert np.isfinite(ran.bound)
    assert time.process_time() - spent < 30
    with pytest.raises(KeyboardInterrupt):
        ran.pass_on_interrupt()


def test_a_run_that_does_not_stop_is_left_alone_and_tells_what_it_had_found(monkeypatch):
    def interrupted(seconds):
        highs, spent = hard_model(), time.process_time()
        with monkeypatch.context() as patch:
            patch.setattr(highs, "cancelSolve", lambda: None)
            patch.setattr(highs, "setOptionValue", lambda *_: None)  # nor does it know a time limit
            ran = run(highs, time.perf_counter() + seconds)
        assert time.process_time() - spent < seconds + 5
        assert ran.left_alone
        assert ran.ending == "stopped"
        highs.cancelSolve()
        return ran

    assert long_enough(interrupted).values.sum() >= 1


def test_threads_of_runs_that_were_left_alone_end():
    before = set(threading.enumerate())
    for _ in range(20):
        assert run(hard_model(), time.perf_counter() + 0.02).ending == "stopped"
    for thread in set(threading.enumerate()) - before:
        thread.join(300)
        assert not thread.is_alive()


def test_a_process_ends_well_while_a_run_is_left_alone():
    code = """
import time, numpy as np
from scipy import sparse
from hedgerow.optimize.solvers.highs import build_model
from hedgerow.optimize.solvers.interruptible import run
rng = np.random.default_rng(0)
rows = sparse.csr_array((rng.random((100, 3000)) < 0.1).astype(float))
highs = build_model(rng.random(3000) + 0.5, (rows, np.full(100, -np.inf), np.ones(100)), integer=True, threads=1)
highs.cancelSolve = lambda: None
highs.setOptionValue = lambda *_: None
print(run(highs, time.perf_counter() + 0.3).left_alone)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr


def test_a_few_pivots_at_a_time_lead_to_the_same_optimum(monkeypatch):
    rng = np.random.default_rng(0)
    rows = sparse.csr_array((rng.random((40, 200)) < 0.2).astype(float)), np.full(40, -np.inf), np.ones(40)
    scores = rng.random(200)
    at_once = run_linear(build_model(scores, rows, integer=False), None)
    again = build_model(scores, rows, integer=False, presolve="off")
    monkeypatch.setattr(interruptible, "_WORK", 1)
    monkeypatch.setattr(interruptible, "_FEWEST", 3)
    slowly = run_linear(again, None)
    assert slowly.ending == at_once.ending == "solved"
    assert scores @ slowly.values == pytest.approx(scores @ at_once.values)
    assert slowly.pivots > 10
    assert run_linear(again, None).pivots == 0  # it begins from the last basis
    late = run_linear(build_model(scores, rows, integer=False, presolve="off"), time.perf_counter() - 1)
    assert late.ending == "stopped"
    assert late.pivots <= 3


def test_to_wait_ends_with_the_run_or_at_the_moment():
    finished, started = threading.Event(), time.perf_counter()
    assert not interruptible._wait(finished, started + 0.25)
    assert 0.25 <= time.perf_counter() - started < 30
    assert not interruptible._wait(finished, started)
    threading.Timer(0.2, finished.set).start()
    assert interruptible._wait(finished, None)
    assert interruptible._wait(finished, started)  # it was finished before
