"""What an encoder makes of a column: numbers, categories, parts of a date; or why it leaves the column out."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hedgerow.exceptions import InvalidDataError
from hedgerow.features.dates import ISO
from hedgerow.features.notation import Notation
from hedgerow.tables.dates import dates_in, first_date
from hedgerow.tables.guessing import guess_notation
from hedgerow.tables.values import are_single, different_values

Kind = Literal["number", "category", "date"]

#: Why it is no loss to leave out a column.
NOTHING_TO_LEARN = ("it is empty", "it has the same value in every row")
#: Why dates are left out.
OF_DATES = "it contains dates, which are used only if asked for"


@dataclass(frozen=True)
class ColumnUse:
    """How a column is used.

    Attributes
    ----------
    kind : "number", "category" or "date"
    notation : Notation or None
        How its cells are written; None if they are values.
    categories : tuple
        The frequent values in order, with None at the end if some are missing.
    format, first : str
        For dates: how they are written as strings, and the first one in ISO format.
    """

    kind: Kind
    notation: Notation | None = None
    categories: tuple[Any, ...] = ()
    format: str = ISO
    first: str = ""


@dataclass(frozen=True)
class Wishes:
    """What decides about columns: the parameters of :class:`hedgerow.tables.TableEncoder`."""

    max_categories: int = 30
    min_share: float = 0.001
    dates: bool = False


def use_of(column: Any, wishes: Wishes = Wishes(), known: Notation | None = None) -> ColumnUse | str:
    """Return how a column of a pandas frame is used, or the reason why it is left out.

    ``known`` is the notation of its cells, if that is known.
    """
    import pandas as pd

    if not column.notna().any():
        return NOTHING_TO_LEARN[0]
    if not are_single(column):
        return "it contains lists or other containers; to use it, convert it to columns of numbers or strings"
    is_number = pd.api.types.is_numeric_dtype(column.dtype) or (known is not None and known.kind == "number")
    is_category = isinstance(column.dtype, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(column.dtype)
    dates = None if is_number or is_category else dates_in(column)
    if dates is not None and not wishes.dates:
        return OF_DATES
    if not column.isna().any() and bool((column == column.iloc[0]).all()):
        return NOTHING_TO_LEARN[1]
    if dates is not None:
        return ColumnUse("date", format=dates.format, first=first_date(column, dates.format))
    if is_category:
        return _categories(column, wishes)
    return ColumnUse("number", known) if is_number else _use_of_objects(column, wishes, known)


def _use_of_objects(column: Any, wishes: Wishes, known: Notation | None) -> ColumnUse | str:
    """Return the use of a column of strings, booleans, or numbers that are stored as objects."""
    import pandas as pd

    kinds = {type(value) for value in different_values(column)}
    if all(issubclass(kind, (int, float, decimal.Decimal)) and kind is not bool for kind in kinds):
        return ColumnUse("number")
    if known is None and kinds <= {str, int, float}:
        guess = guess_notation(column)
        if guess.notation.kind == "number":
            return ColumnUse("number", guess.notation)
    if not all(issubclass(kind, (str, bool)) for kind in kinds):
        if str in kinds:
            return "it contains strings and other values; to use it, convert all of them to strings"
        return "it contains neither numbers nor strings"
    return _categories(column if known is None else pd.Series(known.read(column)), wishes, known)


def _categories(column: Any, wishes: Wishes, notation: Notation | None = None) -> ColumnUse | str:
    chosen = frequent(column, wishes.max_categories, wishes.min_share)
    if not chosen:
        return "its strings differ in nearly every row" if column.notna().any() else NOTHING_TO_LEARN[0]
    return ColumnUse("category", notation, tuple(chosen))


def frequent(column: Any, most: int = Wishes.max_categories, least_share: float = Wishes.min_share) -> list[Any]:
    """Return the most frequent values in order, followed by None if some are missing."""
    counts = column.value_counts()
    counts = counts[counts > 0]
    if not all(isinstance(value, (bool, np.bool_)) for value in counts.index):
        counts = counts[counts >= max(2, least_share * len(column))][:most]
    chosen: list[Any] = sorted(counts.index.tolist(), key=_order)
    return [*chosen, None] if chosen and column.isna().any() else chosen


def _order(value: Any) -> tuple[bool, Any]:
    """Return numbers in their order, and everything else by its text."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return not is_number, value if is_number else str(value)


def usable_columns(frame: Any, dates: bool = False) -> tuple[Any, dict[str, str]]:
    """Return the columns that a forest can learn from, and the reason why each of the others is left out.

    Their values are numbers already, where they can be.
    """
    left_out: dict[str, str] = {}
    for name in frame:
        use = use_of(frame[name], Wishes(dates=dates), Notation("text") if frame[name].dtype == object else None)
        if not name:
            left_out["(the first)" if frame.columns[0] == name else "(without name)"] = "it has no name"
        elif not isinstance(use, ColumnUse):
            left_out[name] = use
    names = [name for name in frame if name and name not in left_out]
    if not names:
        raise InvalidDataError("There is no column left to learn from.")
    return frame[names], left_out


def check_finite(frame: Any, place_of: Callable[[int], str] | None = None) -> None:
    """Refuse numbers too large for a forest, which compares in single precision.

    ``place_of`` says where a row is, if that is not clear.
    """
    largest = float(np.finfo(np.float32).max)
    for name in frame:
        if frame[name].dtype.kind not in "iuf":
            continue
        too_large = (frame[name].abs() > largest).to_numpy(dtype=bool, na_value=False)
        if too_large.any():
            place = "" if place_of is None else f"{place_of(int(too_large.argmax()))}: "
            raise InvalidDataError(
                f"{place}The column {name!r} contains infinite numbers, or numbers above {largest:.1e}, which a forest "
                "cannot use. Replace them in the table, or drop the column.",
                parameter="drop",
            )
