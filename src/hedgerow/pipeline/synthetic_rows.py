"""Synthetic rows near the samples: samples with some columns taken from another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray
from hedgerow.features import column_of
from hedgerow.teachers import Teacher


def draw_origins(teacher: Teacher, X: Any, used: IntArray, random: Any) -> tuple[IntArray, IntArray]:
    """Draw synthetic rows: the sample that each cell comes from, and the sample that each row is made from."""
    n_rows = min(teacher.copies * len(used), teacher.most)
    kept, other = (used[random.randint(len(used), size=n_rows)] for _ in range(2))
    group = whole_categories(X, used)
    swapped = random.random_sample((n_rows, group.max() + 1)) < teacher.swap
    return np.where(swapped[:, group], other[:, None], kept[:, None]), kept


def whole_categories(X: Any, used: IntArray) -> IntArray:
    """Number the columns so that those of one one-hot encoded category have the same number.

    They are recognised by their values: adjacent columns of zeros and ones, exactly one of which is 1 in every sample.
    If that is so by chance, the synthetic rows only keep something that is true of all samples.
    """
    flags: list[Any] = [_flags(column_of(X, j), used) for j in range(X.shape[1])] if len(X.shape) > 1 else [None]
    group = np.arange(len(flags))
    # The number of ones; for other columns a number too large for any category.
    ones = np.cumsum([0] + [len(used) + 1 if flag is None else int(flag.sum()) for flag in flags])
    start = 0
    while start < len(flags):
        end = int(np.searchsorted(ones, ones[start] + len(used)))
        if end <= len(flags) and ones[end] - ones[start] == len(used) and np.all(np.sum(flags[start:end], axis=0) == 1):
            group[start:end] = start
            start = end
        else:
            start += 1
    return np.unique(group, return_inverse=True)[1]


def _flags(column: Any, used: IntArray) -> BoolArray | None:
    """Return a column of zeros and ones as booleans, and None for any other."""
    values = np.asarray(column)
    if values.dtype.kind not in "biuf":
        return None
    values = values[used]
    is_one: BoolArray = values == 1
    return is_one if np.all(is_one | (values == 0)) else None
