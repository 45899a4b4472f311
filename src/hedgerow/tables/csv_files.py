"""Tables of fields with a separator between them.

A column whose values are all numbers is numeric, to the last digit; so is one with a few stray strings, which are
missing then. Any other column contains strings, as written. An empty field is missing. In a numeric column, the usual
marks (``NA``, ``?``, ...) are missing values too; in a column of strings, they are strings like any other. Digits with
leading zeros (``007``) are strings.
"""

from __future__ import annotations

import csv
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from operator import gt, lt
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow._support.lettering import some
from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.features.notation import Notation
from hedgerow.tables.cells import Cells
from hedgerow.tables.notes import Note
from hedgerow.tables.table import Table
from hedgerow.tables.text_format import TextFormat, detect, first_line, open_text
from hedgerow.tables.values import has_leading_zeros

#: A first line for Excel.
_SEPARATOR_LINE = re.compile(r'"?sep=.?"?', re.IGNORECASE)


def read_csv(
    path: Path,
    given: TextFormat,
    own_separator: str | None,
    compression: str | None,
    notations: Mapping[str, Notation],
) -> Table:
    """Return the table in a file.

    Parameters
    ----------
    path, compression :
        The file.
    given : TextFormat
        How it is written, as far as that is known.
    own_separator : str or None
        The usual separator of files of this type.
    notations : mapping of str to Notation
        How columns are written whose notation is known.
    """
    first = first_line(path, compression, given.encoding)
    if _SEPARATOR_LINE.fullmatch(first):
        raise InvalidDataError(
            f"{path} starts with the line {first}, which tells Excel the separator and is not part of the table. "
            "Delete this line."
        )
    try:
        return _read(path, given, own_separator, compression, notations)
    except HedgerowError as error:
        if not first.startswith("#"):
            raise
        error.args = (f"{error} The first line starts with #; if it is a comment, delete it and others like it.",)
        raise


def _read(
    path: Path,
    given: TextFormat,
    own_separator: str | None,
    compression: str | None,
    notations: Mapping[str, Notation],
) -> Table:
    import pandas as pd

    written, notes = detect(path, compression, given, own_separator)
    options: dict[str, Any] = {"sep": written.separator, "compression": compression, "encoding": written.encoding}
    options |= {"keep_default_na": False, "na_values": [""], "float_precision": "round_trip", "low_memory": False}
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # fields that would be lost
        try:
            names = _header(pd.read_csv(path, **options, header=None, nrows=1, dtype=str), path, options["sep"], notes)
            cells = _cells(path, options, names, written, notations)
        except pd.errors.EmptyDataError:
            raise InvalidDataError(f"{path} is empty.") from None
        except (pd.errors.ParserError, pd.errors.ParserWarning, csv.Error):
            why = _what_is_wrong(path, written, compression)
            raise InvalidDataError(f"{path} is not a table of fields separated by {options['sep']!r}: {why}") from None
    _refuse_short_lines(path, written, compression, cells.columns[names[-1]])
    frame = pd.DataFrame({name: cells.values(name) for name in names})
    notes += [replace(note, column=name) for name in names for note in cells.notes(name)]
    notes += cells.note_on_thousands()
    written_cells = {name: cells.columns[name] for name in names if cells.is_read(name)}
    return Table(frame, {name: cells.notation(name) for name in names}, notes, written_cells)


def check_names(path: Path, names: list[str]) -> None:
    """Refuse names that several columns share."""
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        raise InvalidDataError(
            f"{path} has several columns with the same name: {', '.join(map(repr, twice))}. Rename all but one of them."
        )


def _cells(
    path: Path, options: dict[str, Any], names: list[str], written: TextFormat, notations: Mapping[str, Notation]
) -> Cells:
    """Return the columns: numbers where pandas reads them as they are meant, and strings as written."""
    import pandas as pd

    options = options | {"header": 0, "names": names, "index_col": False}
    options["skip_blank_lines"] = len(names) > 1  # in a table of one column, an empty line is a missing value

    def as_written(some_names: Collection[str]) -> Any:
        return pd.read_csv(path, **options, dtype=str, usecols=list(some_names))

    known = {name: notation for name, notation in notations.items() if name in names}
    if written.decimal is not None or written.thousands is not None:
        known = {name: notation for name, notation in known.items() if notation.kind == "text"}
    texts = [name for name, notation in known.items() if notation.kind == "text" or not notation.is_plain]
    try:
        frame = pd.read_csv(path, **options, dtype=dict.fromkeys(texts, str))
    except OverflowError:  # an integer larger than any float
        frame = pd.read_csv(path, **options, dtype=str)
    columns = {name: frame[name] for name in names}
    doubtful = [name for name in names if name not in texts and _may_be_changed(frame[name], written)]
    if doubtful:
        for name, column in as_written(doubtful).items():
            is_known = name in known and not _is_rounded(frame[name])
            is_changed = not is_known and _is_changed(frame[name], column, written)
            if frame[name].dtype.kind not in "iuf" or is_changed:
                columns[name] = column
    return Cells(written, columns, as_written, known)


