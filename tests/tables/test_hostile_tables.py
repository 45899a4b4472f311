"""Tables that are damaged, or made to harm, are read or refused in words, soon, and without much memory."""

import gzip
import lzma
import time
from contextlib import suppress

import pandas as pd
import pytest

from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.tables import read_table


@pytest.mark.parametrize("compress", [gzip, lzma], ids=["gz", "xz"])
def test_a_packed_table_that_unpacks_to_gigabytes_is_refused(tmp_path, compress):
    path = tmp_path / ("t.csv.gz" if compress is gzip else "t.csv.xz")
    with compress.open(path, "wb") as file:
        file.write(b"a,b\n")
        for _ in range(300):
            file.write(b"1,1\n" * 2**18)
    assert path.stat().st_size < 2_000_000
    with pytest.raises(InvalidDataError, match="more than 100 times its size"):
        read_table(path)


@pytest.mark.parametrize("n_digits", [309, 400, 5000])
def test_an_integer_larger_than_any_float_is_infinite(tmp_path, n_digits):
    path = tmp_path / "t.csv"
    path.write_text(f"n,m\n{'9' * n_digits},1\n2,7\n")
    frame = read_table(path).frame
    assert frame["n"].tolist() == [float("inf"), 2.0]
    assert frame["m"].tolist() == [1, 7]


def test_very_many_columns_of_the_same_name_are_refused_soon(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",".join(["a"] * 50_000) + "\n" + ",".join(["1"] * 50_000) + "\n")
    started = time.process_time()
    with pytest.raises(InvalidDataError, match="several columns with the same name: 'a'"):
        read_table(path)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\n", b",", b",\n,", b"a\n", b'"', b'a,b\n"', b'a,b\n1,"2\n', b"a,b\n1\n", b"a\0b\n1\n", b"\xff\xfe\n"),
        *(b"\xff\xfea\0,\0b\0\n\x001\0", b"a,a\n1,2\n", b"sep=;\na;b\n1;2\n", b"a,b\n1,2,3\n", b"\xef\xbb\xbf", b"#\n"),
        *(b"a,b\r1,2\r3,4", b"a\n" + b'""' * 10_000, b"a,b\n" + b"(" * 10_000 + b",1", b"a;b\n1,2;3.4.5\n", b" \n \n"),
    ],
    ids=range(22),
)
def test_odd_bytes_are_a_table_or_an_error_in_words(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with suppress(HedgerowError):
        assert isinstance(read_table(path).frame, pd.DataFrame)


@pytest.mark.parametrize("content", [b"a;b\r\r c;d\n1;2\n", b"a;b\r\r\tc;d\n1;2\n", b"a;b\n1;2\r\n\r c;d\n1;2\n"])
def test_line_ends_at_which_pandas_never_stops_are_refused(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidDataError, match="carriage return alone"):
        read_table(path)
    path.write_bytes(content.replace(b"\r", b"\n"))
    assert len(read_table(path).frame) <= 3
