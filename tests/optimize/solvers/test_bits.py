"""Sets as bits of integers, there and back."""

import numpy as np

from hedgerow.optimize.solvers.bits import as_integers, as_rows


def test_the_first_column_is_the_lowest_bit():
    assert as_integers(np.array([[True, False, True], [False, False, False]])) == [0b101, 0]


def test_there_and_back():
    rows = np.random.default_rng(0).random((5, 13)) < 0.5
    assert np.array_equal(as_rows(as_integers(rows), 13), rows)
