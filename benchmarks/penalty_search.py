"""How a method that has a penalty per leaf, but no budget, is given one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

#: More fits than this are made only if none of them fits the budget.
N_FITS = 8
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

    Logarithms of penalties are bisected until one model fits. From then on, the next penalty is where a straight line
    through the logarithms of penalties and leaves meets the budget. The search ends at a model that uses the whole
    budget, after ``n_fits`` fits, or when ``seconds`` of processor time are over, but not before one model fits.
    """
    started, best = time.process_time(), None
    model = fit(bounds[0])
    if n_leaves(model) <= budget:
        return model
    low, high = np.log(bounds)
    too_many, enough, k = n_leaves(model), 1, 1  # leaves at both ends, and fits
    while high - low > _ALIKE:
        if best is not None and (k >= n_fits or time.process_time() - started > seconds):
            break
        share = 0.5 if best is None else np.log(too_many / (budget + 0.5)) / np.log(too_many / enough)
        between = low + (high - low) * float(np.clip(share, 0.2, 0.8))
        model, k = fit(float(np.exp(between))), k + 1
        found = n_leaves(model)
        if found > budget:
            low, too_many = between, found
            continue
        best, high, enough = model, between, found
        if found == budget:
            break
    return best
