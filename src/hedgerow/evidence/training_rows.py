"""Whether rows that are said to be new are those that a list was learned from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow.evidence.groups import Measured, in_training
from hedgerow.evidence.statistics import Group
from hedgerow.exceptions import warn
from hedgerow.pipeline.samples import Streamed
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList

#: Rates that differ by no more are the same rate.
_SAME = 1e-9
#: Rows are told apart if at most this share of the training rows is equal to another one.
_EQUAL = 0.05
#: From this share of known rows on, chance does not explain them.
_KNOWN = 0.2


def are_training(rules: RuleList, rows: Measured) -> bool:
    """Return whether rows are those of training: as many of each rule, none left over, and the same rates."""
    *n_rows, n_none = rows.n_rows.tolist()
    if n_none or sum(n_rows) != rules.n_samples or sum(n_rows) < 2 or n_rows != [rule.coverage for rule in rules]:
        return False
    labels = rules.task.has_labels
    return all(_has_same_rate(rule, rows.group([i], i), labels) for i, rule in enumerate(rules))


def _has_same_rate(rule: Rule, found: Group, has_labels: bool) -> bool:
    known = in_training(rule, has_labels).mean
    if math.isnan(known) or _is_same(found.mean, known):
        return True
    if has_labels or rule.spread is None:
        return False
    # The prediction of a small rule may be a teacher's rather than the mean; then its spread is around the prediction.
    variance = found.spread**2 * (found.n - 1) / found.n if found.n > 1 else 0.0
    return _is_same(math.hypot(math.sqrt(variance), found.mean - known), rule.spread)


def _is_same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_SAME, abs_tol=_SAME)


def warn_of_training(rule_list: Any, X: Any, is_training: bool, n_rows: int, effect: str) -> None:
    """Warn if rows are those of training, or if an estimator recognizes some of them; ``effect`` is what that means."""
    if is_training:
        warn(
            "These seem to be the training rows: every rule has as many of them, and the same rate. On them, "
            f"{effect}; pass rows that were held out."
        )
        return
    known = among_training(rule_list, X)
    if known:
        warn(
            f"{known} of the {n_rows} rows are among the training rows. On them, {effect}; pass rows that were held "
            "out."
        )


def among_training(estimator: Any, X: Any) -> int:
    """Return how many rows are among the training rows of an estimator.

    It is 0 if the estimator does not have them (it is a list, or was unpickled), if many training rows are equal, so
    that new ones are equal to some by chance, or if they are few.
    """
    posed = vars(getattr(estimator, "without_search", estimator)).get("posed_")
    samples = None if posed is None else posed.learned.samples
    if samples is None or isinstance(samples, Streamed):
        return 0
    inputs = estimator.forest_.inputs
    old, new = _keys(inputs.matrix(samples.X)), _keys(inputs.matrix(X))
    unique = np.unique(old)
    known = int(np.isin(new, unique).sum())
    return known if len(unique) >= (1 - _EQUAL) * len(old) and known >= _KNOWN * len(new) else 0


def _keys(matrix: AnyArray) -> AnyArray:
    """Return one value per row, which equal rows have in common."""
    rows = np.ascontiguousarray(matrix)
    return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
