"""Statistics of parts of series, summed in the same order as a given library.

The order of summation decides the last digits. They matter: where a series is
flat, a library's standard deviation or slope is 0 in one order and 1e-17 in
another, and trees split there. To add an order, write how it computes a mean and
add it to ``ORDERS``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray


def sum_in_turn(part: AnyArray) -> AnyArray:
    """Return the sum over the last axis, one number after the other."""
    # The order in which np.sum adds depends on the shape; cumulative sums have only one order.
    return np.cumsum(part, axis=-1)[..., -1]


#: How each order computes the mean of each row.
ORDERS: dict[str, Callable[[AnyArray], AnyArray]] = {
    "pairwise": lambda part: part.mean(axis=1),  # numpy, sktime: in the precision of the numbers
    "sequential": lambda part: sum_in_turn(part) / part.shape[1],  # wildboar
    "parallel": lambda part: part.mean(axis=1),  # aeon, where it is not installed; see `statistic`
}


def statistic(part: AnyArray, kind: str, order: str) -> AnyArray:
    """Return the mean, the standard deviation, the variance or the slope of each row of ``part``.

    The order "parallel" is aeon's: it uses the vector width of the processor, so
    that only the same code on the same machine gives the same sums. aeon's own
    functions are called if they are installed.
    """
    if order == "parallel" and kind in (functions := _aeon_functions()):
        return functions[kind](part)
    mean = ORDERS[order]
    if kind == "mean":
        return mean(part)
    if kind == "slope":
        return _slope(part, mean)
    variance = mean((part - mean(part)[:, None]) ** 2)
    return np.sqrt(variance) if kind == "std" else variance


def _slope(part: AnyArray, mean: Callable[[AnyArray], AnyArray]) -> AnyArray:
    """Return the slope of the least-squares line: the covariance with the steps, divided by their variance."""
    length = part.shape[1]
    if length == 1:
        return np.zeros(len(part))
    steps = np.arange(1, length + 1)
    middle = (length + 1) / 2
    return (mean(part * steps) - middle * mean(part)) / ((steps * steps).mean() - middle**2)


@cache
def _aeon_functions() -> dict[str, Any]:
    try:
        from aeon.utils.numba.stats import row_mean, row_slope, row_std
    except ImportError:
        return {}
    return {"mean": row_mean, "std": row_std, "slope": row_slope}
