"""Metrics for distances from shapelets, their parameters, and those that wildboar computes.

The Euclidean metrics are computed in :mod:`hedgerow.features.shapelet_search`
without further libraries; all others by wildboar, which is imported when needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, sqrt
from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray, RankArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.interval_sums import sum_in_turn

#: Computed without wildboar.
OWN_METRICS = ("euclidean", "scaled_euclidean")
_ALSO_SCALED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("euclidean", "manhattan", "chebyshev", "cosine", "angular"), ()),
    "minkowski": ("p",),
    **dict.fromkeys(("dtw", "ddtw"), ("r",)),
    "adtw": ("p", "r"),
    **dict.fromkeys(("wdtw", "wddtw", "erp"), ("g", "r")),
    **dict.fromkeys(("lcss", "edr"), ("epsilon", "r")),
    "msm": ("c", "r"),
    "twe": ("penalty", "r", "stiffness"),
}
#: Metrics of wildboar that read uninitialised memory, so that the same series gets different distances.
UNSTEADY = ("scaled_dtw",)
#: The metrics and their parameters.
METRICS: Mapping[str, tuple[str, ...]] = {
    **_ALSO_SCALED,
    **{scaled: names for metric, names in _ALSO_SCALED.items() if (scaled := f"scaled_{metric}") not in UNSTEADY},
    "normalized_euclidean": (),
    "mass": (),
}

#: A shapelet with a variance up to this is flat.
_FLAT = 1e-13


def checked_parameters(metric: str, parameters: Sequence[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """Return the parameters of a metric, sorted by name; refuse invalid ones."""
    if metric in UNSTEADY:
        raise InvalidDataError(
            f"The distance {metric!r} is unreliable: wildboar 1.3 returns different distances for the same series from "
            "one call to the next. Train with dtw, or with another scaled metric."
        )
    if metric not in METRICS:
        raise InvalidDataError(f"The metric must be one of {', '.join(METRICS)}; got {metric!r}.")
    for name, value in parameters:
        if name not in METRICS[metric]:
            known = f"the parameters {', '.join(METRICS[metric])}" if METRICS[metric] else "no parameters"
            raise InvalidDataError(f"The metric {metric!r} has {known}; got {name!r}.")
        if isinstance(value, str) or not isfinite(value):
            raise InvalidDataError(f"The parameter {name!r} of {metric!r} must be a finite number; got {value!r}.")
    if len(dict(parameters)) < len(parameters):
        raise InvalidDataError(f"A parameter of {metric!r} is given twice: {parameters!r}.")
    return tuple(sorted((name, float(value)) for name, value in parameters))


def is_scaled(metric: str) -> bool:
    """Return whether each stretch is scaled to mean 0 and standard deviation 1 before it is compared."""
    return metric == "mass" or metric.startswith("scaled_")


def is_level(metric: str) -> bool:
    """Return whether a distance stays the same if a number is added to a stretch."""
    return is_scaled(metric) or metric in ("normalized_euclidean", "ddtw", "wddtw")


def moments(shapelet: FloatArray) -> tuple[float, float]:
    """Return mean and standard deviation of a shapelet as wildboar's trees compute them; deviation 0 if it is flat."""
    mean = float(sum_in_turn(shapelet)) / len(shapelet)
    variance = float(sum_in_turn(shapelet**2)) / len(shapelet) - mean * mean
    return mean, sqrt(variance) if variance > _FLAT else 0.0


def match_by_wildboar(
    series: FloatArray, shapelets: Sequence[FloatArray], metric: str, parameters: Sequence[tuple[str, float]]
) -> tuple[FloatArray, RankArray]:
    """Return the distances from many shapelets, one per column, and where the best matching stretches begin."""
    try:
        from wildboar.distance import pairwise_subsequence_distance
    except ImportError:
        raise ImportError(
            f"The distance {metric!r} is computed by wildboar: pip install wildboar. Or train the ensemble with the "
            f"metric {' or '.join(OWN_METRICS)}, which needs no other library."
        ) from None
    distances = np.empty((len(series), len(shapelets)))
    where = np.zeros(distances.shape, dtype=np.intp)
    lengths = np.array([len(shapelet) for shapelet in shapelets])
    for length in np.unique(lengths) if len(series) else ():
        columns = np.flatnonzero(lengths == length)
        some = np.array([shapelets[i] for i in columns]).view(_AsInTrees)
        with np.errstate(over="ignore"):  # wildboar checks the series in single precision
            found = pairwise_subsequence_distance(
                some, series, metric=metric, metric_params=dict(parameters), return_index=True
            )
        distances[:, columns], begin = (part.reshape(len(series), -1) for part in found)
        # Where no distance is finite, wildboar writes no position.
        where[:, columns] = np.where(np.isfinite(distances[:, columns]), begin, 0)
    return distances, where


class _AsInTrees(np.ndarray[Any, np.dtype[np.float64]]):
    """Shapelets whose mean and deviation are computed as in wildboar's trees.

    wildboar's distance function uses numpy, with different rounding: for a series
    near a threshold, or a nearly flat shapelet, the split would differ from the
    tree's.
    """

    def mean(self, *_: Any, **__: Any) -> Any:
        return moments(np.asarray(self))[0]

    def std(self, *_: Any, **__: Any) -> Any:
        return moments(np.asarray(self))[1]
