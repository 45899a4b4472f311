"""A table that was read from a file: its values, how they were written, and what a user should know about that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hedgerow.features.notation import Notation
from hedgerow.tables.notes import Note


@dataclass(frozen=True, eq=False)
class Table:
    """A table that was read from a file.

    Attributes
    ----------
    frame : pandas.DataFrame
        Columns of float64 or integers, or of objects: strings, booleans (from Parquet), integers that float64 cannot
        represent, and None for missing values. Columns of anything else, such as dates, are unchanged.
    notations : dict of str to Notation
        How the cells of columns are written in a text file; empty for Parquet, where cells are values.
    notes : list of Note
        What was detected and what is read as missing.
    cells : dict of str to pandas.Series
        Columns of numbers as written, where strings were read as numbers.
    rows : int array or None
        The numbers of the rows in the file, if they are only some of them.
    """

    frame: Any
    notations: dict[str, Notation] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    cells: dict[str, Any] = field(default_factory=dict, repr=False)
    rows: Any = None

    def as_written(self) -> Any:
        """Return the frame with cells as they are in the file, instead of the numbers in them."""
        return self.frame.assign(**self.cells)
