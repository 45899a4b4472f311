"""One row of a table, and copies of it with other values in some columns, which the list is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from hedgerow._support.arrays import FloatArray, ValueArray
from hedgerow.evidence.places import Place, number_feature_of
from hedgerow.features import Feature, Inputs
from hedgerow.features.categories import CodedCategory, NumberedCategory
from hedgerow.features.dates import as_days
from hedgerow.features.frames import column_of, is_frame, is_present, with_columns
from hedgerow.features.inputs import read_cells


@dataclass(frozen=True, eq=False)
class Row:
    """A row of a table, as a table with one row, and the values of the features."""

    inputs: Inputs
    X: Any
    values: dict[Feature, ValueArray]

    def own(self, place: Place) -> Any:
        """Return the row's own value: a number (NaN if missing), a date or None, or a cell of the table."""
        feature = place.features[0]
        if place.column is None:
            return self.values[feature][0].item()
        cell = self._cells(place.column)[0]
        if place.kind == "date":
            day = as_days(np.array([cell], dtype=object), place.date_format)[0]
            return None if np.isnat(day) else day.item()
        if place.kind == "number":
            number = float(number_feature_of(place).numbers(read_cells(self.X, self.inputs.notations))[0])
            return bool(number) if isinstance(cell, (bool, np.bool_)) else number
        return cell

    def is_missing(self, place: Place) -> bool:
        """Return whether the row's value counts as missing for some feature."""
        return any(bool(np.isnan(self.values[feature][0])) for feature in place.features)

    def is_whole(self, place: Place) -> bool:
        """Return whether the column of the row holds integers, by its type."""
        if place.column is None:
            return False
        kind = getattr(column_of(self.X, place.column).dtype, "kind", "O")
        return isinstance(self._cells(place.column)[0], (int, np.integer, bool, np.bool_)) or kind in "iub"

    def categories(self, column: int) -> list[Any]:
        """Return the categories of a column by its own type, if it has one that lists them."""
        values = column_of(self.X, column)
        return list(values.cat.categories) if hasattr(values, "cat") else []

    def levels(self, feature: Feature) -> Sequence[Any]:
        """Return the categories of a feature as the table holds them: an array may have codes instead."""
        of_numbers = not is_frame(self.X) and self.X.dtype.kind in "biuf"
        has_codes = isinstance(feature, NumberedCategory) and of_numbers
        if isinstance(feature, CodedCategory):
            has_codes = feature.other or not is_frame(self.X)
        levels = feature.levels or ()
        if has_codes:
            return range(len(levels))
        return [one for one in levels if not of_numbers or isinstance(one, (bool, int, float))]

    def tried(self, place: Place, values: Sequence[Any]) -> dict[Feature, ValueArray]:
        """Return the features of a place for the row with other values there."""
        if place.column is None:
            (feature,) = place.features
            with np.errstate(over="ignore"):
                return {feature: np.array(values, dtype=np.float64).astype(self.inputs.dtype)}
        return self.inputs.values(self.changed([{place.column: value} for value in values]), place.features)

    def changed(self, changes: Sequence[dict[int, Any]]) -> Any:
        """Return a table with a copy of the row for each of the changes: values by column."""
        X = _safe_indexing(self.X, np.zeros(len(changes), dtype=np.int64))
        columns = sorted({column for change in changes for column in change})
        made = {}
        for column in columns:
            own = self._cells(column)[0]
            made[column] = [change.get(column, own) for change in changes]
        if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
            X = X.astype(np.float64)
            for column, cells in made.items():
                X[:, column] = cells
            return X
        return with_columns(X, {column: self._typed(column, cells) for column, cells in made.items()}) if made else X

    def _cells(self, column: int) -> list[Any]:
        values = column_of(self.X, column)
        cells: list[Any] = list(values) if hasattr(values, "iloc") else np.asarray(values).tolist()
        return cells

    def _typed(self, column: int, cells: list[Any]) -> Any:
        """Return cells in a form that a column of a data frame takes."""
        if hasattr(self.X, "to_series"):  # polars
            return type(self.X.to_series(column))(cells, strict=False)
        if not hasattr(self.X, "iloc"):
            return np.array([*cells, None], dtype=object)[:-1]
        import pandas as pd

        known = self.categories(column)
        if known:
            more = [cell for cell in dict.fromkeys(cells) if is_present(cell) and cell not in known]
            return pd.Categorical(cells, categories=[*known, *more])
        return pd.Series(cells, index=pd.RangeIndex(len(cells)), dtype=None if _are_numbers(cells) else object).array


def numbers_in(place: Place, X: Any, inputs: Inputs, values: dict[Feature, ValueArray]) -> FloatArray:
    """Return the numbers of a place in a table: days for dates; NaN where one is missing."""
    if place.column is None:
        return values[place.features[0]].astype(np.float64)
    if place.kind == "date":
        days = as_days(np.asarray(column_of(X, place.column)), place.date_format)
        return np.where(np.isnat(days), np.nan, days.astype(np.int64).astype(np.float64))
    return number_feature_of(place).compute(read_cells(X, inputs.notations)).astype(np.float64)


def _are_numbers(cells: list[Any]) -> bool:
    return all(isinstance(cell, (int, float, np.number)) and not isinstance(cell, bool) for cell in cells)
