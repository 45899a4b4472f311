"""RuleListRegressor: rule lists for regression."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import RegressorMixin

from hedgerow.estimators.base import RuleListEstimator
from hedgerow.optimize.solvers import Solver
from hedgerow.presets import accurate_numbers
from hedgerow.smoothing import Smoothing
from hedgerow.tasks import Numbers
from hedgerow.teachers import Teacher


class RuleListRegressor(RegressorMixin, RuleListEstimator):  # type: ignore[misc]
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
        candidates: str = "auto",
        max_conditions: int | None = None,
        min_coverage: float = 0.0,
        max_candidates: int | None = None,
        stability_weight: float = 0.5,
        loss: Any = "mse",
        stability: Any = "dice",
        target: str | float = "labels",
        teacher: Teacher | None = None,
        smoothing: Smoothing | None = None,
        constraints: Any = (),
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
            constraints=constraints,
            uncovered=uncovered,
            solver=solver,
            time_limit=time_limit,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )

    @classmethod
    def accurate(
        cls,
        ensemble: Any = None,
        *,
        max_rules: int | None = 8,
        random_state: Any = None,
        n_jobs: int | None = None,
        time_limit: float | None = 10.0,
        **others: Any,
    ) -> Self:
        """Return an unfitted estimator with the settings that beat a single tree of the same size.

        A deep random forest is the teacher (:class:`hedgerow.teachers.Teacher`): the list learns from the samples and
        from synthetic rows with the forest's predictions. Candidates are all nodes of small trees that are grown on
        the same rows.

        Parameters
        ----------
        ensemble : as for the class
            The source of the candidates; None is a random forest of 50 trees with at most ``2 * max_rules`` leaves. A
            fitted one is the teacher as well; otherwise the teacher is a random forest of 100 trees with at least 3
            samples per leaf. An ensemble for time series has no teacher: its own predictions have a share of one
            quarter in the targets.
        max_rules : int or None
            The budget; the trees grow with it. For another budget, call ``accurate`` again: ``set_params`` changes the
            budget alone.
        random_state, n_jobs :
            As for the class; also for the forests made here.
        time_limit : float or None
            Seconds for the solver.
        **others :
            Any other parameter of the class, or another value for one that the preset sets.

        Examples
        --------
        >>> from sklearn.datasets import load_diabetes
        >>> from hedgerow import RuleListRegressor
        >>> X, y = load_diabetes(return_X_y=True)
        >>> len(RuleListRegressor.accurate(max_rules=4, random_state=0).fit(X, y).rule_list_) <= 4
        True
        """
        settings = accurate_numbers(ensemble, max_rules, random_state, n_jobs)
        return cls(**settings | {"time_limit": time_limit} | others)
