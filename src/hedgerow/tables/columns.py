"""From the columns of a table to the input of an ensemble or a rule list: samples, targets and weights."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.lettering import close_names, some
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Feature, Inputs, Notation, TableColumn
from hedgerow.features.choosing import choose_columns, columns_by_name, names_needed
from hedgerow.features.spelled import TRUTH
from hedgerow.tables.values import are_single, are_whole_objects, first_without_number, numbers_in

TaskName = Literal["classification", "regression"]

#: The role of a column that the user wants to be ignored.
DROPPED = "dropped"
#: Integers are labels if there are at most this many distinct ones.
MOST_NUMBERED_LABELS = 20


@dataclass(frozen=True)
class Targets:
    """The targets of the rows that have one.

    Attributes
    ----------
    values : array
        Labels or numbers.
    task : "classification" or "regression"
    why : str
        How the task was determined.
    rows : array
        The positions of these rows.
    """

    values: AnyArray
    task: TaskName
    why: str
    rows: IntArray


def check_columns(frame: Any, names: Iterable[str]) -> None:
    """Refuse names that are not columns of the table, and suggest similar ones."""
    check_names(list(frame.columns), names)


def check_names(known: Sequence[str], names: Iterable[str]) -> None:
    """Refuse names that are not among those of the columns, and suggest similar ones."""
    for name in names:
        if name not in known:
            close = close_names(name, known)
            hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"The columns are: {some(known)}."
            raise InvalidDataError(f"There is no column {name!r}. {hint}")


def take_targets(
    frame: Any, name: str, task: TaskName | None = None, told_by: str | None = None, for_learning: bool = True
) -> Targets:
    """Return the targets in a column, as labels or as numbers.

    Parameters
    ----------
    frame : pandas.DataFrame
    name : str
        The column.
    task : "classification" or "regression", optional
        By default, inferred from the values.
    told_by : str, optional
        What determines the task, such as "the model", if the caller cannot choose another.
    for_learning : bool
        Whether something is learned from the targets, which then must differ.
    """
    check_columns(frame, [name])
    rows = np.flatnonzero(frame[name].notna().to_numpy())
    if not len(rows):
        raise InvalidDataError(f"The target column {name!r} is empty.")
    column = _settled(frame[name].iloc[rows])
    if not are_single(column):
        raise InvalidDataError(
            f"The target column {name!r} contains lists or other containers. Name a column of numbers or strings."
        )
    task, why = (task, "as given") if task is not None else _guess(column)
    values = _labels(column, len(rows) == len(frame)) if task == "classification" else _values(column, name, told_by)
    n_different = len(np.unique(values))
    if n_different == 1 and for_learning:
        raise InvalidDataError(f"Every row has the same target {values[0]} in {name!r}: there is nothing to learn.")
    if task == "classification" and n_different > max(len(rows) / 2, 2) and for_learning:
        raise InvalidDataError(
            f"The target column {name!r} has {n_different} distinct values in {len(rows)} rows, too many for classes."
            + _way_out("classes", "a regression, if it contains numbers", told_by),
            parameter=None if told_by else "task",
        )
    if task == "classification" and values.dtype.kind == "f" and not np.all(np.mod(values, 1) == 0):
        raise InvalidDataError(
            f"The target column {name!r} contains numbers that are not integers, such as "
            f"{values[np.mod(values, 1) != 0][0]}; these are not classes."
            + _way_out("classes", "a regression", told_by),
            parameter=None if told_by else "task",
        )
    return Targets(values, task, why, rows)


def as_labels(values: AnyArray, classes: AnyArray | None) -> AnyArray:
    """Return labels converted to the type of the known ones, where that is possible."""
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
    """Return whether all labels are strings."""
    return classes is not None and all(isinstance(label, str) for label in classes.tolist())


def with_floats(frame: Any, besides: Collection[str] = ()) -> Any:
    """Return the table with integers that are stored as objects converted to floats, but for some columns."""
    large = [name for name in frame if name not in besides and are_whole_objects(frame[name])]
    return frame.assign(**{name: numbers_in(frame[name]) for name in large})


def take_weights(frame: Any, name: str) -> FloatArray:
    """Return the non-negative weights of the rows."""
    check_columns(frame, [name])
    numbers = numbers_in(frame[name])
    if numbers is None or not np.all(np.isfinite(numbers) & (numbers >= 0)):
        raise InvalidDataError(f"The weight column {name!r} must contain a number of at least 0 in every row.")
    if not numbers.any():
        raise InvalidDataError(f"The weight column {name!r} contains only zeros.")
    return numbers.to_numpy(dtype=np.float64)


def known_notations(inputs: Inputs) -> dict[str, Notation]:
    """Return how the cells of columns are written, as far as inputs know: strings, even if these look like numbers."""
    texts = {inputs.names[column.index]: Notation("text") for _, column in _read(inputs) if column.holds is str}
    return texts | {inputs.names[index]: notation for index, notation in inputs.notations}


def fit_columns(
    frame: Any,
    inputs: Inputs,
    needed: Collection[Feature] | None = None,
    taken: Mapping[str, str] | None = None,
    user: str = "the rules",
) -> Any:
    """Return the columns that an ensemble or a rule list takes, in its order and of its types.

    Parameters
    ----------
    frame : pandas.DataFrame
        It may have more columns, in any order.
    inputs : Inputs
        The input to prepare.
    needed : collection of Feature, optional
        The features that are used; columns of other features may be missing. By default, all.
    taken : mapping of str to str, optional
        Columns that were removed from the table, and their roles, such as "the target".
    user : str
        Who takes the columns: "the rules" or "the model".
    """
    if inputs.of_series:
        return _series(frame, inputs)
    read = [column for feature, column in _read(inputs) if needed is None or feature in needed]
    chosen = _chosen(frame, inputs, needed, taken or {}, user)
    for column in read:
        name = chosen.columns[column.index]
        chosen[name] = _as(column.holds, chosen[name], inputs.names[column.index])
    return chosen


def _guess(column: Any) -> tuple[TaskName, str]:
    """Return the task that a target suggests, and why."""
    n_different = column.nunique()
    if column.dtype.kind not in "iuf":
        kind = "strings" if all(isinstance(value, str) for value in column) else "values"
        return "classification", f"the target has {n_different} distinct {kind}"
    if not np.all(np.mod(column, 1) == 0):
        return "regression", "the target contains numbers that are not integers"
    if n_different <= MOST_NUMBERED_LABELS:
        return "classification", f"the target has {n_different} distinct integers"
    return "regression", f"the target has {n_different} distinct numbers"


def _settled(column: Any) -> Any:
    """Return a target with integers of up to 64 bits as such, and larger ones as strings."""
    if column.dtype.kind == "u" and column.max() > np.iinfo(np.int64).max:
        return column.astype(str).astype(object)
    if not are_whole_objects(column):
        return column
    try:
        return column.astype(np.int64)
    except OverflowError:
        return column.map(str).astype(object)


def _labels(column: Any, is_complete: bool) -> AnyArray:
    """Return labels as strings, booleans or numbers, so that they are written as in the table.

    Floats without a fraction stay floats, such as -1.0, if the whole column was complete. Otherwise they are integers:
    beside missing values, integers are read as floats.
    """
    values: AnyArray = column.to_numpy()
    if values.dtype.kind == "f" and not is_complete and np.all(np.mod(values, 1) == 0) and np.abs(values).max() < 2**53:
        return values.astype(np.int64)
    if values.dtype.kind in "iuf":
        return values
    kinds = {type(value) for value in values}
    return values.astype(bool) if kinds == {bool} else values.astype(str)


def _way_out(predicted: str, task: str, told_by: str | None) -> str:
    """Return what to do about a target that does not fit the task."""
    if told_by is not None:
        return f" Name the column with the {predicted} that {told_by} predicts."
    return f" Name another column, or choose {task}."


def _values(column: Any, name: str, told_by: str | None) -> FloatArray:
    numbers = numbers_in(column)
    if numbers is None or not np.isfinite(numbers).all():
        raise InvalidDataError(
            f"The target column {name!r} does not contain a finite number in every row, as regression requires."
            + _way_out("numbers", "a classification", told_by),
            parameter=None if told_by else "task",
        )
    return numbers.to_numpy(dtype=np.float64)


def _read(inputs: Inputs) -> list[tuple[Feature, TableColumn]]:
    """Return the columns that are known to be read, each with the feature that reads it."""
    return [(feature, column) for feature in inputs.features for column in feature.table_columns]


def _chosen(frame: Any, inputs: Inputs, needed: Collection[Feature] | None, taken: Mapping[str, str], user: str) -> Any:
    """Return the columns of these names, or all of them if the names are not known."""
    # In files, blanks at the ends of names are ignored; a model that knows them from elsewhere finds its columns.
    bare = {name.strip(): name for name in inputs.names if name.strip() != name and name not in frame}
    spare = [column for column in frame if column in bare and column not in inputs.names]
    frame = frame.rename(columns={column: bare[column] for column in spare})
    names, by_name, by_name_taken = inputs.names, columns_by_name(frame.columns), columns_by_name(list(taken))
    missing = [name for name in names if name in names_needed(inputs, needed) and name not in by_name]
    if missing and not inputs.has_names and frame.shape[1] != len(names):
        raise InvalidDataError(
            f"The model was trained on {len(names)} columns without names; the table has {frame.shape[1]} besides "
            "the target. Drop those that the model does not know.",
            parameter="drop",
        )
    for name in missing if inputs.has_names else ():
        if name not in by_name_taken:
            continue
        role = taken[by_name_taken[name]]
        if role == DROPPED:
            raise InvalidDataError(
                f"The column {by_name_taken[name]!r} is dropped, but {user} cannot do without it. Drop only columns "
                f"that {user} {'do' if user.endswith('s') else 'does'} not take.",
                parameter="drop",
            )
        raise InvalidDataError(
            f"The column {by_name_taken[name]!r} is {role}, but {user} also {'use' if user.endswith('s') else 'takes'} "
            "it. Name another."
        )
    return choose_columns(frame, inputs, needed, "The table").copy()


def _as(kind: type | None, column: Any, name: str) -> Any:
    """Return a column as numbers, strings or booleans."""
    if kind is float:
        numbers = numbers_in(column)
        if numbers is None and _are_booleans(column):  # which a Parquet file stores as such, and a text file spells
            numbers = column.map(lambda value: float(TRUTH[value.strip().lower()]), na_action="ignore").astype(float)
        if numbers is None:
            bad = first_without_number(column)
            raise InvalidDataError(f"The column {name!r} must contain numbers, but it contains {bad!r}.")
        return numbers
    if kind is str:
        return column.map(_text, na_action="ignore").astype(object)
    if kind is bool:
        return column.map(lambda value: TRUTH.get(str(value).lower(), value), na_action="ignore").astype(object)
    return column


def _are_booleans(column: Any) -> bool:
    return all(isinstance(value, str) and value.strip().lower() in ("true", "false") for value in column.dropna())


def _text(value: Any) -> str:
    """Return a value as a string, an integer without a decimal point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _series(frame: Any, inputs: Inputs) -> FloatArray:
    """Return one series per row, its values in the order of the columns."""
    n_dimensions, length = inputs.sample_shape
    if n_dimensions > 1 or frame.shape[1] != length:
        raise InvalidDataError(
            f"The ensemble takes series of {n_dimensions} dimension(s) and length {length}. A table has "
            f"one series of one dimension per row, here of length {frame.shape[1]}. Drop all other columns.",
            parameter="drop",
        )
    columns = [numbers_in(frame[name]) for name in frame]
    if any(column is None for column in columns):
        raise InvalidDataError("A series must contain only numbers, but the table has strings.")
    return np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
