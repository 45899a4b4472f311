"""The first step: what depends neither on the budget nor on λ nor on the minimum coverage.

The ensemble is fitted if need be and read, the targets are mixed, the rules become a pool, and it is found out which
row satisfies which rule and how stable each rule is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, ValueArray
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.ensembles import fit_ensemble
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.candidates.out_of_bag import mend, out_of_bag
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.exceptions import UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.losses import Loss
from hedgerow.pipeline.clock import Clock
from hedgerow.pipeline.lesson import Lesson, teach
from hedgerow.pipeline.samples import Samples
from hedgerow.pipeline.settings import Settings
from hedgerow.presets import default_forest
from hedgerow.stabilities import evaluate_stability
from hedgerow.tasks import Task

#: The longest rule that a pool of nodes takes if ``max_conditions`` is not given.
DEFAULT_MAX_CONDITIONS = 4


@dataclass(frozen=True, eq=False)
class Learned:
    """The fitted ensemble, and the rows that the list learns from: samples, then synthetic rows.

    Attributes
    ----------
    samples : Samples
        What was given.
    task : Task
        With the classes of the ensemble.
    loss : Loss
        For these classes.
    ensemble : the fitted ensemble
    teacher : the fitted teacher, or None
    forest : Forest
        The neutral form of the ensemble.
    values : array of shape (n_rows, n_features)
        As the forest compares them.
    targets, answered : arrays
        The targets by which rules are chosen, and those from which rules predict.
    weight : float array
        Of each row; rows of weight 0 are left out.
    n_samples : int
        How many of the rows are samples.
    """

    samples: Samples
    task: Task
    loss: Loss
    ensemble: Any
    teacher: Any
    forest: Forest
    values: ValueArray
    targets: AnyArray
    answered: AnyArray
    weight: FloatArray
    n_samples: int


@dataclass(frozen=True, eq=False)
class Prepared:
    """All candidates and what is known about them before any is filtered."""

    learned: Learned
    pool: RulePool
    coverage: Coverage
    stability: FloatArray

    def covers_enough(self, min_coverage: float) -> BoolArray:
        """Return a mask of the rules that cover some sample, and at least this share of the samples' total weight."""
        n = self.learned.n_samples
        coverage, weight = self.coverage.of_first(n), self.learned.weight[:n]
        if min_coverage == 0:
            return coverage.counts > 0
        share = coverage.sums(weight) / weight.sum()
        return (coverage.counts > 0) & (share >= min_coverage - 1e-12)

    def smallest_whole_tree(self, min_coverage: float) -> float:
        """Return the fewest leaves of a tree of which every leaf that rows reach covers enough; infinity if none."""
        kept, n_trees = self.covers_enough(min_coverage), self.pool.forest.n_trees
        covered = np.bincount(self.pool.tree, np.where(kept, self.coverage.counts, 0), minlength=n_trees)
        n_leaves = np.bincount(self.pool.tree, kept, minlength=n_trees)
        return float(np.min(n_leaves[covered == self.coverage.n_samples], initial=np.inf))


def prepare(settings: Settings, samples: Samples, clock: Clock | None = None) -> Prepared:
    """Return the candidates of the ensemble; of "auto", leaves if some whole tree fits the budget, nodes otherwise."""
    clock = Clock() if clock is None else clock
    learned = learn(settings, samples, clock)
    budget = np.inf if settings.max_rules is None else settings.max_rules
    if settings.candidates == "leaves":
        return take_candidates(settings, learned, "leaves", clock)
    if settings.candidates == "auto" and min(tree.n_leaves for tree in learned.forest.trees) <= budget:
        leaves = take_candidates(settings, learned, "leaves", clock)
        if leaves.smallest_whole_tree(settings.min_coverage) <= min(budget, len(leaves.pool)):
            return leaves
    return take_candidates(settings, learned, "nodes", clock)