def _may_be_changed(column: Any, written: TextFormat) -> bool:
    """Return whether pandas may have changed the values: booleans and integers."""
    if column.dtype.kind == "f":
        present = column.to_numpy()[~np.isnan(column.to_numpy())]
        is_whole = bool(np.all(np.mod(present[np.isfinite(present)], 1) == 0))
        return is_whole or not written.points_are_decimal or bool(np.isinf(present).any())
    # Among strings too: in a column of integers beyond 64 bits, a missing value becomes an empty string.
    return column.dtype.kind in "iub" or column.dtype == object or bool((column == "").any())


def _is_changed(column: Any, written: Any, how: TextFormat) -> bool:
    """Return whether numbers as pandas reads them are not those that are written, or have a notation of their own."""
    if column.dtype.kind == "f" and (_is_rounded(column) or not how.points_are_decimal):
        return True
    if column.isna().sum() != written.isna().sum():  # pandas takes the smallest integer of 64 bits for a missing one
        return True
    return bool(written.str.match("[ ]*0[0-9]").any()) and has_leading_zeros(written)


def _is_rounded(column: Any) -> bool:
    """Return whether a column of floats contains numbers so large that some integers are not floats, or infinity."""
    return column.dtype.kind == "f" and bool((column.abs() >= 2**53).any())


def _header(first: Any, path: Path, separator: str, notes: list[Note]) -> list[str]:
    """Return the names in the first line without blanks at their ends; refuse those that do not tell columns apart."""
    written = ["" if value is None or value != value else str(value) for value in first.iloc[0]]
    names = [name.strip() for name in written]
    check_names(path, names)
    changed = [name for name, old in zip(names, written, strict=True) if name != old]
    if changed:
        notes.append(
            Note(
                f"blanks at the ends of column names are ignored: {some(map(repr, changed))}; rename these columns in "
                "a database that keeps the blanks, as SQLite does"
            )
        )
    if len(names) == 1:
        others = [other for other in (",", ";", "\t", "|") if other != separator and other in names[0]]
        if others:
            raise InvalidDataError(
                f"{path} has only one column, {names[0][:60]!r}. If its fields are separated by {others[0]!r}, "
                "give this separator.",
                parameter="separator",
            )
    return names


def _what_is_wrong(path: Path, written: TextFormat, compression: str | None) -> str:
    """Return which line has more fields than the header has names, or that a quote is not closed."""
    try:
        return _uneven_line(path, written, compression, gt) or 'a quote (") is never closed.'
    except csv.Error as error:
        return f"{error}."


def _refuse_short_lines(path: Path, written: TextFormat, compression: str | None, last: Any) -> None:
    """Refuse lines with fewer fields than names: pandas would fill them up, but databases do not load such a file."""
    if not last.isna().any():  # a short line has no last field
        return
    with suppress(csv.Error):
        why = _uneven_line(path, written, compression, lt)
        if why is not None:
            raise InvalidDataError(f"{path} is not a table of fields separated by {written.separator!r}: {why}")


def _uneven_line(
    path: Path, written: TextFormat, compression: str | None, is_uneven: Callable[[int, int], bool]
) -> str | None:
    """Return which line has more, or fewer, fields than the header has names, None if there is no such line."""
    with open_text(path, compression, written.encoding or "utf-8-sig") as file:
        rows = csv.reader(file, delimiter=written.separator or ",")
        n_names = len(next(rows))
        for row in rows:
            is_blank = len(row) < 2 and not "".join(row).strip()
            if is_uneven(len(row), n_names) and not is_blank:
                fields = "field" if len(row) == 1 else "fields"
                names = "name" if n_names == 1 else "names"
                return f"line {rows.line_num} has {len(row)} {fields}, but the first line has {n_names} {names}."
    return None
