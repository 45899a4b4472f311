"""Data frames, sparse matrices and arrays are read alike."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.utils import check_array

from hedgerow import InvalidDataError
from hedgerow.features import cells, column_names, column_of, dense, frame_or_array, is_present, with_underscores
from hedgerow.features.frames import (
    check_in_memory,
    is_dask,
    is_low_precision,
    numbered_names,
    numbers_of,
    part_of,
    some,
)
from hedgerow.sources import Chunks

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


#: Tables that scikit-learn takes as they are, converts or refuses.
TABLES = {
    "floats": X,
    "single precision": X.astype(np.float32),
    "integers": X.astype(int),
    "booleans": X > 2,
    "in the order of Fortran": np.asfortranarray(X),
    "objects": X.astype(object),
    "strings of digits": X.astype(int).astype(str),
    "words": np.array([["a", "b"]]),
    "complex": X + 1j,
    "a vector": X[:, 0],
    "three dimensions": X[:, :, None],
    "missing and infinite": np.array([[np.nan, np.inf], [1, -np.inf]]),
    "too large for single precision": np.array([[1e300, 1.0]]),
    "no rows": X[:0],
    "no columns": X[:, :0],
    "a frame": pd.DataFrame(X),
    "a frame of floats and integers": pd.DataFrame({"a": [1.5, np.nan], "b": [1, 2]}),
    "a frame of large integers": pd.DataFrame({"a": [2**63, 1], "b": [-1, 2]}).astype({"a": "uint64"}),
    "a frame with booleans": pd.DataFrame({"a": [1.5, 2.5], "b": [True, False]}),
    "a frame of booleans": pd.DataFrame({"a": [True, False]}),
    "a frame with missing integers": pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [1.5, 2.5]}),
    "a frame with strings": pd.DataFrame({"a": ["1", "2"], "b": [1.5, 2.5]}),
    "a frame with categories": pd.DataFrame({"a": pd.Categorical([1, 2]), "b": [1.5, 2.5]}),
    "a frame of times": pd.DataFrame({"a": pd.to_datetime(["2020-01-01", "2021-01-01"])}),
    "a frame without rows": pd.DataFrame({"a": [], "b": []}, dtype=float),
    "a frame without columns": pd.DataFrame(index=[0, 1]),
    "a frame of polars": FRAMES["polars"],
}


def outcome(function, *arguments, **options):
    """Return the array that a function returns, with its dtype and order, or the error that it raises."""
    try:
        with np.errstate(over="ignore"):
            made = function(*arguments, **options)
    except (ValueError, TypeError) as error:
        return type(error), str(error)
    return made.dtype, made.flags.f_contiguous, made.shape, repr(made.tolist())


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("how", [{}, {"dtype": np.float32, "order": "F"}, {"dtype": np.float64, "order": "F"}], ids=str)
def test_numbers_are_those_of_scikit_learn(name, how):
    expected = outcome(check_array, TABLES[name], ensure_all_finite=False, ensure_min_samples=0, **how)
    assert outcome(numbers_of, TABLES[name], **how) == expected


def test_columns_called_by_integers_are_numbered():
    frame = pd.DataFrame(X)
    assert numbered_names(frame) == ["x0", "x1"]
    assert numbered_names(frame[[1, 0]]) == ["x1", "x0"]
    assert numbered_names(frame.set_axis([1, "a"], axis=1)) is None
    assert numbered_names(frame.set_axis([True, False], axis=1)) is None
    assert numbered_names(X) is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_are_copied_to_fortran_order_block_by_block(monkeypatch, dtype):
    monkeypatch.setattr("hedgerow.features.frames._BLOCK", 3)
    for given in (np.arange(16.0).reshape(8, 2) / 3, np.arange(8).reshape(8, 1), np.zeros((0, 2))):
        copy = numbers_of(given, dtype, order="F")
        assert copy.flags.f_contiguous
        assert copy.dtype == dtype
        assert (copy == given.astype(dtype)).all()
    columns = np.asfortranarray(np.eye(3, dtype=dtype))
    assert numbers_of(columns, dtype, order="F") is columns


@pytest.mark.parametrize("call", [check_in_memory, frame_or_array])
def test_rows_of_dask_and_of_sources_are_named_where_a_table_is_needed(call):
    frame = pytest.importorskip("dask.dataframe").from_pandas(pd.DataFrame(X, columns=["a", "b"]), npartitions=2)
    with pytest.raises(InvalidDataError, match=r"X is a Dask DataFrame, .* Pass X\.compute\(\), or a sample"):
        call(frame)
    with pytest.raises(InvalidDataError, match=r"X is a Dask Array, .* Pass X\.compute\(\), or a sample"):
        call(frame.to_dask_array())
    with pytest.raises(InvalidDataError, match=r"X is Chunks\(.*\), .* as a data frame or an array, or a sample"):
        call(Chunks(lambda: iter([(X, None)])))


def test_dask_is_recognized_by_the_name_of_its_module():
    made = type("Array", (), {"__module__": "dask.array.core"})
    assert is_dask(made())
    assert is_dask(type("Mine", (made,), {"__module__": "mine"})())
    assert not is_dask(type("Array", (), {"__module__": "dasks"})())
