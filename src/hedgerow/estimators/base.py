"""What the classifier and the regressor share: ``fit`` as a chain of calls to the pipeline, and what comes after it."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.checks import check_integer
from hedgerow._support.progress import hint, messages
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.scores import Scores
from hedgerow.estimators.editing import EditableList
from hedgerow.estimators.validation import check_source, check_training
from hedgerow.exceptions import (
    HedgerowError,
    InfeasibleError,
    InvalidDataError,
    InvalidParameterError,
    MissingRowsError,
)
from hedgerow.optimize.budgets import check_budgets, feasible_path
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers import Solver
from hedgerow.pipeline.build import build
from hedgerow.pipeline.clock import REST, Clock
from hedgerow.pipeline.fold import Extracted
from hedgerow.pipeline.lesson import Lesson
from hedgerow.pipeline.poor_lists import warn_if_poor
from hedgerow.pipeline.pose import Posed, pose, pose_again, solve
from hedgerow.pipeline.prepare import prepare
from hedgerow.pipeline.row_checksum import row_checksum
from hedgerow.pipeline.samples import Samples, Streamed
from hedgerow.pipeline.settings import PARAMETERS, Settings
from hedgerow.pipeline.streams import needs_rows
from hedgerow.presets import ACCURATE
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import Smoothing
from hedgerow.sources.choice import as_source, in_memory
from hedgerow.teachers import Oracle, Teacher


class RuleListEstimator(EditableList):
    """A rule list with a given budget."""

    set_by_presets: ClassVar[dict[str, Any]] = {"stability_weight": 0.0, "min_coverage": None}
    pool_: RulePool
    scores_: Scores
    seconds_: dict[str, float]
    #: Needs the training rows, which a pickle leaves out.
    posed_: Posed

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
        loss: Any = "misclassification",
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
        self.ensemble = ensemble
        self.max_rules = max_rules
        self.preset = preset
        self.candidates = candidates
        self.max_conditions = max_conditions
        self.min_coverage = min_coverage
        self.max_candidates = max_candidates
        self.stability_weight = stability_weight
        self.loss = loss
        self.stability = stability
        self.target = target
        self.teacher = teacher
        self.smoothing = smoothing
        self.round_thresholds = round_thresholds
        self.constraints = constraints
        self.extra_rules = extra_rules
        self.uncovered = uncovered
        self.solver = solver
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

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

        They depend on the budget and on the samples, so ``fit`` works them out (:func:`hedgerow.presets.accurate`).
        ``set_params(max_rules=...)`` and a search over ``max_rules`` thus give each budget its own settings.
        :meth:`settled` shows them.

        Parameters
        ----------
        ensemble : as for the class
            The source of the candidates; None is the preset's own forest.
        max_rules : int or None
            The budget.
        random_state, n_jobs :
            As for the class; also for the forests made here.
        time_limit : float or None
            Seconds for the solver.
        **others :
            Any other parameter of the class. What is given here is not worked out. With a target, there is no teacher.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> rules = RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y)
        >>> len(rules.rule_list_) <= 4
        True
        >>> len(rules.set_params(max_rules=2).fit(X, y).rule_list_)
        2
        """
        check_integer("max_rules", max_rules, optional=True)
        given = {"max_rules": max_rules, "random_state": random_state, "n_jobs": n_jobs, "time_limit": time_limit}
        return cls._of_preset(ACCURATE, others, ensemble=ensemble, **given)

    @classmethod
    def faithful(
        cls,
        model: Any,
        *,
        max_rules: int | None = 8,
        random_state: Any = None,
        n_jobs: int | None = None,
        time_limit: float | None = 10.0,
        **others: Any,
    ) -> Self:
        """Return an unfitted estimator with the settings that explain a fitted model best.

        The list predicts what the model predicts. It learns from the model's predictions for the training samples and
        for synthetic rows near them; the model itself is never fitted again, not even in cross-validation. ``fit``
        works out the settings (:func:`hedgerow.presets.faithful`); :meth:`settled` shows them.

        Parameters
        ----------
        model : fitted estimator, pipeline, booster, path, Forest, callable or Oracle
            Whatever predicts: it need not have trees. A function takes a table and returns one prediction, or one row
            of class shares, per row. :class:`hedgerow.teachers.Oracle` says in which batches, and how often at most, it
            is asked.
        max_rules : int or None
            The budget.
        random_state, n_jobs :
            As for the class; also for the trees grown here.
        time_limit : float or None
            Seconds for the solver.
        **others :
            Any other parameter of the class. What is given here is not worked out. A target, or a teacher other than
            this model with a share of 1, is refused: the list learns from the model alone.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.svm import SVC
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = SVC().fit(X, y)
        >>> rules = RuleListClassifier.faithful(model, max_rules=4, random_state=0).fit(X, y)
        >>> bool((rules.predict(X) == model.predict(X)).mean() > 0.95)
        True
        """
        check_integer("max_rules", max_rules, optional=True)
        given = {"max_rules": max_rules, "random_state": random_state, "n_jobs": n_jobs, "time_limit": time_limit}
        return cls._of_faithful(model, others, **given)

    def settled(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Return an unfitted estimator without a preset, with the parameters that it works out for these samples.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> rules = RuleListClassifier.accurate(max_rules=4).settled(*load_iris(return_X_y=True))
        >>> rules.preset is None, rules.min_coverage
        (True, 0.0075)
        """
        samples = check_training(copy.copy(self), self.task_kind, X, y, sample_weight)
        return type(self)(**self.to_settings().settled(samples).parameters)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose the best list of rules of the ensemble.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features), source, or Dask data frame or array
            The training samples. Data frames (pandas, polars) keep their column names. Sources
            (:mod:`hedgerow.sources`) and what Dask holds are read in chunks, and need a fitted ensemble.
        y : array of shape (n_samples,)
            The targets; always needed, except beside a source, which has its own. Beside what Dask holds: the name of a
            column, or a Dask series or array.
        sample_weight : array of shape (n_samples,), optional
            Weights in the loss and in the rules' predictions, and for an ensemble that is fitted here. A sample of
            weight 0 is left out.

        Returns
        -------
        self

        Raises
        ------
        InfeasibleError
            If no list satisfies the budget; the message says which budget works.
        """
        clock = Clock()
        with clock.timing("validation"):
            settings = self.to_settings()
        return self._fit(settings, X, y, sample_weight, clock=clock)

    def to_settings(self) -> Settings:
        """Return the parameters, checked: what the functions of :mod:`hedgerow.pipeline` take."""
        return Settings.of(self.task_kind, {name: getattr(self, name) for name in PARAMETERS})

    @classmethod
    def fitted_with(
        cls, settings: Settings, X: Any, y: Any, sample_weight: Any = None, lesson: Lesson | None = None
    ) -> Self:
        """Return an estimator with these settings, fitted; to what a teacher made of the samples, if it did already."""
        return cls(**settings.parameters)._fit(settings, X, y, sample_weight, lesson)

    @classmethod
    def of(cls, extracted: Extracted) -> Self:
        """Return the fitted estimator of a list that the pipeline extracted."""
        return cls(**extracted.posed.settings.parameters)._adopt(extracted, {})

    def _samples(self, settings: Settings, X: Any, y: Any, sample_weight: Any) -> Samples:
        """Return training samples, checked: in memory, or to be read in chunks."""
        source = as_source(X, y, sample_weight)
        if source is not None:
            return check_source(self.task_kind, source, settings.ensemble)
        # A copy learns the names of the columns, so that a fit that fails leaves the estimator as it was.
        return check_training(copy.copy(self), self.task_kind, X, y, sample_weight)

    def _fit(
        self,
        settings: Settings,
        X: Any,
        y: Any,
        sample_weight: Any,
        lesson: Lesson | None = None,
        clock: Clock | None = None,
    ) -> Self:
        clock = Clock() if clock is None else clock
        with clock.timing(REST), messages(self.verbose), hint(type(self).__name__):
            with clock.timing("validation"):
                samples = self._samples(settings, X, y, sample_weight)
                settings = settings.settled(samples)
                if isinstance(samples, Streamed) and needs_rows(settings, samples):
                    samples = self._samples(settings, *in_memory(samples.X))
            posed = pose(prepare(settings, samples, clock, lesson), settings, clock=clock)
            with clock.timing("solve"):
                solution = solve(posed, settings.time_limit)
                solution = replace(solution, passes=samples.n_passes)
            if not solution.optimal:
                ended = "Ctrl-C" if solution.status == "interrupted" else "The time limit"
                warnings.warn(
                    f"{ended} ended the search: {solution.describe()}. More time may give a proof.",
                    ConvergenceWarning,
                    stacklevel=3,
                )
            with clock.timing("rule_list"):
                extracted = Extracted(posed, solution, build(posed, solution))
            with clock.timing("checks"):
                warn_if_poor(extracted)
            self._adopt(extracted, clock.seconds)
        return self

    @property
    def problem_(self) -> PartitionProblem:
        """What was solved."""
        return self._posed("problem_").problem

    def list_of(self, solution: Solution, X: Any = None, y: Any = None, sample_weight: Any = None) -> RuleList:
        """Return the rule list of a solution of ``problem_``, such as one of another budget.

        Parameters
        ----------
        solution : Solution
            For instance one of :func:`hedgerow.budget_path` on ``problem_``. That of ``fit`` gives ``rule_list_``.
        X, y, sample_weight : optional
            The training samples; needed only after the estimator was unpickled, because a pickle leaves them out.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier, budget_path
        >>> X, y = load_iris(return_X_y=True)
        >>> rules = RuleListClassifier(max_rules=5, candidates="nodes", random_state=0).fit(X, y)
        >>> [len(rules.list_of(solution)) for solution in budget_path(rules.problem_, [2, 3, 4])]
        [2, 3, 4]
        """
        return build(self._posed("list_of", X, y, sample_weight), solution)

    def lists_of(
        self,
        budgets: Iterable[int],
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        time_limit: float | None = None,
    ) -> dict[int, RuleList | HedgerowError]:
        """Return the best list of each budget among the candidates of ``fit``, or the error that says why none exists.

        Parameters
        ----------
        budgets : iterable of int
        X, y, sample_weight : optional
            As for :meth:`list_of`.
        time_limit : float, optional
            The most seconds for each budget, if that is less than the ``time_limit`` of the estimator.
        """
        posed, wanted = self._posed("lists_of", X, y, sample_weight), sorted(set(check_budgets(budgets)))
        settings, fitted = posed.settings, posed.problem.max_rules
        others = [budget for budget in wanted if budget != fitted]
        # A RandomState of the user's is not drawn from again.
        solver = replace(settings, random_state=copy.deepcopy(settings.random_state)).chosen_solver()
        limit = min((one for one in (settings.time_limit, time_limit) if one is not None), default=None)
        path = feasible_path(posed.problem, others, time_limit=limit, solver=solver) if others else {}
        built = {b: one if isinstance(one, HedgerowError) else build(posed, one) for b, one in path.items()}
        return {budget: self.rule_list_ if budget == fitted else built[budget] for budget in wanted}

    def __getstate__(self) -> dict[str, Any]:
        # The training rows would make a pickle grow with samples times trees.
        state = {name: value for name, value in super().__getstate__().items() if name != "posed_"}
        if "posed_" in self.__dict__:
            free = self.posed_.free
            state["_row_checksum"] = row_checksum(self.posed_)
            # What constraints rule out would seem to be free of charge without them.
            state["_free_candidates"] = None if free is None else (free.pool, free.scores)
        return state

    def __copy__(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    def _adopt(self, extracted: Extracted, seconds: dict[str, float]) -> Self:
        """Take over what the pipeline extracted as fitted attributes."""
        posed, learned = extracted.posed, extracted.posed.learned
        self.rule_list_, self.solution_, self.posed_ = extracted.rule_list, extracted.solution, posed
        self.pool_, self.scores_, self.seconds_ = posed.pool, posed.scores, seconds
        self.forest_, self.ensemble_ = learned.forest, learned.ensemble
        saw_samples = learned.ensemble is not posed.settings.ensemble or posed.settings.saw_samples
        self.settings_ = replace(
            posed.settings,
            ensemble=learned.ensemble,
            saw_samples=saw_samples,
            teacher=_understood(posed.settings.teacher, learned.returns),
        )
        found = {
            "classes_": learned.task.classes,
            "teacher_": learned.teacher,
            "n_rows_asked_": learned.asked[0] or None,
            "n_calls_": learned.asked[1] or None,
            "n_features_in_": learned.samples.n_features,
            "feature_names_in_": learned.samples.names,
        }
        for name, value in found.items():
            self.__dict__.pop(name, None)  # of an earlier fit
            if value is not None:
                setattr(self, name, value)
        return self

    def _posed(self, asked_for: str, X: Any = None, y: Any = None, sample_weight: Any = None) -> Posed:
        """Return the problem with its training rows, which a pickle leaves out and the caller may give again."""
        check_is_fitted(self, "rule_list_")
        if "posed_" in self.__dict__:
            return self.posed_
        if self.settings_.teacher is not None:
            raise MissingRowsError(
                f"{asked_for} needs what the preset or the teacher added to the training samples, which a pickled "
                "estimator does not carry. Fit again."
            )
        if X is None:
            raise MissingRowsError(
                f"{asked_for} needs the training samples, which a pickled estimator does not carry. Give it what fit "
                "was given: estimator.with_rows(X, y). Or fit again."
            )
        samples = self._samples(self.settings_, X, y, sample_weight)
        try:
            free = self.__dict__.get("_free_candidates")
            posed = pose_again(self.settings_, samples, self.pool_, self.scores_, free)
            # None for samples in chunks, and in pickles of earlier versions.
            known, given = self.__dict__.get("_row_checksum"), row_checksum(posed)
            same = None in (known, given) or known == given
            same = same and posed.problem.accepts(self.solution_.chosen)
            same = same and build(posed, self.solution_).rules == self.rule_list_.rules
        except (
            InvalidParameterError,
            InfeasibleError,
        ):  # a candidate that covers none of these samples, or is ruled out
            same = False
        if not same:
            raise InvalidDataError(
                f"{asked_for} needs the very samples and weights that the estimator was fitted to, in their order; it "
                "was given others, or in another order."
            )
        return replace(posed, edits=self.rule_list_.edits)


def _understood(teacher: Teacher | None, returns: Literal["labels", "shares"] | None) -> Teacher | None:
    """Return the teacher with what ``fit`` has found out about the numbers that it returns."""
    if teacher is None or not isinstance(teacher.model, Oracle) or returns is None:
        return teacher
    return replace(teacher, model=replace(teacher.model, returns=returns))
