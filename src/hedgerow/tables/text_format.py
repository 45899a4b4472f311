"""How a text file is written: its encoding and its separator, as given or as detected, and the marks in its fields."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import lzma
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from hedgerow._support.foreign_files import refuse_blow_up
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.tables.notes import Note

_OPEN: dict[str | None, Callable[..., IO[Any]]] = {None: open, "gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open}

#: Separators that are detected, and what notes call them.
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}

#: What a file may start with to tell its encoding; the longer marks first.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: Encodings in the order in which they are tried, and what notes call them. Every file fits the last one.
_ENCODINGS = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252", "latin-1": "Latin-1"}

#: The number of bytes to scan at a time; the number of characters and of lines that show the separator.
_CHUNK, _SHOWN, _LINES = 1 << 20, 1 << 16, 50


#: What pandas reads again and again.
_ENDLESS = re.compile(r"[\r\n]\r[ \t]")


@dataclass(frozen=True)
class TextFormat:
    """How a text file is written; what is None is detected.

    Attributes
    ----------
    separator : str or None
        The character between fields.
    encoding : str or None
        Such as "utf-8" or "cp1252".
    decimal, thousands : str or None
        The decimal mark, and the character between groups of three digits.
    na : tuple of str
        Marks for missing values, in columns of numbers and of strings.
    """

    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    na: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.separator is not None and len(self.separator) != 1:
            raise InvalidParameterError(f"A separator is one character; got {self.separator!r}.", parameter="separator")
        for name, mark in (("decimal", self.decimal), ("thousands", self.thousands)):
            if mark is not None and (len(mark) != 1 or mark.isalnum() or mark in "+-"):
                raise InvalidParameterError(
                    f"{name} must be one character that is not a letter, a digit or a sign; got {mark!r}.",
                    parameter=name,
                )
        if self.decimal is not None and self.decimal == self.thousands:
            raise InvalidParameterError(
                f"The decimal mark and the thousands separator are both {self.decimal!r}. Choose different ones.",
                parameter="thousands",
            )
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                raise InvalidParameterError(
                    f"There is no encoding {self.encoding!r}. Known are, for example: utf-8, utf-16, cp1252, latin-1.",
                    parameter="encoding",
                ) from None

    @property
    def points_are_decimal(self) -> bool:
        """Whether a point can only be a decimal mark, or is one unless other columns tell otherwise."""
        return self.decimal in (None, ".") and self.thousands != "."


def open_text(path: Path, compression: str | None, encoding: str) -> IO[str]:
    """Open a text file, decompressed."""
    return _OPEN[compression](path, "rt", encoding=encoding, newline="")


def first_line(path: Path, compression: str | None, encoding: str | None) -> str:
    """Return the first line of a file, without what ends it; for a file in an unknown encoding, its ASCII part."""
    with _OPEN[compression](path, "rb") as file:
        head = file.read(4)
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark)), None)
    with _OPEN[compression](path, "rt", encoding=encoding or marked or "ascii", errors="ignore") as file:
        try:
            return str(file.readline(_SHOWN)).strip("\ufeff\r\n")
        except UnicodeError:  # not this encoding at all, which is told when the file is read
            return ""


def detect(path: Path, compression: str | None, given: TextFormat, own: str | None) -> tuple[TextFormat, list[Note]]:
    """Return how a file is written, with encoding and separator known, and what a user should know about it.

    Parameters
    ----------
    path, compression :
        The file.
    given : TextFormat
        What is known already.
    own : str or None
        The usual separator of files of this type.
    """
    notes = []
    encoding = _encoding_of(path, compression, given.encoding)
    if given.encoding is None and encoding in ("cp1252", "latin-1"):
        text = f"{path.name} is not text in UTF-8; it is read as {_ENCODINGS[encoding]}"
        notes.append(Note(text, "encoding"))
    separator = given.separator
    if separator is None:
        with open_text(path, compression, encoding) as file:
            separator = _separator_of(file.read(_SHOWN), own)
        if separator is None:
            raise InvalidParameterError(
                f"The fields of {path.name} are not separated by {', '.join(_SEPARATORS.values())}. "
                "Give the separator.",
                parameter="separator",
            )
        if separator != own:
            text = f"the fields of {path.name} are separated by {_SEPARATORS[separator]}"
            notes.append(Note(text, "separator"))
    return replace(given, encoding=encoding, separator=separator), notes


def _encoding_of(path: Path, compression: str | None, given: str | None) -> str:
    """Return the encoding of a file; refuse one with a NUL character, where pandas silently ends a field."""
    with _OPEN[compression](path, "rb") as file:
        head = file.read(4)
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark)), None)
    tried = [given] if given is not None else [marked] if marked is not None else list(_ENCODINGS)
    if given is not None and codecs.lookup(given).name == "utf-8":
        tried = ["utf-8-sig"]
    for encoding in tried:
        try:
            has_nul = _has_nul(path, compression, encoding)
        except UnicodeError:
            continue
        if has_nul:
            raise InvalidDataError(
                f"{path} is not a text file: it contains a NUL byte. If it is text in UTF-16, give this encoding.",
                parameter="encoding",
            )
        return encoding
    raise InvalidDataError(f"{path} is not text in {tried[0]}. Give another encoding.", parameter="encoding")


def _has_nul(path: Path, compression: str | None, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    n_bytes, end = 0, ""
    with _OPEN[compression](path, "rb") as file:
        while chunk := file.read(_CHUNK):
            text = decoder.decode(chunk)
            if "\0" in text:
                return True
            if "\r" in text and _ENDLESS.search(end + text):
                raise InvalidDataError(
                    f"{path} has an empty line that ends in a carriage return alone before a line that starts with a "
                    "blank, where pandas never gets to the end. Save the file with line ends \\n or \\r\\n throughout."
                )
            end = text[-2:]
            n_bytes += len(chunk)
            if compression is not None:
                refuse_blow_up(path, n_bytes)
        decoder.decode(b"", final=True)
    return False


def _separator_of(text: str, own: str | None) -> str | None:
    """Return the separator of the fields at the beginning of a file, None if it is not known."""
    rows_by = {separator: _rows(text, separator) for separator in _SEPARATORS}
    rows_by = {separator: rows for separator, rows in rows_by.items() if len(rows[0]) > 1}
    even = [separator for separator, rows in rows_by.items() if len({len(row) for row in rows}) == 1]
    if own in even and not any(other in name for other in even for name in rows_by[own][0]):
        return own
    others = [separator for separator in even if separator != own]
    if others:
        return max(others, key=lambda separator: len(rows_by[separator][0]))
    if own in rows_by or not rows_by:  # a line with too few or too many fields, or a table of one column
        return own
    return max(rows_by, key=lambda separator: _evenness(rows_by[separator]))


def _rows(text: str, separator: str) -> list[list[str]]:
    """Return the first rows that are not empty, without one that may be cut."""
    rows: list[list[str]] = []
    lines = list(io.StringIO(text, newline=""))
    lines = lines[:-1] if len(text) == _SHOWN and len(lines) > 1 else lines
    try:
        for row in csv.reader(lines, delimiter=separator):
            rows += [row] if row else []
            if len(rows) == _LINES:
                break
    except csv.Error:
        pass
    return rows or [[]]


def _evenness(rows: list[list[str]]) -> float:
    """Return the share of rows with as many fields as the header."""
    return sum(len(row) == len(rows[0]) for row in rows) / len(rows)
