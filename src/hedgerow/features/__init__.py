"""What a split looks at: a column of numbers or categories, or what is computed from columns or time series.

A feature has a name and computes one number per sample, which trees compare with
thresholds. :class:`Feature` says how to add a kind; :class:`Inputs` lists all
features of a forest or a rule list.
"""

from hedgerow.features.categories import Category, CodedCategory, NumberedCategory, WholeCategory
from hedgerow.features.cell_tests import CellTest, NumberTest, ValueTest
from hedgerow.features.columns import Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap, make_columns
from hedgerow.features.date_parts import DatePart
from hedgerow.features.feature import Feature, Gap, TableColumn
from hedgerow.features.form_entry import FormEntry, Recipe
from hedgerow.features.frames import (
    cells,
    column_names,
    column_of,
    dense,
    frame_or_array,
    is_frame,
    is_present,
    with_underscores,
)
from hedgerow.features.hashed_category import HashedCategory
from hedgerow.features.inputs import Inputs, no_sparse_matrix
from hedgerow.features.interval_statistic import IntervalStatistic
from hedgerow.features.notation import Notation
from hedgerow.features.number_sets import NumberSet
from hedgerow.features.outputs import Output, Steps, Word
from hedgerow.features.records import KINDS, from_record, inputs_from_record, inputs_to_record, to_record
from hedgerow.features.series import SeriesFeature, SeriesInputs, check_series
from hedgerow.features.shapelet_distance import ShapeletDistance

__all__ = [
    "KINDS",
    "Category",
    "CellTest",
    "CodedCategory",
    "Column",
    "ColumnOfNonzeros",
    "ColumnWithBlank",
    "ColumnWithGap",
    "DatePart",
    "Feature",
    "FormEntry",
    "Gap",
    "HashedCategory",
    "Inputs",
    "IntervalStatistic",
    "Notation",
    "NumberSet",
    "NumberTest",
    "NumberedCategory",
    "Output",
    "Recipe",
    "SeriesFeature",
    "SeriesInputs",
    "ShapeletDistance",
    "Steps",
    "TableColumn",
    "ValueTest",
    "WholeCategory",
    "Word",
    "cells",
    "check_series",
    "column_names",
    "column_of",
    "dense",
    "frame_or_array",
    "from_record",
    "inputs_from_record",
    "inputs_to_record",
    "is_frame",
    "is_present",
    "make_columns",
    "no_sparse_matrix",
    "to_record",
    "with_underscores",
]
