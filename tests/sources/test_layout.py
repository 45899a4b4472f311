import numpy as np
import pandas as pd
import pytest

from hedgerow.exceptions import InvalidDataError
from hedgerow.sources import Chunk
from hedgerow.sources.layout import Kinds, Layout, kind_of, picked, slices, targets

FRAME = pd.DataFrame({"a": [1, 2], "b": [3, 4], "c": [5, 6]})


def test_positions_are_in_the_order_of_the_table():
    assert Layout.of(FRAME).positions(["c", "a"], "it") == [0, 2]
    assert Layout.of(FRAME.to_numpy()).positions([2, 0], "it") == [0, 2]
    assert Layout.of(FRAME).positions(None, "it") == [0, 1, 2]


@pytest.mark.parametrize(
    ("table", "said"), [(FRAME, "It has: 'a', 'b'"), (FRAME.to_numpy(), "It has: 3 columns without names")]
)
def test_a_column_that_is_not_there_is_named(table, said):
    with pytest.raises(InvalidDataError, match=f"^it has no column 'z'. {said}"):
        Layout.of(table).positions(["z"], "it")


def test_names_that_are_integers_count_as_strings():
    frame = FRAME.set_axis([5, 6, 7], axis=1)
    assert Layout.of(frame).names == ("5", "6", "7")
    assert picked(frame, Layout.of(frame).positions(["7"], "it")).to_numpy().tolist() == [[5], [6]]


def test_all_columns_in_their_order_are_the_table_itself():
    assert picked(FRAME, [0, 1, 2]) is FRAME


@pytest.mark.parametrize(
    ("dtypes", "kind"),
    [
        (["int8", "uint64", "float32", "Int64", "Float32"], "numbers"),
        (["bool", "boolean"], "booleans"),
        (["datetime64[s]", "datetime64[ns, UTC]"], "dates"),
        (["timedelta64[s]"], "durations"),
        (["str", "string", "object", "category", "U3"], "strings or objects"),
    ],
)
def test_dtypes_of_the_same_kind_may_be_mixed(dtypes, kind):
    for name in dtypes:
        dtype = np.dtype(name) if name == "U3" else pd.api.types.pandas_dtype(name)
        assert kind_of(dtype) == kind


def test_values_of_polars_have_the_same_kinds():
    polars = pytest.importorskip("polars")
    columns = {"numbers": [1], "booleans": [True], "dates": [pd.Timestamp("2020")], "strings or objects": ["a"]}
    for kind, values in columns.items():
        assert kind_of(polars.Series(values).dtype) == kind


def test_missing_values_fit_anything_and_are_not_what_the_others_must_fit():
    kinds = Kinds()
    kinds.check(pd.DataFrame({"a": [np.nan], "b": [None], "c": [None]}, dtype=object), "chunk 0")
    kinds.check(FRAME.assign(b="x"), "chunk 1")
    kinds.check(pd.DataFrame({"a": [None], "b": [np.nan], "c": [1.5]}), "chunk 2")
    with pytest.raises(InvalidDataError, match="chunk 3: column 'b' has numbers, but strings or objects in chunk 1"):
        kinds.check(FRAME, "chunk 3")


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
@pytest.mark.parametrize("as_table", [pd.DataFrame, np.array])
def test_every_sign_of_a_missing_value_is_known(missing, as_table):
    kinds = Kinds()
    kinds.check(as_table([[missing], [None]], dtype=object), "chunk 0")
    kinds.check(as_table([[1.5]]), "chunk 1")
    kinds.check(pd.DataFrame({0: pd.array([missing if missing is not pd.NaT else None], dtype="string")}), "chunk 2")


def test_slices_cover_a_chunk_and_say_where_they_are():
    chunk = Chunk(FRAME, np.array([1, 2]), np.array([0.5, 1.5]), "chunk 3", ["a", "b", "c"])
    first, second = slices(chunk, 1)
    assert (first.place, second.place) == ("chunk 3, row 0", "chunk 3, row 1")
    assert (second.X["c"].tolist(), second.y.tolist(), second.weight.tolist()) == ([6], [2], [1.5])
    assert list(slices(chunk, 2)) == [chunk]
    assert list(slices(Chunk(FRAME.head(0), None, None, "", []), 2)) == []


def test_targets_in_one_column_are_a_vector():
    assert targets(np.array([[1], [2]])).tolist() == [1, 2]
    assert targets([[1, 2], [3, 4]]).shape == (2, 2)
    assert targets(pd.Series(["a", "b"], dtype="category")).tolist() == ["a", "b"]
