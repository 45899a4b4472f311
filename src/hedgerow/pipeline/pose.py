"""The second step: the integer program for one minimum coverage, one λ and one budget."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.excerpt import reduced
from hedgerow.candidates.margins import Gaps, preferences
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.scores import Scores
from hedgerow.candidates.tally import of_first
from hedgerow.constraints import collect_rows
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.screening import screen
from hedgerow.pipeline.clock import Clock
from hedgerow.pipeline.prepare import Learned, Prepared, learn
from hedgerow.pipeline.samples import Samples
from hedgerow.pipeline.settings import Settings

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
    """

    settings: Settings
    learned: Learned
    pool: RulePool
    scores: Scores
    coverage: Coverage
    problem: PartitionProblem


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
    posed = _posed(settings, learned, pool, coverage, scores, clock)
    if settings.max_candidates is None or len(kept) <= settings.max_candidates:
        return posed
    with clock.timing("screening"):
        return _screened(posed, settings.max_candidates, budgets)


def pose_again(settings: Settings, samples: Samples, pool: RulePool, scores: Scores) -> Posed:
    """Return the problem of an earlier fit, whose candidates and scores are known, for its samples."""
    learned = learn(settings, samples)
    assert not isinstance(learned.values, Gaps)
    return _posed(settings, learned, pool, cover(pool, learned.values, settings.n_jobs), scores, Clock())


def _posed(
    settings: Settings, learned: Learned, pool: RulePool, coverage: Coverage, scores: Scores, clock: Clock
) -> Posed:
    n, preference = learned.n_samples, None
    with clock.timing("constraints"):
        rows = collect_rows(settings.constraints, pool, coverage.of_first(n), of_first(learned.targets, n))
    with clock.timing("excerpt"):
        few = reduced(coverage) if settings.takes_excerpts else coverage
    if rows is None:
        with clock.timing("deduplication"):
            few.twins  # noqa: B018  computed once, and kept
        with clock.timing("margins"):
            # Of equals the shortest, then the widest margins: new samples fall less often between rules, or into two.
            preference = preferences(pool, few, learned.values)
    problem = PartitionProblem(scores.total, few, settings.max_rules, rows, preference)
    return Posed(settings, learned, pool, scores, coverage, problem)


def _screened(posed: Posed, max_candidates: int, budgets: Sequence[int] | None) -> Posed:
    """Keep at most ``max_candidates`` candidates; the scores stay as they are scaled over all."""
    settings, problem = posed.settings, posed.problem
    if budgets is None and settings.max_rules is not None:
        budgets = [settings.max_rules]
    kept = screen(problem, max_candidates, budgets, settings.time_limit)
    logger.info("%d candidates screened, %d kept", problem.n_rules, len(kept))
    pool, scores = posed.pool.subset(kept), posed.scores.subset(kept)
    return Posed(settings, posed.learned, pool, scores, posed.coverage.subset(kept), problem.subset(kept))
