"""Read sktime's time series forests.

Trees of scikit-learn on mean, standard deviation and slope of intervals, which
sktime computes with numpy and compares in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hedgerow.exceptions import UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.readers.interval_trees import check_fitted, dimension_names, make_forest

#: The columns that an interval makes, in this order.
_STATISTICS = ("mean", "std", "slope")


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted time series forest; the name is that of the series."""
    from sktime.classification.interval_based import TimeSeriesForestClassifier
    from sktime.regression.interval_based import TimeSeriesForestRegressor

    if not isinstance(model, (TimeSeriesForestClassifier, TimeSeriesForestRegressor)):
        raise UnsupportedModelError(
            f"Cannot read a {type(model).__qualname__}. Of sktime these can be read, and their subclasses: "
            "TimeSeriesForestClassifier and TimeSeriesForestRegressor of sktime's interval_based."
        )
    check_fitted(model)
    columns = [[(0, int(a), int(b), kind) for a, b in ends for kind in _STATISTICS] for ends in model.intervals_]
    return make_forest(
        model,
        columns,
        dimension_names(1, feature_names),
        length=int(model.series_length),
        order="pairwise",
    )
