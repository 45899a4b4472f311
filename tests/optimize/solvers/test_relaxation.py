"""Whatever rows and columns are in, the bound is never below the best list, and its columns are never ruled out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog
from small_problems import drawn_forest

from hedgerow import LinearRows, PartitionProblem
from hedgerow.exceptions import SolverError
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.optimize.solvers.interruptible import Run
from hedgerow.optimize.solvers.lagrangian import bound_of
from hedgerow.optimize.solvers.relaxation import Relaxation

#: Three samples in a ring: every pair is worth 1, a single sample nothing. The best list is worth 1.
RING = PartitionProblem([1.0, 1, 1, 0, 0, 0], [[1, 0, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 1]])


def relaxed(problem, samples=None):
    relaxation = Relaxation(problem)
    relaxation.add(np.arange(problem.n_samples) if samples is None else samples)
    return relaxation


def test_the_relaxation_of_a_ring_takes_half_of_every_pair():
    relaxation = relaxed(RING)
    assert relaxation.solve(None) == "solved"
    assert_allclose(relaxation.z, [0.5, 0.5, 0.5, 0, 0, 0])
    assert relaxation.bound == pytest.approx(1.5)


def test_a_dropped_column_stays_out():
    relaxation = relaxed(RING)
    relaxation.keep(np.array([False, True, True, True, True, True]))
    assert_array_equal(relaxation.active, [1, 2, 3, 4, 5])
    assert relaxation.solve(None) == "solved"
    assert len(relaxation.z) == 5
    assert relaxation.bound == pytest.approx(1.0)


def test_rows_that_no_column_covers_are_infeasible():
    relaxation = relaxed(RING)
    relaxation.keep(np.array([True, False, False, False, False, False]))
    assert relaxation.solve(None) == "infeasible"


def test_without_columns_there_is_no_solution():
    relaxation = relaxed(RING)
    relaxation.keep(np.zeros(6, dtype=bool))
    assert relaxation.solve(None) == "infeasible"


def test_a_clique_of_the_pairs_cuts_the_ring_off():
    relaxation = relaxed(RING)
    relaxation.add_cliques(np.array([[True, True, True, False, False, False]]))
    assert relaxation.solve(None) == "solved"
    assert relaxation.bound == pytest.approx(1.0)


def test_a_clique_without_a_multiplier_is_dropped_and_the_others_stay():
    relaxation = relaxed(RING)
    idle, tight = [False, False, False, True, True, True], [True, True, True, False, False, False]
    relaxation.add_cliques(np.array([idle, tight]))
    relaxation.solve(None)
    n_rows = len(relaxation.upper)
    relaxation.drop_idle_cliques()
    assert len(relaxation.upper) == n_rows - 1
    relaxation.solve(None)
    assert relaxation.last_bound == pytest.approx(1.0)


def test_forbidden_columns_come_back():
    relaxation = relaxed(RING)
    relaxation.allow(np.array([False, False, False, True, True, True]))
    relaxation.solve(None)
    assert relaxation.last_bound == pytest.approx(0.0)
    assert relaxation.bound >= 1.0  # of all columns, not only of those allowed now
    relaxation.allow(np.ones(6, dtype=bool))
    relaxation.solve(None)
    assert relaxation.last_bound == pytest.approx(1.5)


def test_columns_that_were_chosen_together_are_not_again():
    problem = PartitionProblem([2.0, 2.0, 1.0], [[1, 0, 1], [0, 1, 1]])
    relaxation = relaxed(problem)
    relaxation.solve(None)
    assert_allclose(relaxation.z, [1, 1, 0])
    relaxation.forbid_together(np.array([0, 1]))
    relaxation.solve(None)
    assert_allclose(relaxation.z.sum(), 1.5)  # half of each list


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_binding_rows_alone_have_the_same_bound(seed):
    coverage, scores = drawn_forest(seed, 12, 3, "nodes")
    problem = PartitionProblem(scores, coverage, 4)
    relaxation = relaxed(problem)
    relaxation.solve(None)
    few = relaxed(problem, relaxation.binding())
    few.solve(None)
    assert_allclose(few.bound, relaxation.bound, atol=1e-7)


def test_of_equal_rows_one_is_binding_at_most():
    relaxation = relaxed(PartitionProblem([1.0, 2.0], np.ones((5, 2))))
    relaxation.solve(None)
    assert len(relaxation.binding()) <= 1


def test_before_the_first_solve_no_row_is_binding():
    assert len(relaxed(RING).binding()) == 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), n_rows=st.integers(0, 12), budget=st.one_of(st.none(), st.integers(3, 5)))
def test_the_bound_of_any_rows_is_never_below_the_optimum(seed, n_rows, budget):
    coverage, scores = drawn_forest(seed, 12, 3, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    best = Exhaustive().solve(problem)
    relaxation = relaxed(problem, np.arange(n_rows))
    relaxation.solve(None)
    assert relaxation.bound >= best.objective - 1e-9
    # Fixing a column to 1 costs at least its reduced cost.
    assert (relaxation.last_bound + np.minimum(relaxation.reduced, 0)[best.chosen] >= best.objective - 1e-9).all()
    relaxation.center(best.objective - 0.5, 0.1, None)
    assert relaxation.bound >= best.objective - 1e-9
    assert np.isin(best.chosen, relaxation.active).all()


def test_that_there_is_no_solution_is_not_believed_without_proof(monkeypatch):
    relaxation = relaxed(RING)
    unproven = Run("infeasible", None, np.inf, np.ones(len(relaxation.upper)))
    monkeypatch.setattr("hedgerow.optimize.solvers.simplex.run_linear", lambda *_: unproven)
    with pytest.raises(SolverError, match="does not prove it"):
        relaxation.solve(None)


def test_rows_that_contradict_each_other_by_little_are_infeasible():
    row = LinearRows([-0.5, 1.2, -1.1, 1.0, 0.2], 1.400000001825753, np.inf)
    problem = PartitionProblem(np.arange(5.0), [[0, 1, 1, 1, 0], [1, 0, 1, 0, 1]], None, row)
    assert relaxed(problem).solve(None) == "infeasible"


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), budget=st.one_of(st.none(), st.integers(3, 5)))
def test_the_multipliers_of_the_samples_alone_prove_the_same_bound(seed, budget):
    coverage, scores = drawn_forest(seed, 12, 3, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    relaxation = relaxed(problem)
    assert_allclose(relaxation.multipliers(), 0.0)
    relaxation.solve(None)
    expected = linprog(
        -scores,
        A_eq=coverage.matrix(),
        b_eq=np.ones(12),
        A_ub=np.ones((1, len(scores))),
        b_ub=[budget or 12],
    )
    assert_allclose(relaxation.bound, -expected.fun, atol=1e-7)
    proved, _ = bound_of(problem, relaxation.multipliers())
    assert_allclose(proved.bound, relaxation.bound, atol=1e-7)


def test_what_extra_rows_cost_is_what_their_multipliers_add_up_to():
    row = LinearRows([[2.0, 2.0, 1.0]], -np.inf, 3.0)  # either list has too much or less than that
    problem = PartitionProblem([2.0, 2.0, 1.0], [[1, 0, 1], [0, 1, 1]], 2, row)
    relaxation = relaxed(problem)
    relaxation.solve(None)
    # Two thirds of the list that is worth 4, and one third of the one that is worth 1.
    assert relaxation.bound == pytest.approx(3.0)
    assert_allclose(relaxation.multipliers_of_extra(), [2.0])  # 1 for each unit of the row, whose largest entry is 2
    assert_allclose(relaxation.extra_prices(), [2.0, 2.0, 1.0])
    assert_allclose(relaxed(RING).multipliers_of_extra(), [])


@pytest.mark.parametrize("seed", range(4))
def test_central_multipliers_bound_as_the_simplex_method_does_and_leave_columns_out_only_if_asked(seed):
    coverage, scores = drawn_forest(seed, 30, 8, "nodes")
    problem = PartitionProblem(scores, coverage, 5)
    exact = relaxed(problem)
    exact.solve(None)
    best = Exhaustive().solve(problem)
    for dropping in (False, True):
        central = relaxed(problem)
        central.center(best.objective - 0.5, 1e-6, None, dropping=dropping)
        assert exact.bound - 1e-7 <= central.bound <= exact.bound + 1e-5
        assert_allclose(central.covered(), 1.0, atol=0.02)
        assert (len(central.active) < problem.n_rules) == dropping
        assert np.isin(best.chosen, central.active).all()
        again = central.bound
        central.center(best.objective - 0.5, 1e-6, None, dropping=dropping)  # from where it ended
        assert_allclose(central.last_bound, again, atol=1e-5)


def test_central_multipliers_of_some_columns_are_about_these():
    relaxation = relaxed(RING)
    relaxation.allow(np.array([False, True, True, True, True, True]))
    relaxation.center(0.5, 1e-6, None, dropping=False)
    assert relaxation.last_bound == pytest.approx(1.0, abs=1e-5)
    assert relaxation.bound > 1.0  # of all columns
    assert relaxation.z[0] == 0.0


@pytest.mark.parametrize("seed", range(8))
def test_multipliers_show_that_there_is_no_solution(seed):
    rng = np.random.default_rng(seed)
    matrix = np.column_stack([np.eye(6), rng.random((6, 20)) < 0.4])
    matrix[0, ~matrix.any(axis=0)] = 1
    enough = linprog(np.ones(26), A_eq=matrix, b_eq=np.ones(6)).fun
    budget = int(np.ceil(enough)) - 1  # even fractions of rules are more
    relaxation = relaxed(PartitionProblem(rng.normal(size=26), matrix, budget))
    assert relaxation.solve(None) == "infeasible"
    y = relaxation.ray
    assert np.abs(y).max() == pytest.approx(1.0)
    assert (y[np.isinf(relaxation.lower)] >= 0).all()
    # Whatever is chosen, the rows add up to more than they may: a bound below zero where scores are zero.
    assert relaxation.upper @ y + np.maximum(-(relaxation.matrix.T @ y), 0.0).sum() < -1e-9


def test_what_happens_before_it_is_restored_leaves_no_trace():
    coverage, scores = drawn_forest(3, 12, 3, "nodes")
    relaxation = relaxed(PartitionProblem(scores, coverage, 4))
    relaxation.solve(None)
    z, bound, reduced = relaxation.z.copy(), relaxation.last_bound, relaxation.reduced.copy()
    with relaxation.restored():
        relaxation.allow(relaxation.z < 0.5)
        relaxation.solve(None)
    assert_allclose(relaxation.z, z)
    assert_allclose(relaxation.reduced, reduced)
    assert relaxation.last_bound == bound
    assert relaxation.allowed.all()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_solution_that_still_holds_takes_no_pivots_and_one_that_does_not_is_found_anew(seed):
    coverage, scores = drawn_forest(seed, 12, 3, "nodes")
    problem = PartitionProblem(scores, coverage, 4)
    relaxation = relaxed(problem)
    assert relaxation.solve(None) == "solved"
    n, used = problem.n_rules, relaxation.z > 0
    relaxation.allow(used)
    assert relaxation.solve(None) == "solved"
    assert relaxation.pivots == 0
    for allowed in (np.arange(n) != np.argmax(used), np.ones(n, dtype=bool)):
        relaxation.allow(allowed)
        alone = relaxed(problem)
        alone.allow(allowed)
        assert relaxation.solve(None) == alone.solve(None)
        if allowed.all():
            assert_allclose(relaxation.last_bound, alone.last_bound, atol=1e-7)
