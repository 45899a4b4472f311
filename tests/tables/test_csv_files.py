"""Fields are interpreted as by a database that loads the same file."""

import gzip
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import table_of

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.tables.csv_files import read_csv


def test_columns_of_numbers_and_of_strings(tmp_path):
    frame = table_of(tmp_path, "age,size,color\n30,1.5,red\n,?,\n40,NA,None\n")
    assert frame["age"].tolist()[::2] == [30.0, 40.0]
    assert math.isnan(frame["age"][1])
    assert frame["size"].isna().tolist() == [False, True, True]
    assert frame["color"].tolist() == ["red", None, "None"]  # a text as any other: only an empty field is missing


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_numbers_come_to_the_last_bit(tmp_path_factory, numbers):
    text = "x,y\n" + "".join(f"{x!r},a\n" for x in numbers)
    frame = table_of(tmp_path_factory.mktemp("table"), text)
    assert frame["x"].tolist() == numbers


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("true\nfalse\nTrue", ["true", "false", "True"]),  # a database may keep them as they are written
        ("True\n\nFalse", ["True", None, "False"]),
        ("1_000\n2\n3", ["1_000", "2", "3"]),
        ("007\nx1\n1e3", ["007", "x1", "1e3"]),
        ("007\n12\n100", ["007", "12", "100"]),
        ("02139\n\n10115", ["02139", None, "10115"]),
        ("00\n?\n1", ["00", "?", "1"]),
        (" a\nb \nc", [" a", "b ", "c"]),
        ("?\nNA\n?", ["?", "NA", "?"]),
    ],
)
def test_strings_stay_as_they_are_written(tmp_path, written, read):
    rows = [f"{value},1" for value in written.split("\n")]
    assert table_of(tmp_path, "\n".join(["c,n", *rows, ""]))["c"].tolist() == read


@pytest.mark.parametrize("written", ["0\n7\n10", "0.5\n0\n007", "-07\n0\n1", "00.5\n1\n2", "0\n\n1", "1e05\n2\n3"])
def test_a_zero_alone_or_beside_a_point_is_a_number(tmp_path, written):
    values = written.split("\n")
    frame = table_of(tmp_path, "\n".join(["c,n", *(f"{value},1" for value in values), ""]))
    np.testing.assert_array_equal(frame["c"], [float(value) if value else np.nan for value in values])


WHOLE = st.integers(-(2**70), 2**70) | st.integers(2**53 - 3, 2**53 + 3)


@settings(max_examples=25, deadline=None)
@given(st.lists(WHOLE | st.none(), min_size=1, max_size=8).filter(any))
def test_integers_are_read_to_the_last_digit(tmp_path_factory, numbers):
    text = "x,y\n" + "".join(f"{'' if x is None else x},a\n" for x in numbers)
    frame = table_of(tmp_path_factory.mktemp("table"), text)
    assert [None if value is None or value != value else int(value) for value in frame["x"]] == numbers


def test_a_column_is_text_if_that_is_known(tmp_path):
    frame = table_of(tmp_path, "zip,n\n01,1\n2.0,2\n,3\n", texts=["zip"])
    assert frame["zip"].tolist() == ["01", "2.0", None]


def test_quotes_newlines_and_byte_order_marks(tmp_path):
    frame = table_of(tmp_path, '\ufeff"a ""b""","c\nd"\n"x,\ny",1\n')
    assert list(frame.columns) == ['a "b"', "c\nd"]
    assert frame.iloc[0].tolist() == ["x,\ny", 1]


def test_one_column_may_have_missing_values(tmp_path):
    assert table_of(tmp_path, "a\n1\n\n3\n")["a"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("data.csv", b"", "is empty"),
        ("data.csv", b"a,b\n", "no rows"),
        (
            "data.csv",
            b"a,b\n1,2\n1,2,3\n",
            "not a table of fields separated by ',': line 3 has 3 fields, but the first line has 2 names",
        ),
        ("data.csv", b"a,b\n1,2,3\n1,2,3\n", "not a table of fields separated by ',': line 2 has 3 fields"),
        ("data.csv", b'a,b\n1,"2\n1,2\n', "not a table of fields separated by ',': a quote .* is never closed"),
        ("data.csv", b"a,b\n1,2\n1,x\0y\n", "NUL byte"),
        ("data.csv", b"a,b\n1,2\n1\x003,4\n", "NUL byte"),
        ("data.csv.gz", gzip.compress(b"a,b\n1,x\0y\n", mtime=0), "NUL byte"),
        ("data.csv", "a,b\n1,2\n".encode("utf-16"), "utf16"),
        ("data.csv", b"a,a\n1,2\n", "several columns with the same name: 'a'"),
        ("data.csv", b"a;b\n1;2\n", "separated by ';', give this separator"),
        ("data.csv", "größe\n1\n".encode("latin1"), "UTF-8"),
        ("data.csv.gz", b"a,b\n1,2\n", "Cannot read"),
        ("data.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], "Cannot read"),
        ("data.parquet", b"a,b\n1,2\n", "not a readable Parquet"),
    ],
)
def test_a_broken_file_is_one_error(tmp_path, name, content, why):
    with pytest.raises(InvalidDataError, match=why):
        table_of(tmp_path, content, name)


def test_a_separator_is_one_character(tmp_path):
    (tmp_path / "data.csv").write_text("a;;b\n1;;2\n")
    with pytest.raises(InvalidParameterError, match="one character; got ';;'"):
        read_csv(tmp_path / "data.csv", ";;", None, ())


def test_a_wrong_separator_is_told_and_the_parameter_is_named(tmp_path):
    with pytest.raises(InvalidDataError, match="only one column, 'a;b'") as refused:
        table_of(tmp_path, "a;b\n1;2\n")
    assert refused.value.parameter == "separator"
    assert "--" not in str(refused.value)
