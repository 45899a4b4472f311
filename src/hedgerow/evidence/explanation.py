"""What is said about the prediction for a row: why this one, why not another, and what would have to change.

:mod:`hedgerow.evidence.reasoning` finds it out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.lettering import some
from hedgerow._support.text_table import aligned
from hedgerow.evidence.places import Measure
from hedgerow.rules.wording import format_number, printable


@dataclass(frozen=True)
class Held:
    """A condition in words, the row's value, and whether the condition holds for it."""

    condition: str
    value: str
    holds: bool


@dataclass(frozen=True)
class ColumnChange:
    """Another value of one column.

    Attributes
    ----------
    column : str
    before, value : object
        The row's own value, and the new one: a number, a category, a date.
    distance : float
        How far the row's value is from where the new one begins, in units of ``measure``.
    measure : "spreads", "thresholds" or "any"
        Spreads of the column; thresholds of the list between the values, if its spread is not known; or 1 for any
        change, of a category or of a missing value.
    written : tuple of str
        Both values in words.
    """

    column: str
    before: Any
    value: Any
    distance: float
    measure: Measure
    written: tuple[str, str]

    def __str__(self) -> str:
        return f"{printable(self.column)} from {self.written[0]} to {self.written[1]}{self.how_far}"

    @property
    def how_far(self) -> str:
        """The distance in brackets, with its sign; empty if any change counts 1."""
        if self.measure == "any":
            return ""
        if self.measure == "thresholds":
            return f" (across {self.distance:.0f} threshold{'s' * (self.distance != 1)})"
        size = "<0.01" if self.distance < 0.01 else f"{self.distance:.2f}"
        return f" ({'+' if self.value > self.before else '-'}{size} spreads)".replace("+<", "<").replace("-<", "<")


@dataclass(frozen=True)
class Change:
    """Changes of one or more columns at once that lead to another prediction.

    Attributes
    ----------
    columns : tuple of ColumnChange
    prediction : object
        What ``predict`` returns for the changed row.
    rule : int
        The position of the rule that then matches first, -1 if none does.
    distance : float
        The sum of the distances.
    """

    columns: tuple[ColumnChange, ...]
    prediction: Any
    rule: int
    distance: float

    def __str__(self) -> str:
        return " and ".join(map(str, self.columns))

    @property
    def values(self) -> dict[str, Any]:
        """The new values by column."""
        return {one.column: one.value for one in self.columns}


@dataclass(frozen=True)
class OtherAnswer:
    """Another answer: why it is not given, and the smallest changes that lead to it.

    Attributes
    ----------
    answer : str
        A class, or "higher" or "lower".
    rule : int
        The position of the nearest rule that gives it: the one with the fewest conditions that fail; -1 for the
        default.
    prediction : str
        What that rule predicts.
    fails : tuple of Held
        Its conditions that fail; none if it matches, but an earlier rule comes first.
    changes : tuple of Change
        Confirmed by ``predict``, the smallest first. Each further one is the smallest that changes fewer columns.
    is_complete : bool
        Whether the search was complete: no smaller change exists, and none that is missing changes fewer columns.
    """

    answer: str
    rule: int
    prediction: str
    fails: tuple[Held, ...]
    changes: tuple[Change, ...]
    is_complete: bool = True


@dataclass(frozen=True)
class Reasons:
    """What :func:`reasons` returns; print it, or see :meth:`sentences` and :meth:`to_frame`.

    Attributes
    ----------
    prediction : object
    rule : int
        The position of the rule that makes the prediction, -1 if none matches.
    said : str
        The prediction in words.
    why : tuple of Held
        The conditions of that rule, with the row's values.
    later : tuple of int
        The positions of rules that match as well, but come later.
    others : tuple of OtherAnswer
    is_labels : bool
    notes : tuple of str
        What one has to know about the distances and the search.
    """

    prediction: Any
    rule: int
    said: str
    why: tuple[Held, ...]
    later: tuple[int, ...]
    others: tuple[OtherAnswer, ...]
    is_labels: bool
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [self._headline()]
        lines += [f"  {line}" for line in aligned([(one.condition, f"is {one.value}") for one in self.why])]
        for one in self.others:
            lines += ["", *self._about(one)]
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])])

    def sentences(self) -> list[str]:
        """Return what was found, in sentences."""
        because = " and ".join(f"{one.condition} (is {one.value})" for one in self.why)
        said = self._headline().removesuffix(":").removesuffix(".") + (f" because {because}." if because else ".")
        return [said, *(line.strip() for one in self.others for line in self._about(one)), *self.notes]

    def _headline(self) -> str:
        if self.rule < 0:
            return f"No rule matches, so the prediction is {self.said}."
        later = ""
        if self.later:
            also = some(i + 1 for i in self.later)
            later = (
                f", before rule{'s' * (len(self.later) > 1)} {also}, which also match{'es' * (len(self.later) == 1)}"
            )
        return f"Rule {self.rule + 1} predicts {self.said}{later}{':' if self.why else '.'}"

    def _about(self, one: OtherAnswer) -> list[str]:
        name = one.answer if self.is_labels else f"a {one.answer} prediction"
        failing = ", ".join(f"{held.condition} (is {held.value})" for held in one.fails)
        nearest = f"rule {one.rule + 1} predicts {one.prediction}"
        if one.rule < 0:
            lines = [f"Not {name}: that is the prediction where no rule matches, {one.prediction}."]
        elif not failing:
            lines = [f"Not {name}: {nearest} and matches, but rule {self.rule + 1} comes first."]
        else:
            what = "this fails" if len(one.fails) == 1 else "these fail"
            lines = [f"Not {name}: {nearest}, but {what}: {failing}."]
        for i, change in enumerate(one.changes):
            to = f"To {name}" if not i else "Or, with fewer columns"
            then = f"rule {change.rule + 1}" if change.rule >= 0 else "no rule"
            now = "" if self.is_labels else f" predicts {format_number(float(change.prediction))}"
            now = now or " matches"
            lines.append(f"  {to}: {change}; then {then}{now}.")
        if not one.changes:
            lines.append(f"  No change of the columns that may change leads to {name}.")
        if not one.is_complete:
            lines[-1] += " The search was ended, so there may be others."
        return lines

    def to_frame(self) -> Any:
        """Return the changes as a pandas data frame, one row per column that changes."""
        import pandas as pd

        names = ("answer", "change", "column", "before", "value", "distance", "measure", "rule", "prediction")
        rows = [
            (one.answer, k, part.column, part.before, part.value, part.distance, part.measure, change.rule + 1, said)
            for one in self.others
            for k, change in enumerate(one.changes, start=1)
            for said in (change.prediction,)
            for part in change.columns
        ]
        return pd.DataFrame(rows, columns=list(names))


def shown_before(before: Any, text: str) -> Any:
    """Return the row's own value as a plain Python value, None if it is missing."""
    if text == "missing" or (isinstance(before, float) and math.isnan(before)):
        return None
    return before.item() if isinstance(before, np.generic) else before
