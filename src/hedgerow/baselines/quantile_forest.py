"""The forest of SIRUS: trees that split only at quantiles of the training samples.

Because a feature can be split in only a few places, the same rules recur in many trees. A column is replaced by the
number of its cuts at or below the value. A forest on these numbers is a forest on the column that splits at the cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, ValueArray
from hedgerow.features import Inputs, make_columns
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.readers import read_forest


def numbers_only(n_features: int, names: Sequence[str] | None) -> Inputs:
    """Return numeric columns that may have missing values, compared in double precision."""
    columns = make_columns(n_features, names)
    return Inputs(columns, np.float64, allows_missing=True, has_names=names is not None)


def find_cuts(values: ValueArray, weight: FloatArray, n_quantiles: int) -> list[ValueArray]:
    """Return the cuts of each column: its inner quantiles, or all values but the least if it has few."""
    levels = np.arange(1, n_quantiles) / n_quantiles
    cuts = []
    for column in values.T:
        known = ~np.isnan(column) & (weight > 0)
        found = np.unique(column[known])
        if len(found) > n_quantiles:
            least = found[0]
            found = np.unique(np.quantile(column[known], levels, weights=weight[known], method="inverted_cdf"))
            cuts.append(found[found > least])
        else:
            cuts.append(found[1:])
    return cuts


def fit_between_cuts(
    model: Any, values: ValueArray, y: AnyArray, weight: FloatArray | None, cuts: list[ValueArray], inputs: Inputs
) -> Forest:
    """Fit a scikit-learn forest that splits only at the cuts; return it in terms of the original columns."""
    codes = [np.searchsorted(c, column, side="right") for c, column in zip(cuts, values.T, strict=True)]
    numbered = np.where(np.isnan(values), np.nan, np.column_stack(codes))
    forest = read_forest(model.fit(numbered, y, sample_weight=weight))
    return replace(forest, trees=tuple(_at_cuts(tree, cuts) for tree in forest.trees), inputs=inputs)


def _at_cuts(tree: Tree, cuts: list[ValueArray]) -> Tree:
    """Return the tree with each number of cuts replaced by the largest float below the next cut."""
    threshold = tree.threshold.copy()
    # An infinite threshold separates missing values from all others, and stays.
    for node in np.flatnonzero((tree.left >= 0) & np.isfinite(threshold)):
        cut = cuts[tree.feature[node]][int(np.floor(threshold[node]))]
        threshold[node] = np.nextafter(cut, -np.inf)
    return replace(tree, threshold=threshold)
