"""Thresholds in the precision in which samples are compared, and with few digits."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

import numpy as np


def round_down(threshold: Any, dtype: Any) -> Any:
    """Return the largest number of a floating dtype that is at most the threshold.

    Comparing samples of this dtype with it gives the same result as comparing them with the threshold, because no
    number of the dtype lies between the two. A plain conversion would round to nearest, which may lie above.

    >>> float(round_down(np.float64(0.1), np.float32)) <= 0.1 < float(np.float32(0.1))
    True
    """
    with np.errstate(over="ignore"):
        nearest = threshold.astype(dtype)
        return np.where(nearest > threshold, np.nextafter(nearest, dtype(-np.inf)), nearest)[()]


def shortest_between(low: float, high: float, near: float) -> float:
    """Return the number with the fewest significant digits in ``low <= x < high``; of several, the nearest to ``near``.

    Zero has none. ``near`` lies in the interval; it is returned if no other number there is shorter.

    >>> shortest_between(39.9, 41.9, 41.37), shortest_between(1230.0, 1250.0, 1234.5), shortest_between(-0.1, 3.0, 1.4)
    (40.0, 1230.0, 0.0)
    """
    if low <= 0 < high:
        return 0.0
    for digits in range(1, n_digits(near)):
        # The neighbours with so many digits: if neither lies in the interval, no number with so many digits does.
        found = [x for x in _neighbours(near, digits) if low <= x < high]
        if found:
            return min(found, key=lambda x: (abs(x - near), x))
    return near


def n_digits(x: float) -> int:
    """Return how many significant digits it takes to write a number.

    >>> n_digits(41.37), n_digits(40.0), n_digits(0.0)
    (4, 1, 0)
    """
    return len("".join(map(str, Decimal(repr(float(x))).as_tuple().digits)).strip("0"))


def _neighbours(x: float, digits: int) -> list[float]:
    """Return the next numbers with so many significant digits below and above a number that is not 0."""
    exact = Decimal(x)
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    both = (exact / step).to_integral_value(ROUND_FLOOR), (exact / step).to_integral_value(ROUND_CEILING)
    found = [float(multiple * step) for multiple in both]
    return [one for one in found if math.isfinite(one)]
