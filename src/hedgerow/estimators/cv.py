"""Estimators that choose the budget, the minimum coverage, λ and the smoothing by k-fold cross-validation.

Everything that is fitted is fitted inside the fold. :mod:`hedgerow.optimize.budgets` says between which budgets there
is anything to choose, and what each of them gives.
"""

from __future__ import annotations

import copy
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv

from hedgerow._support.arrays import AnyArray
from hedgerow._support.checks import check_integer
from hedgerow._support.progress import hint, messages
from hedgerow.candidates.ensembles import clone_ensemble
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.constraints import ParityGap, check_constraints
from hedgerow.estimators.base import RuleListEstimator
from hedgerow.estimators.best import OfBestEstimator
from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.estimators.predictor import ClassPredictor, RuleListPredictor, Scored
from hedgerow.estimators.regressor import RuleListRegressor
from hedgerow.estimators.trials import Trials, best_row
from hedgerow.estimators.validation import check_training
from hedgerow.exceptions import InfeasibleError, InvalidDataError, InvalidParameterError, TimeLimitError
from hedgerow.optimize.budgets import check_budgets, rule_bounds
from hedgerow.optimize.solvers import Solver
from hedgerow.pipeline.clock import REST, Clock
from hedgerow.pipeline.fold import Setting
from hedgerow.pipeline.lesson import Lesson, hear
from hedgerow.pipeline.pose import pose
from hedgerow.pipeline.prepare import prepare, take_lesson
from hedgerow.pipeline.samples import Samples
from hedgerow.pipeline.settings import Settings, check_candidates
from hedgerow.presets import ACCURATE
from hedgerow.smoothing import Smoothing, check_smoothing
from hedgerow.tasks import Numbers
from hedgerow.teachers import Teacher

logger = logging.getLogger(__name__)

#: How long a budget may take inside a fold if nothing else is said: there a proof changes little.
FOLD_SECONDS = 1.0
#: The same for each of the bounds.
BOUND_SECONDS = 5.0
#: How many budgets in a row may be no better than the best before the search stops.
PATIENCE = 6
#: The budgets that ``accurate`` tries: one more rule changes much in a short list and little in a long one.
BUDGETS = (2, 3, 4, 6, 8, 11, 15)


