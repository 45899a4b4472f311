"""Tables in files, as pandas data frames of numbers and strings.

To add a format, write a function and name it in ``_read``.
"""

from __future__ import annotations

import glob
import io
import lzma
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features.notation import Notation
from hedgerow.tables.csv_files import check_names, read_csv
from hedgerow.tables.table import Table
from hedgerow.tables.text_format import TextFormat
from hedgerow.tables.values import plain

_TABS = (".tsv", ".tab")
_SEPARATORS = {".csv": ",", **dict.fromkeys(_TABS, "\t")}
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz"}
_PARQUET = (".parquet", ".pq")
#: Parquet files with more values than this, rows times columns, are read in chunks.
MOST_VALUES = 20_000_000


def read_table(
    path: str | Path,
    separator: str | None = None,
    texts: Collection[str] = (),
    *,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    na: Sequence[str] = (),
    notations: Mapping[str, Notation] | None = None,
) -> Table:
    """Return the table in a file.

    Parameters
    ----------
    path : str or Path
        A file that ends in .csv, .tsv or .txt (optionally followed by .gz, .bz2 or .xz), or in .parquet.
    separator : str, optional
        The character between fields; by default, detected.
    texts : collection of str
        Columns of strings, even if all of these look like numbers.
    encoding : str, optional
        The encoding of a text file; by default, detected: UTF-8, UTF-16 with a byte order mark, or Windows-1252.
    decimal, thousands : str, optional
        The decimal mark and the thousands separator of a text file; by default, detected per column.
    na : sequence of str
        Marks for missing values of a text file, in columns of numbers and of strings.
    notations : mapping of str to Notation, optional
        How the cells of columns are written, if that is known; all other columns are looked at.
    """
    path = Path(path)
    if path.is_dir():
        raise InvalidDataError(f"{path} is a folder. Name a file in it.")
    given = TextFormat(separator, encoding, decimal, thousands, tuple(na))
    known = {**{name: Notation("text") for name in texts}, **(notations or {})}
    try:
        table = _read(path, given, known)
    except UnicodeError:
        raise InvalidDataError(f"{path} is not text in {encoding}.", parameter="encoding") from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:  # no such file, no permission, broken compression
        raise InvalidDataError(f"Cannot read {path}: {_sentence(getattr(error, 'strerror', None) or error)}") from None
    if not table.frame.shape[1]:
        raise InvalidDataError(f"{path} has no columns.")
    if not len(table.frame):
        raise InvalidDataError(f"{path} has no rows, only the names of {table.frame.shape[1]} column(s).")
    return table


def write_table(frame: Any, path: Path, header: bool = True) -> bytes:
    """Return the content of a file with this name: .csv, .tsv (optionally compressed) or .parquet.

    Without the header, it is the rest of such a file (but for .parquet), which may be written in parts.
    """
    check_table_name(path)
    suffix, compression = _suffixes(path)
    buffer = io.BytesIO()
    if suffix in _PARQUET:
        frame.to_parquet(buffer, index=False)
    else:
        how = {"method": compression, "mtime": 0} if compression == "gzip" else compression
        frame.to_csv(buffer, index=False, sep=_SEPARATORS[suffix], compression=how, lineterminator="\n", header=header)
    return buffer.getvalue()


def is_parquet(path: Path) -> bool:
    """Return whether the name of a file says that it is a Parquet file."""
    return _suffixes(path)[0] in _PARQUET


def is_read_in_chunks(path: Path, wish: bool | None) -> bool:
    """Return whether a table is read in chunks: as is wished or, without a wish, if it is large or in many files."""
    many = path.is_dir() or (not path.exists() and glob.has_magic(str(path)))
    if wish is False:
        if many:
            raise InvalidParameterError(
                f"{path} is a folder or a pattern, whose files are always read in chunks. Leave out --no-stream, or "
                "name a single file."
            )
        return False
    if not (many or is_parquet(path)):
        if wish:
            raise InvalidParameterError(
                f"Only Parquet files are read in chunks, but {path} is not one. Convert it, or leave out --stream."
            )
        return False
    if many or wish:
        return True
    try:
        from pyarrow import ArrowException, parquet

        about = parquet.read_metadata(path)
    except (ArrowException, OSError):  # who reads it, says what is wrong
        return False
    return bool(about.num_rows * about.num_columns > MOST_VALUES)


def check_table_name(path: Path) -> None:
    """Refuse a file name that does not determine the format of a table."""
    if _suffixes(path)[0] not in (*_SEPARATORS, *_PARQUET):
        raise _unknown(path, ".csv, .tsv", "choose one of these.")


def _read(path: Path, given: TextFormat, known: Mapping[str, Notation]) -> Table:
    suffix, compression = _suffixes(path)
    if suffix in _PARQUET:
        return Table(_read_parquet(path))
    if given.separator is None and suffix in _TABS:
        given = replace(given, separator="\t")
    if given.separator is None and suffix not in (*_SEPARATORS, ".txt"):
        raise _unknown(path, ".csv, .tsv, .txt", "for any other text file, give the separator.", "separator")
    return read_csv(path, given, _SEPARATORS.get(suffix), compression, known)


def _read_parquet(path: Path) -> Any:
    import pandas as pd
    import pyarrow
    from pyarrow import parquet

    # By default, integers become floats where some are missing, which changes large ones.
    whole = {pyarrow.int64(): pd.Int64Dtype(), pyarrow.uint64(): pd.UInt64Dtype()}
    try:
        with path.open("rb") as file:
            frame = parquet.read_table(file).to_pandas(types_mapper=whole.get)
    except pyarrow.ArrowException as error:
        raise InvalidDataError(f"{path} is not a readable Parquet file: {_sentence(error)}") from None
    frame = frame.reset_index(drop=True).rename(columns=str)
    check_names(path, list(frame.columns))
    return pd.DataFrame({name: plain(frame[name]) for name in frame})


def _suffixes(path: Path) -> tuple[str, str | None]:
    """Return the suffix that determines the format, and the compression."""
    *before, last = ["", *(suffix.lower() for suffix in path.suffixes)]
    return (before[-1], _COMPRESSED[last]) if last in _COMPRESSED else (last, None)


def _sentence(said: object) -> str:
    """Return another library's message with one full stop at the end."""
    return str(said).strip().rstrip(".") + "."


def _unknown(path: Path, texts: str, way_out: str, parameter: str | None = None) -> InvalidParameterError:
    return InvalidParameterError(
        f"The format of {path} is unknown. Tables end in {texts} (also followed by .gz, .bz2 or .xz) or .parquet; "
        f"{way_out}",
        parameter=parameter,
    )
