"""Tables in files, as pandas data frames of numbers and texts.

A field of a CSV file says what a database says when it loads the same file: a column of which all values are
numbers holds numbers, written to the last digit; any other holds texts, as they are written; an empty field is missing.
In a column of numbers the usual marks (``NA``, ``?``, ...) stand for missing ones, too; in a column of texts
they are texts like any other. To add a format, write a function and name it in ``_read``.
"""

from __future__ import annotations

import csv
import io
import warnings
import zlib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from hedgerow.exceptions import InvalidDataError, InvalidParameterError

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz"}
_PARQUET = (".parquet", ".pq")

#: What people write where a number is missing.
_MARKS = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-", "."})


def read_table(path: Path, separator: str | None = None, texts: Collection[str] = ()) -> Any:
    """Return the table in a file.

    Parameters
    ----------
    path : Path
        A file that ends in .csv, .tsv (or in .gz, .bz2, .xz after that), or in .parquet.
    separator : str, optional
        What stands between two fields; by default what the name of the file says.
    texts : collection of str
        Columns that hold texts even if all of them look like numbers.

    Returns
    -------
    pandas.DataFrame
        Columns of float64 or whole numbers, or of objects: texts, truth values (of Parquet), None where there is
        none; columns of anything else, such as dates, as they are.
    """
    try:
        frame = _read(path, separator, texts)
    except OSError as error:  # no such file, a folder, no permission, broken compression
        raise InvalidDataError(f"Cannot read {path}: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise InvalidDataError(
            f"{path} is no text in UTF-8. Convert it, for example: iconv -f latin1 -t utf8 {path.name}"
        ) from None
    except (EOFError, zlib.error) as error:
        raise InvalidDataError(f"Cannot read {path}: {error}.") from None
    if not frame.shape[1]:
        raise InvalidDataError(f"{path} has no columns.")
    if not len(frame):
        raise InvalidDataError(f"{path} has no rows, only the names of {frame.shape[1]} columns.")
    return frame


def write_table(frame: Any, path: Path) -> bytes:
    """Return what to write into a file of this name: .csv, .tsv (or .gz after that) or .parquet."""
    suffix, compression = _suffixes(path)
    buffer = io.BytesIO()
    if suffix in _PARQUET:
        frame.to_parquet(buffer, index=False)
    elif suffix in _SEPARATORS:
        how = {"method": compression, "mtime": 0} if compression == "gzip" else compression
        frame.to_csv(buffer, index=False, sep=_SEPARATORS[suffix], compression=how, lineterminator="\n")
    else:
        raise _unknown(path)
    return buffer.getvalue()


def check_table_name(path: Path) -> None:
    """Refuse a name that does not say how to write a table."""
    if _suffixes(path)[0] not in (*_SEPARATORS, *_PARQUET):
        raise _unknown(path)


def numbers_in(column: Any) -> Any | None:
    """Return a column as numbers, missing ones as NaN, or None if some value is none."""
    if column.dtype.kind in "iuf":
        return column
    number_of: dict[Any, float] = {}
    for value in column.dropna().unique():
        number = _number(value)
        if number is None:
            return None
        number_of[value] = number
    return column.map(number_of).astype("float64")


def _read(path: Path, separator: str | None, texts: Collection[str]) -> Any:
    suffix, compression = _suffixes(path)
    if suffix in _PARQUET:
        return _read_parquet(path)
    if separator is None and suffix not in _SEPARATORS:
        raise _unknown(path)
    return _read_csv(path, separator or _SEPARATORS[suffix], compression, texts)


def _read_csv(path: Path, separator: str, compression: str | None, texts: Collection[str]) -> Any:
    import pandas as pd

    if len(separator) != 1:
        raise InvalidParameterError(f"A separator is one character; got {separator!r}. A tab is written $'\\t'.")
    given: dict[str, Any] = {"sep": separator, "compression": compression, "encoding": "utf-8-sig"}
    given |= {"keep_default_na": False, "na_values": [""], "float_precision": "round_trip", "low_memory": False}
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # fields that would be lost
        return _parsed(path, given, texts)


