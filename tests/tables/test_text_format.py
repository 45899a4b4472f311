"""Encoding and separator are detected, and a note says what is not usual."""

import gzip

import pytest

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.tables.text_format import TextFormat, detect, open_text


def detected(tmp_path, content, own=",", **given):
    path = tmp_path / "data.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return detect(path, None, TextFormat(**given), own)


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b;c\n1,5;2;x\n2,5;3;y, z\n", ";"),
        ("a\tb\nx, y\t2\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("a;b\n1;2\n\n3;4\n", ";"),
        ('"a;b",c\n"1;2",3\n', ","),
        ('"a,b";c\n"1,2";3\n', ";"),
        ("size, cm;width, cm\n5,1;3,5\n4,9;3,0\n", ";"),  # commas alone would fit as well
        ("text,n\na;b,1\nc;d,2\n", ","),
        ("a,b\n1,2,3\n", ","),  # a ragged table, which is refused later
        ("a;b;c\n1;2;3\nTotal\n", ";"),
        ("only\n1\n2\n", ","),
    ],
)
def test_separators_are_detected(tmp_path, text, separator):
    found, notes = detected(tmp_path, text)
    assert found.separator == separator
    assert bool(notes) == (separator != ",")


def test_a_separator_that_is_given_is_not_questioned(tmp_path):
    assert detected(tmp_path, "a;b\n1;2\n", separator="|") == (TextFormat("|", "utf-8-sig"), [])


def test_a_file_without_usual_separator_needs_one(tmp_path):
    assert detected(tmp_path, "a;b\n1;2\n", own=None)[0].separator == ";"
    with pytest.raises(InvalidParameterError, match="Give the separator") as refused:
        detected(tmp_path, "a:b\n1:2\n", own=None)
    assert refused.value.parameter == "separator"


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8-sig"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
        ("cp1252", "cp1252"),
    ],
)
def test_encodings_are_detected(tmp_path, encoding, found):
    written, notes = detected(tmp_path, "größe,preis €\n1,2\n".encode(encoding))
    assert written.encoding == found
    assert [note.parameter for note in notes] == ["encoding"] * (encoding == "cp1252")
    with open_text(tmp_path / "data.csv", None, found) as file:
        assert file.readline() == "größe,preis €\n"


def test_latin_1_is_the_last_resort(tmp_path):
    assert detected(tmp_path, b"gr\xf6\x81e,b\n1,2\n")[0].encoding == "latin-1"


def test_an_encoding_that_is_given_is_used_or_refused(tmp_path):
    content = "größe,b\n1,2\n".encode("cp1252")
    assert detected(tmp_path, content, encoding="cp1252") == (TextFormat(",", "cp1252"), [])
    assert detected(tmp_path, "größe,b\n1,2\n".encode("utf-16-le"), encoding="utf-16-le")[0].encoding == "utf-16-le"
    with pytest.raises(InvalidDataError, match=r"is not text in utf-8-sig|is not text in utf-8") as refused:
        detected(tmp_path, content, encoding="utf8")
    assert refused.value.parameter == "encoding"
    with pytest.raises(InvalidParameterError, match="no encoding 'utf-9'"):
        TextFormat(encoding="utf-9")


def test_a_compressed_file_is_looked_into(tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress("größe;b\n1;2\n".encode("cp1252"), mtime=0))
    assert detect(path, "gzip", TextFormat(), ",")[0] == TextFormat(";", "cp1252")


@pytest.mark.parametrize(
    "given", [{"separator": ";;"}, {"decimal": "5"}, {"thousands": "ab"}, {"decimal": ",", "thousands": ","}]
)
def test_marks_are_single_and_different_characters(given):
    with pytest.raises(InvalidParameterError):
        TextFormat(**given)
