"""Columns that alone tell the target, which is often too good to be true."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.tables.columns import TaskName

#: So many rows are looked at, so many are needed to tell anything, and so many cells of a wide table are enough.
_MOST_ROWS, _LEAST_ROWS, _MOST_CELLS = 20_000, 30, 2_000_000
#: A column tells the target if it is wrong in at most this share of the rows, and of the majority's mistakes.
_WRONG, _OF_MAJORITY = 0.001, 0.01
#: A category must have so many rows on average, and a range of numbers at least, or a row would be told by its own.
_ROWS_PER_CATEGORY = 5


def leaks(frame: Any, targets: AnyArray, task: TaskName) -> dict[str, float]:
    """Return the columns that alone tell the target, and how well: the accuracy, or the share of the variance.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns of numbers or of strings.
    targets : array
    task : "classification" or "regression"

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> y = np.array(["no", "yes"] * 50)
    >>> leaks(pd.DataFrame({"paid_back": np.where(y == "yes", 120.5, 0), "age": np.arange(100)}), y, "classification")
    {'paid_back': 1.0}
    """
    if len(targets) < _LEAST_ROWS:
        return {}
    n_rows = min(_MOST_ROWS, max(_LEAST_ROWS * 10, _MOST_CELLS // max(frame.shape[1], 1)))
    rows = np.random.default_rng(0).permutation(len(targets))[:n_rows]
    y: AnyArray = np.asarray(targets)[rows]
    wrong_by_majority = 1.0
    if task == "classification":
        y = np.unique(y, return_inverse=True)[1]
        wrong_by_majority = 1 - np.bincount(y).max() / len(y)
    most_wrong = min(_WRONG, _OF_MAJORITY * wrong_by_majority)
    found = {name: 1 - _wrong(frame[name].iloc[rows], y, task) for name in frame}
    return {name: share for name, share in found.items() if share >= 1 - most_wrong}


def _wrong(column: Any, y: AnyArray, task: TaskName) -> float:
    """Return the share that a simple model of one column gets wrong: of the rows, or of the variance."""
    if column.dtype.kind in "iuf":
        return _wrong_by_number(column.to_numpy(dtype=np.float64), y, task)
    codes = column.factorize(use_na_sentinel=False)[0]
    if codes.max() + 1 > len(y) / _ROWS_PER_CATEGORY:
        return 1.0
    return _wrong_by_group(codes, y, task)


def _wrong_by_group(groups: AnyArray, y: AnyArray, task: TaskName) -> float:
    if task == "classification":
        counts = np.zeros((groups.max() + 1, y.max() + 1), dtype=np.int64)
        np.add.at(counts, (groups, y), 1)
        return 1 - float(counts.max(axis=1).sum() / len(y))
    n = np.bincount(groups)
    means = np.bincount(groups, y) / np.maximum(n, 1)
    return float(np.mean((y - means[groups]) ** 2) / max(np.var(y), np.finfo(np.float64).tiny))


def _wrong_by_number(numbers: FloatArray, y: AnyArray, task: TaskName) -> float:
    from sklearn.tree import DecisionTreeClassifier

    if task == "regression":
        there = np.isfinite(numbers)
        if there.sum() < _LEAST_ROWS or np.ptp(numbers[there]) == 0 or np.ptp(y[there]) == 0:
            return 1.0
        return float(1 - np.corrcoef(numbers[there], y[there])[0, 1] ** 2 * np.mean(there))
    n_classes = int(y.max()) + 1
    if n_classes > len(y) / _ROWS_PER_CATEGORY:
        return 1.0
    tree = DecisionTreeClassifier(max_leaf_nodes=n_classes + 1, min_samples_leaf=_ROWS_PER_CATEGORY, random_state=0)
    with np.errstate(over="ignore"):
        table = numbers.astype(np.float32)[:, None]
    table[np.isinf(table)] = np.nan
    # Releases of scikit-learn up to 1.7 do not part what is missing from numbers that are all the same.
    table = np.hstack([table, np.isnan(table)])
    return float(1 - tree.fit(table, y).score(table, y))
