"""Equal rows are found whatever the numbers that stand for them are."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hedgerow._support import equal_rows
from hedgerow._support.equal_rows import first_equal_rows, first_of_each, unique_rows


@pytest.mark.parametrize("n_columns", [1, 7, 8, 64, 65, 300])
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.uint16, np.int64])
@pytest.mark.parametrize("factor", [equal_rows._FACTOR, np.uint64(0)])  # with 0, all rows have the same number
def test_each_row_is_compared_with_the_first_that_is_equal(monkeypatch, n_columns, dtype, factor):
    monkeypatch.setattr(equal_rows, "_FACTOR", factor)
    rng = np.random.default_rng(n_columns)
    rows = rng.integers(0, 2, (12, n_columns)).astype(dtype)[rng.integers(0, 12, 50)]
    expected = [next(i for i in range(50) if np.array_equal(rows[i], row)) for row in rows]
    assert_array_equal(first_equal_rows(rows), expected)
    assert_array_equal(first_equal_rows(np.asfortranarray(rows)), expected)
    assert_array_equal(unique_rows(rows), rows[sorted(set(expected))])


def test_different_rows_are_found_where_they_appear_first():
    rows = np.array([[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 1, 1], [0, 0, 0]], dtype=bool)
    assert_array_equal(first_of_each(rows), [0, 1, 4])
    assert_array_equal(first_of_each(rows[:, :0]), [0])
