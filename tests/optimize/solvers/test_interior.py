"""Central multipliers bound the optimum of a linear program that scipy solves too."""

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import linprog

from hedgerow.optimize.solvers.interior import Program, central_multipliers


def drawn_program(seed, n_samples=10, n_rules=60):
    """The relaxation of a partition problem: the sum row, rows of some samples, and a budget row with its slack."""
    rng = np.random.default_rng(seed)
    covers = np.column_stack([np.eye(n_samples), rng.random((n_samples, n_rules - n_samples)) < 0.3])
    covers[0, ~covers.any(axis=0)] = 1
    matrix = np.vstack([covers.mean(axis=0), covers[:8], np.ones(n_rules)])
    matrix = np.column_stack([matrix, np.append(np.zeros(9), 1.0)])
    scores, rhs = np.append(rng.normal(size=n_rules), 0.0), np.append(np.ones(9), float(n_samples))
    return Program(sparse.csr_array(matrix), rhs, scores, np.arange(n_rules + 1) == n_rules)


def start(program):
    return np.full(len(program.scores), 0.1), np.zeros(len(program.rhs))


def optimum(program, chosen=None):
    """The optimum by scipy, with one column fixed to 1 if that is asked for; -inf if there is no solution."""
    bounds = [(1 if j == chosen else 0, None) for j in range(len(program.scores))]
    found = linprog(-program.scores, A_eq=program.matrix, b_eq=program.rhs, bounds=bounds)
    return -found.fun if found.status == 0 else -np.inf


@pytest.mark.parametrize("seed", range(5))
def test_the_multipliers_are_feasible_and_their_bound_is_nearly_the_optimum(seed):
    program = drawn_program(seed)
    best = optimum(program)
    inside, x, y = central_multipliers(program, *start(program), best - 1.0, 0.1, None)
    assert (program.columns[inside] @ y >= program.scores[inside] - 1e-9).all()
    assert best - 1e-9 <= program.rhs @ y <= best + 0.1
    assert len(x) == len(inside)
    assert (x > 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_no_list_with_a_dropped_column_is_better_than_the_incumbent(seed):
    program = drawn_program(seed)
    incumbent = optimum(program) - 0.1
    inside, _, _ = central_multipliers(program, *start(program), incumbent, 1e-3, None)
    dropped = np.setdiff1d(np.arange(60), inside)
    assert len(dropped)
    assert 60 in inside  # slack columns stay
    assert max(optimum(program, chosen=j) for j in dropped[:10]) <= incumbent + 1e-9


def test_without_time_the_multipliers_are_feasible_all_the_same():
    program = drawn_program(0)
    _, _, y = central_multipliers(program, *start(program), -1.0, 0.1, time.perf_counter() - 1)
    assert (program.columns @ y >= program.scores - 1e-9).all()


@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_repaired_multipliers_are_feasible_and_a_margin_makes_all_slacks_positive(margin):
    program = drawn_program(1)
    y = program.repair(np.random.default_rng(0).normal(size=len(program.rhs)), margin)
    slack = program.columns @ y - program.scores
    assert slack.min() > 0 if margin else slack.min() == pytest.approx(0, abs=1e-12)


def test_the_normal_matrix_is_that_of_dense_algebra():
    program = drawn_program(2)
    weight = np.random.default_rng(0).random(61)
    dense = program.matrix.toarray()
    assert_allclose(program.normal_matrix(weight), dense @ np.diag(weight) @ dense.T)


@pytest.mark.parametrize(("precision", "most"), [(0.1, 16), (1e-6, 20)])
@pytest.mark.parametrize("seed", range(5))
def test_some_fifteen_steps_are_enough_for_any_precision(monkeypatch, seed, precision, most):
    program, repair, repaired = drawn_program(seed), Program.repair, []

    def counted(*arguments):
        repaired.append(1)  # once before the first step, and once in each
        return repair(*arguments)

    monkeypatch.setattr(Program, "repair", counted)
    best = optimum(program)
    inside, x, y = central_multipliers(program, *start(program), best - 1.0, precision, None)
    assert len(repaired) <= most
    assert program.rhs @ y <= best + precision
    # x is nearly a solution, as good as the bound says.
    covered = program.matrix[:, inside] @ x
    assert_allclose(covered, program.rhs, atol=0.02)
    assert program.scores[inside] @ x >= program.rhs @ y - precision * (program.rhs @ y - best + 1.0) - 1e-9
