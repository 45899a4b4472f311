"""Synthetic rows near the samples: with some columns taken from others, or moved as samples of a class differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, IntArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import cells, column_of
from hedgerow.teachers import Teacher

#: Of so many samples that are drawn, so many nearest ones give their values to a row.
_DRAWN, _NEAREST = 50, 5
#: How many numbers are compared at once.
_AT_ONCE = 10_000_000
#: How many values of a column that is not of numbers are told apart.
_CATEGORIES = 20


def draw_rows(teacher: Teacher, X: Any, y: AnyArray, used: IntArray, random: Any) -> tuple[Any, IntArray, IntArray]:
    """Draw synthetic rows, and return X with them below, the sample that each is made from, and which it is a copy of.

    ``y`` are labels where the teacher scatters its rows; ``used`` are the samples that count. A row that is not a copy
    has -1.
    """
    if teacher.rows == "scatter":
        rows, kept = scatter(_numbers(X), y, used, min(teacher.copies * len(used), teacher.most), random)
        return np.concatenate([_numbers(X), rows]), kept, np.full(len(kept), -1)
    origin, kept = draw_origins(teacher, X, used, random)
    samples = np.repeat(np.arange(len(y))[:, None], origin.shape[1], axis=1)
    copied = np.where((origin == origin[:, :1]).all(axis=1), origin[:, 0], -1)
    return cells(X, np.concatenate([samples, origin])), kept, copied


def scatter(X: AnyArray, y: AnyArray, used: IntArray, n_rows: int, random: Any) -> tuple[AnyArray, IntArray]:
    """Draw rows from normal distributions about the samples, and return also the sample of each.

    The covariance is that of the samples about the means of their classes. It has one column per feature, often more
    than there are samples, so it is never computed: a normal mix of the deviations has that covariance.
    """
    labels, label = np.unique(y[used], return_inverse=True)
    means = np.array([X[used[label == k]].mean(axis=0) for k in range(len(labels))])
    deviations = X[used] - means[label]
    kept = used[random.randint(len(used), size=n_rows)]
    moves = random.standard_normal((n_rows, len(used))) @ deviations
    return X[kept] + moves / np.sqrt(max(1, len(used) - len(labels))), kept


def _numbers(X: Any) -> AnyArray:
    """Return a table as an array of numbers."""
    try:
        return np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError("Teacher(rows='scatter') needs a table of numbers; take rows='swap'.") from None


def draw_origins(teacher: Teacher, X: Any, used: IntArray, random: Any) -> tuple[IntArray, IntArray]:
    """Draw synthetic rows: the sample that each cell comes from, and the sample that each row is made from."""
    n_rows = min(teacher.copies * len(used), teacher.most)
    kept, other = (used[random.randint(len(used), size=n_rows)] for _ in range(2))
    group = whole_categories(X, used)
    swapped = random.random_sample((n_rows, group.max() + 1)) < teacher.swap
    if teacher.rows == "near":
        near = nearest(X, used, kept, random)
        chosen = random.randint(near.shape[1], size=swapped.shape)
        others = near[np.arange(n_rows)[:, None], chosen][:, group]
    else:
        others = other[:, None]
    return np.where(swapped[:, group], others, kept[:, None]), kept


def nearest(X: Any, used: IntArray, kept: IntArray, random: Any) -> IntArray:
    """Return for each row some samples that are near the one it is made from: the nearest of a few that are drawn.

    So they are about the nearest tenth of all samples, however many there are, and no search is needed. A column of
    numbers counts by its difference in standard deviations, any other by whether the values differ.
    """
    places = _places(X, used)
    drawn = used[random.randint(len(used), size=(len(kept), _DRAWN))]
    found = np.empty((len(kept), _NEAREST), dtype=drawn.dtype)
    size = max(1, _AT_ONCE // (_DRAWN * places.shape[1]))
    for start in range(0, len(kept), size):
        part = slice(start, start + size)
        apart = places[drawn[part]] - places[kept[part], None]
        distance = np.einsum("ijk,ijk->ij", apart, apart)
        order = np.argpartition(distance, _NEAREST - 1, axis=1)[:, :_NEAREST]
        found[part] = np.take_along_axis(drawn[part], order, axis=1)
    return found


def _places(X: Any, used: IntArray) -> AnyArray:
    """Return coordinates of the samples whose distances tell how near they are; missing values are in the middle."""
    columns = [_coordinates(column_of(X, j), used) for j in range(X.shape[1])] if len(X.shape) > 1 else []
    return np.column_stack(columns or [np.zeros(X.shape[0])]).astype(np.float32)


def _coordinates(column: Any, used: IntArray) -> AnyArray:
    values = np.asarray(column)
    if values.dtype.kind not in "biuf":
        return _coordinates_of_categories(values)
    values = values.astype(np.float64)
    values = np.where(np.isfinite(values), values, np.nan)
    known = values[used][np.isfinite(values[used])]
    spread = known.std() if len(known) else 0.0
    return np.nan_to_num((values - known.mean()) / spread) if spread > 0 else np.zeros(len(values))


def _coordinates_of_categories(values: AnyArray) -> AnyArray:
    """Return columns in which two samples are at distance 1 if their values differ, for the most frequent ones."""
    _, code, count = np.unique([str(value) for value in values], return_inverse=True, return_counts=True)
    common = np.argsort(-count)[:_CATEGORIES]
    return (code[:, None] == common) / np.sqrt(2)


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
