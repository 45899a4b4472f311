"""Whether rows that are said to be new are those that a list was learned from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow.evidence.validation import Validation
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
    if found.n_rows != rules.n_samples or found.n_several or found.n_none or found.n_rows < 2:
        return False
    if [row.n_rows for row in found.rules] != [rule.coverage for rule in rules]:
        return False
    pairs = [(row.value.value, row.value_in_training) for row in found.rules if not math.isnan(row.value_in_training)]
    return all(math.isclose(new, old, rel_tol=_SAME, abs_tol=_SAME) for new, old in pairs)


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
