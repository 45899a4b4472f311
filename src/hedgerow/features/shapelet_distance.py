"""Distances of time series from shapelets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from hedgerow._support.arrays import FloatArray, RankArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.form_entry import FormEntry, Recipe
from hedgerow.features.series import SeriesFeature, Sketch
from hedgerow.features.shapelet_metrics import (
    OWN_METRICS,
    checked_parameters,
    is_level,
    is_scaled,
    match_by_wildboar,
    moments,
)

#: How many numbers are processed at a time; the scaled distance passes over them many times.
_CHUNK = {"euclidean": 1 << 22, "scaled_euclidean": 1 << 15}


@dataclass(frozen=True)
class ShapeletDistance(SeriesFeature):
    """The distance of a series from a short one, where they match best.

    The minimum of the Euclidean distance over all stretches of the series that
    are as long as the shapelet. With "scaled_euclidean", stretch and shapelet are
    first scaled to mean 0 and standard deviation 1. The computation follows
    wildboar's number by number, so that the last digits agree: it takes the
    deviation from running sums, and a stretch in which they leave none is not
    scaled. Any other metric is one of wildboar's, with ``metric_params`` as pairs
    of a name and a number; it is computed by wildboar, which must be installed.

    >>> rise = ShapeletDistance(0, (0.0, 1.0), name="dist(x, s1)")
    >>> rise.compute(np.array([[5.0, 0.0, 1.0], [0.0, 0.0, 0.0]]))
    array([0., 1.])
    """

    shapelet: tuple[float, ...]
    metric: str = "euclidean"
    name: str = field(default="dist(x, s)", compare=False)
    has_missing: bool = field(default=False, compare=False)
    metric_params: tuple[tuple[str, float], ...] = ()

    word: ClassVar[str] = "dist"

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapelet", tuple(np.asarray(self.shapelet, dtype=np.float64).tolist()))
        object.__setattr__(self, "metric_params", checked_parameters(self.metric, self.metric_params))
        if not self.shapelet or not np.isfinite(self.shapelet).all():
            raise InvalidDataError(f"The shapelet of {self.name} must be at least one number, none of them NaN.")

    @property
    def reach(self) -> int:
        return len(self.shapelet)

    @property
    def curve(self) -> tuple[float, ...]:
        return self.shapelet

    def with_number(self, number: int) -> Self:
        return self.with_name(re.sub(r"\bs\d+", f"s{number}", self.name))

    @property
    def form_entry(self) -> FormEntry:
        """The series; the distance itself if only wildboar can compute it."""
        if self.metric not in OWN_METRICS:
            return FormEntry()
        shapelet = np.array(self.shapelet)
        if is_scaled(self.metric):
            mean, deviation = moments(shapelet)
            shapelet = (shapelet - mean) / (deviation or 1.0)
        recipe = Recipe("shapelet", shapelet=tuple(shapelet.tolist()), is_scaled=is_scaled(self.metric))
        return FormEntry(self.dimension, recipe)

    @property
    def batch(self) -> tuple[Any, ...]:
        return self.dimension, self.metric, self.metric_params

    @classmethod
    def compute_batch(cls, X: Any, features: Sequence[ShapeletDistance]) -> FloatArray:
        return _match(X, features)[0]

    def match(self, X: Any) -> tuple[FloatArray, RankArray]:
        """Return the distance of each series, and where the best matching stretch begins."""
        distances, begin = _match(X, [self])
        return distances[:, 0], begin[:, 0]

    def sketch(self, series: FloatArray, value: float) -> Sketch:
        """Return the shapelet where it matches best, moved and scaled to the series if the metric ignores that."""
        start = int(replace(self, dimension=0).match(series[None])[1][0])
        shapelet, stretch = np.array(self.shapelet), series[start : start + len(self.shapelet)]
        if is_level(self.metric):
            size = stretch.std() / (shapelet.std() or 1.0) if is_scaled(self.metric) else 1.0
            shapelet = stretch.mean() + size * (shapelet - shapelet.mean())
        return Sketch(start, shapelet)

    def to_record(self) -> dict[str, Any]:
        record = super().to_record()
        params = record.pop("metric_params")  # the last field; documents without parameters have never had it
        return record | {"metric_params": dict(params)} if params else record


def _match(X: Any, features: Sequence[ShapeletDistance]) -> tuple[FloatArray, RankArray]:
    """Return the distances from shapelets of one metric, one per column, and where the best stretches begin."""
    metric, series = features[0].metric, max(features, key=lambda feature: feature.reach).series(X)
    shapelets = [np.array(feature.shapelet) for feature in features]
    if metric not in OWN_METRICS:
        return match_by_wildboar(series, shapelets, metric, features[0].metric_params)
    from hedgerow.features.shapelet_search import PlainSearch, ScaledSearch  # loads scipy's Fourier transform

    squares = np.empty((len(series), len(shapelets)), order="F")
    where = np.empty(squares.shape, dtype=np.intp, order="F")
    search_in = PlainSearch if metric == "euclidean" else ScaledSearch
    step = max(1, _CHUNK[metric] // series.shape[1])
    for start in range(0, len(series), step):
        rows = slice(start, start + step)
        search = search_in(series[rows])
        for i, shapelet in enumerate(shapelets):
            squares[rows, i], where[rows, i] = search.match(shapelet)
    return np.sqrt(squares), where
