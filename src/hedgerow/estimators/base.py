"""From an ensemble to a rule list: what the estimators share, whatever the task.

ensemble -> forest -> pool -> coverage, stability, loss -> problem -> solution
-> rule list.
"""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.progress import messages
from hedgerow.candidates.answers import answered_rules
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.ensembles import clone_with_ensemble, fit_ensemble, takes_missing
from hedgerow.candidates.margins import preferences
from hedgerow.candidates.out_of_bag import mend, out_of_bag
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.candidates.scores import combine_scores
from hedgerow.constraints.constraint import collect_rows
from hedgerow.estimators.validation import (
    check_parameters,
    check_samples,
    check_weight,
)
from hedgerow.exceptions import InfeasibleError, UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.losses import answer_of, check_loss_of_task, evaluate_loss
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.screening import screen
from hedgerow.optimize.solvers import RowGeneration, Solver
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import Paths, Smoothing
from hedgerow.stabilities import evaluate_stability
from hedgerow.teachers import Lesson, Teacher, teach

logger = logging.getLogger(__name__)

#: What each rule answers, as :class:`Rule` takes it.
Answers = list[dict[str, Any]]

#: The longest rule that a pool of nodes takes if ``max_conditions`` is not given.
DEFAULT_MAX_CONDITIONS = 4


@dataclass(frozen=True, eq=False)
class _Rows:
    """What the rules' answers come from.

    After the samples, of which there are ``n_samples``, may come rows that a teacher made up.
    """

    answered: AnyArray
    weight: FloatArray
    n_samples: int


@dataclass(frozen=True, eq=False)
class _Prepared(_Rows):
    """All candidates and what is known about them before any is filtered."""

    pool: RulePool
    coverage: Coverage
    stability: FloatArray
    values: FloatArray
    targets: AnyArray


