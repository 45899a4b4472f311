"""Tables in files, as pandas data frames of numbers and strings.

To add a format, write a function and name it in ``_read``.
"""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.tables.csv_files import check_names, read_csv
from hedgerow.tables.values import plain

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz"}
_PARQUET = (".parquet", ".pq")


def read_table(path: Path, separator: str | None = None, texts: Collection[str] = ()) -> Any:
    """Return the table in a file.

    Parameters
    ----------
    path : Path
        A file that ends in .csv or .tsv (optionally followed by .gz, .bz2 or .xz), or in .parquet.
    separator : str, optional
        The character between fields; by default, determined by the file name.
    texts : collection of str
        Columns of strings, even if all of these look like numbers.

    Returns
    -------
    pandas.DataFrame
        Columns of float64 or integers, or of objects: strings, booleans (from Parquet), integers that float64 cannot
        represent, and None for missing values. Columns of anything else, such as dates, are unchanged.
    """
    if path.is_dir():
        raise InvalidDataError(f"{path} is a folder. Name a file in it.")
    try:
        frame = _read(path, separator, texts)
    except UnicodeDecodeError:
        raise InvalidDataError(
            f"{path} is not text in UTF-8. Convert it, for example: iconv -f latin1 -t utf8 {path.name}"
        ) from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:  # no such file, no permission, broken compression
        raise InvalidDataError(f"Cannot read {path}: {_sentence(getattr(error, 'strerror', None) or error)}") from None
    if not frame.shape[1]:
        raise InvalidDataError(f"{path} has no columns.")
    if not len(frame):
        raise InvalidDataError(f"{path} has no rows, only the names of {frame.shape[1]} column(s).")
    return frame


def write_table(frame: Any, path: Path) -> bytes:
    """Return the content of a file with this name: .csv, .tsv (optionally compressed) or .parquet."""
    check_table_name(path)
    suffix, compression = _suffixes(path)
    buffer = io.BytesIO()
    if suffix in _PARQUET:
        frame.to_parquet(buffer, index=False)
    else:
        how = {"method": compression, "mtime": 0} if compression == "gzip" else compression
        frame.to_csv(buffer, index=False, sep=_SEPARATORS[suffix], compression=how, lineterminator="\n")
    return buffer.getvalue()


def check_table_name(path: Path) -> None:
    """Refuse a file name that does not determine the format of a table."""
    if _suffixes(path)[0] not in (*_SEPARATORS, *_PARQUET):
        raise _unknown(path, "choose one of these.")


def _read(path: Path, separator: str | None, texts: Collection[str]) -> Any:
    suffix, compression = _suffixes(path)
    if suffix in _PARQUET:
        return _read_parquet(path)
    if separator is None and suffix not in _SEPARATORS:
        raise _unknown(path, "for any other text file, give the separator.", "separator")
    return read_csv(path, separator or _SEPARATORS[suffix], compression, texts)


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
    return pd.DataFrame({name: plain(frame[name], look_for_numbers=False) for name in frame})


def _suffixes(path: Path) -> tuple[str, str | None]:
    """Return the suffix that determines the format, and the compression."""
    *before, last = ["", *(suffix.lower() for suffix in path.suffixes)]
    return (before[-1], _COMPRESSED[last]) if last in _COMPRESSED else (last, None)


def _sentence(said: object) -> str:
    """Return another library's message with one full stop at the end."""
    return str(said).strip().rstrip(".") + "."


def _unknown(path: Path, way_out: str, parameter: str | None = None) -> InvalidParameterError:
    return InvalidParameterError(
        f"The format of {path} is unknown. Tables end in .csv, .tsv (also followed by .gz, .bz2 or .xz) or .parquet; "
        f"{way_out}",
        parameter=parameter,
    )
