"""Time series, and what all features computed from them have in common.

Series come as an array of shape (n_series, length), or (n_series, n_dimensions,
length) if each has several dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, ValueArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.feature import Feature
from hedgerow.features.inputs import Inputs

#: The sum of squares of larger numbers might overflow.
_LARGEST = np.float64(1e150)


@dataclass(frozen=True)
class Sketch:
    """What to draw over a series: where a feature looks, and what it finds.

    Attributes
    ----------
    start : int
        Where the stretch begins.
    found : float array
        The values to draw there.
    is_interval : bool
        Whether the stretch is the same in every series.
    spread : float
        How far the series lies from these values, if the feature is about that.
    """

    start: int
    found: FloatArray
    is_interval: bool = False
    spread: float = 0.0


@dataclass(frozen=True)
class SeriesFeature(Feature):
    """A feature that is computed from one dimension of a time series."""

    dimension: int

    #: Whether the name contains positions in the series.
    names_steps: ClassVar[bool] = False

    @property
    def reach(self) -> int:
        """The length of the shortest series the feature can be computed for."""
        raise NotImplementedError

    @property
    def word(self) -> str:
        """A short word for the value."""
        return self.name

    def series(self, X: Any, keep_single: bool = False) -> AnyArray:
        """Return the dimension of all series, as :func:`series_of` does; refuse series that are too short."""
        series = series_of(X, self.dimension, keep_single)
        if series.shape[1] < self.reach:
            raise InvalidDataError(f"{self.name} needs series of at least {self.reach} steps; got {series.shape[1]}.")
        return series

    def sketch(self, series: FloatArray, value: float) -> Sketch:
        """Return what to draw over a series of one dimension for which the feature has this value."""
        raise NotImplementedError


@dataclass(frozen=True)
class SeriesInputs(Inputs):
    """Time series that a forest or a rule list takes: all of the same length.

    Attributes
    ----------
    n_dimensions, length : int
        The shape of a series.
    """

    n_dimensions: int = 1
    length: int = 0

    of_series: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for feature in self.features:
            if isinstance(feature, SeriesFeature) and feature.reach > self.length:
                raise InvalidDataError(f"{feature.name} needs series longer than {self.length}.")

    @property
    def names(self) -> list[str]:
        """The names of the dimensions."""
        return ["x"] if self.n_dimensions == 1 else [f"x{i}" for i in range(self.n_dimensions)]

    @property
    def sample_shape(self) -> tuple[int, ...]:
        """The number of dimensions and the length."""
        return self.n_dimensions, self.length

    def places(self, feature: Feature) -> tuple[int, ...]:
        """Return the dimension that a feature looks at."""
        return (feature.dimension,) if isinstance(feature, SeriesFeature) else ()

    def as_samples(self, X: Any) -> AnyArray:
        """Return the series as an array of three dimensions."""
        return check_series(X)

    def _checked(self, X: Any) -> AnyArray:
        series = check_series(X)
        if series.shape[1:] != self.sample_shape:
            wanted = f"(n_series, {self.length}) or " if self.n_dimensions == 1 else ""
            raise InvalidDataError(
                f"X has the shape {np.shape(X)}, {series.shape[1]} dimension(s) of length {series.shape[2]}, but the "
                f"ensemble was trained on series of {self.n_dimensions} dimension(s) of length {self.length}: "
                f"pass an array of shape {wanted}(n_series, {self.n_dimensions}, {self.length})."
            )
        return series


def check_series(X: Any) -> AnyArray:
    """Return series as an array of three dimensions, float32 if they are, float64 otherwise.

    Raises :class:`InvalidDataError` unless ``X`` is a set of series of the same
    length that contain finite numbers.
    """
    series = given = _array(X)
    if series.ndim == 2:
        series = series[:, None, :]
    if series.ndim != 3 or not all(series.shape[1:]):
        raise InvalidDataError(
            f"X has the shape {given.shape}, but series come as an array of shape (n_series, length) or "
            "(n_series, n_dimensions, length). For a single series, pass X[None]."
        )
    bad = ~(np.abs(series) <= _LARGEST).all(axis=(1, 2))
    if bad.any():
        raise InvalidDataError(
            f"X contains NaN, infinity or numbers beyond {_LARGEST:g} in {np.count_nonzero(bad)} series, the first of "
            f"them at index {np.argmax(bad)}. Fill or drop them first."
        )
    return np.ascontiguousarray(series)


def _array(X: Any) -> ValueArray:
    """Return anything as an array of numbers."""
    if getattr(getattr(X, "index", None), "nlevels", 1) == 1:
        try:
            array = np.asarray(X)
            if isinstance(X, np.ma.MaskedArray):  # missing values are refused later
                array = np.where(X.mask, np.nan, array)
            if array.dtype.kind not in "biufO":
                raise TypeError
            return array if array.dtype == np.float32 else array.astype(np.float64)
        except (TypeError, ValueError):
            pass
    raise InvalidDataError(
        f"X is a {type(X).__qualname__}, not an array of numbers of shape (n_series, length) or (n_series, "
        "n_dimensions, length). Series in lists must have the same length: pad or cut the others. Convert a nested or "
        "hierarchical frame to an array first, for example with the conversion functions of sktime or aeon."
    )


def series_of(X: Any, dimension: int, keep_single: bool = False) -> AnyArray:
    """Return one dimension of all series, of shape (n_series, length), as float64 unless float32 is to be kept."""
    series = np.asarray(X)
    if not (keep_single and series.dtype == np.float32):
        series = series.astype(np.float64, copy=False)
    return series if series.ndim == 2 and dimension == 0 else series[:, dimension]
