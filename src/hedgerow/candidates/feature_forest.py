"""Trees on the features of another ensemble.

An ensemble for time series knows thousands of features: distances from shapelets, statistics of intervals. Each of its
nodes has chosen among a few of them, drawn at random. Trees grown on the table of all these features choose among
many at every node, and need no search through the series for it.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.candidates.ensembles import clone_ensemble, fit_ensemble
from hedgerow.exceptions import UnfittedModelError
from hedgerow.forests.forest import Forest


class FeatureForest(BaseEstimator):  # type: ignore[misc]
    """Trees that are grown on the features of another ensemble, usually one for time series.

    As the ``ensemble`` of :class:`hedgerow.RuleListClassifier`, its rules are on the same features as those of the
    other ensemble. A :class:`hedgerow.teachers.Teacher` then sees the table of these features instead of the series,
    so that it can add synthetic rows.

    Parameters
    ----------
    ensemble : estimator, Forest, or list of them
        Whose features the trees see. A fitted one is used as it is; an unfitted one is cloned and fitted.
    trees : estimator
        A tree ensemble of scikit-learn, XGBoost or the like. It is cloned and fitted to the table.

    Attributes
    ----------
    ensemble_ : the fitted ensemble
    trees_ : the fitted trees
    seen_, forest_ : Forest
        The neutral forms of the ensemble, and of the trees on its features.

    Examples
    --------
    >>> import numpy as np
    >>> from aeon.classification.interval_based import TimeSeriesForestClassifier
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X = np.vstack([np.sin(np.arange(20) * (1 + i % 2) / 3 + i) for i in range(12)])
    >>> y = np.arange(12) % 2
    >>> intervals = TimeSeriesForestClassifier(n_estimators=5, random_state=0)
    >>> model = FeatureForest(intervals, RandomForestClassifier(10, random_state=0)).fit(X, y)
    >>> model.to_forest().n_trees
    10
    """

    def __init__(self, ensemble: Any, trees: Any) -> None:
        self.ensemble = ensemble
        self.trees = trees

    def __sklearn_clone__(self) -> FeatureForest:
        return type(self)(clone_ensemble(self.ensemble), clone_ensemble(self.trees))

    def fit(self, X: Any, y: AnyArray, sample_weight: FloatArray | None = None) -> Self:
        """Fit the ensemble if need be, and grow the trees on its features."""
        self._take(self.looking(X, y, sample_weight))
        trees, grown = fit_ensemble(clone_ensemble(self.trees), self.table(X), y, sample_weight, None)
        return self._take(self.with_trees(trees, grown))

    def looking(self, X: Any, y: AnyArray, weight: FloatArray | None) -> FeatureForest:
        """Return the same with a fitted ensemble; trees that are not fitted stay so."""
        if hasattr(self, "ensemble_"):
            return self
        twin = copy.copy(self)
        twin.ensemble_, twin.seen_ = fit_ensemble(self.ensemble, X, y, weight, None)
        return twin

    def table(self, X: Any) -> AnyArray:
        """Return the features of X, one per column."""
        return np.asarray(self.seen_.inputs.matrix(X))

    def with_trees(self, trees: Any, grown: Forest) -> FeatureForest:
        """Return the same with fitted trees; ``grown`` is their neutral form, on the columns of the table."""
        twin = copy.copy(self)
        twin.trees_, twin.forest_ = trees, replace(grown, inputs=replace(self.seen_.inputs, dtype=grown.inputs.dtype))
        return twin

    def to_forest(self, feature_names: Sequence[str] | None = None) -> Forest:
        """Return the neutral form, whose features are those of the ensemble; names other than its own are ignored."""
        if not hasattr(self, "forest_"):
            raise UnfittedModelError("This FeatureForest is not fitted. Call fit first.")
        return self.forest_

    @property
    def oob_decision_function_(self) -> FloatArray:
        """The out-of-bag predictions of the trees, if they have them."""
        return self.trees_.oob_decision_function_

    def _take(self, twin: FeatureForest) -> Self:
        self.__dict__.update(vars(twin))
        return self
