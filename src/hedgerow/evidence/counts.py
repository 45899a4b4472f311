"""How many rows each rule decides, and how many each condition holds for: all that drift needs to know of a table.

Counts are made from rows (:meth:`Counts.of`) or by a database (``rule_list.to_sql(..., counts=True)``, whose answer
:meth:`Counts.read` takes), so that no rows need to move. Counts of several tables add up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.lettering import some
from hedgerow.evidence.statistics import Group
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import is_present
from hedgerow.features.spelled import FALSE_WORDS, TRUE_WORDS
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule_list import RuleList


def conditions_of(rules: RuleList) -> tuple[Condition, ...]:
    """Return the conditions of a list, one bound each; of two that are the opposite of each other, the first."""
    found: dict[Condition, Condition] = {}
    for side in (side for rule in rules for merged in rule.simplified for side in merged.sides):
        if rules.inputs.can_be_missing(side.feature):
            known, opposite = side, _opposite(side, not side.missing)
        else:  # then it makes no difference where missing values go
            known, opposite = replace(side, missing=False), _opposite(side, False)
        if opposite not in found:
            found.setdefault(known, side)
    return tuple(found.values())


def texts_of(rules: RuleList, held: Sequence[Sequence[float] | AnyArray]) -> dict[int, str]:
    """Return the conditions of a list in words, by position, given the counts of each in one or more tables.

    Two conditions may differ only in where missing values go, which is not written if training had none. If both hold
    for the same number of rows everywhere, the first stands for both; if not, it is written.
    """
    conditions, alike = conditions_of(rules), dict[str, dict[tuple[float, ...], int]]()
    for k, (condition, *counts) in enumerate(zip(conditions, *held, strict=True)):
        alike.setdefault(condition.describe(rules.digits), {}).setdefault(tuple(map(float, counts)), k)
    return {
        k: text if len(places) == 1 else conditions[k].describe(rules.digits, show_missing=True)
        for text, places in alike.items()
        for k in places.values()
    }


def _opposite(side: Condition, missing: bool) -> Condition | None:
    """Return the condition that holds for all other values; None for an interval with two ends."""
    if side.categories is not None:
        others = frozenset(range(side.feature.n_codes)) - side.categories
        return replace(side, categories=others, missing=missing)
    if side.lower > -math.inf and side.upper < math.inf:
        return None
    if side.lower > -math.inf:
        return replace(side, lower=-math.inf, upper=side.lower, missing=missing)
    return replace(side, lower=side.upper, upper=math.inf, missing=missing)


@dataclass(frozen=True, eq=False)
class Counts:
    """What a list makes of the rows of a table, counted.

    Attributes
    ----------
    fired : array of int
        The rows that each rule decides; the last number is that of the rows that no rule matches.
    held : array of int or None
        The rows for which each condition holds, in the order of :func:`conditions_of`; None if that is not known.
    by_class : array of int or None
        With labels, the rows of each rule by class; the last column is for labels that the list does not know.
    moments : array or None
        With numbers as targets: how many there are per rule, their sum, and the sum of their squares.
    refused : int
        Rows that the list refuses; they count nowhere else.
    """

    fired: IntArray
    held: IntArray | None = None
    by_class: IntArray | None = None
    moments: FloatArray | None = None
    refused: int = 0

    @property
    def n_rows(self) -> int:
        """The number of rows that are not refused."""
        return int(self.fired.sum())

    @property
    def has_targets(self) -> bool:
        """Whether targets were counted, too."""
        return self.by_class is not None or self.moments is not None

    def __add__(self, other: Counts) -> Counts:
        """Return the counts of both tables together."""

        def both(one: Any, another: Any) -> Any:
            return None if one is None or another is None else one + another

        return Counts(
            self.fired + other.fired,
            both(self.held, other.held),
            both(self.by_class, other.by_class),
            both(self.moments, other.moments),
            self.refused + other.refused,
        )

    @classmethod
    def of(cls, rules: RuleList, X: Any, y: Any = None) -> Counts:
        """Count rows, and their targets if there are any; targets may be missing in some rows."""
        seen = rules.evaluate(X)
        if not seen.n_samples:
            raise InvalidDataError("There are no rows to count; pass at least one.")
        fired, n = np.where(seen.fired < 0, len(rules), seen.fired), len(rules) + 1
        held = [int(one.holds(seen.values[one.feature]).sum()) for one in conditions_of(rules)]
        counts = cls(np.bincount(fired, minlength=n), np.array(held, dtype=np.int64))
        if y is None:
            return counts
        targets = np.asarray(y)
        if targets.shape != (seen.n_samples,):
            raise InvalidDataError(f"X has {seen.n_samples} rows, but y has shape {targets.shape}.")
        known = np.array([is_present(one) for one in targets.tolist()], dtype=bool)
        return _with_targets(counts, rules, fired[known], targets[known])

    @classmethod
    def of_training(cls, rules: RuleList) -> Counts:
        """Return what a list knows of its training rows: how many each rule covers, and nothing of its conditions."""
        if not rules.n_samples:
            raise InvalidDataError("The list does not know its training rows. Pass the reference rows.")
        return cls(np.array([*(rule.coverage for rule in rules), 0], dtype=np.int64))

    @classmethod
    def read(cls, rules: RuleList, answer: Any) -> Counts:
        """Return the counts in the answer of a database to the query of ``rule_list.to_sql(..., counts=True)``.

        Parameters
        ----------
        rules : RuleList
        answer : data frame, or rows as tuples or dictionaries
            With the columns of the query, in their order.
        """
        rows, n = _rows_of(answer), len(rules) + 1
        n_conditions, labels = len(conditions_of(rules)), rules.task.has_labels
        n_more = (1 if labels else 3) if rows and len(rows[0]) != n_conditions + 2 else 0
        if not rows or any(len(row) != n_conditions + 2 + n_more for row in rows):
            raise InvalidDataError(
                "These are not the counts of this list. Pass all rows and columns that the query of to_sql(..., "
                "counts=True) returns for the same list."
            )
        fired, refused = np.zeros(n, dtype=np.int64), 0
        held = np.zeros(n_conditions, dtype=np.int64)
        by_class, moments = np.zeros((n, len(rules.task.labels) + 1), dtype=np.int64), np.zeros((n, 3))
        for row in rows:
            which, rest = row[0], list(row[1:])
            label = rest.pop(0) if labels and n_more else None
            count = int(rest.pop(0))
            if not is_present(which):
                refused += count
                continue
            i = _place(which, n)
            fired[i] += count
            if labels and is_present(label):
                by_class[i, _code(label, rules)] += count
            if not labels and n_more:
                moments[i] += [float(one) if is_present(one) else 0.0 for one in rest[:3]]
            held += np.array([int(one) for one in rest[len(rest) - n_conditions :]], dtype=np.int64)
        counts = cls(fired, held, refused=refused)
        if labels and n_more and by_class.any() and not by_class[:, :-1].any():
            raise InvalidDataError(
                f"The list knows none of the labels that were counted, such as {_label_in(rows)!r}. It knows: "
                f"{some(map(repr, rules.task.labels))}."
            )
        if not n_more:
            return counts
        return replace(counts, by_class=by_class) if labels else replace(counts, moments=moments)

    def rate(self, rules: RuleList, i: int) -> Group:
        """Return the share of the rows of a rule that have its class, or the mean of their targets."""
        rule = rules[i] if i < len(rules) else rules.default
        if self.by_class is not None:
            n = int(self.by_class[i].sum())
            hits = int(self.by_class[i, list(rules.task.labels).index(rule.prediction)])
            return Group(float(n), hits / n if n else math.nan)
        if self.moments is None:
            return Group(0.0, math.nan)
        n, total, squares = self.moments[i].tolist()
        mean = total / n if n else math.nan
        spread = math.sqrt(max(0.0, squares - n * mean**2) / (n - 1)) if n > 1 else math.nan
        return Group(n, mean, spread)


def _with_targets(counts: Counts, rules: RuleList, fired: IntArray, y: AnyArray) -> Counts:
    n = len(counts.fired)
    if not rules.task.has_labels:
        values = rules.task.of(y, "drift")[1] if len(y) else np.empty(0)
        parts = (np.ones(len(values)), values, values**2)
        return replace(counts, moments=np.column_stack([np.bincount(fired, part, n) for part in parts]))
    found, which = np.unique(y, return_inverse=True)
    codes = np.array([_code(label, rules) for label in found.tolist()], dtype=np.int64)[which]
    width = len(rules.task.labels) + 1
    _check_known(rules, codes, found.tolist())
    return replace(counts, by_class=np.bincount(fired * width + codes, minlength=n * width).reshape(n, width))


def _rows_of(answer: Any) -> list[Sequence[Any]]:
    if hasattr(answer, "itertuples"):
        return [tuple(row) for row in answer.itertuples(index=False)]
    if not isinstance(answer, Iterable):
        raise InvalidDataError(f"The counts must be a data frame or a list of rows; got {type(answer).__qualname__}.")
    return [tuple(row.values()) if isinstance(row, Mapping) else tuple(row) for row in answer]


def _label_in(rows: Sequence[Sequence[Any]]) -> Any:
    return next(row[1] for row in rows if is_present(row[0]) and is_present(row[1]))


def _place(which: Any, n: int) -> int:
    """Return the position of a rule as :meth:`hedgerow.RuleList.apply` has it, with the last for no rule."""
    i = int(which)
    if not -1 <= i < n - 1:
        raise InvalidDataError(f"The counts have a rule {which}, which the list lacks. Pass those of the same list.")
    return n - 1 if i < 0 else i


def _code(label: Any, rules: RuleList) -> int:
    """Return the position of a label, which a database may have as a string; one after the last for an unknown one.

    DuckDB reads a column of "yes" and "no" as booleans.
    """
    known = list(rules.task.labels)
    if label in known:
        return known.index(label)
    texts = [str(one) for one in known]
    if str(label) in texts:
        return texts.index(str(label))
    words = {"true": TRUE_WORDS, "false": FALSE_WORDS}.get(str(label).lower(), frozenset())
    alike = [i for i, text in enumerate(texts) if text.lower() in words]
    return alike[0] if len(alike) == 1 else len(known)


def _check_known(rules: RuleList, codes: IntArray, labels: list[Any]) -> None:
    n = len(rules.task.labels)
    if len(codes) and (codes == n).all():
        raise InvalidDataError(
            f"The list knows none of the labels in y, which are {some(map(repr, labels))}. It knows: "
            f"{some(map(repr, rules.task.labels))}."
        )
