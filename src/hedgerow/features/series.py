"""What is computed from time series: the distance to a shapelet, a statistic of an interval.

Series come as an array of shape (n_series, length), or of shape (n_series,
n_dimensions, length) if each has several dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.feature import Feature
from hedgerow.features.inputs import Inputs
from hedgerow.features.interval_sums import ORDERS, statistic
from hedgerow.features.outputs import compute_together
from hedgerow.features.shapelet_metrics import OWN_METRICS, checked_parameters, match_by_wildboar
from hedgerow.features.shapelet_search import PlainSearch, ScaledSearch

STATISTICS = ("mean", "std", "variance", "slope")

#: Squares of larger numbers could not be added.
_LARGEST = np.float64(1e150)
#: So many numbers are looked at at a time; those of the scaled distance are looked at again and again.
_CHUNK = {"euclidean": 1 << 22, "scaled_euclidean": 1 << 15}


@dataclass(frozen=True)
class ShapeletDistance:
    """The distance of a series from a short one, where they match best.

    The minimum over all stretches of the series, as long as the shapelet, of
    the Euclidean distance; with "scaled_euclidean" stretch and shapelet each
    have mean 0 and standard deviation 1 first. Computed number by number as
    wildboar does, so that the last digits are the same: it takes the deviation
    from running sums, and a stretch in which they leave none is not scaled. Any
    other metric is one of wildboar's, with ``metric_params``, pairs of a name and a
    number; it is computed by wildboar, which then must be installed.

    >>> rise = ShapeletDistance(0, (0.0, 1.0), name="dist(x, s1)")
    >>> rise.compute(np.array([[5.0, 0.0, 1.0], [0.0, 0.0, 0.0]]))
    array([0., 1.])
    """

    dimension: int
    shapelet: tuple[float, ...]
    metric: str = "euclidean"
    name: str = field(default="dist(x, s)", compare=False)
    has_missing: bool = field(default=False, compare=False)
    metric_params: tuple[tuple[str, float], ...] = ()

    absence: ClassVar[str] = "missing"

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapelet", tuple(np.asarray(self.shapelet, dtype=np.float64).tolist()))
        object.__setattr__(self, "metric_params", checked_parameters(self.metric, self.metric_params))
        if not self.shapelet or not np.isfinite(self.shapelet).all():
            raise InvalidDataError(f"The shapelet of {self.name} must be at least one number, none of them NaN.")

    @property
    def reach(self) -> int:
        """The length of the shortest series it can be computed for."""
        return len(self.shapelet)

    def compute(self, X: Any) -> AnyArray:
        """Return the distance of each series."""
        distances, _ = self.match(X)
        return distances

    def match(self, X: Any) -> tuple[FloatArray, AnyArray]:
        """Return the distance of each series, and where in it the stretch that matches best begins."""
        series, shapelet = series_of(X, self.dimension), np.array(self.shapelet)
        if len(shapelet) > series.shape[1]:
            raise InvalidDataError(
                f"{self.name} has a shapelet of length {len(shapelet)}, longer than the series of {series.shape[1]}."
            )
        if self.metric not in OWN_METRICS:
            distances, begin = match_by_wildboar(series, [self.shapelet], self.metric, self.metric_params)
            return distances[:, 0], begin[:, 0]
        distances, begin = _search(series, [shapelet], self.metric)
        return distances[:, 0], begin[:, 0]


@dataclass(frozen=True)
class IntervalStatistic:
    """A statistic of the values of a series from ``start`` up to, not including, ``end``.

    The slope is that of the line of least squares, over steps of one. ``order``
    says whose sums they are: "pairwise" numpy's and sktime's, "sequential"
    wildboar's, "parallel" aeon's.

    >>> IntervalStatistic(0, 1, 3, "mean").compute(np.array([[9.0, 1.0, 3.0], [9.0, 0.0, 0.0]]))
    array([2., 0.])
    """

    dimension: int
    start: int
    end: int
    statistic: str
    order: str = "pairwise"
    name: str = field(default="", compare=False)
    has_missing: bool = field(default=False, compare=False)

    absence: ClassVar[str] = "missing"

    def __post_init__(self) -> None:
        for what, possible in ((self.statistic, STATISTICS), (self.order, tuple(ORDERS))):
            if what not in possible:
                raise InvalidDataError(f"A statistic of an interval is one of {', '.join(possible)}; got {what!r}.")
        if not 0 <= self.start < self.end:
            raise InvalidDataError(f"An interval starts at 0 or later, before its end; got {self.start}:{self.end}.")
        if not self.name:
            of = "x" if self.dimension == 0 else f"x{self.dimension}"
            object.__setattr__(self, "name", f"{self.statistic}({of}[{self.start}:{self.end}])")

    @property
    def reach(self) -> int:
        """The length of the shortest series it can be computed for."""
        return self.end

    def compute(self, X: Any) -> AnyArray:
        """Return the statistic of each series."""
        length = np.shape(X)[-1]
        if self.end > length:
            raise InvalidDataError(f"{self.name} looks at steps up to {self.end}, but the series have {length}.")
        # Other libraries take the mean of single precision in single precision.
        part = series_of(X, self.dimension, keep_single=self.order != "sequential")[:, self.start : self.end]
        return statistic(part, self.statistic, self.order)


@dataclass(frozen=True)
class SeriesInputs(Inputs):
    """Time series that a forest or a rule list takes: all of one length.

    Attributes
    ----------
    n_dimensions, length : int
        The shape of a series.
    """

    n_dimensions: int = 1
    length: int = 0

    @property
    def names(self) -> list[str]:
        """The names of the dimensions."""
        return ["x"] if self.n_dimensions == 1 else [f"x{i}" for i in range(self.n_dimensions)]

    @property
    def _are_plain(self) -> bool:
        return False

    def __post_init__(self) -> None:
        for feature in self.features:
            if getattr(feature, "reach", 0) > self.length:
                raise InvalidDataError(f"{feature.name} needs series longer than {self.length}.")

    def values(self, X: Any, used: Iterable[Feature]) -> dict[Feature, FloatArray]:
        """Return some columns of :meth:`matrix`; the others, of which a forest has thousands, are not computed."""
        features = tuple(used)
        return dict(zip(features, self._computed(self._checked(X), features).T, strict=True))

    def _together(self, X: Any, features: Sequence[Feature]) -> FloatArray:
        """Return the features of X, one a column; all shapelets of one metric are looked for at once."""
        asked: dict[Any, list[int]] = {}
        for i, feature in enumerate(features):
            if isinstance(feature, ShapeletDistance):
                asked.setdefault((feature.dimension, feature.metric, feature.metric_params), []).append(i)
        values = np.empty((len(X), len(features)), dtype=self.dtype, order="F")
        for (dimension, metric, parameters), where in asked.items():
            shapelets = [f.shapelet for i in where if isinstance(f := features[i], ShapeletDistance)]
            series = series_of(X, dimension)
            if metric in OWN_METRICS:
                values[:, where], _ = _search(series, [np.array(shapelet) for shapelet in shapelets], metric)
            else:
                values[:, where], _ = match_by_wildboar(series, shapelets, metric, parameters)
        others = sorted(set(range(len(features))).difference(*asked.values()))
        values[:, others] = compute_together(X, [features[i] for i in others], self.dtype)
        return values

    def _checked(self, X: Any) -> Any:
        """Return the series as an array of three dimensions, if they have the shape that is wanted."""
        series = check_series(X)
        if series.shape[1:] != (self.n_dimensions, self.length):
            wanted = f"(n_series, {self.length}) or " if self.n_dimensions == 1 else ""
            raise InvalidDataError(
                f"X has the shape {np.shape(X)}, {series.shape[1]} dimension(s) of length {series.shape[2]}, but the "
                f"ensemble was trained on series of {self.n_dimensions} dimension(s) of length {self.length}: "
                f"give an array of shape {wanted}(n_series, {self.n_dimensions}, {self.length})."
            )
        return series


def check_series(X: Any) -> AnyArray:
    """Return series as an array of three dimensions, float32 if they are, float64 otherwise.

    Raises :class:`InvalidDataError` for anything that is no set of series, all
    of one length, of finite numbers.
    """
    series = given = _array(X)
    if series.ndim == 2:
        series = series[:, None, :]
    if series.ndim != 3 or not all(series.shape[1:]):
        raise InvalidDataError(
            f"X has the shape {given.shape}, but series come as an array of shape (n_series, length) or "
            "(n_series, n_dimensions, length). For a single series: X[None]."
        )
    bad = ~(np.abs(series) <= _LARGEST).all(axis=(1, 2))
    if bad.any():
        raise InvalidDataError(
            f"Input X contains NaN, infinity or numbers beyond {_LARGEST:g} in {np.count_nonzero(bad)} series, the "
            f"first is number {np.argmax(bad)}. Fill them before."
        )
    return np.ascontiguousarray(series)


def _array(X: Any) -> AnyArray:
    """Return anything as an array of numbers."""
    if getattr(getattr(X, "index", None), "nlevels", 1) == 1:
        try:
            array: AnyArray = np.asarray(X)
            if isinstance(X, np.ma.MaskedArray):  # missing, which is refused later
                array = np.where(X.mask, np.nan, array)
            if array.dtype.kind not in "biufO":
                raise TypeError
            return array if array.dtype == np.float32 else array.astype(np.float64)
        except (TypeError, ValueError):
            pass
    raise InvalidDataError(
        f"X is no array of numbers of shape (n_series, length) or (n_series, n_dimensions, length), but "
        f"{type(X).__qualname__}. Series in lists must have the same length: fill up or cut those that have not. Of a "
        "nested or hierarchical frame make an array first, e.g. by sktime's or aeon's own conversions to numpy."
    )


def series_of(X: Any, dimension: int, keep_single: bool = False) -> AnyArray:
    """Return one dimension of all series, an array of shape (n_series, length), in double precision unless told."""
    series: AnyArray = np.asarray(X)
    if not (keep_single and series.dtype == np.float32):
        series = series.astype(np.float64, copy=False)
    return series if series.ndim == 2 and dimension == 0 else series[:, dimension]


def _search(series: FloatArray, shapelets: Sequence[FloatArray], metric: str) -> tuple[FloatArray, AnyArray]:
    """Return the distances from many shapelets, one a column, and where the stretches that match best begin."""
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
