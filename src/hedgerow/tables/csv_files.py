"""Tables of fields with a separator between them.

Fields are interpreted as by a database that loads the same file. A column whose values are all numbers is numeric, to
the last digit; any other column contains strings, as written. An empty field is missing. In a numeric column, the usual
marks (``NA``, ``?``, ...) are missing values too; in a column of strings, they are strings like any other. Digits with
leading zeros (``007``) are strings.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import warnings
from collections.abc import Callable, Collection
from pathlib import Path
from typing import IO, Any

import numpy as np

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.tables.values import has_leading_zeros, plain

_OPEN: dict[str | None, Callable[..., IO[Any]]] = {None: open, "gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open}

#: The number of bytes to scan at a time.
_CHUNK = 1 << 20


def read_csv(path: Path, separator: str, compression: str | None, texts: Collection[str]) -> Any:
    """Return the table in a file; columns in ``texts`` contain strings, even if these look like numbers."""
    import pandas as pd

    if len(separator) != 1:
        raise InvalidParameterError(f"A separator is one character; got {separator!r}.")
    _refuse_nul(path, compression)
    given: dict[str, Any] = {"sep": separator, "compression": compression, "encoding": "utf-8-sig"}
    given |= {"keep_default_na": False, "na_values": [""], "float_precision": "round_trip", "low_memory": False}
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # fields that would be lost
        try:
            return _parsed(path, given, texts)
        except pd.errors.EmptyDataError:
            raise InvalidDataError(f"{path} is empty.") from None
        except (pd.errors.ParserError, pd.errors.ParserWarning, csv.Error):
            why = _what_is_wrong(path, separator, compression)
            raise InvalidDataError(f"{path} is not a table of fields separated by {separator!r}: {why}") from None


def check_names(path: Path, names: list[str]) -> None:
    """Refuse names that several columns share."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidDataError(
            f"{path} has several columns with the same name: {', '.join(map(repr, twice))}. Rename all but one of them."
        )


def _parsed(path: Path, given: dict[str, Any], texts: Collection[str]) -> Any:
    import pandas as pd

    names = _header(pd.read_csv(path, **given, header=None, nrows=1, dtype=str), path, given["sep"])
    given = given | {"header": 0, "names": names, "index_col": False}
    given["skip_blank_lines"] = len(names) > 1  # in a table of one column, an empty line is a missing value
    frame = pd.read_csv(path, **given, dtype=dict.fromkeys(texts, str))
    doubtful = [name for name in names if name not in texts and _may_be_changed(frame[name])]
    if doubtful:
        # The same columns, with each value as written.
        written = pd.read_csv(path, **given, dtype=str, usecols=doubtful)
        for name in doubtful:
            if frame[name].dtype.kind not in "iuf" or has_leading_zeros(written[name]) or _is_rounded(frame[name]):
                frame[name] = written[name]
    return pd.DataFrame({name: plain(frame[name], name not in texts) for name in frame})


def _may_be_changed(column: Any) -> bool:
    """Return whether pandas may have changed the values: booleans and integers."""
    if column.dtype.kind == "f":
        present = column.to_numpy()[np.isfinite(column.to_numpy())]
        return bool(len(present)) and bool(np.all(np.mod(present, 1) == 0))
    # Among strings too: in a column of integers beyond 64 bits, a missing value becomes an empty string.
    return column.dtype.kind in "iub" or column.dtype == object or bool((column == "").any())


def _is_rounded(column: Any) -> bool:
    """Return whether a column of floats contains numbers so large that some integers are not floats."""
    return column.dtype.kind == "f" and bool((column.abs() >= 2**53).any())


def _header(first: Any, path: Path, separator: str) -> list[str]:
    """Return the names in the first line; refuse those that do not tell columns apart."""
    names = ["" if value is None or value != value else str(value) for value in first.iloc[0]]
    check_names(path, names)
    if len(names) == 1:
        others = [other for other in (",", ";", "\t", "|") if other != separator and other in names[0]]
        if others:
            raise InvalidDataError(
                f"{path} has only one column, {names[0][:60]!r}. If its fields are separated by {others[0]!r}, "
                "give this separator.",
                parameter="separator",
            )
    return names


def _refuse_nul(path: Path, compression: str | None) -> None:
    """Refuse a file with a NUL byte, where pandas silently ends a field."""
    with _OPEN[compression](path, "rb") as file:
        while chunk := file.read(_CHUNK):
            if b"\0" in chunk:
                raise InvalidDataError(
                    f"{path} is not text in UTF-8: it contains a NUL byte. If it is text in UTF-16, convert it, for "
                    f"example: iconv -f utf16 -t utf8 {path.name}"
                )


def _what_is_wrong(path: Path, separator: str, compression: str | None) -> str:
    """Return which line has more fields than the header has names, or that a quote is not closed."""
    with _OPEN[compression](path, "rt", encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, delimiter=separator)
        try:
            n_names = len(next(rows))
            for row in rows:
                if len(row) > n_names:
                    return f"line {rows.line_num} has {len(row)} fields, but the first line has {n_names} names."
        except csv.Error as error:
            return f"in line {rows.line_num} {error}."
    return 'a quote (") is never closed.'
