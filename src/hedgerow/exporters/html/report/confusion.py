"""Which classes a list confuses, and its precision and recall for each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, IntArray
from hedgerow.evidence.statistics import wilson
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value

#: The matrix shows every class that the list predicts, up to the first number; then the most frequent true classes,
#: until there are as many as the second.
MOST_PREDICTED, ENOUGH_CLASSES = 30, 12
#: The table of precision and recall is longer, because it does not grow to the right.
MOST_IN_TABLE = 60
#: The longest name, in letters, that stands above a column, with a few columns and with more.
_LONGEST, _LONGEST_OF_MANY, _FEW = 12, 6, 4


@dataclass(frozen=True)
class Confusion:
    """The number of rows of each true class (row of the matrix) and predicted class (column).

    Attributes
    ----------
    truths : tuple of str
        The names of the rows of the matrix.
    columns : tuple of str
        The names of its columns: only classes that the list predicts.
    counts : tuple of tuples of int
    right : tuple of (int or None)
        For each row of the matrix, the column where the prediction is right; None where there is none.
    n_shared : int
        The number of columns, at the end, that several classes share: 0 or 2.
    notes : tuple of str
        What is not shown, in sentences.
    """

    truths: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    right: tuple[int | None, ...]
    n_shared: int = 0
    notes: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[str, ...]:
        """What stands above the columns if names are too long: the number of the row of the same class."""
        own = len(self.columns) - self.n_shared
        row_of = {column: str(row) for row, column in enumerate(self.right, start=1)}
        return (*(row_of[j] for j in range(own)), *self.columns[own:])

    @property
    def is_numbered(self) -> bool:
        """Whether the columns have numbers because the names are too long to stand above them."""
        own = self.columns[: len(self.columns) - self.n_shared]
        return max(map(len, own)) > (_LONGEST if len(own) <= _FEW else _LONGEST_OF_MANY)


@dataclass(frozen=True)
class ClassQuality:
    """How well a list does on one class.

    Attributes
    ----------
    name : str
    class_number : int or None
        Its position among the list's classes; None for a class that the list does not know.
    n_true, n_predicted : int
        The number of rows that are of this class, and of those for which it is predicted.
    precision, recall : float
        The share of right predictions among the rows predicted, and among the rows of the class; NaN if there are none.
    precision_interval, recall_interval : pair of float, or None
        Wilson's intervals of these shares, which contain the true ones in 95 of 100 cases; None if there are none.
    """

    name: str
    class_number: int | None
    n_true: int
    n_predicted: int
    precision: float
    recall: float
    precision_interval: tuple[float, float] | None = None
    recall_interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class ByClass:
    """Precision and recall of the classes, and how many classes are left out of the table."""

    rows: tuple[ClassQuality, ...]
    n_more: int


class _Counts:
    """True and predicted classes, counted; labels that the list does not know come after its classes."""

    def __init__(self, rule_list: RuleList, y: AnyArray, predictions: AnyArray) -> None:
        known = rule_list.task.labels
        unknown = [label for label in dict.fromkeys(y.tolist()) if label not in set(known)]
        self.labels: list[Any] = [*known, *sorted(unknown, key=str)]
        self.n_known = len(known)
        code = {label: i for i, label in enumerate(self.labels)}
        self.truth = np.array([code[label] for label in y.tolist()], dtype=np.int64)
        self.predicted = np.array([code[label] for label in predictions.tolist()], dtype=np.int64)
        n = len(self.labels)
        self.n_true = np.bincount(self.truth, minlength=n)
        self.n_predicted = np.bincount(self.predicted, minlength=n)
        self.n_right = np.bincount(self.truth[self.truth == self.predicted], minlength=n)
        default = [rule_list.default] if rule_list.fallback is None else []
        said = [code[rule.prediction] for rule in (*rule_list, *default)]
        # The ensemble, if it predicts uncovered rows, may predict further classes.
        self.is_predicted = np.isin(np.arange(n), said) | (self.n_predicted > 0)

    def names(self, codes: Sequence[int]) -> list[str]:
        return [format_value(self.labels[code]) for code in codes]


def confuse(rule_list: RuleList, y: AnyArray, predictions: AnyArray) -> Confusion:
    """Count rows by true and predicted class, so that right and wrong predictions are always apart.

    The matrix has a column for each class that the list predicts, and a row for each of these and for the most frequent
    of the others. All further classes share a row. If the list predicts too many classes for the page, the rarest of
    them share two columns: one where the prediction is right, and one where it is wrong.
    """
    counted = _Counts(rule_list, y, predictions)
    columns, hidden = _columns(counted)
    truths = _truths(counted, columns)
    rest = [code for code in np.flatnonzero(counted.n_true).tolist() if code not in truths]
    row_of, column_of = _places(truths, counted), _places(columns, counted)
    row, column = row_of[counted.truth], column_of[counted.predicted]
    # Among the columns that are put together, the first is right and the second is wrong.
    column += (column == len(columns)) & (counted.truth != counted.predicted)
    n_columns = len(columns) + 2 * bool(hidden)
    counts = np.zeros((len(truths) + bool(rest), n_columns), dtype=np.int64)
    np.add.at(counts, (row, column), 1)
    shared = len(columns) if hidden else None
    right = [columns.index(code) if code in columns else shared if code in hidden else None for code in truths]
    return Confusion(
        truths=(*counted.names(truths), *([_others(len(rest))] if rest else [])),
        columns=(*counted.names(columns), *(["others, right", "others, wrong"] if hidden else [])),
        counts=tuple(tuple(one) for one in counts.tolist()),
        right=(*right, *([shared] if rest else [])),
        n_shared=n_columns - len(columns),
        notes=tuple(_notes(counted, truths, rest, hidden)),
    )


def rate_classes(rule_list: RuleList, y: AnyArray, predictions: AnyArray) -> ByClass:
    """Return precision and recall of each class: those of the list in its order, then those that it does not know."""
    counted = _Counts(rule_list, y, predictions)
    present = np.flatnonzero(counted.is_predicted | (counted.n_true > 0))
    shown = present[np.lexsort((-counted.n_true[present], ~counted.is_predicted[present]))][:MOST_IN_TABLE]
    rows = tuple(_quality(counted, code) for code in sorted(shown.tolist()))
    return ByClass(rows, len(present) - len(rows))


def _quality(counted: _Counts, code: int) -> ClassQuality:
    n_true, n_predicted = int(counted.n_true[code]), int(counted.n_predicted[code])
    right = float(counted.n_right[code])
    return ClassQuality(
        name=format_value(counted.labels[code]),
        class_number=code if code < counted.n_known else None,
        n_true=n_true,
        n_predicted=n_predicted,
        precision=right / n_predicted if n_predicted else float("nan"),
        recall=right / n_true if n_true else float("nan"),
        precision_interval=wilson(right / n_predicted, n_predicted) if n_predicted else None,
        recall_interval=wilson(right / n_true, n_true) if n_true else None,
    )


def _columns(counted: _Counts) -> tuple[list[int], list[int]]:
    """Return the classes with a column of their own, and the predicted ones without."""
    predicted = np.flatnonzero(counted.is_predicted)
    if len(predicted) <= MOST_PREDICTED:
        return predicted.tolist(), []
    often = predicted[np.argsort(-counted.n_predicted[predicted], kind="stable")].tolist()
    return sorted(often[:MOST_PREDICTED]), often[MOST_PREDICTED:]


def _truths(counted: _Counts, columns: list[int]) -> list[int]:
    """Return the classes with a row of their own: those with a column, and the most frequent others."""
    others = [code for code in np.argsort(-counted.n_true, kind="stable").tolist() if code not in columns]
    others = [code for code in others if counted.n_true[code]]
    room = max(0, ENOUGH_CLASSES - len(columns))
    # A single class is not hidden behind the name "1 other class".
    chosen = others if len(others) == room + 1 else others[:room]
    return sorted([*columns, *chosen])


def _places(shown: list[int], counted: _Counts) -> IntArray:
    place = np.full(len(counted.labels), len(shown), dtype=np.int64)
    place[shown] = np.arange(len(shown))
    return place


def _others(n: int) -> str:
    return f"{n} other class{'es' * (n != 1)}"


def _notes(counted: _Counts, truths: list[int], rest: list[int], hidden: list[int]) -> list[str]:
    notes = []
    never = [code for code in [*truths, *rest] if not counted.is_predicted[code]]
    if never:
        whose = "its" if len(never) == 1 else "their"
        notes.append(f"{_counted(len(never))} never predicted, so {whose} rows are all wrong.")
    if hidden:
        notes.append(
            f"The list predicts {len(hidden)} more classes, those that it predicts least often. They share the last "
            "two columns: one for right predictions and one for wrong ones."
        )
    return notes


def _counted(n: int) -> str:
    return "One class is" if n == 1 else f"{n} classes are"
