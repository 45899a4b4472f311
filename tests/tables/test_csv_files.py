"""Fields are interpreted as by a database that loads the same file."""

import gzip
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_tables import table_of

from hedgerow import InvalidDataError
from hedgerow.features import Notation
from hedgerow.tables.csv_files import read_csv
from hedgerow.tables.notes import Note
from hedgerow.tables.text_format import TextFormat


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
@example([None, -(2**63)])
@example([None, -(2**63), 5])
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
        ("data.csv", b"a,a\n1,2\n", "several columns with the same name: 'a'"),
        ("data.tsv", b"a;b\n1;2\n", "separated by ';', give this separator"),
        ("data.csv", "a,b\n1,2\n".encode("utf-16-le"), "NUL byte"),
        ("data.csv.gz", b"a,b\n1,2\n", "Cannot read"),
        ("data.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], "Cannot read"),
        ("data.csv", b"sep=;\na;b\n1;2\n", "starts with the line sep=;, which .* Delete this line"),
        ("data.csv", b'\xef\xbb\xbf"sep=,"\r\na,b,c\r\n1,2,3\r\n', 'starts with the line "sep=,", which'),
        ("data.csv", "sep=;\r\na;b\r\n1;2\r\n".encode("utf-16"), "starts with the line sep=;, which"),
        ("data.csv", b"# by me\na,b\n1,2\n", "the first line has 1 name. The first line starts with #; .* delete it"),
        ("data.parquet", b"a,b\n1,2\n", "not a readable Parquet"),
    ],
)
def test_a_broken_file_is_one_error(tmp_path, name, content, why):
    with pytest.raises(InvalidDataError, match=why):
        table_of(tmp_path, content, name)


def test_a_wrong_separator_is_told_and_the_parameter_is_named(tmp_path):
    with pytest.raises(InvalidDataError, match="only one column, 'a;b'") as refused:
        table_of(tmp_path, "a;b\n1;2\n", separator="|")
    assert refused.value.parameter == "separator"
    assert "--" not in str(refused.value)


def read(tmp_path, content, **options):
    path = tmp_path / "data.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_csv(path, TextFormat(**options), ",", None, {})


def test_blanks_around_names_are_ignored_and_told(tmp_path):
    table = read(tmp_path, "a , b,c\n1,x,2\n")
    assert list(table.frame.columns) == ["a", "b", "c"]
    (note,) = table.notes
    assert note.text.startswith("blanks at the ends of column names are ignored: 'a', 'b'; rename these columns")
    with pytest.raises(InvalidDataError, match="same name: 'a'"):
        read(tmp_path, "a,a \n1,2\n")


def test_a_european_file_is_read_as_it_is_meant(tmp_path):
    rows = "größe;preis;anteil;art\n1,5;1.234,50 €;12 %;a\n2,25;999,00 €;7,5 %;b\n"
    table = read(tmp_path, rows.encode("cp1252"))
    assert table.frame.to_dict("list") == {
        "größe": [1.5, 2.25],
        "preis": [1234.5, 999.0],
        "anteil": [12.0, 7.5],
        "art": ["a", "b"],
    }
    assert table.notations["preis"] == Notation("number", ",", ".", ("€",))
    assert table.notations["art"] == Notation("text")
    assert table.notes == [
        Note("data.csv is not text in UTF-8; it is read as Windows-1252", "encoding"),
        Note("the fields of data.csv are separated by semicolons", "separator"),
    ]


def test_known_notations_are_not_guessed_again(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("plain,comma,code\n1.234,1.234,7\nx,5.000,007\n")
    known = {"plain": Notation(), "comma": Notation(decimal=",", thousands="."), "code": Notation("text")}
    table = read_csv(path, TextFormat(), ",", None, known)
    np.testing.assert_array_equal(table.frame["plain"], [1.234, np.nan])
    assert table.frame["comma"].tolist() == [1234, 5000]
    assert table.frame["code"].tolist() == ["7", "007"]
    assert table.notations == known
    assert table.notes == [Note("1 of 2 values of plain are numbers; the other (x) is read as missing", column="plain")]


def test_marks_that_are_given_are_missing_in_every_column(tmp_path):
    table = read(tmp_path, "i,f,c\n-999,1.5,x\n3,-999,none\n4,2.5,x\n", na=("-999", "none"))
    np.testing.assert_array_equal(table.frame["i"], [np.nan, 3, 4])
    np.testing.assert_array_equal(table.frame["f"], [1.5, np.nan, 2.5])
    assert table.frame["c"].tolist() == ["x", None, "x"]
    assert {notation.missing for notation in table.notations.values()} == {("-999", "none")}


def test_infinity_is_not_a_number_in_a_file(tmp_path):
    table = read(tmp_path, "x,y\n" + "".join(f"{i}.5,a\n" for i in range(40)) + "inf,a\n")
    assert table.frame["x"].isna().sum() == 1
    assert table.notes == [Note("40 of 41 values of x are numbers; the other (inf) is read as missing", column="x")]


def test_a_line_with_too_few_fields_is_refused_and_blank_lines_are_not(tmp_path):
    with pytest.raises(InvalidDataError, match="line 3 has 1 field, but the first line has 2 names"):
        table_of(tmp_path, "a,b\n1,2\n3\n")
    assert table_of(tmp_path, "a,b\n1,\n\n  \n3,4\n\n")["a"].tolist() == [1, 3]


def test_a_name_may_start_like_a_comment(tmp_path):
    assert read(tmp_path, "#id,b\n1,2\n").frame.columns.tolist() == ["#id", "b"]
