"""What is computed from time series: the distance to a shapelet, a statistic of an interval.

Series come as an array of shape (n_series, length), or of shape (n_series,
n_dimensions, length) if each has several dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.inputs import Inputs

METRICS = ("euclidean", "scaled_euclidean")
STATISTICS = ("mean", "std", "variance", "slope")

#: A standard deviation below this is none: the stretch is flat.
_FLAT = 1e-13
#: How far off a squared distance can be, as a share of the sum of all squares.
_ROUNDING = 1e-13
#: So many numbers are looked at at a time.
_CHUNK = 1 << 22


@dataclass(frozen=True)
class ShapeletDistance:
    """The distance of a series from a short one, where they match best.

    The minimum over all stretches of the series, as long as the shapelet, of
    the Euclidean distance; with "scaled_euclidean" stretch and shapelet each
    have mean 0 and standard deviation 1 first.

    >>> rise = ShapeletDistance(0, (0.0, 1.0), name="dist(x, s1)")
    >>> rise.compute(np.array([[5.0, 0.0, 1.0], [0.0, 0.0, 0.0]]))
    array([0., 1.])
    """

    dimension: int
    shapelet: tuple[float, ...]
    metric: str = "euclidean"
    name: str = field(default="dist(x, s)", compare=False)
    has_missing: bool = field(default=False, compare=False)

    absence: ClassVar[str] = "missing"

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
        squares = np.empty(len(series))
        where = np.empty(len(series), dtype=np.intp)
        n_stretches = series.shape[1] - len(shapelet) + 1
        step = max(1, _CHUNK // (n_stretches * (len(shapelet) if self.metric == "scaled_euclidean" else 1)))
        match = _match_scaled if self.metric == "scaled_euclidean" else _match
        for start in range(0, len(series), step):
            rows = slice(start, start + step)
            squares[rows], where[rows] = match(series[rows], shapelet)
        return np.sqrt(squares), where


@dataclass(frozen=True)
class IntervalStatistic:
    """A statistic of the values of a series from ``start`` up to, not including, ``end``.

    The slope is that of the line of least squares, over steps of one.

    >>> IntervalStatistic(0, 1, 3, "mean").compute(np.array([[9.0, 1.0, 3.0], [9.0, 0.0, 0.0]]))
    array([2., 0.])
    """

    dimension: int
    start: int
    end: int
    statistic: str
    name: str = field(default="", compare=False)
    has_missing: bool = field(default=False, compare=False)

    absence: ClassVar[str] = "missing"

    def __post_init__(self) -> None:
        if not self.name:
            of = "x" if self.dimension == 0 else f"x{self.dimension}"
            object.__setattr__(self, "name", f"{self.statistic}({of}[{self.start}:{self.end}])")

    def compute(self, X: Any) -> AnyArray:
        """Return the statistic of each series."""
        part = series_of(X, self.dimension)[:, self.start : self.end]
        if self.statistic == "mean":
            values: AnyArray = part.mean(axis=1)
        elif self.statistic == "std":
            values = part.std(axis=1)
        elif self.statistic == "variance":
            values = part.var(axis=1)
        else:
            values = _slope(part)
        return values


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

    def _checked(self, X: Any) -> Any:
        """Return the series as an array of three dimensions, if they have the shape that is wanted."""
        wanted = f"(n_series, {self.length})" if self.n_dimensions == 1 else "(n_series, n_dimensions, length)"
        try:
            series = np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError):
            raise InvalidDataError(
                f"X must be an array of numbers of shape {wanted}, all series of the same length; fill up or cut those "
                "that are not."
            ) from None
        if series.ndim == 2:
            series = series[:, None, :]
        if series.ndim != 3 or series.shape[1] != self.n_dimensions:
            raise InvalidDataError(
                f"X has the shape {np.shape(X)}, but the ensemble was trained on series of {self.n_dimensions} "
                f"dimension(s): {wanted}."
            )
        if series.shape[2] != self.length:
            raise InvalidDataError(
                f"X has series of length {series.shape[2]}, but the ensemble was trained on length {self.length}."
            )
        bad = ~np.isfinite(series).all(axis=(1, 2))
        if bad.any():
            raise InvalidDataError(
                f"Input X contains NaN or infinity in {np.count_nonzero(bad)} series, the first is number "
                f"{np.argmax(bad)}. Fill them before."
            )
        return series


def series_of(X: Any, dimension: int) -> FloatArray:
    """Return one dimension of all series, an array of shape (n_series, length)."""
    series: FloatArray = np.asarray(X, dtype=np.float64)
    if series.ndim == 2 and dimension == 0:
        return series
    one: FloatArray = series[:, dimension]
    return one


def _match(series: FloatArray, shapelet: FloatArray) -> tuple[FloatArray, AnyArray]:
    """Return the least squared distance of each series, and where it is.

    |w - s|² = |w|² - 2 w·s + |s|² is quick for all stretches at once, but rounded; so those that may be the best
    are looked at again, number by number.
    """
    length, middle = len(shapelet), shapelet.mean()
    moved, around = series - middle, shapelet - middle  # the same distance, from smaller numbers
    sums = np.cumsum(np.pad(moved**2, ((0, 0), (1, 0))), axis=1)
    rough = sums[:, length:] - sums[:, :-length] - 2 * (sliding_window_view(moved, length, axis=1) @ around)
    rounding = _ROUNDING * (sums[:, -1] + around @ around)
    row, begin = np.nonzero(rough <= (rough.min(axis=1) + rounding)[:, None])
    apart = sliding_window_view(series, length, axis=1)[row, begin] - shapelet
    squares = np.einsum("pl,pl->p", apart, apart)
    order = np.lexsort((begin, squares, row))
    first = order[np.searchsorted(row, np.arange(len(series)))]
    return squares[first], begin[first]


def _match_scaled(series: FloatArray, shapelet: FloatArray) -> tuple[FloatArray, AnyArray]:
    """Return the same with mean and standard deviation taken out of each stretch and of the shapelet."""
    apart = _scaled(sliding_window_view(series, len(shapelet), axis=1)) - _scaled(shapelet)
    squares = np.einsum("nsl,nsl->ns", apart, apart)
    return squares.min(axis=1), squares.argmin(axis=1)


def _scaled(stretches: FloatArray) -> FloatArray:
    """Return each stretch with mean 0 and standard deviation 1; a flat one with 0 throughout."""
    spread = stretches.std(axis=-1, keepdims=True)
    around = stretches - stretches.mean(axis=-1, keepdims=True)
    scaled: FloatArray = around / np.where(spread < _FLAT, 1.0, spread)
    return scaled


def _slope(part: FloatArray) -> FloatArray:
    steps = np.arange(part.shape[1]) - (part.shape[1] - 1) / 2
    total = float((steps**2).sum())
    slope: FloatArray = part @ steps / (total or 1.0)
    return slope
