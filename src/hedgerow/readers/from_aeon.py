"""Read aeon's time series forests, and its interval forests if they use the same three statistics.

The trees are scikit-learn's, on the mean, standard deviation and slope of
intervals, which aeon computes in compiled loops and the trees compare in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hedgerow._support.lettering import with_article
from hedgerow.exceptions import UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.readers.interval_trees import Intervals, check_trained, dimension_names, make_forest


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted interval forest; ``feature_names`` are those of the series' dimensions (aeon's channels)."""
    from aeon.base._estimators.interval_based import BaseIntervalForest

    name = type(model).__qualname__
    if not isinstance(model, BaseIntervalForest):
        raise UnsupportedModelError(
            f"Cannot read {with_article(name)}. These aeon models can be read: TimeSeriesForestClassifier, "
            "TimeSeriesForestRegressor, and IntervalForestClassifier and IntervalForestRegressor on the mean, "
            "standard deviation and slope."
        )
    check_trained(model)
    if any(transformer is not None for transformer in model._series_transformers):
        raise UnsupportedModelError(
            f"This {name} transforms the series first, so its rules would not be about the series themselves. "
            "Train a TimeSeriesForest, or an IntervalForest without series_transformers."
        )
    columns = [_columns(model, intervals[0]) for intervals in model.intervals_]
    dimensions = dimension_names(int(model.n_channels_), feature_names)
    return make_forest(model, columns, dimensions, length=int(model.n_timepoints_), order="parallel")


def _columns(model: Any, selector: Any) -> Intervals:
    """Return the interval and statistic of each column of a tree's table."""
    from aeon.utils.numba.stats import row_mean, row_slope, row_std

    kinds = {row_mean: "mean", row_std: "std", row_slope: "slope"}
    if not all(function in kinds for _, _, _, function, *_ in selector.intervals_):
        raise UnsupportedModelError(
            f"This {type(model).__qualname__} uses more than the mean, standard deviation and slope of intervals, "
            "which is all that rules support. Train a TimeSeriesForest, or an IntervalForest with "
            "interval_features=None."
        )
    return [
        (int(dimension), int(start), int(end), kinds[function])
        for start, end, dimension, function, *_ in selector.intervals_
    ]