def _parsed(path: Path, given: dict[str, Any], texts: Collection[str]) -> Any:
    import pandas as pd

    separator = given["sep"]
    try:
        names = _header(pd.read_csv(path, **given, header=None, nrows=1, dtype=str), path, separator)
        given |= {"header": 0, "names": names, "index_col": False}
        given["skip_blank_lines"] = len(names) > 1  # in a table of one column an empty line is a missing value
        frame = pd.read_csv(path, **given, dtype=dict.fromkeys(texts, str))
        # Truth values lose how they are written, and a database may keep them as texts.
        flags = [name for name in frame if pd.api.types.infer_dtype(frame[name]) == "boolean"]
        if flags:
            frame = pd.read_csv(path, **given, dtype=dict.fromkeys([*texts, *flags], str))
    except pd.errors.EmptyDataError:
        raise InvalidDataError(f"{path} is empty.") from None
    except (pd.errors.ParserError, pd.errors.ParserWarning, csv.Error) as error:
        raise InvalidDataError(f"{path} is no table of fields between {separator!r}: {error}.") from None
    return pd.DataFrame({name: _plain(frame[name], name not in texts) for name in frame})


def _header(first: Any, path: Path, separator: str) -> list[str]:
    """Return the names in the first line, if they can tell columns apart."""
    names = ["" if value is None or value != value else str(value) for value in first.iloc[0]]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InvalidDataError(f"{path} has several columns of one name: {', '.join(map(repr, sorted(twice)))}.")
    if len(names) == 1:
        others = [other for other in (",", ";", "\t", "|") if other != separator and other in names[0]]
        if others:
            raise InvalidDataError(
                f"{path} has one column only, {names[0][:60]!r}. If its fields are parted by {others[0]!r}, "
                f"say so: --separator {others[0]!r}"
            )
    return names


def _read_parquet(path: Path) -> Any:
    import pandas as pd
    import pyarrow

    try:
        with path.open("rb") as file:
            frame = pd.read_parquet(file)
    except pyarrow.ArrowException as error:
        raise InvalidDataError(f"{path} is no Parquet file that can be read: {error}.") from None
    frame = frame.reset_index(drop=True).rename(columns=str)
    return pd.DataFrame({name: _plain(frame[name], look_for_numbers=False) for name in frame})


def _plain(column: Any, look_for_numbers: bool) -> Any:
    """Return a column as plain numbers, or as objects with None where there is none."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype if not column.hasnans else object)
    if pd.api.types.is_bool_dtype(column.dtype) or not pd.api.types.is_numeric_dtype(column.dtype):
        if look_for_numbers:
            numbers = numbers_in(column)
            if numbers is not None and numbers.notna().any():
                return numbers
        if column.dtype.kind in "mM":
            return column
        objects = column.astype(object)
        return _decimals(objects.where(objects.notna(), None))
    if not isinstance(column.dtype, type(pd.Series([0.0]).dtype)):  # pandas' own nullable numbers
        return column.to_numpy(dtype="float64", na_value=float("nan"))
    return column


def _decimals(column: Any) -> Any:
    """Return a column of decimal numbers as float64, any other as it is."""
    import pandas as pd

    return column.astype("float64") if pd.api.types.infer_dtype(column, skipna=True) == "decimal" else column


def _number(value: Any) -> float | None:
    """Return the number that a value is or is written as, NaN for a mark of a missing one, None if it is none."""
    if isinstance(value, bool):
        return None
    if not isinstance(value, str):
        return float(value) if isinstance(value, (int, float)) else None
    text = value.strip()
    if text.lower() in _MARKS:
        return float("nan")
    if "_" in text:  # which Python alone takes for a part of a number
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _suffixes(path: Path) -> tuple[str, str | None]:
    """Return the suffix that says the format, and how the file is compressed."""
    suffixes: Iterable[str] = [suffix.lower() for suffix in path.suffixes]
    *before, last = ["", *suffixes]
    return (before[-1], _COMPRESSED[last]) if last in _COMPRESSED else (last, None)


def _unknown(path: Path) -> InvalidParameterError:
    return InvalidParameterError(
        f"The name of {path} does not say what it holds. Tables end in .csv, .tsv (also with .gz, .bz2 or .xz) or "
        ".parquet; a file of another name is read with --separator."
    )
