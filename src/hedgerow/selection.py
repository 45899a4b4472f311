"""Choosing the budget: bounds, the path over budgets, cross-validated estimators.

``rule_bounds`` says between which budgets there is anything to choose,
``budget_path`` solves for many budgets, each from the last, and the estimators
with CV in their name pick the budget, the minimum coverage and λ by k-fold
cross-validation: everything that is fitted is fitted inside the fold.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import _safe_indexing

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.estimators import RuleListClassifier, RuleListRegressor, _RuleListEstimator, clone_ensemble
from hedgerow.exceptions import InfeasibleError, InvalidDataError, InvalidParameterError
from hedgerow.folds import Fold, Setting, scores_of
from hedgerow.problem import PartitionProblem
from hedgerow.progress import messages, track
from hedgerow.solution import Solution
from hedgerow.solvers import RowGeneration, Solver
from hedgerow.solvers.prunings import Prunings
from hedgerow.validation import check_samples

logger = logging.getLogger(__name__)


class RuleBounds(tuple[int, int]):
    """The fewest and the most rules of a partition, as a pair.

    Attributes
    ----------
    proven : bool
        Whether both numbers are exact.
    interval : pair of int
        What is proven in any case: no partition has fewer rules than the first, or more than the second.
    """

    proven: bool
    interval: tuple[int, int]

    def __new__(cls, fewest: int, most: int, interval: tuple[int, int]) -> RuleBounds:
        """Make the pair, with the proven interval around it."""
        self = super().__new__(cls, (fewest, most))
        self.interval = interval
        self.proven = interval == (fewest, most)
        return self

    def __getnewargs__(self) -> tuple[int, int, tuple[int, int]]:
        """Return what makes an equal pair, for copies."""
        return (*self, self.interval)


def rule_bounds(
    problem: PartitionProblem,
    method: str = "exact",
    *,
    data: tuple[Any, Any] | None = None,
    time_limit: float | None = None,
    solver: Solver | None = None,
) -> RuleBounds:
    """Return the fewest and the most rules of any partition of the problem, budget aside.

    Parameters
    ----------
    problem : PartitionProblem
    method : "exact" or "heuristic"
        Exact: by the two bound problems. Heuristic, as in the paper: the
        leaves of the smallest tree that is whole, and the leaves of a decision
        tree of low cost complexity grown on ``data``.
    data : (X, y), optional
        For the upper heuristic; without it, the most leaves of a whole tree.
    time_limit : float, optional
        Seconds for each of the two problems. If they end before the proof,
        ``proven`` is False and ``interval`` says what is known.
    solver : Solver, optional

    Examples
    --------
    >>> from hedgerow import PartitionProblem, rule_bounds
    >>> rule_bounds(PartitionProblem([0.0, 0.0, 0.0], [[1, 0, 1], [0, 1, 1]]))
    (1, 2)
    """
    if method == "exact":
        return _exact_bounds(problem, time_limit, RowGeneration() if solver is None else solver)
    if method == "heuristic":
        return _heuristic_bounds(problem, data)
    raise InvalidParameterError(f"method is 'exact' or 'heuristic'; got {method!r}.")


def _exact_bounds(problem: PartitionProblem, time_limit: float | None, solver: Solver) -> RuleBounds:
    fewest, proven_fewest = fewest_rules(problem, time_limit, solver)
    most = solver.solve(replace(problem, scores=np.ones(problem.n_rules), max_rules=None), time_limit)
    return RuleBounds(fewest, len(most.chosen), (proven_fewest, round(most.bound)))


def fewest_rules(
    problem: PartitionProblem, time_limit: float | None = None, solver: Solver | None = None
) -> tuple[int, int]:
    """Return the fewest rules of a partition that were found, and how few are proven impossible to undercut."""
    solver = RowGeneration() if solver is None else solver
    solution = solver.solve(replace(problem, scores=-np.ones(problem.n_rules), max_rules=None), time_limit)
    if solution.status == "interrupted":
        raise KeyboardInterrupt
    return len(solution.chosen), round(-solution.bound)


def _heuristic_bounds(problem: PartitionProblem, data: tuple[Any, Any] | None) -> RuleBounds:
    sizes = [len(pruning) for pruning in _whole_trees(problem)]
    if not sizes:
        raise InfeasibleError("No tree is whole: the heuristic has nothing to count. Take method='exact'.")
    most = max(sizes) if data is None else max(_leaves_of_low_cost(*data), min(sizes))
    # Nothing is proven but what is trivial: one rule at least, and a rule has a sample at least.
    return RuleBounds(min(sizes), most, (1, problem.n_samples))


def _whole_trees(problem: PartitionProblem) -> Iterable[AnyArray]:
    """Return the rules of each tree whose smallest partition is whole."""
    each_alone = np.arange(problem.n_rules)
    return Prunings(problem.coverage, -np.ones(problem.n_rules), each_alone, None).best(None)


def _leaves_of_low_cost(X: Any, y: Any) -> int:
    """Return the leaves of a decision tree that stops where a split no longer gains 1 % of the root's impurity."""
    y = np.asarray(y)
    labels = y.dtype.kind not in "f"
    tree = (DecisionTreeClassifier if labels else DecisionTreeRegressor)(random_state=0)
    root = tree.fit(X, y).tree_.impurity[0]
    return int(tree.set_params(ccp_alpha=0.01 * root).fit(X, y).get_n_leaves())


