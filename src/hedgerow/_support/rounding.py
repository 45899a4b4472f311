"""Thresholds in the precision in which samples are compared."""

from __future__ import annotations

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
