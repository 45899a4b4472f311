"""The estimator for a table: the default forest behind an encoder that rules see through, or a given model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.estimators.regressor import RuleListRegressor
from hedgerow.exceptions import InvalidParameterError
from hedgerow.presets import default_forest
from hedgerow.tables.columns import TaskName
from hedgerow.tables.encoder import encoded


@dataclass(frozen=True)
class Learning:
    """Which ensemble the rules come from, and the settings of the estimator.

    Attributes
    ----------
    settings : dict
        Parameters of the estimator.
    model : Path or None
        The file of a trained ensemble; by default, a random forest is trained.
    trust_pickle : bool
        Whether the file may be a pickle.
    accurate : bool
        Whether to use the settings of :meth:`~hedgerow.RuleListClassifier.accurate`.
    trees, depth : int or None
        The size of the random forest.
    """

    settings: dict[str, Any]
    model: Path | None = None
    trust_pickle: bool = False
    accurate: bool = False
    trees: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.model is not None and (self.trees is not None or self.depth is not None):
            raise InvalidParameterError("--trees and --depth cannot be combined with --model.")
        if self.model is None and self.trust_pickle:
            raise InvalidParameterError("--trust-pickle needs a model; name its file with --model FILE.")

    def estimator(self, task: TaskName, frame: Any, model: Any = None) -> Any:
        """Return an unfitted estimator for the training samples in a table; ``model`` is the ensemble in the file."""
        kind = RuleListClassifier if task == "classification" else RuleListRegressor
        estimator = kind.accurate(model, **self.settings) if self.accurate else kind(model, **self.settings)
        if model is not None:
            return estimator
        if not self.accurate:
            estimator.ensemble = default_forest(kind.task_kind, estimator.random_state, estimator.n_jobs)
        size = {"n_estimators": self.trees, "max_depth": self.depth}
        size = {name: value for name, value in size.items() if value is not None}
        estimator.ensemble = encoded(estimator.ensemble.set_params(**size), frame)
        if estimator.teacher is not None:
            estimator.teacher = replace(estimator.teacher, model=encoded(estimator.teacher.model, frame))
        return estimator