class RuleListEstimator(BaseEstimator):  # type: ignore[misc]
    """What the classifier and the regressor share: ``fit``, and what comes after it."""

    _default_ensemble: Any
    _of_labels: bool
    #: Whether a fitted ensemble was fitted on the very samples that ``fit`` is given, by who calls it.
    _fitted_before = False

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
        loss: Any = "misclassification",
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
        self.ensemble = ensemble
        self.max_rules = max_rules
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
        self.constraints = constraints
        self.uncovered = uncovered
        self.solver = solver
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the best list of rules of the ensemble.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            The training samples. Data frames (pandas, polars) keep their column names.
        y : array of shape (n_samples,)
            The targets.
        sample_weight : array of shape (n_samples,), optional
            Weights in the loss and in the rules' answers, and for an ensemble
            that is fitted here. A sample of weight 0 is left out.

        Returns
        -------
        self

        Raises
        ------
        InfeasibleError
            If no list satisfies the budget; the message says which budget works.
        """
        with messages(self.verbose):
            prepared = self._prepare(X, y, sample_weight)
            self._pose(prepared)
            with self._timed("solve"):
                self.solution_ = self._solver().solve(self.problem_, self.time_limit)
            if not self.solution_.optimal:
                ended = "Ctrl-C" if self.solution_.status == "interrupted" else "The time limit"
                warnings.warn(
                    f"{ended} ended the search: {self.solution_.describe()}. More time may give a proof.",
                    ConvergenceWarning,
                    stacklevel=2,
                )
            with self._timed("rule_list"):
                self._rows = _Rows(prepared.answered, prepared.weight, prepared.n_samples)
                self.rule_list_ = self.list_of(self.solution_)
        return self

    def list_of(self, solution: Solution) -> RuleList:
        """Return the rule list of a solution of ``problem_``, such as one of another budget.

        Parameters
        ----------
        solution : Solution
            For instance one of :func:`hedgerow.budget_path` on ``problem_``. That of ``fit`` gives ``rule_list_``.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier, budget_path
        >>> X, y = load_iris(return_X_y=True)
        >>> rules = RuleListClassifier(max_rules=5, candidates="nodes", random_state=0).fit(X, y)
        >>> [len(rules.list_of(solution)) for solution in budget_path(rules.problem_, [2, 3, 4])]
        [2, 3, 4]
        """
        check_is_fitted(self, "problem_")
        return self._rule_list(self._rows, solution)

    def predict(self, X: Any) -> AnyArray:
        """Return the label or value of the first rule that fires, else of the default or the ensemble."""
        X = self._check_samples_fitted(X)
        return self.rule_list_.predict(X)

    def apply(self, X: Any) -> IntArray:
        """Return the position in ``rule_list_`` of the rule that answers each sample, -1 if none fires."""
        X = self._check_samples_fitted(X)
        return self.rule_list_.apply(X)

    def explain(self, X: Any) -> list[str]:
        """Return one sentence a sample: which rule answers, and why."""
        X = self._check_samples_fitted(X)
        return self.rule_list_.explain(X)

    def fidelity(self, X: Any, y: Any = None) -> Any:
        """Return how true the list is to the ensemble on ``X``; with ``y`` also the scores of both."""
        from hedgerow.evidence.fidelity import summarize

        X = self._check_samples_fitted(X)
        return summarize(self.rule_list_, self.ensemble_, X, y, self.forest_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        taught_by = getattr(self.teacher, "model", None)
        given = [model for model in (self.ensemble, taught_by) if model is not None] or [self._default_ensemble()]
        tags.input_tags.allow_nan = all(takes_missing(model) for model in given)
        return tags

    def __sklearn_clone__(self) -> Self:
        return clone_with_ensemble(self)

    @classmethod
    def _accurate(
        cls,
        ensemble: Any,
        settings: Callable[..., dict[str, Any]],
        others: dict[str, Any],
        **given: Any,
    ) -> Self:
        """Return an estimator with the settings of a preset; what is said otherwise counts."""
        check_parameters(cls(max_rules=given["max_rules"]))
        of_preset = settings(ensemble, given["max_rules"], given["random_state"], given["n_jobs"])
        chosen: dict[str, Any] = {"candidates": "nodes", "stability_weight": 0.0}
        return cls(**chosen | of_preset | given | others)

    # What differs between the two tasks

    def _check_targets(self, y: Any) -> AnyArray:
        raise NotImplementedError

    def _check_weighted_targets(self, y: AnyArray) -> None:
        """Check the targets of those samples that have weight."""

    def _check_task(self, forest: Forest, y: AnyArray) -> None:
        raise NotImplementedError

    def _mixed(self, y: AnyArray, said: AnyArray, share: float) -> AnyArray:
        """Return the mix of the targets and what the ensemble says, with this share of the ensemble."""
        raise NotImplementedError

    def _answers(self, y: AnyArray, weight: FloatArray, coverage: Coverage, paths: Paths | None) -> Answers:
        """Return what each rule answers; smoothed, if the rules come with their paths."""
        raise NotImplementedError

    # The pipeline

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> _Prepared:
        """Do all that depends neither on the budget nor on λ nor on the filter by coverage."""
        check_parameters(self)
        check_loss_of_task(self.loss, labels=self._of_labels)
        X = check_samples(self, X, reset=True)
        y = self._check_targets(y)
        check_consistent_length(X, y)
        weight = check_weight(sample_weight, X)
        self._check_weighted_targets(y[weight > 0])
        self.seconds_: dict[str, float] = {}
        lesson = self._lesson(X, y, weight, sample_weight is not None)
        with self._timed("ensemble"):
            self.ensemble_, forest = self._fitted_ensemble(lesson)
        known = self._known_classes
        self._check_task(forest, y)
        answer_of(self.loss, self._known_classes)  # refuses costs of other classes than these
        lesson = lesson.with_classes(known, self._known_classes)
        with self._timed("coverage"):
            values = forest.inputs.matrix(lesson.X)
            self.forest_ = forest = forest.with_missing_seen(values).with_values_seen(X)
        lesson = self._with_target(lesson, forest)
        used = np.flatnonzero(lesson.weight > 0)
        n_samples = int(np.count_nonzero(lesson.weight[: lesson.n_samples]))
        targets, answered, weight = lesson.targets, lesson.answered, lesson.weight
        if len(used) < len(weight):
            values, targets, answered, weight = values[used], targets[used], answered[used], weight[used]
        return self._with_candidates(values, targets, answered, weight, n_samples)

    def _lesson(self, X: Any, y: AnyArray, weight: FloatArray, weighted: bool) -> Lesson:
        """Return what to learn: the samples, or what a teacher makes of them."""
        self.__dict__.pop("teacher_", None)  # of an earlier fit
        fit_weight = weight if weighted else None
        if self.teacher is None:
            return Lesson(X, y, fit_weight, targets=y, answered=y, weight=weight, n_samples=len(y))
        with self._timed("teacher"):
            random = check_random_state(self.random_state)
            lesson = teach(self.teacher, X, y, fit_weight, self._known_classes, random)
        self.teacher_ = lesson.model
        return lesson

    def _with_target(self, lesson: Lesson, forest: Forest) -> Lesson:
        """Return the lesson with the ensemble's share in the targets."""
        share = float({"labels": 0.0, "ensemble": 1.0}.get(self.target, self.target))  # type: ignore[arg-type]
        if share == 0:
            return lesson
        # An ensemble that was given fitted may have seen other samples than these.
        fitted_here = self.ensemble_ is not self.ensemble or self._fitted_before
        unseen = out_of_bag(self.ensemble_, lesson.n_samples) if fitted_here else None
        targets = self._mixed(lesson.targets, mend(unseen, forest.answer(lesson.X)), share)
        # A mix steadies the choice of rules; what they answer stays the truth, unless only the ensemble counts.
        return replace(lesson, targets=targets, answered=targets if share == 1 else lesson.answered)

    def _with_candidates(
        self, values: FloatArray, targets: AnyArray, answered: AnyArray, weight: FloatArray, n_samples: int
    ) -> _Prepared:
        """Return the candidates of ``forest_``, which of the rows they cover, and how stable they are."""
        with self._timed("coverage"):
            pool, coverage = self._candidates(self.forest_, values, weight, n_samples)
        with self._timed("stability"):
            stability = evaluate_stability(self.stability, pool)
        return _Prepared(answered, weight, n_samples, pool, coverage, stability, values, targets)

    def _pose(self, prepared: _Prepared, budgets: Sequence[int] | None = None) -> None:
        """Filter the candidates, score them, and write the problem down: ``pool_``, ``scores_``, ``problem_``.

        ``budgets`` are those that it will be solved for, if there are others than ``max_rules``.
        """
        pool, coverage, weight = prepared.pool, prepared.coverage, prepared.weight
        kept = np.flatnonzero(self._covers_enough(coverage, weight, prepared.n_samples))
        if not len(kept):
            raise InfeasibleError(
                f"No candidate covers min_coverage={self.min_coverage} of the samples. Lower min_coverage, raise "
                "max_conditions, or take candidates='nodes'."
            )
        logger.info("%d rules of %d trees, %d kept", len(pool), pool.forest.n_trees, len(kept))
        pool, coverage = pool.subset(kept), coverage.subset(kept)
        with self._timed("loss"):
            loss = evaluate_loss(self.loss, prepared.targets, weight, coverage, pool.describe, self._known_classes)
        self.pool_ = pool
        self.scores_ = combine_scores(prepared.stability[kept], loss, float(self.stability_weight))
        n = prepared.n_samples
        rows = collect_rows(self.constraints, pool, coverage.of_first(n), prepared.targets[:n])
        # Of equals the shortest, then the widest margins: new samples fall less often between rules, or into two.
        preference = preferences(pool, coverage, prepared.values) if rows is None else None
        self.problem_ = PartitionProblem(self.scores_.total, coverage, self.max_rules, rows, preference)
        if self.max_candidates is not None and len(kept) > self.max_candidates:
            with self._timed("screening"):
                self._screen(budgets)

    def _screen(self, budgets: Sequence[int] | None) -> None:
        """Keep at most ``max_candidates`` candidates; the scores stay as they are scaled over all."""
        assert self.max_candidates is not None
        if budgets is None and self.max_rules is not None:
            budgets = [self.max_rules]
        kept = screen(self.problem_, self.max_candidates, budgets, self.time_limit)
        logger.info("%d candidates screened, %d kept", self.problem_.n_rules, len(kept))
        self.pool_, self.scores_ = self.pool_.subset(kept), self.scores_.subset(kept)
        self.problem_ = self.problem_.subset(kept)

    @property
    def _known_classes(self) -> AnyArray | None:
        return self.classes_ if self._of_labels else None

    def _answer(self) -> Any:
        """Return what a rule answers: what goes with the loss."""
        return answer_of(self.loss, self._known_classes)

    def _solver(self) -> Solver:
        if self.solver is not None:
            return self.solver
        # The seed moves only which rows are looked at first; without one, the same input gives the same list.
        seeded = self.random_state is not None
        return RowGeneration(seed=int(check_random_state(self.random_state).randint(2**31 - 1)) if seeded else 0)

    def _candidates(
        self, forest: Forest, values: FloatArray, weight: FloatArray, n_samples: int
    ) -> tuple[RulePool, Coverage]:
        """Return the rules of the pool and their coverage, before any is filtered."""
        fewest = min((tree.n_leaves for tree in forest.trees), default=0)
        fits = self.max_rules is None or fewest <= self.max_rules
        if self.candidates == "leaves" or (self.candidates == "auto" and fits):
            pool = make_pool(forest, "leaves", self.max_conditions)
            coverage = cover(pool, values, self.n_jobs)
            budget = len(pool) if self.max_rules is None else self.max_rules
            if self.candidates == "leaves" or self._smallest_whole_tree(pool, coverage, weight, n_samples) <= budget:
                return pool, coverage
        longest = DEFAULT_MAX_CONDITIONS if self.max_conditions is None else self.max_conditions
        pool = make_pool(forest, "nodes", longest)
        return pool, cover(pool, values, self.n_jobs)

    def _smallest_whole_tree(self, pool: RulePool, coverage: Coverage, weight: FloatArray, n_samples: int) -> float:
        """Return the fewest leaves of a tree whose leaves, as far as rows reach them, all pass the filter."""
        kept = self._covers_enough(coverage, weight, n_samples)
        covered = np.bincount(pool.tree, np.where(kept, coverage.counts, 0), minlength=pool.forest.n_trees)
        n_leaves = np.bincount(pool.tree, kept, minlength=pool.forest.n_trees)
        return float(np.min(n_leaves[covered == coverage.n_samples], initial=np.inf))

    def _covers_enough(self, coverage: Coverage, weight: FloatArray, n_samples: int) -> BoolArray:
        """Say which rules cover some sample, and at least the share min_coverage of the samples' total weight."""
        coverage, weight = coverage.of_first(n_samples), weight[:n_samples]
        if self.min_coverage == 0:
            return coverage.counts > 0
        share = coverage.sums(weight) / weight.sum()
        return (coverage.counts > 0) & (share >= self.min_coverage - 1e-12)

    @contextmanager
    def _timed(self, part: str) -> Iterator[None]:
        """Add the seconds spent inside to a part of ``seconds_``."""
        started = time.perf_counter()
        yield
        self.seconds_[part] = self.seconds_.get(part, 0.0) + time.perf_counter() - started

    def _rule_list(self, given: _Rows, solution: Solution) -> RuleList:
        """Return the chosen rules with their answers, largest first."""
        chosen, n = solution.chosen, given.n_samples
        coverage, weight = self.problem_.coverage.subset(chosen).of_first(n), given.weight[:n]
        rules = answered_rules(self.pool_.subset(chosen), coverage, weight, self._answers_of_chosen(chosen, given))
        everything = Coverage.from_matrix(np.ones((n, 1)))
        return RuleList(
            rules=tuple(sorted(rules, key=lambda rule: -rule.share)),
            default=Rule((), **self._answers(given.answered[:n], weight, everything, None)[0]),
            inputs=self.pool_.forest.inputs,
            classes=getattr(self, "classes_", None),
            n_samples=n,
            solution=solution,
            fallback=self.pool_.forest if self.uncovered == "ensemble" else None,
        )

    def _answers_of_chosen(self, chosen: IntArray, given: _Rows) -> Answers:
        """Return what the chosen rules answer by the samples; where these are few, by a teacher's rows too."""
        n_samples, n_rows = given.n_samples, len(given.weight)
        own = self._answers_by_first(n_samples, chosen, given)
        if self.teacher is None or n_samples == n_rows:
            return own
        counts = self.problem_.coverage.subset(chosen).of_first(n_samples).counts
        taught = self._answers_by_first(n_rows, chosen, given)
        told = [_about_samples(t, o) for t, o in zip(taught, own, strict=True)]
        return [o if n >= self.teacher.alone else t for o, t, n in zip(own, told, counts, strict=True)]

    def _answers_by_first(self, n: int, chosen: IntArray, given: _Rows) -> Answers:
        """Return what the chosen rules answer by the first rows."""
        coverage = self.problem_.coverage.of_first(n)
        paths = None if self.smoothing is None else Paths.of(self.pool_, coverage, chosen, self.smoothing)
        return self._answers(given.answered[:n], given.weight[:n], coverage.subset(chosen), paths)

    def _fitted_ensemble(self, lesson: Lesson) -> tuple[Any, Forest]:
        """Return the ensemble, fitted here if it is not yet, and its neutral form."""
        X, y, weight, names = lesson.X, lesson.y, lesson.fit_weight, getattr(self, "feature_names_in_", None)
        if self.ensemble is None and self.teacher is not None:
            try:
                return fit_ensemble(lesson.model, X, y, weight, names)
            except UnsupportedModelError as error:
                raise UnsupportedModelError(
                    f"A {type(lesson.model).__qualname__} can teach, but its rules cannot be read. Give an ensemble, "
                    "too, for the candidates."
                ) from error
        ensemble = self.ensemble
        if ensemble is None:
            ensemble = self._default_ensemble(
                n_estimators=500, max_depth=3, n_jobs=self.n_jobs, random_state=self.random_state
            )
        return fit_ensemble(ensemble, X, y, weight, names)

    def _check_samples_fitted(self, X: Any) -> Any:
        check_is_fitted(self, "rule_list_")
        return check_samples(self, X, reset=False)


def _about_samples(taught: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return a taught answer with how far the samples' targets lie from it; the teacher's answers lie closer."""
    if "spread" not in own:
        return taught
    return taught | {"spread": float(np.hypot(own["spread"], taught["prediction"] - own["prediction"]))}
