"""What a split looks at: a column of numbers or categories, or what is made of them; and all that a forest takes.

A feature names itself and computes one number a sample; a tree compares that
number.
"""

from hedgerow.features.categories import Category, CodedCategory, HashedCategory, NumberedCategory, WholeCategory
from hedgerow.features.columns import Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap, make_columns
from hedgerow.features.feature import Feature
from hedgerow.features.inputs import Inputs, no_sparse_matrix
from hedgerow.features.outputs import Output, Steps, Word, compute_together
from hedgerow.features.records import from_record, inputs_from_record, inputs_to_record, to_record
from hedgerow.features.series import IntervalStatistic, SeriesInputs, ShapeletDistance, check_series
from hedgerow.features.sources import source_of
from hedgerow.features.tables import (
    cells,
    column_names,
    column_of,
    dense,
    frame_or_array,
    is_frame,
    is_present,
    with_underscores,
)

__all__ = [
    "Category",
    "CodedCategory",
    "Column",
    "ColumnOfNonzeros",
    "ColumnWithBlank",
    "ColumnWithGap",
    "Feature",
    "HashedCategory",
    "Inputs",
    "IntervalStatistic",
    "NumberedCategory",
    "Output",
    "SeriesInputs",
    "ShapeletDistance",
    "Steps",
    "WholeCategory",
    "Word",
    "cells",
    "check_series",
    "column_names",
    "column_of",
    "compute_together",
    "dense",
    "frame_or_array",
    "from_record",
    "inputs_from_record",
    "inputs_to_record",
    "is_frame",
    "is_present",
    "make_columns",
    "no_sparse_matrix",
    "source_of",
    "to_record",
    "with_underscores",
]