class CrossValidated(OfBestEstimator, RuleListPredictor):
    """What the two estimators with CV in their name share: they hold the settings of a plain one, and try others."""

    set_by_presets: ClassVar[dict[str, Any]] = {"stability_weights": (0.0,), "min_coverages": (None,)}
    seconds_: dict[str, float]
    #: The estimator without cross-validation.
    plain: ClassVar[type[RuleListEstimator]]

    def __init__(
        self,
        ensemble: Any = None,
        *,
        max_rules: Any = None,
        preset: str | None = None,
        min_coverages: Sequence[float | None] = (0.001, 0.01),
        stability_weights: Sequence[float] = (0.5,),
        smoothings: Sequence[Smoothing | None] = (None,),
        cv: Any = 5,
        bounds: str = "exact",
        scoring: Any = None,
        one_standard_error: bool = False,
        patience: int | None = PATIENCE,
        candidates: str = "auto",
        max_conditions: int | None = None,
        max_candidates: int | None = None,
        loss: Any = None,
        stability: Any = "dice",
        target: str | float | None = "labels",
        teacher: Teacher | None = None,
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
        self.min_coverages = min_coverages
        self.stability_weights = stability_weights
        self.smoothings = smoothings
        self.cv = cv
        self.bounds = bounds
        self.scoring = scoring
        self.one_standard_error = one_standard_error
        self.patience = patience
        self.candidates = candidates
        self.max_conditions = max_conditions
        self.max_candidates = max_candidates
        self.loss = loss
        self.stability = stability
        self.target = target
        self.teacher = teacher
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
        max_rules: Any = BUDGETS,
        random_state: Any = None,
        n_jobs: int | None = None,
        time_limit: float | None = 10.0,
        **others: Any,
    ) -> Self:
        """Return an unfitted estimator that chooses the budget of :meth:`hedgerow.RuleListClassifier.accurate`.

        Each budget has its own settings, worked out in each fold as in a fit with that budget alone. Forests and
        teachers that are the same for several budgets are fitted once per fold.

        Parameters
        ----------
        ensemble : as for the class
            The source of the candidates; None is the preset's own forest.
        max_rules : sequence of int, int, or None
            The budgets to try. Every one of them costs a search in each fold.
        random_state, n_jobs :
            As for the class.
        time_limit : float or None
            Seconds for each budget, in each fold and for the final list.
        **others :
            Any other parameter of the class. What is given here is not worked out.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifierCV
        >>> X, y = load_iris(return_X_y=True)
        >>> RuleListClassifierCV.accurate(max_rules=[2, 3], cv=3, random_state=0).fit(X, y).best_max_rules_
        3
        """
        given = {"max_rules": max_rules, "random_state": random_state, "n_jobs": n_jobs, "time_limit": time_limit}
        return cls._of_preset(ACCURATE, others, ensemble=ensemble, **given)

    @classmethod
    def faithful(
        cls,
        model: Any,
        *,
        max_rules: Any = BUDGETS,
        random_state: Any = None,
        n_jobs: int | None = None,
        time_limit: float | None = 10.0,
        **others: Any,
    ) -> Self:
        """Return an unfitted estimator that chooses the budget of :meth:`hedgerow.RuleListClassifier.faithful`.

        What counts in the folds is the agreement with the model on the rows that are left out, unless ``scoring`` says
        otherwise. The model itself is the same in all folds.

        Parameters
        ----------
        model : as for :meth:`hedgerow.RuleListClassifier.faithful`
        max_rules : sequence of int, int, or None
            The budgets to try.
        random_state, n_jobs, time_limit, **others :
            As for :meth:`accurate`.
        """
        given = {"max_rules": max_rules, "random_state": random_state, "n_jobs": n_jobs, "time_limit": time_limit}
        return cls._of_faithful(model, others, **given)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose budget, minimum coverage, λ and smoothing by cross-validation, then fit with them to all samples.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        groups : array of shape (n_samples,), optional
            For splitters that keep groups together.

        Returns
        -------
        self
        """
        clock = Clock()
        with clock.timing(REST), hint(type(self).__name__), _as_before_unless_done(self):
            with clock.timing("validation"):
                settings = self.to_settings()
                _check_groups(settings)
                coverages = _shares(self.min_coverages, "min_coverages", optional=True)
                weights = _shares(self.stability_weights, "stability_weights")
                check_integer("patience", self.patience, least=1, optional=True)
                samples = check_training(copy.copy(self), self.task_kind, X, y, sample_weight)
            smoothings = self._checked_smoothings(settings)
            tried_settings = [Setting(c, w, s) for c in coverages for w in weights for s in smoothings]
            splitter = check_cv(self.cv, samples.y, classifier=self.task_kind.has_labels)
            splits = list(splitter.split(samples.X, samples.y, groups))
            if not splits:
                raise InvalidParameterError("cv gives no split into training and test samples.")
            with messages(self.verbose):
                n_fits = len(splits) + 1 + (self.max_rules is None)
                samples = self._heard(settings, samples, n_fits, clock)
            with messages(self.verbose), clock.timing("bounds"):
                budgets, refitting, of_bounds = self._budgets(settings, samples)
                n_folds, n_settings, n_budgets = len(splits), len(tried_settings), len(budgets)
                logger.info("to try: %d settings and %d budgets in %d folds", n_settings, n_budgets, n_folds)
            # Anew, because a RandomState that is shared with the ensemble has moved on.
            scorer, expected = self._scorer(samples)
            trials = Trials(self.plain, self.to_settings(), samples, splits, scorer, self.patience, expected)
            with clock.timing("search"):
                tried = trials.results(tried_settings, budgets, self.n_jobs, self.verbose)
                self.cv_results_, self.stopped_, of_folds = tried
            with messages(self.verbose):
                if self.stopped_ is not None:
                    logger.info("%s", self.stopped_)
                lesson = None if samples.heard is None else take_lesson(refitting.settled(samples), samples, clock)
                self._refit(refitting, X, y, sample_weight, lesson)
            clock.add(self.best_estimator_.seconds_)
        if samples.heard is not None and lesson is not None:
            parts = (samples.heard.asked, of_bounds, of_folds, lesson.asked)
            self.n_rows_asked_, self.n_calls_ = (sum(of) for of in zip(*parts, strict=True))
        self.seconds_ = clock.seconds
        return self

    def _heard(self, settings: Settings, samples: Samples, n_fits: int, clock: Clock) -> Samples:
        """Return the samples with what a model that is asked has to say about them, so that no fit asks again.

        What is left of its limit is shared by all fits.
        """
        if isinstance(settings.ensemble, FeatureForest):  # its teacher sees other columns, in each fold
            return samples
        teacher = settings.settled(samples).teacher
        if teacher is None or not teacher.is_asked:
            return samples
        with clock.timing("teacher"):
            return replace(samples, heard=hear(teacher, samples, self.verbose).shared_by(n_fits))

    def _scorer(self, samples: Samples) -> tuple[Any, AnyArray | None]:
        """Return what counts in the folds, and what is compared with if not the targets.

        For a list that explains a model, the agreement with it counts.
        """
        if self.scoring is not None or self.preset != "faithful":
            return check_scoring(self.plain(), self.scoring), None
        if samples.heard is None:
            return self.plain.agreement, None
        return _score, samples.task.hardened(samples.heard.said)[0]

    def to_settings(self) -> Settings:
        """Return the settings of the estimator without cross-validation that is tried in the folds."""
        names = set(self.plain().get_params(deep=False)) & set(self.get_params(deep=False))
        given = {name: getattr(self, name) for name in names}
        given |= {"max_rules": None, "n_jobs": None, "verbose": False}
        given |= {name: clone_ensemble(getattr(self, name)) for name in ("ensemble", "teacher")}
        if self.time_limit is None:
            given["time_limit"] = FOLD_SECONDS
        return self.plain(**given).to_settings()

    def _checked_smoothings(self, settings: Settings) -> list[Smoothing | None]:
        """Return the smoothings to try, each once."""
        given = self.smoothings
        if isinstance(given, str) or not isinstance(given, Sequence) or not len(given):
            raise InvalidParameterError(f"smoothings must be a list of values for smoothing; got {given!r}.")
        for smoothing in given:
            check_smoothing(smoothing, settings.parsed_loss.answer)
        return list(dict.fromkeys(given))

    def _budgets(self, settings: Settings, samples: Samples) -> tuple[list[int], Settings, tuple[int, int]]:
        """Return the budgets to try, the settings for the final fit, and about how many rows a teacher was asked.

        The budgets are those given, or all between the bounds. Beside the rows is the number of calls.
        """
        self.__dict__.pop("bounds_", None)  # of an earlier fit
        final = replace(settings, time_limit=self.time_limit)
        if self.max_rules is not None:
            budgets = sorted(set(check_budgets(self.max_rules)))
            check_candidates(self.max_candidates, budgets[-1])
            return budgets, final, (0, 0)
        if self.bounds not in ("exact", "heuristic"):
            raise InvalidParameterError(f"bounds must be 'exact' or 'heuristic'; got {self.bounds!r}.")
        logger.info("looking for the budgets between which there is anything to choose")
        # The bounds are those of all candidates.
        whole = settings.changed(max_candidates=None).settled(samples)
        posed = pose(prepare(whole, samples), whole)
        learned = posed.learned
        self.bounds_ = rule_bounds(
            posed.problem,
            self.bounds,
            data=(learned.forest.inputs.matrix(samples.X), samples.y),
            classify=self.task_kind.has_labels,
            time_limit=BOUND_SECONDS if self.time_limit is None else self.time_limit,
            solver=settings.chosen_solver(),
        )
        if self.bounds == "exact" and not self.bounds_.proven:
            warnings.warn(
                f"The time limit ended the search for the bounds: {self.bounds_!r}. Budgets outside the pair are not "
                "tried; give max_rules to try others, or a longer time_limit.",
                ConvergenceWarning,
                stacklevel=3,
            )
        budgets = list(range(self.bounds_[0], self.bounds_[1] + 1))
        # What a teacher taught belongs to the synthetic rows of that time, and a preset's ensemble to one budget.
        if whole.teacher is None and "ensemble" not in settings.left_open:
            fitted_here = learned.ensemble is not settings.ensemble
            final = replace(final, ensemble=learned.ensemble, saw_samples=fitted_here)  # fitted once
        return budgets, final, learned.asked

    def _of_row(self, settings: Settings, i: int) -> Settings:
        """Return the settings of a row of the results."""
        results = self.cv_results_
        coverage = results["param_min_coverage"][i]
        return settings.changed(
            max_rules=int(results["param_max_rules"][i]),
            min_coverage=None if coverage is None else float(coverage),
            stability_weight=float(results["param_stability_weight"][i]),
            smoothing=results["param_smoothing"][i],
        )

    def _on_all_samples(self, error: InfeasibleError, settings: Settings, *data: Any) -> InfeasibleError:
        """Return the error with which constraints contradict each other on all samples, if they do there as well."""
        if not check_constraints(settings.constraints):
            return error
        try:
            self.plain.fitted_with(self._of_row(settings, int(np.argmax(self.cv_results_["param_max_rules"]))), *data)
        except InfeasibleError as found:
            return InfeasibleError(f"{error} On all samples: {found}", conflicts=found.conflicts)
        except TimeLimitError:
            pass
        return error

    def _refit(self, settings: Settings, X: Any, y: Any, sample_weight: Any, lesson: Lesson | None) -> None:
        """Fit to all samples with the best row; a row that has no list there is skipped for the next best."""
        results = self.cv_results_
        while True:
            try:
                i = best_row(results, self.one_standard_error)
            except InfeasibleError as error:
                raise self._on_all_samples(error, settings, X, y, sample_weight, lesson) from None
            best = self._of_row(settings, i)
            logger.info("fitting to all samples with max_rules=%d, the best in the folds", best.max_rules)
            try:
                fitted = self.plain.fitted_with(best, X, y, sample_weight, lesson)
            except (InfeasibleError, TimeLimitError) as error:
                results["skipped"][i] = f"On all samples: {error}"
                continue
            for name in ("classes_", "teacher_", "feature_names_in_", "n_rows_asked_", "n_calls_"):
                self.__dict__.pop(name, None)  # of an earlier fit
            found = {name: value for name, value in vars(fitted).items() if name.endswith("_") and name != "posed_"}
            self.__dict__.update(found)
            self.best_estimator_ = fitted
            self.best_index_, self.best_score_ = i, float(results["mean_test_score"][i])
            used = fitted.settings_
            self.best_min_coverage_, self.best_stability_weight_ = used.min_coverage, used.stability_weight
            self.best_max_rules_, self.best_smoothing_ = used.max_rules, used.smoothing
            return


@contextmanager
def _as_before_unless_done(estimator: Any) -> Iterator[None]:
    """Take back what a fit has set on the way if it ends by an error or Ctrl-C: two fits must not be mixed."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def _score(rules: RuleListEstimator, X: Any, expected: AnyArray) -> float:
    """Return the accuracy or R² of a list's predictions."""
    task = rules.rule_list_.task
    return task.score(expected, rules.predict(X))


