"""The first step: what depends neither on the budget nor on λ nor on the minimum coverage.

The ensemble is fitted if need be and read, the targets are mixed, the rules become a pool, and it is found out which
row satisfies which rule and how stable each rule is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray, ValueArray
from hedgerow._support.lettering import with_article
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.ensembles import fit_ensemble
from hedgerow.candidates.excerpt import reduced
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.candidates.margins import Gaps
from hedgerow.candidates.out_of_bag import mend, out_of_bag
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.candidates.scores import Scores, combine_scores
from hedgerow.candidates.tally import Tally, Targets, Weights, of_first, sizes, total_weight
from hedgerow.exceptions import InfeasibleError, UnsupportedModelError, each_warning_once, warn
from hedgerow.forests.forest import Forest
from hedgerow.losses import ADDITIVE, Loss
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.pipeline.clock import Clock
from hedgerow.pipeline.lesson import Lesson, teach
from hedgerow.pipeline.samples import Samples, Streamed
from hedgerow.pipeline.settings import Settings
from hedgerow.pipeline.streams import read_to_stream, survey
from hedgerow.presets import default_forest
from hedgerow.stabilities import evaluate_stability
from hedgerow.tasks import Task

#: The longest rule that a pool of nodes takes if ``max_conditions`` is not given.
DEFAULT_MAX_CONDITIONS = 4
#: By how much of the loss of a single rule a list from nodes must be better than one from leaves, for "auto".
_MUCH = 0.1
#: How long the search for a list of leaves may take before that is known.
_SECONDS = 5.0
#: The number of leaves of a tree with one split.
_STUMP = 2
#: Fewer samples than this hardly make larger trees.
_FEW = 50


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
    values : array of shape (n_rows, n_features), or Gaps
        As the forest compares them; of rows that are read in chunks, the gaps around its thresholds.
    targets, answered : arrays or Tally
        The targets by which rules are chosen, and those from which rules predict.
    weight : float array or Tally
        Of each row; rows of weight 0 are left out.
    n_samples : int
        How many of the rows are samples.
    said : array or None
        What the teacher predicts for the samples, if it was asked.
    asked : pair of int
        About how many rows the teacher was asked, and in how many calls.
    returns : "labels", "shares" or None
        What one number per row of the teacher is, if it makes a difference.
    y : Tally or None
        The samples' targets as they were given, if these are read in chunks.
    """

    samples: Samples
    task: Task
    loss: Loss
    ensemble: Any
    teacher: Any
    forest: Forest
    values: ValueArray | Gaps
    targets: Targets
    answered: Targets
    weight: Weights
    n_samples: int
    said: AnyArray | None = None
    asked: tuple[int, int] = (0, 0)
    returns: Literal["labels", "shares"] | None = None
    y: Tally | None = None


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
        weight, coverage = of_first(self.learned.weight, n), self.coverage.of_first(n)
        counts, weights = sizes(weight, coverage)
        if min_coverage == 0:
            return counts > 0
        share = weights / total_weight(weight, coverage)
        return (counts > 0) & (share >= min_coverage - 1e-12)

    def scored(self, settings: Settings) -> tuple[IntArray, Scores]:
        """Return the candidates that cover enough, and their scores."""
        kept = np.flatnonzero(self.covers_enough(settings.min_coverage))
        if not len(kept):
            raise InfeasibleError(
                f"No candidate covers min_coverage={settings.min_coverage} of the samples. Lower min_coverage, raise "
                "max_conditions, or take candidates='nodes'."
            )
        learned = self.learned
        describe = self.pool.subset(kept).describe
        loss = learned.loss.evaluate(learned.targets, learned.weight, self.coverage.subset(kept), describe)
        weight, from_zero = float(settings.stability_weight), learned.loss.from_zero
        return kept, combine_scores(self.stability[kept], loss, weight, from_zero)

    def whole_trees(self, min_coverage: float) -> FloatArray:
        """Return the number of leaves of each tree; infinity if one that rows reach does not cover enough."""
        kept, n_trees = self.covers_enough(min_coverage), self.pool.forest.n_trees
        # Those at hand suffice: they reach every end that any row reaches.
        covered = np.bincount(self.pool.tree, np.where(kept, self.coverage.counts, 0), minlength=n_trees)
        n_leaves = np.bincount(self.pool.tree, kept, minlength=n_trees)
        return np.where(covered == self.coverage.n_samples, n_leaves, np.inf)


