"""Read sktime's time series forests.

The trees are scikit-learn's, on the mean, standard deviation and slope of
intervals, which sktime computes with numpy and the trees compare in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hedgerow._support.lettering import with_article
from hedgerow.exceptions import UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.readers.interval_trees import check_trained, dimension_names, make_forest

#: The columns of an interval, in this order.
_STATISTICS = ("mean", "std", "slope")


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted time series forest; ``feature_names`` holds the name of the series."""
    from sktime.classification.interval_based import TimeSeriesForestClassifier
    from sktime.regression.interval_based import TimeSeriesForestRegressor

    if not isinstance(model, (TimeSeriesForestClassifier, TimeSeriesForestRegressor)):
        raise UnsupportedModelError(
            f"Cannot read {with_article(type(model).__qualname__)}. These sktime models, and their subclasses, can be "
            "read: the interval-based TimeSeriesForestClassifier and TimeSeriesForestRegressor."
        )
    check_trained(model)
    columns = [[(0, int(a), int(b), kind) for a, b in ends for kind in _STATISTICS] for ends in model.intervals_]
    dimensions = dimension_names(1, feature_names)
    return make_forest(model, columns, dimensions, length=int(model.series_length), order="pairwise")
