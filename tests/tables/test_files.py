"""Tables are read from files and written to files by their names."""

import datetime
import decimal
import gzip

import numpy as np
import pandas as pd
import pytest
from small_tables import table_of

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.tables import files
from hedgerow.tables.files import check_table_name, is_read_in_chunks, read_table, write_table


@pytest.mark.parametrize("missing", [False, True])
def test_integers_in_parquet_are_read_to_the_last_digit(tmp_path, missing):
    numbers = [2**53 + 1, 2**62 + 1, *([None] if missing else [])]
    pd.DataFrame({"x": pd.array(numbers, dtype="Int64")}).to_parquet(tmp_path / "data.parquet")
    assert read_table(tmp_path / "data.parquet").frame["x"].tolist() == numbers


def test_separators_and_compression(tmp_path):
    assert table_of(tmp_path, "a\tb\n1\t2\n", "data.tsv").shape == (1, 2)
    assert table_of(tmp_path, "a;b\n1;2\n", "data.txt", separator=";").shape == (1, 2)
    assert table_of(tmp_path, gzip.compress(b"a,b\n1,2\n", mtime=0), "data.CSV.gz")["b"].tolist() == [2]


def test_a_parquet_file_keeps_its_types(tmp_path):
    path = tmp_path / "data.parquet"
    made = pd.DataFrame(
        {
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "color": pd.Categorical(["red", None, "blue"]),
            "flag": [True, False, True],
            "maybe": pd.array([True, None, False], dtype="boolean"),
            "zip": ["01", "02", None],
            "price": [decimal.Decimal("1.25"), None, decimal.Decimal("2")],
            "day": [datetime.date(2020, 1, 1)] * 3,
        }
    )
    made.to_parquet(path)
    frame = read_table(path).frame
    assert frame["whole"].dtype == np.float64
    assert frame["color"].tolist() == ["red", None, "blue"]
    assert frame["flag"].tolist() == [True, False, True]
    assert frame["maybe"].tolist() == [True, None, False]
    assert frame["zip"].tolist() == ["01", "02", None]
    assert frame["price"].tolist()[::2] == [1.25, 2.0]
    assert isinstance(frame["day"][0], datetime.date)


def test_files_that_are_not_there_and_names_that_say_nothing(tmp_path):
    with pytest.raises(InvalidDataError, match="No such file"):
        read_table(tmp_path / "data.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InvalidDataError, match=r"is a folder\. Name a file"):
        read_table(tmp_path / "folder.csv")
    for name in ("data", "data.xlsx", "data.gz"):
        with pytest.raises(InvalidParameterError, match=r"end in \.csv"):
            table_of(tmp_path, b"a\n1\n", name)
        with pytest.raises(InvalidParameterError, match=r"end in \.csv"):
            check_table_name(tmp_path / name)


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.csv.gz", "out.parquet"])
def test_what_is_written_is_read_again(tmp_path, name):
    frame = pd.DataFrame({"x": [0.1, 1e300], "c": ["a\tb", 'd"e']})
    path = tmp_path / name
    path.write_bytes(write_table(frame, path))
    again = read_table(path).frame
    assert again["x"].tolist() == frame["x"].tolist()
    assert again["c"].tolist() == frame["c"].tolist()


def test_large_parquet_files_folders_and_patterns_are_read_in_chunks(tmp_path, monkeypatch):
    folder = tmp_path / "rows"
    folder.mkdir()
    file = folder / "part-0.parquet"
    pd.DataFrame(np.zeros((900, 10)), columns=list("abcdefghij")).to_parquet(file)
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    assert is_read_in_chunks(folder, None)
    assert is_read_in_chunks(folder / "*.parquet", None)
    assert is_read_in_chunks(file, True)
    assert not is_read_in_chunks(file, None)
    assert not is_read_in_chunks(tmp_path / "table.csv", None)
    assert not is_read_in_chunks(tmp_path / "missing.parquet", None)
    monkeypatch.setattr(files, "MOST_VALUES", 900 * 10 - 1)
    assert is_read_in_chunks(file, None)
    assert not is_read_in_chunks(file, False)
    with pytest.raises(InvalidParameterError, match="Only Parquet files are read in chunks"):
        is_read_in_chunks(tmp_path / "table.csv", True)
