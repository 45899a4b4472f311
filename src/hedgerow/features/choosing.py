"""The columns of a data frame that a rule list needs: found by their names, in any order and among others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from hedgerow._support.lettering import close_names, some
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.feature import Feature
from hedgerow.features.frames import column_names, is_frame, numbered_names, with_underscores
from hedgerow.features.inputs import Inputs


def choose_columns(X: Any, inputs: Inputs, needed: Collection[Feature] | None = None, called: str = "X") -> Any:
    """Return the columns of a data frame that ``inputs`` take, in their order.

    Parameters
    ----------
    X : table
        A data frame may have more columns, in any order. Anything else is returned as it is, and so is a frame if the
        names of the columns are not known: then they count by their positions.
    inputs : Inputs
    needed : collection of Feature, optional
        The features that are used. Columns that only others look at may be absent; they are filled with a value that
        is accepted. By default, all are needed.
    called : str
        What the table is called in errors.
    """
    if inputs.of_series or not is_frame(X) or column_names(X) == inputs.names:
        return X
    by_name, names = columns_by_name(X.columns), names_needed(inputs, needed)
    missing = [name for name in inputs.names if name in names and name not in by_name]
    if not inputs.has_names and (missing or not names or len(set(inputs.names)) < len(inputs.names)):
        _refuse_other_order(X, inputs.names)
        return X  # by position
    if missing:
        close = close_names(missing[0], [name for name in by_name if name not in inputs.names])
        hint = f" Is {missing[0]!r} called {close[0]!r} there?" if close else ""
        columns = "column" if len(missing) == 1 else "columns"
        raise InvalidDataError(f"{called} lacks the {columns} {some(map(repr, missing))}.{hint}")
    fillers = {inputs.names[column.index]: column.filler for f in inputs.features for column in f.table_columns}
    lacking = {name: [fillers.get(name, 0.0)] * X.shape[0] for name in inputs.names if name not in by_name}
    if lacking:
        X = X.assign(**lacking) if hasattr(X, "assign") else X.hstack(type(X)(lacking))
    return X[[by_name.get(name, name) for name in inputs.names]]


def _refuse_other_order(X: Any, expected: Sequence[str]) -> None:
    """Refuse a frame whose columns are called by the integers of training, but in another order."""
    given = numbered_names(X)
    if given is None or given == list(expected) or sorted(given) != sorted(expected):
        return
    order = dict(zip(given, X.columns, strict=True))
    raise InvalidDataError(
        "The columns of X are called by integers, so they count by their positions, but they are in a different order "
        f"than in training, which was: {some(order[name] for name in expected)}. Reorder them, or call them by strings "
        "before training, as in X.columns = X.columns.astype(str); then they are found by their names."
    )


def names_needed(inputs: Inputs, needed: Collection[Feature] | None) -> set[str]:
    """Return the names of the columns that some features look at; all of them if that is not known."""
    if needed is None or not all(feature.table_columns for feature in needed):
        return set(inputs.names)
    return {inputs.names[column.index] for feature in needed for column in feature.table_columns}


def columns_by_name(columns: Sequence[Any]) -> dict[str, Any]:
    """Return the columns by their names, and by the names that LightGBM gives them."""
    names = [str(column) for column in columns]
    return {**dict(zip(with_underscores(names), columns, strict=True)), **dict(zip(names, columns, strict=True))}
