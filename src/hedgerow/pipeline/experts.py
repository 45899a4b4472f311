"""Rules of an expert, beside those of the ensemble: parsed, made candidates, and scored like all others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.expert_rules import Grafted, graft, joined, joined_coverage
from hedgerow.candidates.margins import Gaps
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.candidates.scores import Scores, scaled_alike
from hedgerow.candidates.tally import of_first, sizes, total_weight
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features import Inputs
from hedgerow.pipeline.prepare import DEFAULT_MAX_CONDITIONS, Learned
from hedgerow.pipeline.settings import Settings
from hedgerow.rules.parsing import check_features, parse_rule
from hedgerow.rules.rule import Rule
from hedgerow.stabilities import evaluate_stability

#: How many of the trees that were added for other rules go on outside of a new one.
_SOME = 6


@dataclass(frozen=True, eq=False)
class Scored:
    """Candidates, the rows that they cover, and their scores."""

    pool: RulePool
    coverage: Coverage
    scores: Scores


def read_rules(given: Any, inputs: Inputs) -> list[Rule]:
    """Return rules, given as text or as ``Rule``; refuse what these inputs do not know."""
    alone = isinstance(given, (str, Rule)) or not isinstance(given, Iterable)
    return [read_rule(one, inputs) for one in ([given] if alone else given)]


def read_rule(given: Any, inputs: Inputs) -> Rule:
    """Return one rule, given as text or as ``Rule``."""
    if isinstance(given, str):
        return parse_rule(given, inputs)
    if not isinstance(given, Rule):
        raise InvalidParameterError(
            f"A rule is a text such as 'age > 40 and income <= 20000', or a hedgerow.Rule; got {given!r}."
        )
    if not given.conditions:
        raise InvalidParameterError("A rule needs at least one condition; this one always holds.")
    return check_features(given, inputs)


def check_in_memory(learned: Learned) -> None:
    """Refuse rows that are not at hand, of which a rule that is no candidate cannot be said to cover any."""
    if isinstance(learned.values, Gaps):
        raise InvalidParameterError(
            f"{learned.samples.X} is read piece by piece, but a rule of your own needs the rows in memory. Take a rule "
            "of the list or of the ensemble, or fit on a sample of the rows in memory."
        )


def with_rules(
    known: Scored, learned: Learned, settings: Settings, rules: Sequence[Rule], first_trees: Sequence[int] = ()
) -> Scored:
    """Return the candidates with those of an expert after them.

    Their scores are scaled as those of the ensemble, which stay what they are. ``first_trees`` certainly go on outside
    of the rules.
    """
    for rule in rules:
        known = _with_rule(known, learned, settings, rule, first_trees)
    return known


def _with_rule(known: Scored, learned: Learned, settings: Settings, rule: Rule, first_trees: Sequence[int]) -> Scored:
    check_in_memory(learned)
    assert not isinstance(learned.values, Gaps)
    n_trees, n_before = learned.forest.n_trees, known.pool.forest.n_trees
    # Beside a rule that was added before there must be lists with this one, too.
    added = np.linspace(n_trees, n_before - 1, _SOME).round().astype(int).tolist() if n_before > n_trees else []
    more = graft(known.pool.forest, [rule], [*first_trees, *added], settings.max_conditions)
    coverage = more.cover(learned.values, settings.n_jobs)
    kept = _covering(more, coverage, learned, settings, rule)
    coverage = coverage.subset(kept)
    pool = joined(known.pool, Grafted(more.pool.subset(kept), more.is_expert[kept], more.n_before))
    scores = _scores(known, learned, settings, pool, coverage)
    return Scored(pool, joined_coverage(known.coverage, coverage), scores)


def _covering(more: Grafted, coverage: Coverage, learned: Learned, settings: Settings, rule: Rule) -> IntArray:
    """Return the new candidates that cover enough; refuse a rule of the expert that does not."""
    n = learned.n_samples
    weight, of_samples = of_first(learned.weight, n), coverage.of_first(n)
    counts, weights = sizes(weight, of_samples)
    share = weights / total_weight(weight, of_samples)
    enough = (counts > 0) & (share >= settings.min_coverage - 1e-12)
    place = int(np.argmax(more.is_expert))
    if not counts[place]:
        raise InvalidParameterError(
            f"The rule ({rule.describe()}) covers no training sample, so that nothing can be said about it. Widen its "
            "conditions, or leave it out."
        )
    if not enough[place]:
        raise InvalidParameterError(
            f"The rule ({rule.describe()}) covers {100 * share[place]:.2g} % of the training samples, less than "
            f"min_coverage={settings.min_coverage}. Lower min_coverage, or widen its conditions."
        )
    return np.flatnonzero(enough)


def _scores(known: Scored, learned: Learned, settings: Settings, pool: RulePool, coverage: Coverage) -> Scores:
    """Return the scores of all candidates; those of the ensemble's stay what they are."""
    n_known, describe = len(known.pool), pool.describe
    everything = _whole(known.pool, settings, learned.forest.n_trees)
    new_rules = pool.subset(np.arange(n_known, len(pool)))
    together = replace(everything, forest=pool.forest, end_rank=pool.end_rank).followed_by(new_rules)
    stability = evaluate_stability(settings.stability, together)
    place = {int(node): i for i, node in enumerate(everything.node)}
    own = stability[[place[int(node)] for node in known.pool.node]]
    new_stability = scaled_alike(own, known.scores.stability, stability[len(everything) :])
    if len(learned.loss.parts) == 1:
        own_loss = known.scores.raw_loss
        loss = learned.loss.evaluate(learned.targets, learned.weight, coverage, lambda j: describe(n_known + j))
    else:  # the parts are scaled over all candidates before they are added up
        both = learned.loss.evaluate(
            learned.targets, learned.weight, joined_coverage(known.coverage, coverage), describe
        )
        own_loss, loss = both[:n_known], both[n_known:]
    new_loss = scaled_alike(own_loss, known.scores.loss, loss)
    share = float(settings.stability_weight)
    new = Scores(
        stability[len(everything) :], loss, new_stability, new_loss, share * new_stability - (1 - share) * new_loss
    )
    return Scores(*(np.concatenate([getattr(part, f.name) for part in (known.scores, new)]) for f in fields(Scores)))


def _whole(pool: RulePool, settings: Settings, n_trees: int) -> RulePool:
    """Return all rules of the forest from which some of the candidates were taken, before any filter."""
    kind = settings.candidates
    if kind == "auto":
        kind = "leaves" if (pool.end_rank[pool.node] >= 0).all() else "nodes"
    longest = settings.max_conditions
    if kind == "nodes" and longest is None:
        longest = DEFAULT_MAX_CONDITIONS
    everything = make_pool(pool.forest, kind, longest)
    # Of trees that were added before, the candidates are known.
    of_ensemble = np.flatnonzero(everything.tree < n_trees)
    added = pool.subset(np.flatnonzero(pool.tree >= n_trees))
    return replace(everything.subset(of_ensemble), end_rank=pool.end_rank).followed_by(added)