def budget_path(
    problem: PartitionProblem,
    budgets: Iterable[int],
    *,
    time_limit: float | None = None,
    solver: Solver | None = None,
) -> list[Solution]:
    """Return the best partition for each budget, in the order given.

    Parameters
    ----------
    problem : PartitionProblem
    budgets : iterable of int
    time_limit : float, optional
        Seconds for each budget.
    solver : Solver, optional
        The default one reuses the rows and the partition of the last smaller budget.

    Raises
    ------
    InfeasibleError
        For a budget that no partition keeps; the message says which one works.
    """
    budgets = check_budgets(budgets)
    solver = RowGeneration() if solver is None else solver
    if isinstance(solver, RowGeneration):
        return solver.solve_path(problem, budgets, time_limit)
    return [solver.solve(replace(problem, max_rules=budget), time_limit) for budget in budgets]


def check_budgets(budgets: Any) -> list[int]:
    """Return the budgets as a list; refuse none at all, and what is no whole number of at least 1."""
    found = [budgets] if isinstance(budgets, Integral) else list(budgets)
    if not found:
        raise InvalidParameterError("The list of budgets is empty; give at least one.")
    for budget in found:
        if not isinstance(budget, Integral) or isinstance(budget, bool) or budget < 1:
            raise InvalidParameterError(f"A budget is a whole number of at least 1; got {budget!r}.")
    return [int(budget) for budget in found]


