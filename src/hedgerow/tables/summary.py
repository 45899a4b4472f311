"""One row per column of a table: what it is, what is done with it, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from hedgerow._support.lettering import shorten
from hedgerow._support.text_table import aligned
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.notation import Notation
from hedgerow.tables.column_use import frequent, usable_columns
from hedgerow.tables.columns import check_columns
from hedgerow.tables.dates import dates_in, only_dates
from hedgerow.tables.identifiers import identifiers
from hedgerow.tables.table import Table
from hedgerow.tables.values import are_single, different_values, has_leading_zeros, plain

Role = Literal["used", "left out", "target", "weight", "dropped"]

#: How many columns and how many examples are shown, and with how many characters.
_COLUMNS, _EXAMPLES, _LETTERS = 40, 3, 14
#: Integers that are stored as floats are written with all of their digits up to this number.
_LARGEST_AS_INTEGER = 1e15
_BLANKS = {" ": "blank", "\u00a0": "blank", "\u202f": "blank"}


@dataclass(frozen=True)
class ColumnSummary:
    """A column, and what is done with it.

    Attributes
    ----------
    name : str
    type : str
        Such as "integers", "numbers", "strings" or "dates".
    examples : tuple of str
        The first distinct values.
    n_missing, n_distinct : int
        The number of missing values, and of distinct other values.
    role : "used", "left out", "target", "weight" or "dropped"
    why : str
        Why the column is left out, or how it is used; may be empty.
    is_identifier : bool
        Whether it is left out because it looks like a row number or an identifier.
    """

    name: str
    type: str
    examples: tuple[str, ...]
    n_missing: int
    n_distinct: int
    role: Role
    why: str = ""
    is_identifier: bool = False


@dataclass(frozen=True)
class TableSummary:
    """The columns of a table in their order, and the number of rows."""

    columns: tuple[ColumnSummary, ...]
    n_rows: int

    def __iter__(self) -> Iterator[ColumnSummary]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __str__(self) -> str:
        return self.to_text()

    @property
    def used(self) -> list[str]:
        """The columns that rules are learned from."""
        return [column.name for column in self if column.role == "used"]

    @property
    def identifiers(self) -> list[str]:
        """The columns that are left out though they could be used: row numbers and identifiers."""
        return [column.name for column in self if column.is_identifier]

    @property
    def left_out(self) -> dict[str, str]:
        """The columns that are left out, and why."""
        return {column.name: column.why for column in self if column.role == "left out"}

    def to_text(self, most: int = _COLUMNS) -> str:
        """Return a table with one line per column; of more than ``most``, those that are not just used come first."""
        by_interest = sorted(range(len(self)), key=lambda i: (self.columns[i].role == "used", not self.columns[i].why))
        shown = [self.columns[i] for i in sorted(by_interest[:most])]
        head = ("column", "type", "examples", "missing", "distinct", "use")
        lines = aligned([head, *map(self._cells, shown)], right=frozenset({3, 4}))
        n_used = len(self.used) - sum(column.role == "used" for column in shown)
        if len(self) > most:
            lines.append(f"and {len(self) - most} more columns, of which {n_used} are used")
        return "\n".join(lines)

    def _cells(self, column: ColumnSummary) -> tuple[str, ...]:
        missing = str(column.n_missing)
        if column.n_missing:
            missing += f" ({_percent(column.n_missing / self.n_rows)})"
        use = f"{column.role}: {column.why}" if column.why else column.role
        examples = ", ".join(_shortened(column))
        name = shorten(" ".join(column.name.split()), 30) or '""'
        return name, column.type, examples, missing, str(column.n_distinct), use


def summarize(
    table: Any,
    target: str | None = None,
    *,
    weight: str | None = None,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    only: Collection[str] | None = None,
    dates: bool = False,
) -> TableSummary:
    """Say what each column of a table is, whether rules are learned from it, and why not.

    Parameters
    ----------
    table : pandas.DataFrame or Table
        As returned by :func:`hedgerow.tables.read_table`, or a frame of values.
    target, weight : str, optional
        Columns with these roles.
    drop : collection of str
        Columns to ignore.
    keep : collection of str
        Columns to use even if they look like row numbers or identifiers.
    only : collection of str, optional
        The columns that a trained model uses; by default, all that a forest can learn from.
    dates : bool
        Whether dates are used.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"row": range(1, 41), "age": [20.5, 30.0] * 20, "color": ["red", None] * 20})
    >>> print(summarize(frame.assign(y=[0, 1] * 20), "y"))
    column  type      examples    missing  distinct  use
    row     integers  1, 2, 3           0        40  left out: it looks like a row number
    age     numbers   20.5, 30          0         2  used
    color   strings   red       20 (50 %)         1  used
    y       integers  0, 1              0         2  target
    """
    if not isinstance(table, Table):
        import pandas as pd

        table = Table(pd.DataFrame({name: plain(table[name]) for name in table}))
    frame = table.frame
    roles: dict[str, Role] = dict.fromkeys(drop, "dropped")
    roles |= {} if weight is None else {weight: "weight"}
    roles |= {} if target is None else {target: "target"}
    check_columns(frame, [*roles, *keep])
    inputs = frame.drop(columns=list(roles))
    if only is None:
        left_out, found = _left_out(inputs, keep, dates, table.rows)
    else:
        left_out, found = {name: "the model does not use it" for name in inputs if name not in only}, {}
    columns = []
    for name in frame:
        role: Role = roles.get(name) or ("left out" if name in left_out | found else "used")
        column, is_date = frame[name], dates_in(frame[name]) is not None
        column = only_dates(column) if is_date and role in ("used", "left out") else column
        why = _how(column, is_date) if role == "used" and only is None else (left_out | found).get(name, "")
        summary = _summary(
            str(name), column, "dates" if is_date else _type(column, table.notations.get(name)), role, why
        )
        columns.append(replace(summary, is_identifier=name in found))
    return TableSummary(tuple(columns), len(frame))


def _left_out(
    inputs: Any, keep: Collection[str], dates: bool, rows: Any = None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the columns from which rules cannot be learned, and those from which they should not be, and why."""
    usable, reasons = usable_columns(inputs, dates)
    unusable = {name: why for name, why in reasons.items() if name in inputs}
    unusable |= {"": "it has no name"} if "" in inputs else {}
    for name in keep:
        if name in unusable:
            raise InvalidDataError(f"The column {name!r} cannot be kept: {unusable[name]}.", parameter="keep")
    found = identifiers(usable, keep, rows)
    if len(found) == usable.shape[1]:  # something that looks like a row number is better than nothing
        found = {}
    return unusable, found


