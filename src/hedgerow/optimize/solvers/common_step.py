"""The number of which all scores are multiples, where there is one.

With λ = 0, a score often counts samples: those that a rule gets wrong, over all of them. The objective of any list is
then a multiple of one number, too, and a bound between two multiples can be rounded down.
"""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import FloatArray

#: The largest score may be so many times the step; more times if all are whole numbers.
_MOST_STEPS, _MOST_WHOLE_STEPS = 1e5, 1e7
#: A bound may be so far below a multiple and still stand for it, as a share of the step: it has rounding errors.
SLACK = 1e-3
#: Differences of at most this share of the largest score are rounding errors; those of a list's scores together may be
#: so large.
_NOTHING, _TOGETHER = 1e-13, 1e-9


def common_step(scores: FloatArray, most_rules: int) -> float | None:
    """Return the number of which all scores are multiples; None if there is none.

    Sums of at most so many scores are multiples of it, too, up to a small share of it.
    """
    different = np.unique(np.abs(scores))
    largest = float(different[-1])
    steps = np.append(np.diff(different), different)
    step = float(steps[steps > _NOTHING * largest].min(initial=np.inf))
    if np.isfinite(step) and largest / step <= _MOST_STEPS:
        # The smallest difference is the least exact one: the largest number tells the step better.
        step = float(largest / np.round(largest / step))
        off = np.abs(different - step * np.round(different / step)).max()
        if off * most_rules < _TOGETHER * largest:
            return step
    whole = 0.0 < largest <= _MOST_WHOLE_STEPS and bool(np.all(different == np.round(different)))
    return 1.0 if whole else None


def rounded_down(bound: float, step: float | None) -> float:
    """Return the highest objective that a list within a bound can have, if all are multiples of a step."""
    if step is None or not np.isfinite(bound):
        return bound
    return float(np.floor(bound / step + SLACK)) * step
