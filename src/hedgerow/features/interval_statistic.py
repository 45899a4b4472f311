"""Statistics of intervals of time series."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import FloatArray, ValueArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.form_entry import FormEntry, Recipe
from hedgerow.features.interval_sums import ORDERS, statistic
from hedgerow.features.series import SeriesFeature, Sketch

STATISTICS = ("mean", "std", "variance", "slope")


@dataclass(frozen=True)
class IntervalStatistic(SeriesFeature):
    """A statistic of the values of a series from ``start`` up to, not including, ``end``.

    The slope is that of the least-squares line, over steps of one. ``order`` says
    in which order sums are computed: "pairwise" as in numpy and sktime,
    "sequential" as in wildboar, "parallel" as in aeon.

    >>> IntervalStatistic(0, 1, 3, "mean").compute(np.array([[9.0, 1.0, 3.0], [9.0, 0.0, 0.0]]))
    array([2., 0.])
    """

    start: int
    end: int
    statistic: str
    order: str = "pairwise"
    name: str = field(default="", compare=False)
    has_missing: bool = field(default=False, compare=False)

    names_steps: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for what, given, possible in (("statistic", self.statistic, STATISTICS), ("order", self.order, ORDERS)):
            if given not in possible:
                raise InvalidDataError(f"The {what} must be one of {', '.join(possible)}; got {given!r}.")
        if not 0 <= self.start < self.end:
            raise InvalidDataError(f"An interval starts at 0 or later, before its end; got {self.start}:{self.end}.")
        if not self.name:
            of = "x" if self.dimension == 0 else f"x{self.dimension}"
            object.__setattr__(self, "name", f"{self.statistic}({of}[{self.start}:{self.end}])")

    @property
    def reach(self) -> int:
        return self.end

    @property
    def word(self) -> str:
        return self.statistic

    @property
    def form_entry(self) -> FormEntry:
        recipe = Recipe("interval", start=self.start, end=self.end, statistic=self.statistic, order=self.order)
        return FormEntry(self.dimension, recipe)

    def compute(self, X: Any) -> ValueArray:
        # Other libraries compute the mean of single precision in single precision.
        series = self.series(X, keep_single=self.order != "sequential")
        return statistic(series[:, self.start : self.end], self.statistic, self.order)

    def sketch(self, series: FloatArray, value: float) -> Sketch:
        """Return the line that the statistic stands for."""
        part = series[self.start : self.end]
        steps = np.arange(len(part)) - (len(part) - 1) / 2
        spread = float(part.std()) if self.statistic in ("std", "variance") else 0.0
        line = part.mean() + (value * steps if self.statistic == "slope" else 0 * steps)
        return Sketch(self.start, line, is_interval=True, spread=spread)
