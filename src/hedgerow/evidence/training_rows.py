"""Whether rows that are said to be new are those that a list was learned from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow.evidence.groups import Measured, in_training
from hedgerow.evidence.validation import Validation
from hedgerow.exceptions import warn
from hedgerow.pipeline.samples import Streamed
from hedgerow.rules.rule_list import RuleList

#: Rates that differ by no more are the same rate.
_SAME = 1e-9
#: Rows are told apart if at most this share of the training rows is equal to another one.
_EQUAL = 0.05
#: From this share of known rows on, chance does not explain them.
_KNOWN = 0.2


def looks_like_training(rules: RuleList, found: Validation) -> bool:
    """Return whether rows are those of training: as many of each rule, none left over, and the same rates."""
    if found.n_several or found.n_none:
        return False
    rates = [(row.value.value, row.value_in_training) for row in found.rules]
    return _are_those(rules, [row.n_rows for row in found.rules], rates)


def are_training(rules: RuleList, rows: Measured) -> bool:
    """Return the same as :func:`looks_like_training`, about rows that are measured but not tested."""
    *n_rows, n_none = rows.n_rows.tolist()
    if n_none:
        return False
    labels = rules.task.has_labels
    rates = [(rows.group([i], i).mean, in_training(rule, labels).mean) for i, rule in enumerate(rules)]
    return _are_those(rules, n_rows, rates)


def _are_those(rules: RuleList, n_rows: Sequence[int], rates: Sequence[tuple[float, float]]) -> bool:
    if sum(n_rows) != rules.n_samples or sum(n_rows) < 2 or list(n_rows) != [rule.coverage for rule in rules]:
        return False
    known = [(new, old) for new, old in rates if not math.isnan(old)]
    return all(math.isclose(new, old, rel_tol=_SAME, abs_tol=_SAME) for new, old in known)


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
