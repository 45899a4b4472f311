"""How far apart the values of a column usually are: the unit in which its changes are measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray

#: A spread is the distance between these two quantiles.
QUANTILES = (0.05, 0.95)


@dataclass(frozen=True)
class Spread:
    """What is known about the values of a column.

    Attributes
    ----------
    unit : float
        The distance between the 5 % and the 95 % quantile; if these are equal, between the least and the largest
        value. NaN if it is not known or if all values are equal.
    middle : float
        The median.
    is_whole : bool
        Whether all values are integers.
    is_known : bool
        Whether there are values at all.
    """

    unit: float = math.nan
    middle: float = math.nan
    is_whole: bool = False
    is_known: bool = False

    @classmethod
    def of(cls, values: FloatArray) -> Spread:
        """Return what some values say; those that are missing or infinite do not count.

        >>> Spread.of(np.arange(101.0))
        Spread(unit=90.0, middle=50.0, is_whole=True, is_known=True)
        """
        known = values[np.isfinite(values)]
        if not len(known):
            return cls()
        low, high = np.quantile(known, QUANTILES)
        unit = float(high - low) or float(known.max() - known.min())
        whole = bool((known == np.trunc(known)).all())
        return cls(unit if 0 < unit < math.inf else math.nan, float(np.median(known)), whole, True)
