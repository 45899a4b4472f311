"""A feature times a slope, beside rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow.features import Feature
from hedgerow.rules.rule import format_number, printable


@dataclass(frozen=True, eq=False)
class LinearTerm:
    """A feature, cut off at its outer values, times a slope: ``slope * (clip(x, low, high) - center)``.

    Values are taken as doubles; a missing one contributes nothing. ``slope`` has one number an output.
    ``spread`` is the standard deviation of the cut-off values of the training samples.
    """

    feature: Feature
    slope: FloatArray
    low: float
    high: float
    center: float
    spread: float

    def contribution(self, values: FloatArray) -> FloatArray:
        """Return what the term adds, of shape (n_samples, n_outputs)."""
        offset = np.clip(values.astype(np.float64), self.low, self.high) - self.center
        return np.outer(np.where(np.isnan(offset), 0.0, offset), self.slope)

    def describe(self) -> str:
        """Write what is multiplied by the weight."""
        low, center, high = (format_number(x) for x in (self.low, self.center, self.high))
        name = printable(self.feature.name)
        return f"times {name} less {center}, {name} between {low} and {high}"
