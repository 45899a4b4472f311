"""A feature times a slope, as a term next to rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray, ValueArray
from hedgerow.features import Feature
from hedgerow.rules.wording import format_number, printable


@dataclass(frozen=True, eq=False)
class LinearTerm:
    """A clipped feature times a slope: ``slope * (clip(x, low, high) - center)``.

    Values are converted to double precision; a missing value contributes nothing. ``slope`` has one number per output.
    ``spread`` is the standard deviation of the clipped values of the training samples.
    """

    feature: Feature
    slope: FloatArray
    low: float
    high: float
    center: float
    spread: float

    def contribution(self, values: ValueArray) -> FloatArray:
        """Return what the term adds, of shape (n_samples, n_outputs)."""
        offset = np.clip(values.astype(np.float64), self.low, self.high) - self.center
        return np.outer(np.where(np.isnan(offset), 0.0, offset), self.slope)

    def describe(self) -> str:
        """Describe what is multiplied by the weight."""
        low, center, high = (format_number(x) for x in (self.low, self.center, self.high))
        name = printable(self.feature.name)
        return f"times {name} minus {center}, {name} clipped to [{low}, {high}]"
