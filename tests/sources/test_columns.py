import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

from hedgerow.exceptions import InvalidDataError
from hedgerow.readers import read_forest
from hedgerow.sources import Chunks
from hedgerow.sources.columns import columns_of, in_order
from hedgerow.sources.source import Chunk


def inputs_of(columns):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, len(columns))), columns=columns)
    return read_forest(RandomForestRegressor(2, random_state=0).fit(X, X.iloc[:, 0])).inputs


def source_of(table):
    return Chunks(lambda: iter([(table, np.zeros(len(table)))]))


def test_columns_are_found_by_name_whatever_their_order():
    source = source_of(pd.DataFrame(np.zeros((3, 4)), columns=["c", "b", "other", "a"]))
    assert columns_of(source, inputs_of(["a", "b", "c"]), [0, 2]) == ["a", "c"]


def test_names_with_spaces_are_found_where_a_library_wrote_underscores():
    source = source_of(pd.DataFrame(np.zeros((3, 2)), columns=["big size", "a"]))
    assert columns_of(source, inputs_of(["a", "big_size"]), [0, 1]) == ["a", "big size"]


def test_columns_without_names_are_found_by_position():
    plain = read_forest(RandomForestRegressor(2, random_state=0).fit(np.eye(5), np.arange(5))).inputs
    assert columns_of(source_of(np.zeros((3, 5))), plain, [1, 4]) == [1, 4]
    assert columns_of(source_of(pd.DataFrame(np.zeros((3, 5)), columns=list("vwxyz"))), plain, [1, 4]) == ["w", "z"]
    with pytest.raises(InvalidDataError, match="3 feature columns, but the ensemble was trained on 5"):
        columns_of(source_of(np.zeros((3, 3))), plain, [1])


def test_a_source_that_lacks_a_column_is_refused():
    with pytest.raises(InvalidDataError, match="lacks columns that the ensemble was trained on: b"):
        columns_of(source_of(pd.DataFrame(np.zeros((3, 1)), columns=["a"])), inputs_of(["a", "b"]), [0, 1])


def test_the_table_of_a_chunk_comes_in_the_wanted_order():
    X = pd.DataFrame({"a": [1.0], "b": [2.0]})
    assert list(in_order(Chunk(X, None, None, "chunk 0", ["a", "b"]), ["b", "a"]).columns) == ["b", "a"]
    assert in_order(Chunk(X.to_numpy(), None, None, "chunk 0", [0, 1]), [1]).tolist() == [[2.0]]