def learn(settings: Settings, samples: Samples, clock: Clock) -> Learned:
    """Fit and read what is not yet, and return the rows that the list learns from."""
    if isinstance(settings.ensemble, FeatureForest):
        return _learn_on_features(settings, settings.ensemble, samples, clock)
    lesson = Lesson.of(samples)
    if settings.teacher is not None:
        with clock.timing("teacher"):
            lesson = teach(settings.teacher, samples, check_random_state(settings.random_state))
    with clock.timing("ensemble"):
        ensemble, forest = _fitted_ensemble(settings, lesson, samples)
    task = samples.task.among(forest.task)
    loss = settings.parsed_loss.among(task.classes)
    lesson = lesson.with_classes(samples.task, task)
    with clock.timing("coverage"):
        values = forest.inputs.matrix(lesson.X)
        forest = forest.with_missing_seen(values).with_values_seen(samples.X)
    # An ensemble that was given fitted may have seen other samples than these.
    fitted_here = ensemble is not settings.ensemble or settings.saw_samples
    lesson = _with_target(lesson, settings.ensemble_share, task, forest, ensemble if fitted_here else None)
    n_samples = int(np.count_nonzero(lesson.weight[: lesson.n_samples]))
    rows = (values, lesson.targets, lesson.answered, lesson.weight)
    if not lesson.weight.all():
        used = np.flatnonzero(lesson.weight > 0)
        rows = tuple(column[used] for column in rows)  # type: ignore[assignment]
    return Learned(samples, task, loss, ensemble, lesson.model, forest, *rows, n_samples)


def _learn_on_features(settings: Settings, model: FeatureForest, samples: Samples, clock: Clock) -> Learned:
    """Learn from the table of an ensemble's features; the forest that is returned computes them from X itself."""
    with clock.timing("ensemble"):
        looking = model.looking(samples.X, samples.y, samples.weight)
    with clock.timing("coverage"):
        table = replace(samples, X=looking.table(samples.X), names=None)
    trees = getattr(model, "trees_", model.trees)
    learned = learn(replace(settings, ensemble=trees), table, clock)
    fitted = looking.with_trees(learned.ensemble, learned.forest)
    same = learned.ensemble is trees and looking is model
    return replace(learned, samples=samples, ensemble=model if same else fitted, forest=fitted.to_forest())


def take_candidates(
    settings: Settings, learned: Learned, kind: Literal["leaves", "nodes"], clock: Clock | None = None
) -> Prepared:
    """Return the leaves or nodes of the ensemble, which rows they cover, and how stable they are."""
    clock = Clock() if clock is None else clock
    longest = settings.max_conditions
    if kind == "nodes" and longest is None:
        longest = DEFAULT_MAX_CONDITIONS
    with clock.timing("coverage"):
        pool = make_pool(learned.forest, kind, longest)
        coverage = cover(pool, learned.values, settings.n_jobs)
    with clock.timing("stability"):
        return Prepared(learned, pool, coverage, evaluate_stability(settings.stability, pool))


def _fitted_ensemble(settings: Settings, lesson: Lesson, samples: Samples) -> tuple[Any, Forest]:
    """Return the ensemble, fitted here if it is not yet, and its neutral form."""
    data = (lesson.X, lesson.y, lesson.fit_weight, samples.names)
    if settings.ensemble is not None:
        return fit_ensemble(settings.ensemble, *data)
    if settings.teacher is None:
        return fit_ensemble(default_forest(settings.task_kind, settings.random_state, settings.n_jobs), *data)
    try:
        return fit_ensemble(lesson.model, *data)
    except UnsupportedModelError as error:
        raise UnsupportedModelError(
            f"A {type(lesson.model).__qualname__} can teach, but its rules cannot be read. Give an ensemble as well, "
            "for the candidates."
        ) from error


def _with_target(lesson: Lesson, share: float, task: Task, forest: Forest, fitted_here: Any) -> Lesson:
    """Return the lesson with the ensemble's share in the targets."""
    if share == 0:
        return lesson
    unseen = None if fitted_here is None else out_of_bag(fitted_here, lesson.n_samples)
    targets = task.mix(lesson.targets, mend(unseen, forest.answer(lesson.X)), share)
    # A mix steadies the choice of rules; what they predict stays the truth, unless only the ensemble counts.
    return replace(lesson, targets=targets, answered=targets if share == 1 else lesson.answered)
