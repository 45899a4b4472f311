"""HiGHS runs to its end, to the deadline or to Ctrl-C, and keeps what it has found."""

import _thread
import threading
import time

import highspy
import numpy as np
import pytest
from scipy import sparse

from hedgerow import SolverError
from hedgerow.optimize.solvers.highs import build_model
from hedgerow.optimize.solvers.interruptible import run


def model(scores, matrix, lower, upper, integer=False):
    rows = sparse.csr_array(np.array(matrix, dtype=float)), np.array(lower), np.array(upper)
    return build_model(np.array(scores), rows, integer=integer, threads=1)


def hard_model():
    """Random set packing: HiGHS has a solution at once, and takes many seconds for the proof."""
    rng = np.random.default_rng(0)
    rows = sparse.csr_array((rng.random((60, 600)) < 0.1).astype(float))
    return build_model(rng.random(600) + 0.5, (rows, np.full(60, -np.inf), np.ones(60)), integer=True, threads=1)


def test_an_optimum_is_solved_and_can_be_read():
    highs = model([1.0, 2.0], [[2, 3]], [-np.inf], [4.0], integer=True)
    assert run(highs, None) == "solved"
    assert highs.getSolution().col_value == pytest.approx([0.0, 1.0])


def test_contradicting_rows_are_infeasible():
    assert run(model([1.0], [[1], [1]], [1.0, 0.0], [1.0, 0.0]), None) == "infeasible"


def test_any_other_status_is_an_error():
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.addVar(0.0, highspy.kHighsInf)
    highs.changeColCost(0, -1.0)
    with pytest.raises(SolverError, match="Unbounded"):
        run(highs, None)


def has_a_solution(highs):
    return highs.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible


def test_the_deadline_stops_a_long_run_which_keeps_its_solution():
    highs, started = hard_model(), time.perf_counter()
    assert run(highs, started + 0.5) == "stopped"
    assert time.perf_counter() - started < 5
    assert has_a_solution(highs)


def test_ctrl_c_stops_a_long_run_which_keeps_its_solution():
    highs = hard_model()
    interrupt = threading.Timer(0.5, _thread.interrupt_main)
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        run(highs, None)
    interrupt.cancel()
    assert has_a_solution(highs)
