"""RuleListRegressor: rule lists for regression."""

from __future__ import annotations

from typing import Any

from sklearn.base import RegressorMixin

from hedgerow.estimators.base import RuleListEstimator
from hedgerow.estimators.predictor import Scored
from hedgerow.optimize.solvers import Solver
from hedgerow.smoothing import Smoothing
from hedgerow.tasks import Numbers
from hedgerow.teachers import Teacher


class RuleListRegressor(Scored, RegressorMixin, RuleListEstimator):  # type: ignore[misc]
    """The best short rule list of a tree ensemble, for regression.

    See :class:`RuleListClassifier` for the parameters and attributes. The default loss is the mean squared error, with
    which a rule predicts the mean of its training targets.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> from hedgerow import RuleListRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    >>> forest = RandomForestRegressor(50, max_depth=2, random_state=0).fit(X, y)
    >>> RuleListRegressor(forest, max_rules=4).fit(X, y).solution_.optimal
    True
    """

    task_kind = Numbers

    def __init__(
        self,
        ensemble: Any = None,
        *,
        max_rules: int | None = 8,
        preset: str | None = None,
        candidates: str = "auto",
        max_conditions: int | None = None,
        min_coverage: float | None = 0.0,
        max_candidates: int | None = None,
        stability_weight: float = 0.5,
        loss: Any = "mse",
        stability: Any = "dice",
        target: str | float | None = "labels",
        teacher: Teacher | None = None,
        smoothing: Smoothing | None = None,
        round_thresholds: bool = False,
        constraints: Any = (),
        extra_rules: Any = (),
        uncovered: str = "default",
        solver: Solver | None = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            ensemble,
            max_rules=max_rules,
            preset=preset,
            candidates=candidates,
            max_conditions=max_conditions,
            min_coverage=min_coverage,
            max_candidates=max_candidates,
            stability_weight=stability_weight,
            loss=loss,
            stability=stability,
            target=target,
            teacher=teacher,
            smoothing=smoothing,
            round_thresholds=round_thresholds,
            constraints=constraints,
            extra_rules=extra_rules,
            uncovered=uncovered,
            solver=solver,
            time_limit=time_limit,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
