"""Columns that tell rows apart instead of describing them: row numbers and identifiers.

A rule on such a column says nothing about new rows.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import numpy as np

from hedgerow._support.arrays import IntArray

#: Below this number of rows, integers in order are taken for values.
_LEAST_ROWS = 20
#: Nearly every row must have such a number; a row of totals at the end has none.
_LEAST_PRESENT = 0.95

#: Names of columns that tell rows apart, if their values do.
_NAMES = re.compile(
    r"(?i:(.*[_ .-])?(id|idx|index|uuid|guid|key|nr|no|row|record|serial)s?([_ .-]?(id|no|nr|num|number))?)"
    r"|(?i:(unnamed: ?|level_)\d+|rownames?|#)"
    r"|.*[a-z0-9](Id|ID|Key|Nr|No|Index)"
)


def identifiers(frame: Any, keep: Collection[str] = (), rows: IntArray | None = None) -> dict[str, str]:
    """Return the columns that tell rows apart, with the reason, but for those to keep.

    Parameters
    ----------
    frame : pandas.DataFrame
        All rows, in the order of the table.
    keep : collection of str
        Columns that are not to be questioned.
    rows : int array, optional
        The numbers of the rows, if they are only some of those of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"customer_id": [i * 7 % 101 for i in range(100)], "age": [i % 60 for i in range(100)]})
    >>> list(identifiers(frame))
    ['customer_id']
    """
    rows = np.arange(len(frame)) if rows is None else rows
    found = {name: _why(str(name), frame[name], rows) for name in frame if name not in keep}
    return {name: why for name, why in found.items() if why is not None}


def _why(name: str, column: Any, rows: IntArray) -> str | None:
    if column.dtype.kind not in "iuf" or len(column) < _LEAST_ROWS:
        return None
    numbers = column.to_numpy(dtype=np.float64)
    present = np.flatnonzero(~np.isnan(numbers))
    if len(present) < _LEAST_PRESENT * len(column) or not np.all(np.mod(numbers[present], 1) == 0):
        return None
    if np.ptp(numbers[present] - rows[present]) == 0:
        return "it looks like a row number"
    if _NAMES.fullmatch(name.strip()) and column.iloc[present].is_unique:
        return "it looks like an identifier: its integers differ in every row"
    return None
