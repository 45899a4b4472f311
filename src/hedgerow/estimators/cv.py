"""Estimators that choose the budget, the minimum coverage, λ and the smoothing by k-fold cross-validation.

Everything that is fitted is fitted inside the fold. Between which budgets there
is anything to choose, and what each of them gives, say :mod:`hedgerow.optimize.budgets`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.progress import track
from hedgerow.candidates.ensembles import clone_ensemble
from hedgerow.estimators.base import RuleListEstimator
from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.estimators.folds import Fold, Setting, Tried
from hedgerow.estimators.regressor import RuleListRegressor
from hedgerow.estimators.validation import check_parameters, check_samples, check_weight
from hedgerow.exceptions import InfeasibleError, InvalidDataError, InvalidParameterError, TimeLimitError
from hedgerow.optimize.budgets import budget_path, check_budgets, rule_bounds
from hedgerow.optimize.solvers import Solver
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import Smoothing
from hedgerow.teachers import Teacher

#: How long a budget may take inside a fold if nothing else is said: there a proof changes little.
FOLD_SECONDS = 5.0


__all__ = ["RuleListClassifierCV", "RuleListRegressorCV", "budget_path", "rule_bounds"]


class _CrossValidated(RuleListEstimator):
    """What the two estimators with CV in their name share."""

    _plain: Any

    def __init__(
        self,
        ensemble: Any = None,
        *,
        max_rules: Any = None,
        min_coverages: Sequence[float] = (0.001, 0.01),
        stability_weights: Sequence[float] = (0.5,),
        smoothings: Sequence[Smoothing | None] = (None,),
        cv: Any = 5,
        bounds: str = "exact",
        scoring: Any = None,
        one_standard_error: bool = False,
        candidates: str = "auto",
        max_conditions: int | None = None,
        max_candidates: int | None = None,
        loss: Any = None,
        stability: Any = "dice",
        target: str | float = "labels",
        teacher: Teacher | None = None,
        constraints: Any = (),
        uncovered: str = "default",
        solver: Solver | None = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.ensemble = ensemble
        self.max_rules = max_rules
        self.min_coverages = min_coverages
        self.stability_weights = stability_weights
        self.smoothings = smoothings
        self.cv = cv
        self.bounds = bounds
        self.scoring = scoring
        self.one_standard_error = one_standard_error
        self.candidates = candidates
        self.max_conditions = max_conditions
        self.max_candidates = max_candidates
        self.loss = loss
        self.stability = stability
        self.target = target
        self.teacher = teacher
        self.constraints = constraints
        self.uncovered = uncovered
        self.solver = solver
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose budget, minimum coverage, λ and smoothing by cross-validation, then fit with them on all samples.

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
        coverages = _shares(self.min_coverages, "min_coverages")
        weights = _shares(self.stability_weights, "stability_weights")
        X = check_samples(self, X, reset=True)
        y = self._check_targets(y)
        if len(y) != X.shape[0]:
            raise InvalidDataError(f"X and y have inconsistent numbers of samples: {X.shape[0]} and {len(y)}.")
        smoothings = self._checked_smoothings()
        settings = [Setting(c, w, s) for c in coverages for w in weights for s in smoothings]
        weight = None if sample_weight is None else check_weight(sample_weight, X)
        self._check_weighted_targets(y if weight is None else y[weight > 0])
        splits = list(check_cv(self.cv, y, classifier=self._of_labels).split(X, y, groups))
        if not splits:
            raise InvalidParameterError("cv gives no split into training and test samples.")
        budgets, ensemble, is_fitted = self._budgets(X, y, weight)
        tried = self._try_all(X, y, weight, splits, settings, budgets)
        self._write_results(settings, budgets, tried)
        self._refit(X, y, weight, ensemble, is_fitted)
        return self

    def _checked_smoothings(self) -> list[Smoothing | None]:
        """Return what to try for the smoothing, each once."""
        given = self.smoothings
        if isinstance(given, str) or not isinstance(given, Sequence) or not len(given):
            raise InvalidParameterError(f"smoothings must be a list of what smoothing can be; got {given!r}.")
        for smoothing in given:
            check_parameters(self._inner(None).set_params(smoothing=smoothing))
        return list(dict.fromkeys(given))

    def _inner(self, max_rules: int | None) -> Any:
        """Return the estimator without cross-validation, not fitted."""
        names = set(self._plain().get_params(deep=False)) & set(self.get_params(deep=False))
        given = {name: getattr(self, name) for name in names} | {
            "max_rules": max_rules,
            "n_jobs": None,
            "verbose": False,
        }
        if max_rules is None and self.time_limit is None:
            given["time_limit"] = FOLD_SECONDS
        if self.loss is None:
            del given["loss"]
        given["ensemble"], given["teacher"] = clone_ensemble(self.ensemble), clone_ensemble(self.teacher)
        return self._plain(**given)

    def _budgets(self, X: Any, y: AnyArray, sample_weight: Any) -> tuple[list[int], Any, bool]:
        """Return the budgets to try, those given or all between the bounds; the ensemble, and whether it is fitted."""
        self.__dict__.pop("bounds_", None)  # of an earlier fit
        if self.max_rules is not None:
            return sorted(set(check_budgets(self.max_rules))), clone_ensemble(self.ensemble), False
        if self.bounds not in ("exact", "heuristic"):
            raise InvalidParameterError(f"bounds is 'exact' or 'heuristic'; got {self.bounds!r}.")
        inner = self._inner(None).set_params(max_candidates=None)  # the bounds are those of all candidates
        inner._pose(inner._prepare(X, y, sample_weight))
        data = (inner.forest_.inputs.matrix(X), y)
        self.bounds_ = rule_bounds(
            inner.problem_,
            self.bounds,
            data=data,
            classify=self._of_labels,
            time_limit=inner.time_limit,
            solver=inner._solver(),
        )
        if self.bounds == "exact" and not self.bounds_.proven:
            warnings.warn(
                f"The time limit ended the search for the bounds: {self.bounds_!r}. Budgets outside the pair are not "
                "tried; give max_rules to try others, or a longer time_limit.",
                ConvergenceWarning,
                stacklevel=3,
            )
        budgets = list(range(self.bounds_[0], self.bounds_[1] + 1))
        if self.teacher is not None:  # what it taught belongs to the rows that it made up that time
            return budgets, clone_ensemble(self.ensemble), False
        return budgets, inner.ensemble_, inner.ensemble_ is not inner.ensemble  # fitted once

    def _try_all(
        self, X: Any, y: AnyArray, weight: Any, splits: list[Any], settings: list[Setting], budgets: list[int]
    ) -> list[list[Tried]]:
        """Return what each setting gives in each fold: first the folds' ensembles side by side, then all settings."""
        parallel = Parallel(n_jobs=self.n_jobs, return_as="generator")
        jobs = (delayed(_open_fold)(self._inner(None), X, y, weight, *split) for split in splits)
        folds = list(track(parallel(jobs), len(splits), "fitting the ensembles of the folds", self.verbose))
        # Minimum coverages that leave the same candidates are tried once, and smoothings with one list.
        keys = [
            [(k, s if isinstance(fold, str) else fold.same_candidates(s)) for s in settings]
            for k, fold in enumerate(folds)
        ]
        smoothings = list(dict.fromkeys(setting.smoothing for setting in settings))
        todo: dict[Any, tuple[int, Setting]] = {}
        for k in range(len(folds)):
            for key, setting in zip(keys[k], settings, strict=True):
                todo.setdefault(key, (k, setting))
        scorer = check_scoring(self._inner(None), self.scoring)
        tests = [(_safe_indexing(X, test), y[test]) for _, test in splits]
        jobs = (
            delayed(_try)(folds[k], setting, smoothings, budgets, scorer, *tests[k]) for k, setting in todo.values()
        )
        found = track(parallel(jobs), len(todo), "trying settings", self.verbose)
        answers = dict(zip(todo, found, strict=True))
        return [[answers[key][s.smoothing] for key, s in zip(of_fold, settings, strict=True)] for of_fold in keys]

    def _write_results(self, settings: list[Setting], budgets: list[int], tried: list[list[Tried]]) -> None:
        scores = np.column_stack([np.concatenate([found.scores for found in of_fold]) for of_fold in tried])
        proven = np.column_stack([np.concatenate([found.proven for found in of_fold]) for of_fold in tried])
        rows = [(s, b) for s in settings for b in budgets]
        smoothings = np.empty(len(rows), dtype=object)
        smoothings[:] = [setting.smoothing for setting, _ in rows]
        skipped = ["" for _ in rows]
        for k, of_fold in enumerate(tried):
            for i, found in enumerate(of_fold):
                for budget, reason in found.reasons.items():
                    at = i * len(budgets) + budgets.index(budget)
                    skipped[at] = skipped[at] or f"Fold {k}: {reason}"
        mean, std = scores.mean(axis=1), scores.std(axis=1)
        self.cv_results_ = {
            "param_min_coverage": np.array([s.min_coverage for s, _ in rows]),
            "param_stability_weight": np.array([s.stability_weight for s, _ in rows]),
            "param_smoothing": smoothings,
            "param_max_rules": np.array([budget for _, budget in rows]),
            **{f"split{i}_test_score": scores[:, i] for i in range(len(tried))},
            "mean_test_score": mean,
            "std_test_score": std,
            "rank_test_score": _ranks(mean),
            "proven": proven.all(axis=1),
            "skipped": np.array(skipped, dtype=object),
        }

    def _choose(self) -> int:
        """Return the best row of the results that was not skipped; of equal ones that with the smaller budget."""
        results = self.cv_results_
        skipped, budgets = results["skipped"], results["param_max_rules"]
        mean = np.where(skipped == "", results["mean_test_score"], np.nan)
        if not np.isfinite(mean).any():
            reason = next(filter(None, skipped), "every score is NaN.")
            raise InfeasibleError(f"No setting could be tried in every fold. The first reason: {reason}")
        best = int(np.nanargmax(mean))
        n_folds = sum(name.startswith("split") for name in results)
        slack = results["std_test_score"][best] / np.sqrt(n_folds) if self.one_standard_error else _tie(mean[best])
        good = np.flatnonzero(mean >= mean[best] - slack)
        return int(min(good, key=lambda i: (budgets[i], -mean[i], i)))

    def _refit(self, X: Any, y: AnyArray, weight: Any, ensemble: Any, is_fitted: bool) -> None:
        """Fit on all samples with the best row; a row that has no list there is skipped, and the next best is taken."""
        results = self.cv_results_
        while True:
            i = self._choose()
            inner = self._inner(int(results["param_max_rules"][i])).set_params(
                ensemble=ensemble,
                min_coverage=float(results["param_min_coverage"][i]),
                stability_weight=float(results["param_stability_weight"][i]),
                smoothing=results["param_smoothing"][i],
            )
            inner._fitted_before = is_fitted
            try:
                self._take_over(inner.fit(X, y, weight))
            except (InfeasibleError, TimeLimitError) as error:
                results["skipped"][i] = f"On all samples: {error}"
                continue
            self.best_index_, self.best_score_ = i, float(results["mean_test_score"][i])
            self.best_min_coverage_, self.best_stability_weight_ = inner.min_coverage, inner.stability_weight
            self.best_max_rules_, self.best_smoothing_ = inner.max_rules, inner.smoothing
            return

    def list_of(self, solution: Solution) -> RuleList:
        """Return the rule list of a solution of ``problem_``, such as one of another budget."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.list_of(solution)

    def _take_over(self, inner: Any) -> None:
        self.best_estimator_ = inner
        names = ["rule_list_", "solution_", "pool_", "scores_", "problem_", "forest_", "ensemble_", "seconds_"]
        for name in names + ["classes_"] * self._of_labels + ["teacher_"] * (self.teacher is not None):
            setattr(self, name, getattr(inner, name))


def _open_fold(inner: Any, X: Any, y: AnyArray, weight: Any, train: AnyArray, test: AnyArray) -> Fold | str:
    """Return the fold, or why it cannot be used."""
    if inner._of_labels and not np.isin(y[test], y[train]).all():
        absent = np.setdiff1d(y[test], y[train]).tolist()
        return (
            f"The training part has no sample of class {absent[0]!r}, which the test part has. Shuffle and stratify "
            "the folds, take fewer of them, or leave out classes with so few samples."
        )
    try:
        return Fold(inner, _safe_indexing(X, train), y[train], None if weight is None else weight[train])
    except InvalidDataError as error:  # what this part of the samples lacks; wrong parameters are everyone's
        return str(error)


def _try(
    fold: Fold | str,
    setting: Setting,
    smoothings: Sequence[Smoothing | None],
    budgets: list[int],
    scorer: Any,
    X: Any,
    y: AnyArray,
) -> dict[Smoothing | None, Tried]:
    if isinstance(fold, str):
        skipped = replace(Tried.nothing(len(budgets)), reasons=dict.fromkeys(budgets, fold))
        return dict.fromkeys(smoothings, skipped)
    return fold.score(setting, smoothings, budgets, scorer, X, y)


def _shares(values: Any, name: str) -> list[float]:
    """Return numbers between 0 and 1 as a list; refuse none at all, and anything else."""
    try:
        found = [float(value) for value in np.atleast_1d(np.asarray(values, dtype=np.float64))]
    except (TypeError, ValueError):
        found = [np.nan]
    if not found or not all(0 <= value <= 1 for value in found):
        raise InvalidParameterError(f"{name} must be numbers between 0 and 1, at least one; got {values!r}.")
    return found


def _tie(score: float) -> float:
    """Return how far apart two means of equal scores may lie by rounding."""
    return 1e-12 * max(1.0, abs(score))


def _ranks(mean: FloatArray) -> AnyArray:
    """Return 1 for the highest, equal ranks for equal scores, the last for those that were skipped."""
    shown = np.where(np.isnan(mean), -np.inf, mean)
    return np.array([1 + np.count_nonzero(shown > value + _tie(value)) for value in np.maximum(shown, -1e300)])


class RuleListClassifierCV(ClassifierMixin, _CrossValidated):  # type: ignore[misc]
    """A rule list whose budget, minimum coverage, λ and smoothing are chosen by cross-validation.

    Parameters
    ----------
    ensemble : estimator, Forest, list of them, or None
        Fitted anew in each fold; to use a fitted one as it is, wrap it in a ``FrozenEstimator`` or pass a Forest. What
        cannot be fitted again, such as a booster or a model file, is used as it is: if it was trained on these samples,
        the scores are too good.
    max_rules : sequence of int, int, or None
        The budgets to try; None is all between the bounds of an ensemble fitted on all samples.
    min_coverages, stability_weights : sequences of float
        What to try for the minimum coverage and for λ. Coverages that leave
        the same candidates, as these do for few samples, are tried once.
    smoothings : sequence of smoothings or None
        What to try for the smoothing of answers; see :mod:`hedgerow.smoothing`. It costs little: the rules stay
        the same.
    cv : int, splitter, or iterable of (training, test) rows
    bounds : "exact" or "heuristic"
        How the bounds are found if ``max_rules`` is None; see :func:`rule_bounds`.
    scoring : str, callable or None
        As in scikit-learn; None is accuracy, or R² for regression.
    one_standard_error : bool
        Take the smallest budget that is within one standard error of the best: the deviation over the folds (of the
        first best row), divided by the root of their number.
    n_jobs : int or None
        Folds, and then settings of all folds, that run at a time.
    candidates, max_conditions, max_candidates, loss, stability, target, teacher, constraints :
        As in :class:`~hedgerow.RuleListClassifier`; a loss of None is its default.
    time_limit : float or None
        Seconds for each budget. None is 5 inside the folds, where a proof changes little, and no limit for the final
        list.
    uncovered, solver, random_state, verbose :
        As in :class:`~hedgerow.RuleListClassifier`; ``verbose`` shows a progress bar on standard error.

    Attributes
    ----------
    best_max_rules_, best_min_coverage_, best_stability_weight_, best_smoothing_ :
        What was chosen; ``best_score_`` and ``best_index_`` belong to them.
    bounds_ : RuleBounds
        Only if the budgets come from bounds.
    cv_results_ : dict
        A column a name, ready for a data frame. ``skipped`` says why a setting could not be tried, ``proven`` whether
        the lists of all folds are optimal. Of lists that are equally good for the integer program, a fold may take
        another than a fit with that budget alone would.
    best_estimator_ : RuleListClassifier
        Fitted on all samples; ``rule_list_``, ``solution_`` and so on are its own.

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

    _plain = RuleListClassifier
    _default_ensemble = RuleListClassifier._default_ensemble
    _of_labels = True
    _check_targets = RuleListClassifier._check_targets
    _check_weighted_targets = RuleListClassifier._check_weighted_targets
    predict_proba = RuleListClassifier.predict_proba


class RuleListRegressorCV(RegressorMixin, _CrossValidated):  # type: ignore[misc]
    """As :class:`RuleListClassifierCV`, for regression."""

    _plain = RuleListRegressor
    _default_ensemble = RuleListRegressor._default_ensemble
    _of_labels = False
    _check_targets = RuleListRegressor._check_targets
