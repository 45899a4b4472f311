"""From the columns of a table to what an ensemble or a rule list takes: samples, targets and weights."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Feature, Inputs, TableColumn, with_underscores
from hedgerow.tables.values import are_single, are_whole_objects, first_without_number, numbers_in

Task = Literal["classification", "regression"]

#: Whole numbers are labels if there are at most so many different ones.
_MOST_NUMBERED_LABELS = 20


@dataclass(frozen=True)
class Targets:
    """The targets of the rows that have one.

    Attributes
    ----------
    values : array
        Labels or numbers.
    task : "classification" or "regression"
    why : str
        How the task was found out.
    rows : array
        The numbers of these rows.
    """

    values: AnyArray
    task: Task
    why: str
    rows: AnyArray


def check_columns(frame: Any, names: Iterable[str]) -> None:
    """Refuse names of columns that are not there; say which are close."""
    known = list(frame.columns)
    for name in names:
        if name not in known:
            close = _close(name, known)
            hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"There are: {_some(known)}."
            raise InvalidDataError(f"There is no column {name!r}. {hint}")


def take_targets(frame: Any, name: str, task: Task | None = None, told_by: str | None = None) -> Targets:
    """Return the targets in a column, as labels or numbers.

    Parameters
    ----------
    frame : pandas.DataFrame
    name : str
        The column.
    task : "classification" or "regression", optional
        Guessed if not given.
    told_by : str, optional
        What the task comes from, such as "the model", if one cannot choose another.
    """
    check_columns(frame, [name])
    rows = np.flatnonzero(frame[name].notna().to_numpy())
    if not len(rows):
        raise InvalidDataError(f"The target column {name!r} is empty.")
    column = _settled(frame[name].iloc[rows])
    if not are_single(column):
        raise InvalidDataError(
            f"The target column {name!r} holds lists, or the like. Name a column of numbers or texts."
        )
    task, why = (task, "as told") if task is not None else _guess(column)
    values = _labels(column) if task == "classification" else _values(column, name, told_by)
    n_different = len(np.unique(values))
    if n_different == 1:
        raise InvalidDataError(f"Every row has the same target {values[0]} in {name!r}: there is nothing to learn.")
    if task == "classification" and n_different > max(len(rows) / 2, 2):
        raise InvalidDataError(
            f"The target column {name!r} has {n_different} different values in {len(rows)} rows, too many for classes."
            + _way_out("classes", "--task regression if it holds numbers", told_by)
        )
    return Targets(values, task, why, rows)


def as_labels(values: AnyArray, classes: AnyArray | None) -> AnyArray:
    """Return labels of the type that the known ones are, where that can be."""
    if classes is None:
        return values
    if are_texts(classes):
        return values if values.dtype.kind in "UO" else values.astype(str)
    if classes.dtype.kind not in "iuf" or values.dtype.kind != "U":
        return values
    try:
        return np.array([int(text) for text in values])
    except (ValueError, OverflowError):
        return values


def are_texts(classes: AnyArray | None) -> bool:
    """Whether labels are texts, all of them."""
    return classes is not None and all(isinstance(label, str) for label in classes.tolist())


def with_floats(frame: Any) -> Any:
    """Return the table with whole numbers as floats where they are objects, as they are for targets."""
    return frame.assign(**{name: numbers_in(frame[name]) for name in frame if are_whole_objects(frame[name])})


def take_weights(frame: Any, name: str) -> FloatArray:
    """Return the weights of the rows, one a row, none negative."""
    check_columns(frame, [name])
    numbers = numbers_in(frame[name])
    if numbers is None or not np.all(np.isfinite(numbers) & (numbers >= 0)):
        raise InvalidDataError(f"The column of weights {name!r} must hold a number of at least 0 in every row.")
    weights: FloatArray = numbers.to_numpy(dtype=np.float64)
    if not weights.any():
        raise InvalidDataError(f"The column of weights {name!r} holds zeros only.")
    return weights


def text_columns(inputs: Inputs) -> list[str]:
    """Return the columns that hold texts, whatever these look like."""
    return [inputs.names[column.index] for _, column in _read(inputs) if column.holds is str]


def fit_columns(
    frame: Any, inputs: Inputs, needed: Collection[Feature] | None = None, taken: Mapping[str, str] | None = None
) -> Any:
    """Return the columns that an ensemble or a rule list takes, in its order and as the types it knows.

    Parameters
    ----------
    frame : pandas.DataFrame
        It may have more columns, in any order.
    inputs : Inputs
        What is taken.
    needed : collection of Feature, optional
        Those features that are looked at; columns of others need not be there. All if not given.
    taken : mapping of str to str, optional
        Columns that were taken out of the table, and what they are: "the target".
    """
    if inputs.of_series:
        return _series(frame, inputs)
    read = [column for feature, column in _read(inputs) if needed is None or feature in needed]
    needed_names = {inputs.names[column.index] for column in read}
    if needed is None or not all(feature.table_columns for feature in inputs.features):
        needed_names = set(inputs.names)  # some feature may read any column
    chosen = _chosen(frame, inputs, needed_names, taken or {})
    for column in read:
        name = chosen.columns[column.index]
        chosen[name] = _as(column.holds, chosen[name], inputs.names[column.index])
    return chosen


def _guess(column: Any) -> tuple[Task, str]:
    """Return the task that a target speaks of, and why."""
    n_different = column.nunique()
    if column.dtype.kind not in "iuf":
        kind = "texts" if all(isinstance(value, str) for value in column) else "values"
        return "classification", f"the target has {n_different} different {kind}"
    if not np.all(np.mod(column, 1) == 0):
        return "regression", "the target holds numbers that are not whole"
    if n_different <= _MOST_NUMBERED_LABELS:
        return "classification", f"the target has {n_different} different whole numbers"
    return "regression", f"the target has {n_different} different numbers"


def _settled(column: Any) -> Any:
    """Return a target without missing values: whole numbers as those of 64 bits, or as texts if they are larger."""
    if column.dtype.kind == "u" and column.max() > np.iinfo(np.int64).max:
        return column.astype(str).astype(object)
    if not are_whole_objects(column):
        return column
    try:
        return column.astype(np.int64)
    except OverflowError:
        return column.map(str).astype(object)


def _labels(column: Any) -> AnyArray:
    """Return labels as texts, truth values or whole numbers."""
    values: AnyArray = column.to_numpy()
    if values.dtype.kind == "f" and np.all(np.mod(values, 1) == 0) and np.abs(values).max() < 2**53:
        return values.astype(np.int64)
    if values.dtype.kind in "iuf":
        return values
    kinds = {type(value) for value in values}
    return values.astype(bool) if kinds == {bool} else values.astype(str)


def _way_out(predicted: str, task: str, told_by: str | None) -> str:
    """Say what to do about a target that does not fit the task."""
    if told_by is not None:
        return f" Name the column of the {predicted} that {told_by} predicts."
    return f" Name another column, or say {task}."


def _values(column: Any, name: str, told_by: str | None) -> FloatArray:
    numbers = numbers_in(column)
    if numbers is None or not np.isfinite(numbers).all():
        raise InvalidDataError(
            f"The target column {name!r} does not hold a finite number in every row, as a regression needs."
            + _way_out("numbers", "--task classification", told_by)
        )
    return numbers.to_numpy(dtype=np.float64)


def _read(inputs: Inputs) -> list[tuple[Feature, TableColumn]]:
    """Return the columns that are known to be read, each with the feature that reads it."""
    return [(feature, column) for feature in inputs.features for column in feature.table_columns]


def _chosen(frame: Any, inputs: Inputs, needed: Collection[str], taken: Mapping[str, str]) -> Any:
    """Return the columns of these names, or all of them if the names are not known."""
    names = inputs.names
    by_name = _by_name(frame.columns)
    if not inputs.has_names and not set(needed) <= set(by_name):
        if frame.shape[1] != len(names):
            raise InvalidDataError(
                f"The model was trained on {len(names)} columns without names; the table has {frame.shape[1]} besides "
                "the target. Leave out those that were not there with --drop."
            )
        return frame.copy()
    missing = [name for name in names if name in needed and name not in by_name]
    by_name_taken = _by_name(list(taken))
    for name in missing:
        if name in by_name_taken:
            raise InvalidDataError(
                f"The column {by_name_taken[name]!r} is {taken[by_name_taken[name]]}, but it is also a column that the "
                "rules look at. Name another."
            )
    if missing:
        close = _close(missing[0], list(frame.columns))
        hint = f" Is {missing[0]!r} what is called {close[0]!r} there?" if close else ""
        raise InvalidDataError(f"The table lacks {_count(missing)}: {_some(map(repr, missing))}.{hint}")
    # A column that nothing looks at may hold whatever its feature can take.
    filler = {inputs.names[column.index]: column.filler for _, column in _read(inputs)}
    lacking = {name: filler.get(name, 0.0) for name in names if name not in by_name}
    return frame.assign(**lacking)[[by_name.get(name, name) for name in names]]


def _by_name(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns by their names, and by what LightGBM makes of these."""
    return {**dict(zip(with_underscores(columns), columns, strict=True)), **{column: column for column in columns}}


