"""What a validation says about a list: a row per rule, a table, and sentences.

:mod:`hedgerow.evidence.validating` makes it.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from hedgerow._support.text_table import aligned
from hedgerow.evidence.statistics import LEVEL, Estimate
from hedgerow.evidence.wording import written_p, written_share, written_test, written_value
from hedgerow.rules.wording import format_number


@dataclass(frozen=True)
class PValues:
    """The p-values of a rule, corrected for all tests of all rules; NaN if a test could not be made.

    Attributes
    ----------
    coverage, training : float
        That its coverage and its rate are those of training.
    rest, nearest : float
        That its rate is that of all other rows, and that of the nearest other rule.
    """

    coverage: float = math.nan
    training: float = math.nan
    rest: float = math.nan
    nearest: float = math.nan


@dataclass(frozen=True)
class RuleValidation:
    """What new rows say about a rule.

    Attributes
    ----------
    rule : int
        Its number, from 1; 0 for the rows that no rule matches.
    conditions, prediction : str
    n_rows : int
        The rows for which it is the first rule to match.
    coverage : Estimate
        Their share.
    coverage_in_training : float
    value : Estimate
        The rate: the share of its rows that have the predicted class, or the mean of their targets; NaN without rows.
    value_in_training : float
        NaN if that is not known.
    shares : tuple of Estimate
        The share of each class of the list; empty for numbers.
    stated : float
        The probability that the list states for the class, or the number that it predicts.
    of_rest, of_nearest : float
        The share of the same class, or the mean, among all other rows, and among those of the nearest other rule.
    nearest : int
        The number of the rule whose prediction was closest in training; 0 if there is no other rule.
    p : PValues
    """

    rule: int
    conditions: str
    prediction: str
    n_rows: int
    coverage: Estimate
    coverage_in_training: float
    value: Estimate
    value_in_training: float
    shares: tuple[Estimate, ...] = ()
    stated: float = math.nan
    of_rest: float = math.nan
    of_nearest: float = math.nan
    nearest: int = 0
    p: PValues = PValues()

    @property
    def name(self) -> str:
        """What the rule is called in a text."""
        return f"rule {self.rule}" if self.rule else "no rule"


@dataclass(frozen=True)
class Validation:
    """What :func:`validate` returns; print it for a table, or see :meth:`sentences`.

    Attributes
    ----------
    rules : tuple of RuleValidation
        In the order of the list. If some rows match no rule, they come last.
    classes : tuple of str
        The classes of the list; empty for numbers.
    n_rows, n_several, n_none : int
        All rows, and those that match more than one rule or none.
    score_name : str
        "accuracy" or "R²".
    score : Estimate
    calibration_error : float
        How far stated and observed rates are apart, on average over the rows.
    calibration_by_chance : float
        What this error would be on average if all stated rates were true.
    unknown : tuple of (str, int)
        Labels that the list does not know, and how many rows have them; these count as wrong.
    level : float
        The level of the intervals; a test counts if its p-value is below 1 - level.
    weighted : bool
    """

    rules: tuple[RuleValidation, ...]
    classes: tuple[str, ...]
    n_rows: int
    n_several: int
    n_none: int
    score_name: str
    score: Estimate
    calibration_error: float
    calibration_by_chance: float
    unknown: tuple[tuple[str, int], ...] = ()
    level: float = LEVEL
    weighted: bool = False

    @property
    def is_labels(self) -> bool:
        """Whether the list predicts classes."""
        return bool(self.classes)

    def counts(self, p: float) -> bool:
        """Return whether a p-value is small enough to count; NaN is not."""
        return p < 1 - self.level

    def verdict(self, row: RuleValidation) -> str:
        """Return "holds", "lower", "higher" or "no rows": the rate of a rule beside that of training."""
        if not row.n_rows:
            return "no rows"
        if not self.counts(row.p.training):
            return "holds"
        return "lower" if row.value.value < row.value_in_training else "higher"

    @property
    def changed(self) -> tuple[RuleValidation, ...]:
        """The rules whose rate is not that of training."""
        return tuple(row for row in self.rules if self.counts(row.p.training))

    def __str__(self) -> str:
        level = f"{100 * self.level:g} %"
        rate = "share" if self.is_labels else "mean"
        head = ("rule", "rows", "coverage", "in training", "p", rate, level, "in training", "p", "rest p", "nearest p")
        lines = aligned([head, *map(self._cells, self.rules)], right=frozenset(range(1, len(head))))
        return "\n".join([*lines, *self.about_all()])

    def _cells(self, row: RuleValidation) -> tuple[str, ...]:
        nearest = f"{written_p(row.p.nearest)} ({row.nearest})" if row.nearest else "–"
        return (
            str(row.rule or "none"),
            str(row.n_rows),
            written_share(row.coverage.value),
            written_share(row.coverage_in_training),
            written_p(row.p.coverage),
            self._written(row.value.value),
            self._interval(row.value) if row.n_rows else "–",
            self._written(row.value_in_training),
            written_p(row.p.training),
            written_p(row.p.rest),
            nearest,
        )

    def sentences(self) -> list[str]:
        """Return what was found, in sentences: about the list, then about each rule."""
        return [*self.about_all(), *(self._about(row) for row in self.rules if row.rule)]

    def about_all(self) -> list[str]:
        """Return the sentences about all rows."""
        rows = f"{self.n_rows} row{'s' * (self.n_rows != 1)}"
        score = self.score
        if self.is_labels:
            said = f"The prediction is right for {written_share(score.value)} of {rows}"
            said += f" ({written_share(score.low)} to {written_share(score.high)})."
        elif math.isnan(score.value):
            said = f"There {'is' if self.n_rows == 1 else 'are'} {rows}, for which R² is not defined."
        else:
            value, low, high = (
                f"{round(one, 2) + 0.0:.2f}" for one in (score.value, score.low, score.high)
            )  # not -0.00
            said = f"R² is {value} ({low} to {high}) on {rows}."
        found = [said, self._about_matches()]
        if not math.isnan(self.calibration_error):
            off, chance = map(self._difference, (self.calibration_error, self.calibration_by_chance))
            what = "The stated probability of a class and its share" if self.is_labels else "Predictions and means"
            by_chance = "" if math.isnan(self.calibration_by_chance) else f"; chance alone gives {chance}"
            found.append(f"{what} differ by {off} on average over the rows{by_chance}.")
        for label, n in self.unknown:
            found.append(f"{n} row{'s have' if n != 1 else ' has'} the class {label}, which the list does not know.")
        return found

    def _about_matches(self) -> str:
        if self.n_rows == 1:
            return f"It matches {'several rules' if self.n_several else 'no rule' if self.n_none else 'one rule'}."
        return f"{self.n_several} of them match several rules, {self.n_none} match none."

    def _about(self, row: RuleValidation) -> str:
        if not row.n_rows:
            return f"Rule {row.rule} is not tested: it decides none of these rows."
        rows, are = ("row", "is") if row.n_rows == 1 else ("rows", "are")
        what = (
            f"of its {row.n_rows} {rows} {are} {row.prediction}"
            if self.is_labels
            else f"is the mean of {row.n_rows} {rows}"
        )
        said = f"{self._written(row.value.value)} {what} ({self._interval(row.value)})"
        if not math.isnan(row.value_in_training):
            said += f", {self._written(row.value_in_training)} in training"
        if not math.isnan(row.p.training):
            said += f" ({written_test(row.p.training)})"
        verdict = {"holds": "holds", "lower": "is lower than in training", "higher": "is higher than in training"}
        sentence = f"Rule {row.rule} {verdict[self.verdict(row)]}: {said}."
        if row.p.nearest >= 1 - self.level:
            sentence += f" Its rate cannot be told from that of rule {row.nearest} ({written_test(row.p.nearest)})."
        if self.counts(row.p.coverage):
            shares = map(written_share, (row.coverage.value, row.coverage_in_training))
            sentence += " It covers {} of the rows, {} in training.".format(*shares)
        return sentence

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame, one row per rule."""
        import pandas as pd

        return pd.DataFrame([self._record(row) for row in self.rules])

    def _record(self, row: RuleValidation) -> dict[str, Any]:
        record = {"rule": row.rule, "conditions": row.conditions, "prediction": row.prediction, "rows": row.n_rows}
        record |= {"coverage": row.coverage.value, "coverage_low": row.coverage.low, "coverage_high": row.coverage.high}
        record |= {"coverage_in_training": row.coverage_in_training}
        record |= {"value": row.value.value, "value_low": row.value.low, "value_high": row.value.high}
        record |= {"value_in_training": row.value_in_training, "stated": row.stated, "of_rest": row.of_rest}
        record |= {"nearest": row.nearest, "of_nearest": row.of_nearest}
        record |= {f"p_{name}": p for name, p in asdict(row.p).items()}
        return record | {f"share of {name}": one.value for name, one in zip(self.classes, row.shares, strict=False)}

    def _written(self, value: float) -> str:
        return written_value(value, self.is_labels)

    def _interval(self, estimate: Estimate) -> str:
        return f"{self._written(estimate.low)} to {self._written(estimate.high)}"

    def _difference(self, value: float) -> str:
        return f"{100 * value:.1f} points" if self.is_labels else format_number(value, 3)
