"""The estimator for a table: the default forest behind an encoder that rules see through, or a given model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.estimators.regressor import RuleListRegressor
from hedgerow.presets import default_forest
from hedgerow.tables.columns import TaskName
from hedgerow.tables.encoder import encoded


def make_estimator(
    task: TaskName,
    frame: Any,
    *,
    model: Any = None,
    accurate: bool = False,
    trees: int | None = None,
    depth: int | None = None,
    **settings: Any,
) -> Any:
    """Return an unfitted estimator of rule lists for a table.

    Parameters
    ----------
    task : "classification" or "regression"
    frame : pandas.DataFrame
        The training samples.
    model : ensemble, optional
        A fitted one; by default, a random forest is trained.
    accurate : bool
        Whether to use the settings of :meth:`~hedgerow.RuleListClassifier.accurate`.
    trees, depth : int, optional
        The size of the random forest.
    **settings :
        Parameters of the estimator.
    """
    kind = RuleListClassifier if task == "classification" else RuleListRegressor
    estimator = kind.accurate(model, **settings) if accurate else kind(model, **settings)
    if model is not None:
        return estimator
    if not accurate:
        estimator.ensemble = default_forest(kind.task_kind, settings.get("random_state"), settings.get("n_jobs"))
    size = {name: value for name, value in (("n_estimators", trees), ("max_depth", depth)) if value is not None}
    estimator.ensemble = encoded(estimator.ensemble.set_params(**size), frame)
    if estimator.teacher is not None:
        estimator.teacher = replace(estimator.teacher, model=encoded(estimator.teacher.model, frame))
    return estimator
