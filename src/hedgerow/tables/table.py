"""A table that was read from a file: its values, how they were written, and what a user should know about that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hedgerow.features.notation import Notation


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
    notes : list of str
        What was detected and what is read as missing.
    """

    frame: Any
    notations: dict[str, Notation] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
