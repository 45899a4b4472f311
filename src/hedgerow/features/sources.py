"""What counts as one feature."""

from __future__ import annotations

from collections.abc import Hashable

from hedgerow.features.feature import Feature
from hedgerow.features.outputs import Output


def source_of(feature: Feature) -> Hashable:
    """Return what a feature is counted as: the number of its column, if it looks at one.

    Several features may look at the same column: with missing values here and there, or as categories of more than
    one kind. What a pipeline makes of columns is counted by its steps and its place, a shapelet and a statistic of an
    interval by itself.

    >>> from hedgerow.features import Column, ColumnOfNonzeros
    >>> source_of(Column(3, "visits")) == source_of(ColumnOfNonzeros(3, "visits"))
    True
    """
    column: int | None = getattr(feature, "index", None)
    if column is not None:
        return column
    if isinstance(feature, Output):
        return feature.steps, feature.position
    return feature