def _check_groups(settings: Settings) -> None:
    """Refuse one group per sample, which no fold has as many of."""
    if any(
        isinstance(one, ParityGap) and isinstance(one.group, tuple) for one in check_constraints(settings.constraints)
    ):
        raise InvalidDataError(
            "ParityGap was given one group per sample, but the folds of cross-validation have fewer samples. Name a "
            "column of X instead; with Forbid(feature=...), no rule uses it."
        )


def _shares(values: Any, name: str, optional: bool = False) -> list[Any]:
    """Return numbers between 0 and 1 as a list, or None where allowed; refuse an empty list, and anything else."""
    try:
        found = [None if optional and value is None else float(value) for value in np.atleast_1d(values)]
    except (TypeError, ValueError):
        found = [np.nan]
    if not found or not all(value is None or 0 <= value <= 1 for value in found):
        more = ", or None" if optional else ""
        raise InvalidParameterError(f"{name} must be numbers between 0 and 1{more}, at least one; got {values!r}.")
    return found


class RuleListClassifierCV(Scored, ClassifierMixin, ClassPredictor, CrossValidated):  # type: ignore[misc]
    """A rule list whose budget, minimum coverage, λ and smoothing are chosen by cross-validation.

    Parameters
    ----------
    ensemble : estimator, Forest, list of them, or None
        Fitted anew in each fold; to use a fitted one as it is, wrap it in a ``FrozenEstimator`` or pass a Forest. What
        cannot be fitted again, such as a booster or a model file, is used as it is: if it was trained on these samples,
        the scores are too optimistic.
    max_rules : sequence of int, int, or None
        The budgets to try; None means all between the bounds of an ensemble that is fitted to all samples.
    preset : "accurate" or None
        As in :class:`~hedgerow.RuleListClassifier`; use :meth:`accurate`. What depends on the budget is worked out for
        each budget.
    min_coverages, stability_weights : sequences of float
        The values to try for the minimum coverage and for λ. Coverages that leave the same candidates, as these do for
        few samples, are tried once. A minimum coverage of None is the preset's, or 0 without one.
    smoothings : sequence of smoothings or None
        The values to try for the smoothing of predictions; see :mod:`hedgerow.smoothing`. They cost little: the rules
        stay the same.
    cv : int, splitter, or iterable of (training, test) rows
    bounds : "exact" or "heuristic"
        How the bounds are found if ``max_rules`` is None; see :func:`rule_bounds`.
    scoring : str, callable or None
        As in scikit-learn; None is accuracy, or R² for regression.
    one_standard_error : bool
        Take the smallest budget within one standard error of the best: the standard deviation over the folds (of the
        first best row), divided by the square root of their number.
    patience : int or None
        Budgets are tried in increasing order. The search stops when this many in a row have not raised the best mean
        score of any setting, or half as many, two at least, if these score clearly worse: their mean lies 1.5 standard
        errors of the difference, over three folds or more, below the best. None tries all budgets.
    n_jobs : int or None
        The number of folds, and then of settings of all folds, that run in parallel.
    candidates, max_conditions, max_candidates, loss, stability, target, teacher :
        As in :class:`~hedgerow.RuleListClassifier`; a loss of None is its default.
    time_limit : float or None
        Seconds for each budget. None means 1 inside the folds, where a proof changes little, 5 for each of the bounds,
        and no limit for the final list.
    round_thresholds, constraints, extra_rules, uncovered, solver, random_state, verbose :
        As in :class:`~hedgerow.RuleListClassifier`; ``verbose`` shows the progress on standard
        error, with the time so far and an estimate of the rest.

    Attributes
    ----------
    best_max_rules_, best_min_coverage_, best_stability_weight_, best_smoothing_ :
        What was chosen; ``best_score_`` and ``best_index_`` belong to them.
    bounds_ : RuleBounds
        Only if the budgets come from bounds.
    stopped_ : Stopped or None
        Why the search stopped before the largest budget, as text or by ``budget``, ``best``, ``score``,
        ``patience`` (how many larger ones were tried), ``clearly`` (whether they score clearly worse).
    cv_results_ : dict
        One column per name, ready for a data frame. ``skipped`` says why a setting could not be or was not tried,
        ``proven`` whether the lists of all folds are optimal. Where several lists are equally good for the integer
        program, a fold may take another one than a fit with that budget alone would.
    best_estimator_ : RuleListClassifier
        Fitted to all samples; ``rule_list_``, ``solution_`` and so on are its own, and ``resolve``, ``price`` and
        ``alternatives`` are about its list.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hedgerow import RuleListClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(20, max_depth=3, random_state=0)
    >>> RuleListClassifierCV(forest, max_rules=[2, 3, 4]).fit(X, y).best_max_rules_
    4
    """

    plain = RuleListClassifier


class RuleListRegressorCV(Scored, RegressorMixin, CrossValidated):  # type: ignore[misc]
    """Like :class:`RuleListClassifierCV`, for regression."""

    plain = RuleListRegressor
    task_kind = Numbers
