"""Search for the best match of a shapelet, by the Euclidean distance, plain or scaled.

The computation follows wildboar's number by number, so that the last digits agree.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.fft import irfft, next_fast_len, rfft

from hedgerow._support.arrays import FloatArray, RankArray
from hedgerow.features.interval_sums import sum_in_turn
from hedgerow.features.shapelet_metrics import moments

#: How many numbers of stretches are compared at a time.
_AT_A_TIME = 1 << 20


class PlainSearch:
    """Series of one dimension, prepared for the search of many shapelets by their Euclidean distance.

    |w - s|² = |w|² - 2 w·s + |s|² is fast for all stretches w at once, by Fourier transform, but rounded. So the
    stretches that may be the best are compared again, number by number. What does not depend on the shapelet is kept.
    """

    def __init__(self, series: FloatArray) -> None:
        self._series = series
        self._level = series.mean(axis=1)
        around = series - self._level[:, None]  # same distances, smaller numbers
        self._sums, self._squares = (np.cumsum(np.pad(x, ((0, 0), (1, 0))), axis=1) for x in (around, around**2))
        self._size = next_fast_len(series.shape[1], real=True)  # whatever wraps around lies after the last stretch
        self._spectrum = rfft(around, self._size, axis=1)

    def match(self, shapelet: FloatArray) -> tuple[FloatArray, RankArray]:
        """Return the smallest squared distance of each series, and where the stretch begins."""
        length, middle = len(shapelet), shapelet.mean()
        around, apart = shapelet - middle, middle - self._level
        n_steps, n_stretches = self._series.shape[1], self._series.shape[1] - length + 1
        products = irfft(self._spectrum * np.conj(rfft(around, self._size)), self._size, axis=1)[:, :n_stretches]
        products += apart[:, None] * (self._sums[:, length:] - self._sums[:, :-length])
        rough = self._squares[:, length:] - self._squares[:, :-length] - 2 * products
        numbers = np.finfo(np.float64)
        size = self._squares[:, -1] + around @ around + n_steps * apart**2
        # A sum of n numbers may be off by n roundings; tiny squares are lost altogether.
        rounding = 8 * (n_steps + 8) * (numbers.eps * size + numbers.tiny)
        row, begin = np.nonzero(rough <= (rough.min(axis=1) + rounding)[:, None])
        exact = self._exact(row, begin, shapelet)
        order = np.lexsort((begin, exact, row))
        found, first = np.unique(row[order], return_index=True)
        # A series with NaN has no match.
        squares, where = np.full(len(rough), np.nan), np.zeros(len(rough), dtype=np.intp)
        squares[found], where[found] = exact[order[first]], begin[order[first]]
        return squares, where

    def _exact(self, row: RankArray, begin: RankArray, shapelet: FloatArray) -> FloatArray:
        """Return the squared distances of these stretches, in chunks: in flat series, all of them tie."""
        stretches = sliding_window_view(self._series, len(shapelet), axis=1)
        squares = np.empty(len(row))
        step = max(1, _AT_A_TIME // len(shapelet))
        for start in range(0, len(row), step):
            some = slice(start, start + step)
            differences = stretches[row[some], begin[some]] - shapelet
            squares[some] = sum_in_turn(differences * differences)
        return squares


class ScaledSearch:
    """The same with each stretch and the shapelet scaled to mean 0 and standard deviation 1."""

    def __init__(self, series: FloatArray) -> None:
        self._series = series

    def match(self, shapelet: FloatArray) -> tuple[FloatArray, RankArray]:
        """Return the smallest squared distance of each series, and where the stretch begins."""
        series = self._series
        middle, spread = _moments(series, len(shapelet))
        of_shapelet, deviation = moments(shapelet)
        scaled = (shapelet - of_shapelet) / (deviation or 1.0)
        squares = np.zeros(middle.shape)
        for i, number in enumerate(scaled):
            apart = number - (series[:, i : i + middle.shape[1]] - middle) / spread
            squares += apart * apart
        return squares.min(axis=1), squares.argmin(axis=1)


def _moments(series: FloatArray, length: int) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of each stretch, from running sums; 1 where these leave no deviation."""

    def running(numbers: FloatArray) -> FloatArray:
        # The first stretch, then alternately the number that leaves and the number that enters.
        steps = np.empty((len(numbers), 2 * numbers.shape[1] - length))
        steps[:, :length] = numbers[:, :length]
        steps[:, length::2] = -numbers[:, :-length]
        steps[:, length + 1 :: 2] = numbers[:, length:]
        return np.cumsum(steps, axis=1)[:, length - 1 :: 2]

    middle = running(series) / length
    variance = running(series * series) / length - middle * middle
    return middle, np.sqrt(np.where(variance > 0, variance, 1.0))