class _CrossValidated(_RuleListEstimator):
    """What the two estimators with CV in their name share."""

    _plain: Any

    def __init__(
        self,
        ensemble: Any = None,
        *,
        max_rules: Any = None,
        min_coverages: Sequence[float] = (0.001, 0.003, 0.01),
        stability_weights: Sequence[float] = (0.5,),
        cv: Any = 5,
        bounds: str = "exact",
        scoring: Any = None,
        one_standard_error: bool = False,
        candidates: str = "auto",
        max_conditions: int | None = None,
        loss: Any = None,
        stability: Any = "dice",
        target: str | float = "labels",
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
        self.cv = cv
        self.bounds = bounds
        self.scoring = scoring
        self.one_standard_error = one_standard_error
        self.candidates = candidates
        self.max_conditions = max_conditions
        self.loss = loss
        self.stability = stability
        self.target = target
        self.constraints = constraints
        self.uncovered = uncovered
        self.solver = solver
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the budget, the minimum coverage and λ by cross-validation, then fit with them on all samples.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        settings = [Setting(c, w) for c in _listed(self.min_coverages) for w in _listed(self.stability_weights)]
        with messages(self.verbose):
            X = check_samples(self, X, reset=True)
            y = self._check_targets(y)
            if len(y) != X.shape[0]:
                raise InvalidDataError(f"X and y have inconsistent numbers of samples: {X.shape[0]} and {len(y)}.")
            budgets = self._budgets(X, y, sample_weight)
            splits = list(check_cv(self.cv, y, classifier=self._of_labels).split(X, y))
            tried = self._try_all(X, y, sample_weight, splits, settings, budgets)
            self._choose(settings, budgets, tried)
            coverage, weight, budget = self.best_min_coverage_, self.best_stability_weight_, self.best_max_rules_
            inner = self._inner(budget).set_params(min_coverage=coverage, stability_weight=weight)
            self._take_over(inner.fit(X, y, sample_weight))
        return self

    def _inner(self, max_rules: int | None) -> Any:
        """Return the estimator without cross-validation, not fitted."""
        names = set(self._plain().get_params(deep=False)) & set(self.get_params(deep=False))
        given = {name: getattr(self, name) for name in names} | {
            "max_rules": max_rules,
            "n_jobs": None,
            "verbose": False,
        }
        if self.loss is None:
            del given["loss"]
        given["ensemble"] = clone_ensemble(self.ensemble)
        return self._plain(**given)

    def _budgets(self, X: Any, y: AnyArray, sample_weight: Any) -> list[int]:
        """Return the budgets to try: those given, or all between the bounds."""
        if self.max_rules is not None:
            return sorted(set(check_budgets(self.max_rules)))
        if self.bounds not in ("exact", "heuristic"):
            raise InvalidParameterError(f"bounds is 'exact' or 'heuristic'; got {self.bounds!r}.")
        inner = self._inner(None)
        inner._pose(inner._prepare(X, y, sample_weight))
        data = (inner.forest_.inputs.matrix(X), y)
        self.bounds_ = rule_bounds(inner.problem_, self.bounds, data=data, time_limit=self.time_limit)
        return list(range(self.bounds_[0], self.bounds_[1] + 1))

    def _try_all(
        self, X: Any, y: AnyArray, weight: Any, splits: list[Any], settings: list[Setting], budgets: list[int]
    ) -> list[list[_Tried]]:
        """Return what each setting gives in each fold: first the folds' ensembles side by side, then all settings."""
        parallel = Parallel(n_jobs=self.n_jobs, return_as="generator")
        weight = None if weight is None else np.asarray(weight)
        jobs = (delayed(_open_fold)(self._inner(None), X, y, weight, train) for train, _ in splits)
        folds = list(track(parallel(jobs), len(splits), "fitting the ensembles of the folds", self.verbose))
        # Minimum coverages that leave the same candidates are tried once.
        keys = [
            [(k, s if isinstance(fold, str) else fold.same_candidates(s)) for s in settings]
            for k, fold in enumerate(folds)
        ]
        todo = {keys[k][i]: (k, setting) for k in range(len(folds)) for i, setting in enumerate(settings)}
        scorer = check_scoring(self._inner(None), self.scoring)
        tests = [(_safe_indexing(X, test), y[test]) for _, test in splits]
        jobs = (delayed(_try)(folds[k], setting, budgets, scorer, *tests[k]) for k, setting in todo.values())
        found = track(parallel(jobs), len(todo), "trying settings", self.verbose)
        answers = dict(zip(todo, found, strict=True))
        return [[answers[key] for key in of_fold] for of_fold in keys]

    def _choose(self, settings: list[Setting], budgets: list[int], tried: list[list[_Tried]]) -> None:
        """Write ``cv_results_`` and pick the best row; of equal ones that with the smaller budget."""
        scores = np.column_stack([np.concatenate([found for found, _ in of_fold]) for of_fold in tried])
        rows = [(s.min_coverage, s.stability_weight, b) for s in settings for b in budgets]
        skipped = ["" for _ in rows]
        for of_fold in tried:
            for i, (_, reasons) in enumerate(of_fold):
                for budget, reason in reasons.items():
                    skipped[i * len(budgets) + budgets.index(budget)] = reason
        mean, std = scores.mean(axis=1), scores.std(axis=1)
        self.cv_results_ = {
            "param_min_coverage": np.array([c for c, _, _ in rows]),
            "param_stability_weight": np.array([w for _, w, _ in rows]),
            "param_max_rules": np.array([b for _, _, b in rows]),
            **{f"split{i}_test_score": scores[:, i] for i in range(len(tried))},
            "mean_test_score": mean,
            "std_test_score": std,
            "rank_test_score": _ranks(mean),
            "skipped": np.array(skipped, dtype=object),
        }
        if not np.isfinite(mean).any():
            reason = next(filter(None, skipped))
            raise InfeasibleError(f"No setting could be tried in every fold. The first reason: {reason}")
        best = int(np.nanargmax(mean))
        enough = np.nanmax(mean) - (std[best] / np.sqrt(len(tried)) if self.one_standard_error else 0.0)
        good = np.flatnonzero(mean >= enough)
        self.best_index_ = int(min(good, key=lambda i: (rows[i][2], -mean[i], i)))
        self.best_min_coverage_, self.best_stability_weight_, self.best_max_rules_ = rows[self.best_index_]
        self.best_score_ = float(mean[self.best_index_])

    def _take_over(self, inner: Any) -> None:
        self.best_estimator_ = inner
        names = ["rule_list_", "solution_", "pool_", "scores_", "problem_", "forest_", "ensemble_", "seconds_"]
        for name in names + ["classes_"] * self._of_labels:
            setattr(self, name, getattr(inner, name))


#: The score of each budget, NaN where there is no list, and why there is none.
_Tried = tuple[AnyArray, dict[int, str]]


def _open_fold(inner: Any, X: Any, y: AnyArray, weight: Any, train: AnyArray) -> Fold | str:
    """Return the fold, or why it cannot be used."""
    try:
        return Fold(inner, _safe_indexing(X, train), y[train], None if weight is None else weight[train])
    except ValueError as error:
        return str(error)


def _try(fold: Fold | str, setting: Setting, budgets: list[int], scorer: Any, X: Any, y: AnyArray) -> _Tried:
    if isinstance(fold, str):
        return np.full(len(budgets), np.nan), dict.fromkeys(budgets, fold)
    return scores_of(fold, setting, budgets, scorer, X, y)


def _listed(values: Any) -> list[float]:
    found = [float(value) for value in np.atleast_1d(np.asarray(values, dtype=np.float64))]
    if not found:
        raise InvalidParameterError("min_coverages and stability_weights need at least one number each.")
    return found


def _ranks(mean: FloatArray) -> AnyArray:
    """Return 1 for the highest, equal ranks for equal scores, the last for those that were skipped."""
    shown = np.where(np.isnan(mean), -np.inf, mean)
    return np.array([1 + np.count_nonzero(shown > value) for value in shown])


class RuleListClassifierCV(ClassifierMixin, _CrossValidated):  # type: ignore[misc]
    """A rule list whose budget, minimum coverage and λ are chosen by cross-validation.

    Parameters
    ----------
    ensemble : estimator, Forest, list of them, or None
        Fitted anew in each fold; to use a fitted one as it is, wrap it in a ``FrozenEstimator`` or pass a Forest.
    max_rules : sequence of int, int, or None
        The budgets to try; None is all between the bounds.
    min_coverages, stability_weights : sequences of float
        What to try for the minimum coverage and for λ. Coverages that leave
        the same candidates, as these do for few samples, are tried once.
    cv : int or splitter
    bounds : "exact" or "heuristic"
        How the bounds are found if ``max_rules`` is None; see :func:`rule_bounds`.
    scoring : str, callable or None
        As in scikit-learn; None is accuracy, or R² for regression.
    one_standard_error : bool
        Take the smallest budget that is within one standard error of the best.
    n_jobs : int or None
        Folds, and then settings of all folds, that run at a time.
    candidates, max_conditions, loss, stability, target, constraints :
        As in :class:`~hedgerow.RuleListClassifier`; a loss of None is its default.
    uncovered, solver, time_limit, random_state, verbose :
        As in :class:`~hedgerow.RuleListClassifier`.

    Attributes
    ----------
    best_max_rules_, best_min_coverage_, best_stability_weight_ :
        What was chosen; ``best_score_`` and ``best_index_`` belong to them.
    bounds_ : RuleBounds
        Only if the budgets come from bounds.
    cv_results_ : dict
        A column a name, ready for a data frame; ``skipped`` says why a setting could not be tried.
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
    _ensemble_score = RuleListClassifier._ensemble_score
    predict_proba = RuleListClassifier.predict_proba


class RuleListRegressorCV(RegressorMixin, _CrossValidated):  # type: ignore[misc]
    """As :class:`RuleListClassifierCV`, for regression."""

    _plain = RuleListRegressor
    _default_ensemble = RuleListRegressor._default_ensemble
    _of_labels = False
    _check_targets = RuleListRegressor._check_targets
    _ensemble_score = RuleListRegressor._ensemble_score