class Unexplained:
    """The loss of short lists by the settings' scores, as a share of that of a single rule.

    The loss is one that adds up, errors or squares, whatever the settings say.

    Parameters
    ----------
    prepared : Prepared
    settings : Settings
    largest : int or None
        The largest budget that is asked for.
    """

    def __init__(self, prepared: Prepared, settings: Settings, largest: int | None) -> None:
        kept, scores = prepared.scored(settings)
        rows, coverage = (prepared.learned.targets, prepared.learned.weight), prepared.coverage.subset(kept)
        additive = ADDITIVE[settings.task_kind]
        self._loss, self._single = additive(*rows, coverage), float(additive(*rows, coverage.everything())[0])
        self._scores, self._coverage = scores.total, reduced(coverage)
        self._prunings = Prunings(self._coverage, self._scores, np.arange(len(kept)), largest)

    def of_pruned_tree(self, budget: int | None) -> float:
        """Return the share of the best pruned tree; infinity if there is none."""
        chosen = next(self._prunings.best(budget), None)
        return np.inf if chosen is None else self._share(chosen)

    def of_list(self, budget: int | None) -> float:
        """Return the share of the best list that is found within seconds."""
        problem = PartitionProblem(self._scores, self._coverage, budget)
        return self._share(RowGeneration().solve(problem, _SECONDS).chosen)

    def _share(self, chosen: IntArray) -> float:
        return float(self._loss[chosen].sum() / self._single) if self._single else 0.0


def prepare(settings: Settings, samples: Samples, clock: Clock | None = None, lesson: Lesson | None = None) -> Prepared:
    """Return the candidates of the ensemble; of "auto", leaves if they suffice for the budget, nodes otherwise.

    ``lesson`` is that of :func:`take_lesson`, if it was taken already.
    """
    clock = Clock() if clock is None else clock
    with each_warning_once():
        learned = learn(settings, samples, clock, lesson)
    with clock.timing("candidates"):
        prepared = _chosen_candidates(settings, learned, clock)
    with clock.timing("checks"):
        _warn_of_small_trees(int(learned.forest.n_leaves.max()), prepared, settings)
    return prepared


def _chosen_candidates(settings: Settings, learned: Learned, clock: Clock) -> Prepared:
    if settings.candidates != "auto":
        return take_candidates(settings, learned, settings.candidates, clock)
    nodes = cache(lambda: take_candidates(settings, learned, "nodes", clock))
    if settings.max_rules is None or learned.forest.n_leaves.min() <= settings.max_rules:
        leaves = take_candidates(settings, learned, "leaves", clock)
        if LeavesOrNodes(settings, leaves, nodes, settings.max_rules).leaves_suffice(settings.max_rules):
            return leaves
    return nodes()


class LeavesOrNodes:
    """Whether some whole tree fits a budget, and nodes would not give a much better list.

    Where every tree fits, they would not: no pruned tree has a lower loss than the whole. Where only some fit, these
    may be the ones that say little, as in boosting. Then a list of leaves must not be much worse than a pruned tree.

    Parameters
    ----------
    settings : Settings
    leaves : Prepared
    nodes : callable
        Returns the nodes, which are taken only if they are needed.
    largest : int or None
        The largest budget that is asked for.
    """

    def __init__(
        self, settings: Settings, leaves: Prepared, nodes: Callable[[], Prepared], largest: int | None
    ) -> None:
        self._settings, self._leaves, self._nodes, self._largest = settings, leaves, nodes, largest
        self._n_leaves = leaves.whole_trees(settings.min_coverage)

    def leaves_suffice(self, budget: int | None) -> bool:
        """Return whether leaves are enough for this budget."""
        fits = self._n_leaves <= (len(self._leaves.pool) if budget is None else budget)
        if not fits.any() or fits.all():
            return bool(fits.any())
        enough = self._of_nodes.of_pruned_tree(budget) + _MUCH
        return self._of_leaves.of_pruned_tree(budget) <= enough or self._of_leaves.of_list(budget) <= enough

    @cached_property
    def _of_nodes(self) -> Unexplained:
        return Unexplained(self._nodes(), self._settings, self._largest)

    @cached_property
    def _of_leaves(self) -> Unexplained:
        return Unexplained(self._leaves, self._settings, self._largest)


