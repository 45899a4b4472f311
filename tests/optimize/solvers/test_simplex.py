"""The simplex method from basis to basis: the optimum is that of scipy, and a basis that still holds takes no steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

from hedgerow.optimize.solvers.simplex import Columns, Simplex


def drawn(seed):
    """Return rows of zeros and ones, of which each column alone satisfies some, a budget and a ranged row."""
    rng = np.random.default_rng(seed)
    matrix = np.vstack([np.hstack([rng.random((8, 30)) < 0.3, np.eye(8)]), np.ones(38), rng.random(38)])
    lower = np.append(np.ones(8), [-np.inf, 0.5])
    upper = np.append(np.ones(8), [8.0, 6.0])
    return matrix, rng.normal(size=38), lower, upper


def optimum(matrix, scores, lower, upper, allowed):
    ranged = np.isfinite(lower[8:])
    found = linprog(
        -scores,
        np.vstack([matrix[8:], -matrix[8:][ranged]]),
        np.append(upper[8:], -lower[8:][ranged]),
        matrix[:8],
        np.ones(8),
        list(zip(np.zeros(38), allowed.astype(float), strict=True)),
    )
    return -found.fun if found.status == 0 else None


def run(simplex, matrix, scores, lower, upper, allowed):
    return simplex.run(Columns(sparse.csc_array(matrix), scores, allowed), lower, upper, None)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_whatever_is_allowed_dropped_or_added_the_optimum_is_that_of_scipy(seed):
    matrix, scores, lower, upper = drawn(seed)
    rng, simplex = np.random.default_rng(seed), Simplex(presolve="off", threads=1)
    for allowed in (np.ones(38, dtype=bool), rng.random(38) < 0.7, np.ones(38, dtype=bool)):
        ran = run(simplex, matrix, scores, lower, upper, allowed)
        expected = optimum(matrix, scores, lower, upper, allowed)
        assert (ran.ending == "infeasible") == (expected is None)
        if expected is not None:
            assert ran.values @ scores == pytest.approx(expected)
            assert not ran.values[~allowed].any()
    kept = rng.random(38) < 0.8
    kept[30:] = True
    simplex.keep_columns(kept)
    ran = run(simplex, matrix[:, kept], scores[kept], lower, upper, np.ones(kept.sum(), dtype=bool))
    expected = optimum(matrix, scores, lower, upper, kept)
    assert (ran.ending == "infeasible") == (expected is None)
    if expected is not None:
        assert ran.values @ scores[kept] == pytest.approx(expected)


def test_after_columns_that_are_not_used_are_dropped_the_basis_still_holds():
    matrix, scores, lower, upper = drawn(1)
    simplex = Simplex(presolve="off", threads=1)
    everything = np.ones(38, dtype=bool)
    first = run(simplex, matrix, scores, lower, upper, everything)
    assert first.pivots > 0
    assert run(simplex, matrix, scores, lower, upper, everything).pivots == 0
    used = simplex.basis.columns != 0
    simplex.keep_columns(used)
    again = run(simplex, matrix[:, used], scores[used], lower, upper, everything[used])
    assert again.pivots == 0
    assert again.values @ scores[used] == pytest.approx(first.values @ scores)


def test_to_add_a_row_that_already_holds_takes_no_steps():
    matrix, scores, lower, upper = drawn(2)
    simplex, everything = Simplex(presolve="off", threads=1), np.ones(38, dtype=bool)
    first = run(simplex, matrix, scores, lower, upper, everything)
    twice = np.append(np.arange(10), 0)
    again = run(simplex, matrix[twice], scores, lower[twice], upper[twice], everything)
    assert again.pivots == 0
    assert again.values @ scores == pytest.approx(first.values @ scores)
    simplex.keep_rows(np.arange(11) < 10)
    assert run(simplex, matrix, scores, lower, upper, everything).pivots == 0


def test_without_a_basis_it_begins_anew():
    matrix, scores, lower, upper = drawn(3)
    simplex, everything = Simplex(presolve="off", threads=1), np.ones(38, dtype=bool)
    first = run(simplex, matrix, scores, lower, upper, everything)
    simplex.forget_basis()
    assert run(simplex, matrix, scores, lower, upper, everything).pivots == first.pivots > 0
