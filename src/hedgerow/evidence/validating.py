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
from dataclasses import astuple, replace
from typing import Any

import numpy as np
from scipy.stats import norm

from hedgerow._support.arrays import FloatArray
from hedgerow._support.lettering import some
from hedgerow.evidence.groups import Measured, in_training, measured
from hedgerow.evidence.resampling import drawn_test, shape_of, shuffled_tests
from hedgerow.evidence.skewed_means import mean_interval
from hedgerow.evidence.statistics import LEVEL, Estimate, Group, check_level, holm, mean_test, share_test, wilson
from hedgerow.evidence.training_rows import are_training, warn_of_training
from hedgerow.evidence.validation import PValues, RuleValidation, Validation
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, warn
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value
from hedgerow.tasks import Task

#: By which share of their size numbers may differ by rounding alone.
_ROUNDING = 1e-14


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
    is_training = are_training(rules, measured(rules, seen, y, weight))
    warn_of_training(rule_list, X, is_training, found.n_rows, "a validation says nothing about new rows")
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
        value_in_training=in_training(rule, rules.task.has_labels).mean,
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
    shape = None if labels else shape_of(rows.y, rows.weight, rows.group_of_row)
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
        trained, mine = in_training(rule, labels), rows.group_of_row == i
        training = test(own, trained) if shape is None else drawn_test(rows.y[mine], rows.weight[mine], trained, shape)
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
        # The sums of all rows are the same if all are right; a sum of shares may end just below 1.
        right = min(1.0, float(rows.weight[rows.right > 0].sum() / rows.weight.sum()))
        return Estimate(right, *wilson(right, rows.effective, level))
    errors, distances = rows.right**2, (rows.y - share @ rows.y) ** 2
    spread = float(share @ distances)
    rounding = _ROUNDING * float(np.abs(rows.y).max())  # targets that are the same, but for rounding, do not vary
    if not spread > 0 or not float(np.ptp(rows.y)) > rounding:
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