def _warn_of_small_trees(largest: int, prepared: Prepared, settings: Settings) -> None:
    """Warn if the trees are stumps and the list is to be longer: no candidates make a good list then.

    A list with a teacher is to be as good as possible, so trees with half as many leaves as it may have rules are too
    small as well.
    """
    budget, classes = settings.max_rules, prepared.learned.task.classes
    enough = _STUMP + 1 if settings.teacher is None or budget is None else max(_STUMP, budget // 2) + 1
    if largest >= (enough if budget is None else min(enough, budget)):
        return
    values = prepared.learned.values
    some_alike = not isinstance(values, Gaps) and len(np.unique(values, axis=0)) <= largest
    if prepared.learned.n_samples < _FEW or some_alike:
        return  # no tree could, or should, have more leaves
    share = Unexplained(prepared, settings, budget).of_pruned_tree(budget)
    if share <= _MUCH or share == np.inf:  # a few rules are enough; or there is no list, which the solver will say
        return
    of_classes = (
        "" if classes is None or largest >= len(classes) else f" and predicts few of the {len(classes)} classes"
    )
    warn(
        f"No tree of the ensemble has more than {largest} {'leaf' if largest == 1 else 'leaves'}, so a list of its "
        f"rules is hardly longer{of_classes}. Grow deeper trees, or let hedgerow grow them: accurate(max_rules=...), "
        "without an ensemble."
    )


def take_lesson(settings: Settings, samples: Samples, clock: Clock | None = None) -> Lesson:
    """Return the samples or, with a teacher, what it makes of them."""
    if settings.teacher is None:
        return Lesson.of(samples)
    with (Clock() if clock is None else clock).timing("teacher"):
        return teach(settings.teacher, samples, check_random_state(settings.random_state), settings.verbose)


def learn(settings: Settings, samples: Samples, clock: Clock | None = None, lesson: Lesson | None = None) -> Learned:
    """Fit and read what is not yet, and return the rows that the list learns from.

    ``lesson`` is that of :func:`take_lesson`, if it was taken already.
    """
    clock = Clock() if clock is None else clock
    if isinstance(samples, Streamed):
        return _learn_in_chunks(settings, samples, clock)
    if isinstance(settings.ensemble, FeatureForest):
        return _learn_on_features(settings, settings.ensemble, samples, clock)
    lesson = take_lesson(settings, samples, clock) if lesson is None else lesson
    with clock.timing("ensemble"):
        ensemble, forest = _fitted_ensemble(settings, lesson, samples)
    task = samples.task.among(forest.task)
    loss = settings.parsed_loss.among(task.classes)
    lesson = lesson.with_classes(samples.task, task)
    with clock.timing("values"):
        values = forest.inputs.matrix(lesson.X)
        forest = forest.with_missing_seen(values).with_values_seen(samples.X)
    # An ensemble that was given fitted may have seen other samples than these.
    fitted_here = ensemble is not settings.ensemble or settings.saw_samples
    with clock.timing("targets"):
        lesson = _with_target(lesson, settings.ensemble_share, task, forest, ensemble if fitted_here else None)
    n_samples = int(np.count_nonzero(lesson.weight[: lesson.n_samples]))
    rows, said = (values, lesson.targets, lesson.answered, lesson.weight), lesson.said
    if not lesson.weight.all():
        used = np.flatnonzero(lesson.weight > 0)
        rows = tuple(column[used] for column in rows)  # type: ignore[assignment]
        said = None if said is None else said[used[:n_samples]]
    told = (n_samples, said, lesson.asked, lesson.returns)
    return Learned(samples, task, loss, ensemble, lesson.model, forest, *rows, *told)


def _learn_on_features(settings: Settings, model: FeatureForest, samples: Samples, clock: Clock) -> Learned:
    """Learn from the table of an ensemble's features; the forest that is returned computes them from X itself."""
    with clock.timing("ensemble"):
        looking = model.looking(samples.X, samples.y, samples.weight)
    with clock.timing("values"):
        table = replace(samples, X=looking.table(samples.X), names=None)
    trees = getattr(model, "trees_", model.trees)
    learned = learn(replace(settings, ensemble=trees), table, clock)
    fitted = looking.with_trees(learned.ensemble, learned.forest)
    same = learned.ensemble is trees and looking is model
    return replace(learned, samples=samples, ensemble=model if same else fitted, forest=fitted.to_forest())


def _learn_in_chunks(settings: Settings, samples: Streamed, clock: Clock) -> Learned:
    """Return what is known before the first pass over the rows."""
    with clock.timing("ensemble"):
        forest = read_to_stream(settings, samples)
    task = samples.task.among(forest.task)
    loss = settings.parsed_loss.among(task.classes)
    teacher = None if settings.teacher is None else settings.teacher.model
    none: Any = np.empty(0)
    return Learned(samples, task, loss, settings.ensemble, teacher, forest, none, none, none, none, 0)


def candidates_in_chunks(settings: Settings, learned: Learned, samples: Streamed, pool: RulePool) -> Prepared:
    """Make the first pass over the rows, for the candidates of a pool."""
    share = settings.ensemble_share if settings.teacher is None else settings.teacher.share
    found = survey(samples.X, pool, learned.task, share, settings.n_jobs, settings.verbose)
    samples.read.append(found.passes)
    forest = learned.forest.with_missing_seen(np.where(found.missing, np.nan, 0.0)[None, :])
    sums, pool = found.survey, replace(pool, forest=forest)
    learned = replace(
        learned,
        forest=forest,
        values=sums.gaps,
        targets=sums.targets,
        answered=sums.targets if share == 1 else sums.y,
        weight=sums.y,
        n_samples=len(sums.y),
        y=sums.y,
    )
    coverage = Coverage(found.ends, pool.tree, pool.first, pool.last)
    return Prepared(learned, pool, coverage, evaluate_stability(settings.stability, pool))


def take_candidates(
    settings: Settings, learned: Learned, kind: Literal["leaves", "nodes"], clock: Clock | None = None
) -> Prepared:
    """Return the leaves or nodes of the ensemble, which rows they cover, and how stable they are."""
    clock = Clock() if clock is None else clock
    longest = settings.max_conditions
    if kind == "nodes" and longest is None:
        longest = DEFAULT_MAX_CONDITIONS
    with clock.timing("candidates"):
        pool = make_pool(learned.forest, kind, longest)
    if isinstance(learned.samples, Streamed):
        with clock.timing("first pass"):
            return candidates_in_chunks(settings, learned, learned.samples, pool)
    with clock.timing("coverage"):
        assert not isinstance(learned.values, Gaps)
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
            f"The teacher is {with_article(type(lesson.model).__qualname__)}, whose rules cannot be read. Give an "
            "ensemble as well, for the candidates."
        ) from error


def _with_target(lesson: Lesson, share: float, task: Task, forest: Forest, fitted_here: Any) -> Lesson:
    """Return the lesson with the ensemble's share in the targets."""
    if share == 0:
        return lesson
    unseen = None if fitted_here is None else out_of_bag(fitted_here, lesson.n_samples)
    targets = task.mix(lesson.targets, mend(unseen, forest.answer(lesson.X)), share)
    # A mix steadies the choice of rules; what they predict stays the truth, unless only the ensemble counts.
    return replace(lesson, targets=targets, answered=targets if share == 1 else lesson.answered)
