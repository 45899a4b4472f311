"""Data frames, sparse matrices and arrays are read alike."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from hedgerow import InvalidDataError
from hedgerow.features import cells, column_names, column_of, dense, frame_or_array, is_present, with_underscores
from hedgerow.features.frames import is_low_precision, part_of, some

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
FRAMES = {"pandas": pd.DataFrame(X, columns=["a", "b"]), "polars": pl.DataFrame(X, schema=["a", "b"])}


@pytest.mark.parametrize("table", [X, *FRAMES.values(), sparse.csr_array(X)], ids=["array", *FRAMES, "sparse"])
def test_a_column_and_all_numbers(table):
    assert np.asarray(column_of(table, 1)).tolist() == [2.0, 4.0, 6.0]
    assert dense(table).tolist() == X.tolist()
    assert dense(part_of(table, (1, 0))).tolist() == X[:, [1, 0]].tolist()


def test_names_are_those_of_a_frame():
    assert column_names(X) is None
    assert [column_names(frame) for frame in FRAMES.values()] == [["a", "b"]] * 2
    assert with_underscores(["the age", "b"]) == ["the_age", "b"]


@pytest.mark.parametrize("table", [X, *FRAMES.values()], ids=["array", *FRAMES])
def test_cells_come_from_the_rows_that_are_named(table):
    made = cells(table, np.array([[2, 0], [0, 1]]))
    assert type(made) is type(table)
    assert dense(made).tolist() == [[5.0, 2.0], [1.0, 4.0]]


def test_cells_keep_categories_and_refuse_what_cannot_be_taken_apart():
    frame = pd.DataFrame({"c": pd.Categorical(["x", "y", None])})
    made = cells(frame, np.array([[2], [1]]))
    assert made["c"].dtype == frame["c"].dtype
    assert made["c"].isna().tolist() == [True, False]
    with pytest.raises(InvalidDataError, match=r"synthetic rows from a csr_array\."):
        cells(sparse.csr_array(X), np.array([[0, 0]]))


def test_what_is_not_a_table_is_refused_with_a_way_out():
    with pytest.raises(InvalidDataError, match="several columns with the same name: 'a'"):
        frame_or_array(pd.DataFrame(X, columns=["a", "a"]))
    with pytest.raises(InvalidDataError, match="LazyFrame, which is not computed yet; collect it first"):
        frame_or_array(FRAMES["polars"].lazy())
    with pytest.raises(InvalidDataError, match="do not all have the same length"):
        frame_or_array([[1.0, 2.0], [1.0]])


@pytest.mark.parametrize(
    ("value", "present"), [(None, False), (np.nan, False), (pd.NA, False), (pd.NaT, False), (0, True), ("", True)]
)
def test_a_value_is_present_or_missing(value, present):
    assert is_present(value) is present


@pytest.mark.parametrize(
    ("dtype", "kinds", "low"),
    [
        (np.float32, "f", True),
        (np.float64, "f", False),
        (np.int16, "iu", True),
        (np.int32, "iu", False),
        (np.int16, "f", False),
    ],
)
def test_low_precision_is_seen(dtype, kinds, low):
    assert is_low_precision(X.astype(dtype), 0, kinds) is low
    assert is_low_precision(FRAMES["pandas"].astype(dtype), 0, kinds) is low


def test_long_lists_of_names_are_cut():
    assert some([]) == "none"
    assert some("abc") == "a, b, c"
    assert some("abc", most=2) == "a, b and 1 more"