def _how(column: Any, is_date: bool) -> str:
    """Return what is special about the use of a column, empty if there is nothing."""
    if is_date:
        return "as year, month, weekday, and days since the first"
    if column.dtype != object:
        return ""
    n_used, n_all = sum(value is not None for value in frequent(column)), column.nunique()
    if n_used < n_all:
        return f"{n_used} of {n_all} strings are told apart, the others count as one"
    return "as strings, because some numbers have leading zeros" if has_leading_zeros(column) else ""


def _summary(name: str, column: Any, kind: str, role: Role, why: str) -> ColumnSummary:
    values = different_values(column)
    examples = tuple(_example(value) for value in islice(values, _EXAMPLES))
    n_missing = int(column.isna().sum())
    return ColumnSummary(name, kind, examples, n_missing, len(values), role, why)


def _type(column: Any, notation: Notation | None) -> str:
    """Return what a column contains, and how numbers are written if not as usual."""
    if not column.notna().any():
        return "empty"
    if column.dtype.kind in "iuf":
        present = column.dropna()
        is_whole = column.dtype.kind in "iu" or bool(((present % 1) == 0).all())
        return ("integers" if is_whole else "numbers") + _notes_on(notation)
    if not are_single(column):
        return "containers"
    kinds = {type(value) for value in different_values(column)}
    names = {str: "strings", bool: "booleans", int: "integers"}
    return names.get(kinds.pop(), "other values") if len(kinds) == 1 else "mixed values"


def _notes_on(notation: Notation | None) -> str:
    if notation is None or notation.is_plain:
        return ""
    parts = [] if notation.decimal == "." else [f"decimal {notation.decimal}"]
    parts += [f"thousands {_BLANKS.get(notation.thousands, notation.thousands)}"] if notation.thousands else []
    parts += [affix for affix in notation.affixes if affix.strip()]
    return f" ({'; '.join(parts)})" if parts else ""


def _example(value: Any) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _LARGEST_AS_INTEGER else f"{value:.6g}"
    text = str(value)
    return " ".join(text.split()) if text == text.strip() else repr(text)


def _shortened(column: ColumnSummary) -> list[str]:
    """Return the examples of a column; of times, which say nothing without their middle, only those that fit."""
    if column.type != "dates":
        return [shorten(example, _LETTERS) for example in column.examples]
    room = _EXAMPLES * _LETTERS
    return list(column.examples[: max(1, room // max(map(len, column.examples), default=1))])


def _percent(share: float) -> str:
    return "< 1 %" if share < 0.01 else f"{100 * share:.0f} %"
