"""Columns of numbers, some of which count as missing."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from hedgerow.features import Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap, NumberSet, make_columns
from hedgerow.features.number_sets import ALL

VALUES = np.array([-2.0, -1.0, 0.0, 1e-36, 0.1, 1.0, 5.0, np.nan])
KINDS = [
    Column(0, "a"),
    ColumnOfNonzeros(0, "a"),
    ColumnWithBlank(0, "a", blank=0.1),
    ColumnWithGap(0, "a", -1.0, 0.1),
    ColumnWithGap(0, "a", 5.0, 5.0, fill=5.0),
    ColumnWithGap(0, "a", 5.0, 5.0, fill=1.0),
]


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        (KINDS[0], [-2, -1, 0, 1e-36, 0.1, 1, 5, np.nan]),
        (KINDS[1], [-2, -1, np.nan, np.nan, 0.1, 1, 5, np.nan]),
        (KINDS[2], [-2, -1, 0, 1e-36, np.nan, 1, 5, np.nan]),
        (KINDS[3], [-2, np.nan, np.nan, np.nan, np.nan, 1, 5, np.nan]),
        (KINDS[4], [-2, -1, 0, 1e-36, 0.1, 1, np.nan, np.nan]),
        (KINDS[5], [-2, -1, 0, 1e-36, 0.1, 1, np.nan, 1]),
    ],
)
def test_numbers_that_count_as_missing_become_nan(feature, expected):
    assert_array_equal(feature.compute(VALUES[:, None]), expected)


@pytest.mark.parametrize("missing", [True, False])
@pytest.mark.parametrize("feature", KINDS)
@pytest.mark.parametrize("passing", [NumberSet.of((-1.5, 0.5)), NumberSet.of((0.5, np.inf)), ALL, NumberSet()])
def test_the_test_of_a_cell_passes_where_the_value_does(feature, passing, missing):
    test = feature.cell_test(passing, missing)
    for cell, value in zip(VALUES, feature.compute(VALUES[:, None]), strict=True):
        assert test.passes(cell) == (missing if np.isnan(value) else value in passing), cell


def test_a_column_is_the_same_in_arrays_frames_and_sparse_matrices():
    X = np.array([[1.0, 7.0], [2.0, 0.0]])
    frame = pd.DataFrame(X, columns=["a", "b"])
    for same in (X, frame, frame.astype("Int64"), sparse.csr_array(X)):
        assert Column(1, "b").compute(same).tolist() == [7.0, 0.0]


def test_missing_values_of_pandas_become_nan():
    column = pd.DataFrame({"a": pd.array([1, None], dtype="Int64")})
    assert_array_equal(Column(0, "a").compute(column), [1.0, np.nan])


@pytest.mark.parametrize(
    ("feature", "absence"),
    [
        (Column(0, "a"), "missing"),
        (ColumnOfNonzeros(0, "a"), "zero or missing"),
        (ColumnWithGap(0, "a", 0.0, 0.0), "zero or missing"),
        (ColumnWithGap(0, "a", 9.0, 9.0, fill=1.0), "9"),
        (ColumnWithGap(0, "a", -np.inf, 2.5), "at most 2.5 or missing"),
        (ColumnWithGap(0, "a", 1.0, 2.5), "between 1 and 2.5 or missing"),
    ],
)
def test_an_absent_value_has_a_name(feature, absence):
    assert feature.absence == absence


def test_columns_without_names_are_numbered():
    assert [column.name for column in make_columns(2, None)] == ["x0", "x1"]
    assert make_columns(2, ["a", "b"]) == (Column(0, "a"), Column(1, "b"))


def test_missing_values_of_any_library_are_missing_in_an_array_of_objects():
    X = np.array([[1, "a"], [pd.NA, "b"], [None, "c"], [np.nan, "d"]], dtype=object)
    assert_array_equal(Column(0, "age").compute(X), [1, np.nan, np.nan, np.nan])


@pytest.mark.parametrize("made", [np.array, pd.DataFrame, pl.DataFrame])
def test_dates_are_not_numbers(made):
    with pytest.raises(TypeError):
        Column(0, "age").compute(made(np.array([["2020-01-01"], ["2021-01-01"]], dtype="M8[ns]")))
