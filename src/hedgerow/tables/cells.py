"""From the cells of a text file, as written, to values: numbers and strings, and what a user should know about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hedgerow._support.lettering import some
from hedgerow.features.notation import Notation
from hedgerow.tables.guessing import Guess, guess_notation, is_unusual_number
from hedgerow.tables.notes import Note
from hedgerow.tables.text_format import TextFormat
from hedgerow.tables.values import MARKS

#: float64 represents all integers up to this one, but only some of the larger ones.
_LARGEST_WHOLE_FLOAT = 2**53
#: So many rows show the decimal mark of a column.
_GLANCE = 10_000


@dataclass(eq=False)
class Cells:
    """The columns of a text file: numbers that are known as such, and cells as written.

    Attributes
    ----------
    format : TextFormat
        How the file is written.
    columns : dict of str to pandas.Series
        Numbers, or strings as written.
    again : callable
        Returns some columns once more, as written.
    known : mapping of str to Notation
        Columns whose notation is known.
    """

    format: TextFormat
    columns: dict[str, Any]
    again: Callable[[list[str]], Any]
    known: Mapping[str, Notation] = field(default_factory=dict)
    guesses: dict[str, Guess] = field(init=False)

    def __post_init__(self) -> None:
        written = [name for name, column in self.columns.items() if not _is_numeric(column)]
        self.guesses = {name: self._guess(self.columns[name]) for name in written if name not in self.known}
        seen = {guess.decimal_seen for guess in self.guesses.values()} - {""}
        in_doubt = [name for name, guess in self.guesses.items() if guess.example]
        with_points = [name for name, column in self.columns.items() if column.dtype.kind == "f"]
        if ("," in seen or in_doubt) and with_points and self.format.points_are_decimal:
            seen |= self._look_at_points(with_points, "," in seen)
        likely = seen.pop() if len(seen) == 1 else "," if not seen and self.format.separator == ";" else None
        if likely is not None:
            self.guesses |= {name: self._guess(self.columns[name], likely) for name in in_doubt}

    def _guess(self, column: Any, likely: str | None = None) -> Guess:
        given = self.format
        return guess_notation(
            column, decimal=given.decimal, thousands=given.thousands, missing=given.na, likely_decimal=likely
        )

    def _look_at_points(self, names: list[str], is_comma_seen: bool) -> set[str]:
        """Return the decimal marks in columns with points; where these separate thousands, take the cells."""
        glances = {name: self._guess(cells) for name, cells in self.again(names).head(_GLANCE).items()}
        seen = {guess.decimal_seen for guess in glances.values()} - {""}
        if seen or not is_comma_seen:
            return seen
        for name, cells in self.again(names).items():
            guess = self._guess(cells, ",")
            if guess.has_numbers and guess.notation.thousands == ".":
                self.columns[name], self.guesses[name] = cells, guess
        return seen

    def notation(self, name: str) -> Notation:
        """Return how a column is written."""
        if name in self.known:
            given = self.known[name]
            return replace(given, missing=tuple(dict.fromkeys([*given.missing, *self.format.na])))
        return self.guesses[name].notation if name in self.guesses else Notation(missing=self.format.na)

    def is_read(self, name: str) -> bool:
        """Return whether numbers are read from the strings of a column."""
        return not _is_numeric(self.columns[name]) and self.notation(name).kind == "number"

    def values(self, name: str) -> Any:
        """Return the values of a column."""
        column, notation = self.columns[name], self.notation(name)
        if _is_numeric(column):
            return column.mask(column.isin(notation.missing_numbers)) if notation.missing_numbers else column
        if notation.kind == "number":
            return _numbers(column, notation)
        objects = column.astype(object).where(column.notna() & (column != ""), None)
        return objects.where(~objects.isin(notation.missing), None) if notation.missing else objects

    def notes(self, name: str) -> list[Note]:
        """Return what a user should know about the values of a column."""
        guess = self.guesses.get(name)
        if guess is None:
            return self._notes_of_known(name)
        if not guess.has_numbers:
            return _notes_of_strings(name, guess)
        notes = _note_of_strays(name, guess.n_numbers, guess.n_present, [*guess.strays, *guess.marks], guess.strays)
        if guess.example:
            read = guess.notation.number(guess.example)
            other = "," if guess.notation.decimal == "." else "."
            notes.append(Note(f"{guess.example} in column {name} is read as {read:.10g}", "decimal", (other,)))
        if guess.is_mixed:
            signs = some(affix for affix in guess.notation.affixes if affix.strip())
            notes.append(
                Note(f"some numbers of column {name} have {signs}, others do not; all are compared as they are")
            )
        return notes

    def _notes_of_known(self, name: str) -> list[Note]:
        """Return which cells are not numbers though the column is known to be one of numbers."""
        column, notation = self.columns[name], self.notation(name)
        if _is_numeric(column) or notation.kind != "number":
            return []
        counts = {str(cell): n for cell, n in column.value_counts().items() if str(cell).strip()}
        bad = {cell: n for cell, n in counts.items() if notation.number(cell) != notation.number(cell)}
        strays = [cell for cell in bad if cell.strip().lower() not in MARKS and cell not in notation.missing]
        n_present = sum(counts.values())
        n_numbers = n_present - sum(bad.values())
        n_strays = sum(counts[cell] for cell in strays)
        if n_numbers < n_strays:
            return [_warning_of_notation(name, n_numbers, n_numbers + n_strays, strays, notation)]
        return _note_of_strays(name, n_numbers, n_present, list(bad), strays)

    def note_on_thousands(self) -> list[Note]:
        """Return that the given thousands separator occurs in no number, if so."""
        given = self.format.thousands
        if given is None or any(self.notation(name).thousands == given for name in self.columns):
            return []
        return [
            Note(
                f"no column contains numbers with {given!r} between groups of three digits",
                "thousands",
                (),
                "name another",
            )
        ]


def _warning_of_notation(name: str, n_numbers: int, n_values: int, strays: list[str], notation: Notation) -> Note:
    """Return that most values are not numbers as the column is known to be written."""
    usual = f"1{notation.thousands}234{notation.decimal}56"
    how_many = f"only {n_numbers}" if n_numbers else "none"
    text = (
        f"{how_many} of {n_values} values of {name} are numbers written like {usual}, as expected; the others, such as "
        f"{strays[0]!r}, are read as missing"
    )
    guess = guess_notation(strays)
    if not guess.has_numbers:
        return Note(text, is_warning=True)
    purpose = "read them, with --thousands if need be"
    return Note(text, "decimal", (guess.notation.decimal,), purpose, is_warning=True)


def _note_of_strays(name: str, n_numbers: int, n_present: int, others: Any, strays: Any) -> list[Note]:
    if not strays:
        return []
    rest = "the other ({}) is" if n_present - n_numbers == 1 else "the others ({}) are"
    told = f"{n_numbers} of {n_present} values of {name} are numbers"
    return [Note(f"{told}; {rest.format(some(others, 5))} read as missing")]


def _notes_of_strings(name: str, guess: Guess) -> list[Note]:
    """Return why a column with many numbers is one of strings."""
    unusual = [text for text in guess.strays if is_unusual_number(text)]
    if 2 * len(unusual) > len(guess.strays):
        text = f"most values of {name} look like numbers, such as {some(map(repr, unusual[:3]))}, but not in a notation"
        return [Note(f"{text} that is known; it is read as strings")]
    if not guess.strays or 2 * guess.n_numbers < guess.n_present:
        return []
    text = (
        f"column {name} is read as strings: {guess.n_numbers} of {guess.n_present} values are numbers, but "
        f"{some(guess.strays, 5)} {'is' if len(guess.strays) == 1 else 'are'} too frequent to be a mistake"
    )
    return [Note(text, "na", guess.strays, "read it as numbers") if len(guess.strays) <= 3 else Note(text)]


def _is_numeric(column: Any) -> bool:
    return column.dtype.kind in "iuf"


def _numbers(column: Any, notation: Notation) -> Any:
    """Return the numbers in cells; integers too large for float64 as objects."""
    import pandas as pd

    cells = column.dropna().unique()
    numbers = column.map({cell: notation.number(cell) for cell in cells}).astype("float64")
    if not notation.is_plain or not (numbers.abs() >= _LARGEST_WHOLE_FLOAT).any() or np.isinf(numbers).any():
        return numbers
    written = [cell if there else None for cell, there in zip(column, numbers.notna(), strict=True)]
    if not all(cell is None or re.fullmatch("[-+]?[0-9]+", cell.strip()) for cell in written):
        return numbers
    return pd.Series([None if cell is None else int(cell) for cell in written], column.index, dtype=object)