def _as(kind: type | None, column: Any, name: str) -> Any:
    """Return a column as numbers, texts or truth values."""
    if kind is float:
        numbers = numbers_in(column)
        if numbers is None:
            bad = first_without_number(column)
            raise InvalidDataError(f"The column {name!r} holds numbers, but the table has {bad!r} there.")
        return numbers
    if kind is str:
        return column.map(_text, na_action="ignore").astype(object)
    if kind is bool:
        truth = {"true": True, "false": False, "1": True, "0": False}
        return column.map(lambda value: truth.get(str(value).lower(), value), na_action="ignore").astype(object)
    return column


def _text(value: Any) -> str:
    """Return a value as a text; a whole number without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _series(frame: Any, inputs: Inputs) -> FloatArray:
    """Return series, a row each, their values in the order of the columns."""
    n_dimensions, length = inputs.sample_shape
    if n_dimensions > 1 or frame.shape[1] != length:
        raise InvalidDataError(
            f"The ensemble takes series of {n_dimensions} dimension(s) of length {length}. A table has a "
            f"series of one dimension a row, here of length {frame.shape[1]} (leave out other columns with --drop)."
        )
    columns = [numbers_in(frame[name]) for name in frame]
    if any(column is None for column in columns):
        raise InvalidDataError("A series holds numbers only; the table has texts.")
    return np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])


def _close(name: str, known: Sequence[str]) -> list[str]:
    """Return the names that are most like one that is not known, whatever their case."""
    lower = {other.lower(): other for other in known}
    return [lower[other] for other in get_close_matches(name.lower(), lower, n=3)]


def _count(names: Collection[str]) -> str:
    return "a column" if len(names) == 1 else f"{len(names)} columns"


def _some(names: Iterable[str], most: int = 8) -> str:
    names = list(names)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
