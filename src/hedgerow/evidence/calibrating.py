"""Sets and intervals around predictions that are right as often as they say: split-conformal prediction.

A rule makes the same prediction for all of its rows, so the scores of rows are tied, and a set that is at least right
in 90 % of the rows may be right in 97 %. Ties are therefore ordered by a draw, a hash of the row; a set then has one
class more or less in some rows of a rule than in others. The draws of the calibration rows are kept: where many rows
are equal, draws are not even, and only these say how often a row is missed. Numbers have fewer ties, and each rule with
enough rows has an interval of its own.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow._support.lettering import some
from hedgerow.evidence.calibration import LEVEL, N_SEEDS, draws, n_needed
from hedgerow.evidence.groups import Measured, measured
from hedgerow.evidence.prediction_intervals import PredictionIntervals, merged
from hedgerow.evidence.prediction_sets import PredictionSets, class_scores
from hedgerow.evidence.statistics import check_level
from hedgerow.evidence.training_rows import are_training, warn_of_training
from hedgerow.evidence.validating import rule_list_of
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, warn
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList


def conformal(
    rule_list: Any,
    X: Any,
    y: Any,
    level: float = LEVEL,
    *,
    by_rule: bool | None = None,
    empty: bool = False,
    random_state: int | None = 0,
) -> PredictionSets | PredictionIntervals:
    """Calibrate sets of classes, or intervals of numbers, on rows that a list has not seen.

    Parameters
    ----------
    rule_list : RuleList, or a fitted estimator that has one
    X : array or data frame
        Calibration rows: the list was not learned from them, and new rows are drawn as they were. All rows count alike;
        there are no weights, because those of new rows would have to be known as well.
    y : array
        Their targets. A label that the list does not know is in no set; there is a warning.
    level : float
        How often a set or an interval contains the true target, at least.
    by_rule : bool, optional
        Whether that holds for each rule, or for all rows together. Rules with few rows are seen as one. By default,
        True for numbers and False for classes: sets by rule make up for no rule that is right more often than that.
    empty : bool
        For classes: whether a set may be empty. Otherwise it always has the class that is predicted, and is right
        more often than ``level`` if the list is.
    random_state : int or None
        The seed of the hash that decides whether the set of a row has the class, or its interval the number, that
        would make it right more often than ``level``. Rows with equal values in the columns of the list have the same
        hash; if there are few such values, sets may be right more often. None: every row has the class or the number,
        and all rows of a rule have the same set or interval.

    Returns
    -------
    PredictionSets or PredictionIntervals
        With ``predict_set(X)`` or ``predict_interval(X)``.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import train_test_split
    >>> from hedgerow import RuleListRegressor
    >>> from hedgerow.evidence import conformal
    >>> X, X_new, y, y_new = train_test_split(*load_diabetes(return_X_y=True), random_state=0)
    >>> rules = RuleListRegressor(max_rules=3, random_state=0).fit(X, y)
    >>> found = conformal(rules, X_new, y_new)
    >>> found.predict_interval(X_new[:2]).shape
    (2, 2)
    """
    rules = rule_list_of(rule_list)
    level = check_level(level)
    seed = _seed(random_state)
    for name, value in (("by_rule", by_rule), ("empty", empty)):
        if not isinstance(value, bool) and not (name == "by_rule" and value is None):
            raise InvalidParameterError(f"{name} must be True or False; got {value!r}.", parameter=name)
    seen = rules.evaluate(X)
    needed = n_needed(1 if rules.task.has_labels else 2, level)
    if seen.n_samples < needed:
        raise InvalidDataError(
            f"A level of {100 * level:g} % needs at least {needed} calibration rows; got {seen.n_samples}. Pass more "
            "rows, or ask for a lower level."
        )
    rows = measured(rules, seen, y, asked_by="A calibration")
    if rows.unknown:
        warn(
            f"y contains labels that the list does not know: {some(label for label, _ in rows.unknown)}. "
            f"{sum(n for _, n in rows.unknown)} of {seen.n_samples} rows are in no set, which makes sets larger."
        )
    is_training = are_training(rules, rows)
    warn_of_training(rule_list, X, is_training, seen.n_samples, "sets and intervals are too small for new rows")
    u = None if seed is None else draws(seen.values, rules, seen.n_samples, seed)
    if rules.task.has_labels:
        return _sets(rules, seen, rows, u, level, bool(by_rule), empty, seed)
    return _intervals(rules, rows, u, level, by_rule is not False, seed)


def _seed(random_state: Any) -> int | None:
    if random_state is None:
        return None
    is_integer = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if not is_integer or not 0 <= random_state < N_SEEDS:
        raise InvalidParameterError(
            f"random_state must be an integer from 0 to 2**64 - 1, or None; got {random_state!r}.",
            parameter="random_state",
        )
    return int(random_state)


def _intervals(
    rules: RuleList, rows: Measured, u: FloatArray | None, level: float, by_rule: bool, seed: int | None
) -> PredictionIntervals:
    errors = merged(rows.right, rows.y)
    order = np.lexsort((np.zeros(len(errors)) if u is None else u, errors, rows.group_of_row))
    ends = np.cumsum(rows.n_rows)[:-1]
    drawn = None if u is None else tuple(np.split(u[order], ends))
    return PredictionIntervals(rules, tuple(np.split(errors[order], ends)), level, by_rule, seed, drawn)


def _sets(
    rules: RuleList,
    seen: Evaluation,
    rows: Measured,
    u: FloatArray | None,
    level: float,
    by_rule: bool,
    empty: bool,
    seed: int | None,
) -> PredictionSets:
    order = np.lexsort((rows.y, rows.group_of_row))
    rest = order[len(order) - int(rows.n_rows[-1]) :]
    others = None if rules.fallback is None else _scores_of_others(rules, seen, rows, rest, empty)
    # The weights are all 1, so these sums are counts.
    counts = np.rint(rows.sums).astype(np.int64)
    return PredictionSets(rules, counts, level, by_rule, empty, seed, others, None if u is None else u[order])


def _scores_of_others(rules: RuleList, seen: Evaluation, rows: Measured, rest: IntArray, empty: bool) -> FloatArray:
    """Return how unlikely the true class is in the rows that no rule matches, for which an ensemble answers."""
    scores = class_scores(seen.shares[rest], seen.predictions[rest], rules.task.labels, empty)
    known = np.column_stack([scores, np.full(len(rest), np.inf)])
    return np.asarray(known[np.arange(len(rest)), rows.y[rest]])
