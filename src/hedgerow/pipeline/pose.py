"""The second step: the integer program for one minimum coverage, one λ and one budget."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.excerpt import reduced
from hedgerow.candidates.margins import Gaps, preferences
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.scores import Scores
from hedgerow.candidates.tally import Tally, of_first
from hedgerow.constraints import Candidates, Demand, check_constraints, demand_of
from hedgerow.exceptions import InfeasibleError, InvalidParameterError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.screening import screen
from hedgerow.pipeline.clock import Clock
from hedgerow.pipeline.conflicts import Wanted
from hedgerow.pipeline.experts import Scored, read_rules, with_rules
from hedgerow.pipeline.groups import by_group
from hedgerow.pipeline.predictions import default_of, predictions_of
from hedgerow.pipeline.prepare import Learned, Prepared, candidates_in_chunks, learn
from hedgerow.pipeline.samples import Samples, Streamed
from hedgerow.pipeline.settings import Settings
from hedgerow.rules.edit import Edit
from hedgerow.rules.solution import Solution

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Posed:
    """The problem, and what its columns and rows stand for.

    Attributes
    ----------
    settings : Settings
    learned : Learned
        The rows: samples, then synthetic rows.
    pool : RulePool
        The candidates after the filter by coverage and the screening.
    scores : Scores
        Stability and loss of each candidate.
    coverage : Coverage
        Which rows satisfy which candidates.
    problem : PartitionProblem
        Of very many rows, it has some; the others are asked about by the solver.
    free : Posed or None
        The same without constraints, with the candidates that these rule out; None if there are no constraints.
    edits : tuple of Edit
        What an expert has changed about the problem since the fit.
    default : callable or None
        Returns what is predicted where none of the chosen rules matches, from these and the usual default; None if that
        is the default.
    """

    settings: Settings
    learned: Learned
    pool: RulePool
    scores: Scores
    coverage: Coverage
    problem: PartitionProblem
    free: Posed | None = None
    edits: tuple[Edit, ...] = ()
    default: Callable[[IntArray, dict[str, Any]], dict[str, Any]] | None = None

    @property
    def candidates(self) -> Candidates:
        """What constraints may ask about."""
        settings, learned, n = self.settings, self.learned, self.learned.n_samples
        samples = learned.samples
        return Candidates(
            pool=self.pool,
            coverage=self.coverage.of_first(n),
            y=samples.y[samples.counted > 0] if learned.y is None else learned.y,
            weight=of_first(learned.weight, n),
            task=learned.task,
            predict=partial(predictions_of, settings, learned, self.pool, self.coverage),
            predict_default=partial(default_of, settings, learned, self.coverage),
            answer=learned.loss.answer,
            few=self.problem.coverage,
            X=None if isinstance(samples, Streamed) else samples.X,
            counted=samples.counted > 0,
            uncovered=settings.uncovered,
            max_rules=settings.max_rules,
            by_group=self._by_group if isinstance(samples, Streamed) else None,
        )

    def _by_group(self, column: int, most: int) -> dict[Any, Tally]:
        """Return the sums of the samples of each value of a column, which takes a pass over samples in chunks."""
        samples = self.learned.samples
        assert isinstance(samples, Streamed)
        return by_group(samples.read[-1], self.pool.forest, self.coverage.ends.n_ranks, column, most)


def pose(
    prepared: Prepared, settings: Settings, *, budgets: Sequence[int] | None = None, clock: Clock | None = None
) -> Posed:
    """Filter the candidates, score them, and write the problem down.

    ``budgets`` are those that it will be solved for, if there are others than ``max_rules``.
    """
    clock, learned, coverage = Clock() if clock is None else clock, prepared.learned, prepared.coverage
    with clock.timing("loss"):
        kept, scores = prepared.scored(settings)
        pool, coverage = prepared.pool.subset(kept), coverage.subset(kept)
    logger.info("%d rules from %d trees, %d kept", len(prepared.pool), prepared.pool.forest.n_trees, len(kept))
    extra = read_rules(settings.extra_rules, pool.forest.inputs)
    if extra:
        with clock.timing("extra rules"):
            known = with_rules(Scored(pool, coverage, scores), learned, settings, extra)
            pool, coverage, scores = known.pool, known.coverage, known.scores
    free = posed_freely(settings, learned, pool, coverage, scores, clock)
    with clock.timing("constraints"):
        posed = constrained(free)
    if settings.max_candidates is None or len(kept) <= settings.max_candidates:
        return posed
    with clock.timing("screening"):
        return _screened(posed, settings.max_candidates, budgets)


def pose_again(
    settings: Settings, samples: Samples, pool: RulePool, scores: Scores, free: tuple[RulePool, Scores] | None = None
) -> Posed:
    """Return the problem of an earlier fit, whose candidates and scores are known, for its samples.

    ``free`` are the candidates without constraints and their scores, if there were constraints.
    """
    learned = learn(settings, samples)
    whole, of_whole = (pool, scores) if free is None else free
    if isinstance(samples, Streamed):
        found = candidates_in_chunks(settings, learned, samples, whole)
        posed = posed_freely(settings, found.learned, found.pool, found.coverage, of_whole)
    else:
        assert not isinstance(learned.values, Gaps)
        posed = posed_freely(settings, learned, whole, cover(whole, learned.values, settings.n_jobs), of_whole)
    return _with_candidates(constrained(posed), pool.node)


def _with_candidates(posed: Posed, nodes: IntArray) -> Posed:
    """Return the problem with the candidates that stand at these nodes only; of other samples, some may be missing."""
    place = {int(node): j for j, node in enumerate(posed.pool.node)}
    if not all(int(node) in place for node in nodes):
        raise InvalidParameterError("The constraints rule out candidates of the earlier fit.")
    return _subset(posed, np.array([place[int(node)] for node in nodes]))


def posed_freely(
    settings: Settings,
    learned: Learned,
    pool: RulePool,
    coverage: Coverage,
    scores: Scores,
    clock: Clock | None = None,
) -> Posed:
    """Write down the problem of these candidates without constraints."""
    clock = Clock() if clock is None else clock
    with clock.timing("excerpt"):
        few = reduced(coverage) if settings.takes_excerpts else coverage
    with clock.timing("deduplication"):
        few.twins  # noqa: B018  computed once, and kept
    with clock.timing("margins"):
        # Of equals the shortest, then the widest margins: new samples fall less often between rules, or into two.
        preference = preferences(pool, few, learned.values)
    problem = PartitionProblem(scores.total, few, settings.max_rules, None, preference)
    return Posed(settings, learned, pool, scores, coverage, problem)


def constrained(free: Posed) -> Posed:
    """Return a problem without constraints under those of its settings: some rules are ruled out, others made rows.

    The scores stay as they are scaled over all candidates, so that the objectives can be compared.
    """
    constraints = check_constraints(free.settings.constraints)
    if not constraints:
        return free
    candidates, targets = free.candidates, of_first(free.learned.targets, free.learned.n_samples)
    demand = Demand.of_all([demand_of(one, candidates, targets) for one in constraints])
    kept = np.arange(len(free.pool)) if demand.allowed is None else np.flatnonzero(demand.allowed)
    if not len(kept):
        raise Wanted(free.problem, candidates, targets, constraints, free.settings.time_limit).error()
    posed, demand = _subset(free, kept), demand.subset(kept)
    problem = replace(posed.problem, rows=demand.rows, lazy=demand.lazy)
    return _numbered(replace(posed, problem=problem, free=free, default=demand.default), kept)


def solve(posed: Posed, time_limit: float | None) -> Solution:
    """Return the best list; if the constraints leave none, say which of them contradict each other."""
    free = posed.free
    try:
        return posed.settings.chosen_solver().solve(posed.problem, time_limit)
    except InfeasibleError:
        if free is None:
            raise
        problem = replace(free.problem, max_rules=posed.problem.max_rules)
        targets = of_first(free.learned.targets, free.learned.n_samples)
        constraints = check_constraints(posed.settings.constraints)
        proven = posed.settings.max_candidates is None  # otherwise, the problem has further candidates
        raise Wanted(problem, free.candidates, targets, constraints, time_limit, proven).error() from None


def _numbered(posed: Posed, kept: IntArray) -> Posed:
    """Return the problem whose default takes the numbers of the candidates that are left."""
    default = posed.default
    if default is None:
        return posed
    return replace(posed, default=lambda chosen, usual: default(kept[chosen], usual))


def _subset(posed: Posed, kept: IntArray) -> Posed:
    """Return the problem with some of the candidates; the scores stay as they are scaled over all."""
    if len(kept) == len(posed.pool):
        return posed
    pool, scores = posed.pool.subset(kept), posed.scores.subset(kept)
    subset = replace(
        posed, pool=pool, scores=scores, coverage=posed.coverage.subset(kept), problem=posed.problem.subset(kept)
    )
    return _numbered(subset, kept)


def _screened(posed: Posed, max_candidates: int, budgets: Sequence[int] | None) -> Posed:
    """Keep at most ``max_candidates`` candidates."""
    settings, problem = posed.settings, posed.problem
    if budgets is None and settings.max_rules is not None:
        budgets = [settings.max_rules]
    kept = screen(problem, max_candidates, budgets, settings.time_limit)
    logger.info("%d candidates screened, %d kept", problem.n_rules, len(kept))
    return _subset(posed, kept)
