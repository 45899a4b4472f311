"""How a method that has a penalty per leaf, but no budget, is given one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

#: More fits than this are made only if none of them fits the budget.
N_FITS = 10
#: A penalty this close to one that is too low is no other penalty.
_ALIKE = 1e-3


def search_penalty(
    fit: Callable[[float], Any],
    n_leaves: Callable[[Any], int],
    budget: int,
    bounds: tuple[float, float],
    *,
    n_fits: int = N_FITS,
    seconds: float = np.inf,
) -> Any | None:
    """Return the model of the smallest penalty, within bounds, whose leaves fit the budget; None if none does.

    The penalty is found by bisection of its logarithm, which ends at a model that uses the whole budget, after
    ``n_fits`` fits, or when the time is over, but not before one model fits.
    """
    started, best = time.perf_counter(), None
    model = fit(bounds[0])
    if n_leaves(model) <= budget:
        return model
    low, high = np.log(bounds)
    k = 1
    while high - low > _ALIKE:
        if best is not None and (k >= n_fits or time.perf_counter() - started > seconds):
            break
        middle = (low + high) / 2
        model, k = fit(float(np.exp(middle))), k + 1
        if n_leaves(model) > budget:
            low = middle
            continue
        best, high = model, middle
        if n_leaves(model) == budget:
            break
    return best
