"""Whether each rule holds on data that it has not seen: its coverage and its rate, with intervals and tests.

The rate of a rule is the share of its rows that have the class it predicts or, for numbers, the mean of their targets.
A row belongs to the first rule that matches it, as in :meth:`hedgerow.RuleList.apply`. Four questions are asked about
each rule: whether its coverage and its rate are those of training, and whether its rate differs from that of all other
rows and of the nearest other rule. All p-values are corrected together, by Holm's procedure.

Rules are chosen because they look good on the training rows, so a rate that is somewhat worse on others is normal; a
test asks whether it is worse than both samples' chance explains.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import norm

from hedgerow._support.arrays import FloatArray
from hedgerow._support.lettering import some
from hedgerow._support.text_table import aligned
from hedgerow.evidence.groups import Measured, measured
from hedgerow.evidence.resampling import bootstrap_test, mean_interval, shuffled_tests
from hedgerow.evidence.statistics import (
    LEVEL,
    Estimate,
    Group,
    check_level,
    holm,
    mean_test,
    share_test,
    wilson,
)
from hedgerow.evidence.wording import written_p, written_share, written_test, written_value
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, warn
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number, format_value
from hedgerow.tasks import Task

#: Rates that differ by no more are the same rate.
_SAME = 1e-9


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
            said = f"R² is {score.value:.2f} ({score.low:.2f} to {score.high:.2f}) on {rows}."
        found = [said, f"{self.n_several} of them match several rules, {self.n_none} match none."]
        if not math.isnan(self.calibration_error):
            off, chance = map(self._difference, (self.calibration_error, self.calibration_by_chance))
            what = "The stated probability of a class and its share" if self.is_labels else "Predictions and means"
            found.append(f"{what} differ by {off} on average over the rows; chance alone gives {chance}.")
        for label, n in self.unknown:
            found.append(f"{n} row{'s have' if n != 1 else ' has'} the class {label}, which the list does not know.")
        return found

    def _about(self, row: RuleValidation) -> str:
        if not row.n_rows:
            return f"Rule {row.rule} is not tested: it decides none of these rows."
        what = (
            f"of its {row.n_rows} rows are {row.prediction}" if self.is_labels else f"is the mean of {row.n_rows} rows"
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


def validate(rule_list: Any, X: Any, y: Any, weight: Any = None, level: float = LEVEL) -> Validation:
    """Test each rule of a list on rows that it has not seen.

    Parameters
    ----------
    rule_list : RuleList, or a fitted estimator that has one
    X : array or data frame
        Rows that the list was not learned from.
    y : array
        Their targets. Labels that the list does not know count as wrong; there is a warning.
    weight : array, optional
        Weights of the rows. Intervals and tests then use the effective number of rows.
    level : float
        The level of the intervals; 1 - level is that of the tests, for all of them together.

    Returns
    -------
    Validation

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from hedgerow import RuleListClassifier
    >>> from hedgerow.evidence import validate
    >>> X, X_test, y, y_test = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)
    >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y).rule_list_
    >>> found = validate(rules, X_test, y_test)
    >>> [found.verdict(row) for row in found.rules]
    ['holds', 'holds', 'holds']
    """
    rules = rule_list_of(rule_list)
    seen = rules.evaluate(X)
    if not seen.n_samples:
        raise InvalidDataError("There are no rows to validate the rules on; pass at least one.")
    found = validated(rules, seen, y, weight, level)
    if found.unknown:
        warn(
            f"y contains labels that the list does not know: {some(label for label, _ in found.unknown)}. "
            f"{sum(n for _, n in found.unknown)} of {found.n_rows} rows count as wrong."
        )
    if looks_like_training(rules, found):
        warn(
            "These seem to be the training rows: every rule has as many of them, and the same rate. On them, a "
            "validation says nothing about new rows; pass rows that were held out."
        )
    return found


def rule_list_of(given: Any) -> RuleList:
    """Return a rule list as it is, or that of a fitted estimator."""
    rules = getattr(given, "rule_list_", given)
    if not isinstance(rules, RuleList):
        raise InvalidParameterError(
            f"Only a RuleList, or a fitted estimator with a rule_list_, can be tested; this {type(given).__qualname__} "
            "has none. Fit a RuleListClassifier or RuleListRegressor and pass it."
        )
    return rules


def validated(rules: RuleList, seen: Evaluation, y: Any, weight: Any = None, level: float = LEVEL) -> Validation:
    """Return what :func:`validate` does, about rows that were looked at already, and without warnings."""
    level = check_level(level)
    rows = measured(rules, seen, y, weight)
    found = [_of_rule(rules, rule, i, rows, level) for i, rule in enumerate(rules)]
    corrected = holm([astuple(p) for p in _tests(rules, found, rows)])
    found = [replace(one, p=PValues(*p)) for one, p in zip(found, corrected.tolist(), strict=True)]
    if rows.n_rows[-1]:
        found.append(_of_no_rule(rules, rows, level))
    n_matching = seen.matches[rows.counted].sum(axis=1)
    error, by_chance = _calibration(found, rows)
    return Validation(
        rules=tuple(found),
        classes=tuple(map(format_value, rules.task.labels)),
        n_rows=len(rows.y),
        n_several=int((n_matching > 1).sum()),
        n_none=int((n_matching == 0).sum()),
        score_name=rules.task.score_name,
        score=_score(rules.task, rows, level),
        calibration_error=error,
        calibration_by_chance=by_chance,
        unknown=rows.unknown,
        level=level,
        weighted=weight is not None,
    )


def looks_like_training(rules: RuleList, found: Validation) -> bool:
    """Return whether rows are those of training: as many of each rule, none left over, and the same rates."""
    if found.n_rows != rules.n_samples or found.n_several or found.n_none or found.n_rows < 2:
        return False
    if [row.n_rows for row in found.rules] != [rule.coverage for rule in rules]:
        return False
    pairs = [(row.value.value, row.value_in_training) for row in found.rules if not math.isnan(row.value_in_training)]
    return all(math.isclose(new, old, rel_tol=_SAME, abs_tol=_SAME) for new, old in pairs)


def _of_rule(rules: RuleList, rule: Rule, i: int, rows: Measured, level: float) -> RuleValidation:
    own, rest = rows.group([i], i), rows.group([k for k in range(len(rows.n_rows)) if k != i], i)
    nearest = _nearest(rules, i)
    near = rows.group([nearest], i) if nearest is not None else Group(0.0, math.nan)
    return RuleValidation(
        rule=i + 1,
        conditions=rule.describe(rules.digits),
        prediction=format_value(rule.prediction),
        n_rows=int(rows.n_rows[i]),
        coverage=Group(rows.effective, rows.coverage(i)).share(level),
        coverage_in_training=rule.share,
        value=_value(own, i, rows, rules.task.has_labels, level),
        value_in_training=_in_training(rule, rules.task.has_labels).mean,
        shares=rows.shares(i, level),
        stated=rows.stated(i),
        of_rest=rest.mean,
        of_nearest=near.mean,
        nearest=0 if nearest is None else nearest + 1,
    )


def _tests(rules: RuleList, found: Sequence[RuleValidation], rows: Measured) -> list[PValues]:
    """Return the p-values of each rule, not yet corrected."""
    n, labels = len(rules), rules.task.has_labels
    test = share_test if labels else mean_test
    of_rest = None if labels else shuffled_tests(rows.y, rows.weight, rows.group_of_row, n + 1)
    pairs: dict[frozenset[int], float] = {}
    tests = []
    for i, rule in enumerate(rules):
        own, near = rows.group([i], i), found[i].nearest - 1
        rest = test(own, rows.group([k for k in range(n + 1) if k != i], i)) if of_rest is None else float(of_rest[i])
        if near < 0:
            nearest = math.nan
        elif labels:
            nearest = test(own, rows.group([near], i))
        else:
            pair = frozenset((i, near))
            nearest = pairs[pair] = pairs[pair] if pair in pairs else _pair_test(rows, i, near)
        covered = Group(float(rules.n_samples), rule.share)
        coverage = share_test(Group(rows.effective, rows.coverage(i)), covered)
        trained, mine = _in_training(rule, labels), rows.group_of_row == i
        training = test(own, trained) if labels else bootstrap_test(rows.y[mine], rows.weight[mine], trained)
        tests.append(PValues(coverage, training, rest, nearest))
    return tests


def _pair_test(rows: Measured, i: int, k: int) -> float:
    chosen = np.isin(rows.group_of_row, (i, k))
    is_second = (rows.group_of_row[chosen] == k).astype(np.int64)
    return float(shuffled_tests(rows.y[chosen], rows.weight[chosen], is_second, 2)[0])


def _of_no_rule(rules: RuleList, rows: Measured, level: float) -> RuleValidation:
    """Return the rows that no rule matches, which training does not have."""
    none = len(rules)
    return RuleValidation(
        rule=0,
        conditions="otherwise",
        prediction=rules.describe_default() if rules.fallback is not None else format_value(rules.default.prediction),
        n_rows=int(rows.n_rows[none]),
        coverage=Group(rows.effective, rows.coverage(none)).share(level),
        coverage_in_training=0.0,
        value=_value(rows.group([none], none), none, rows, rules.task.has_labels, level),
        value_in_training=math.nan,
        shares=rows.shares(none, level),
        stated=rows.stated(none),
    )


def _value(own: Group, i: int, rows: Measured, has_labels: bool, level: float) -> Estimate:
    if has_labels:
        return own.share(level)
    return mean_interval(rows.y[rows.group_of_row == i], rows.weight[rows.group_of_row == i], level)


def _in_training(rule: Rule, has_labels: bool) -> Group:
    """Return the rate of a rule in training, as far as the list knows it."""
    n = float(rule.coverage)
    if has_labels:
        return Group(0.0, math.nan) if rule.class_share is None else Group(n, rule.class_share)
    if rule.kind or rule.spread is None or not n:  # a median, say, and the mean is not known
        return Group(0.0, math.nan)
    unbiased = math.sqrt(n / (n - 1)) if n > 1 else math.nan
    return Group(n, float(rule.prediction), rule.spread * unbiased)


def _nearest(rules: RuleList, i: int) -> int | None:
    """Return the other rule whose prediction was closest in training; of equals, the first."""
    others = [k for k in range(len(rules)) if k != i]
    if not others:
        return None
    said = [_said(rule, rules.task) for rule in rules]
    return min(others, key=lambda k: float(np.abs(said[k] - said[i]).sum()))


def _said(rule: Rule, task: Task) -> FloatArray:
    if not task.has_labels:
        return np.array([float(rule.prediction)])
    shares = rule.distribution or [float(label == rule.prediction) for label in task.labels]
    return np.array(shares, dtype=np.float64)


def _score(task: Task, rows: Measured, level: float) -> Estimate:
    share = rows.weight / rows.weight.sum()
    if task.has_labels:
        right = float(share @ rows.right)
        return Estimate(right, *wilson(right, rows.effective, level))
    errors, distances = rows.right**2, (rows.y - share @ rows.y) ** 2
    spread = float(share @ distances)
    if not spread > 0:
        return Estimate(math.nan, math.nan, math.nan)
    value = 1 - float(share @ errors) / spread
    # How much each row moves R²: its share of the errors less that of the distances, which R² divides them by.
    influence = (errors - (1 - value) * distances) / spread
    group = Group(rows.effective, value, float(np.sqrt(share @ influence**2)))
    z = float(norm.ppf((1 + level) / 2))
    return group.between(-z, z)


def _calibration(found: Sequence[RuleValidation], rows: Measured) -> tuple[float, float]:
    """Return how far stated and observed rates are apart, and how far they would be by chance; NaN for quantiles."""
    known = [one for one in found if one.n_rows and not math.isnan(one.stated)]
    if not known:
        return math.nan, math.nan
    error = by_chance = 0.0
    for one in known:
        i = one.rule - 1
        error += rows.coverage(i) * abs(one.value.value - one.stated)
        group = rows.group([i], i if one.rule else len(rows.n_rows) - 1)
        spread = math.sqrt(one.stated * (1 - one.stated)) if one.shares else group.spread
        # The mean absolute value of a normal error with this deviation.
        by_chance += rows.coverage(i) * math.sqrt(2 / math.pi) * spread / math.sqrt(group.n)
    return error, by_chance
