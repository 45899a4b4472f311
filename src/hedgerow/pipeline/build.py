"""The last step: from a solution to a rule list, with what each rule predicts."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, IntArray
from hedgerow.candidates.answers import OfLabels, Predictions, answered_rules
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.tally import of_first, sizes
from hedgerow.pipeline.pose import Posed
from hedgerow.pipeline.prepare import Learned
from hedgerow.pipeline.rounding import with_round_thresholds
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import Paths


def build(posed: Posed, solution: Solution) -> RuleList:
    """Return the chosen rules with their predictions, the rule with the largest coverage first."""
    learned, chosen, n = posed.learned, _largest_first(posed, solution), posed.learned.n_samples
    coverage, weight = posed.coverage.subset(chosen).of_first(n), of_first(learned.weight, n)
    rules = answered_rules(posed.pool.subset(chosen), coverage, weight, _predictions(posed, chosen))
    forest = posed.pool.forest
    rule_list = RuleList(
        rules=rules,
        default=Rule((), **_default(posed)),
        inputs=forest.inputs,
        classes=learned.task.classes,
        n_samples=n,
        solution=solution,
        fallback=forest if posed.settings.uncovered == "ensemble" else None,
    )
    return with_round_thresholds(rule_list, learned) if posed.settings.round_thresholds else rule_list


def predicted_for_samples(posed: Posed, solution: Solution, rule_list: RuleList) -> AnyArray:
    """Return what the list predicts for the training samples, each of which matches exactly one rule."""
    coverage = posed.coverage.subset(_largest_first(posed, solution)).of_first(posed.learned.n_samples)
    which = np.empty(coverage.n_samples, dtype=np.intp)
    for j in range(coverage.n_rules):
        which[coverage.members(j)] = j
    return posed.learned.task.pick([rule.prediction for rule in rule_list], which)


def _largest_first(posed: Posed, solution: Solution) -> IntArray:
    """Return the chosen rules, the one with the most weight of samples first; of equals, in the order of the pool."""
    chosen, n = solution.chosen, posed.learned.n_samples
    _, size = sizes(of_first(posed.learned.weight, n), posed.coverage.subset(chosen).of_first(n))
    return chosen[np.argsort(-size, kind="stable")]


def _predictions(posed: Posed, chosen: IntArray) -> Predictions:
    """Return what the chosen rules predict from their samples, the teacher's opinion of these, and synthetic rows.

    Synthetic rows count where samples are few.
    """
    learned, teacher = posed.learned, posed.settings.teacher
    n_samples, n_rows = learned.n_samples, len(learned.weight)
    own = _predictions_from_first(posed, n_samples, chosen)
    if teacher is None:
        return own
    coverage = posed.coverage.subset(chosen).of_first(n_samples)
    told = _with_opinion(learned, teacher.opinion, coverage, own) if teacher.opinion > 0 else own
    if n_rows > n_samples:
        taught = _predictions_from_first(posed, n_rows, chosen)
        told = [o if n >= teacher.alone else t for o, t, n in zip(told, taught, coverage.counts, strict=True)]
    if teacher.is_explained:
        return _of_explained_model(learned, coverage, told)
    return [learned.loss.answer.about_samples(learned.task, t, o) for t, o in zip(told, own, strict=True)]


def _default(posed: Posed) -> dict[str, Any]:
    """Return what is predicted where no rule matches: what a single rule would predict."""
    learned, teacher, n = posed.learned, posed.settings.teacher, posed.learned.n_samples
    everything = posed.coverage.everything().of_first(n)
    told = learned.loss.answer.of_rules(
        learned.task, of_first(learned.answered, n), of_first(learned.weight, n), everything
    )
    if teacher is not None and teacher.is_explained:
        told = _of_explained_model(learned, everything, told)
    return told[0]


def _predictions_from_first(posed: Posed, n: int, chosen: IntArray) -> Predictions:
    """Return what the chosen rules predict from the first n rows."""
    learned, smoothing, coverage = posed.learned, posed.settings.smoothing, posed.coverage.of_first(n)
    paths = None if smoothing is None else Paths.of(posed.pool, coverage, chosen, smoothing)
    rows = (of_first(learned.answered, n), of_first(learned.weight, n), coverage.subset(chosen))
    return learned.loss.answer.of_rules(learned.task, *rows, paths)


def _with_opinion(learned: Learned, strength: float, coverage: Coverage, own: Predictions) -> Predictions:
    """Return what rules predict if the teacher's opinion of their samples counts like so many samples."""
    answer, weight = learned.loss.answer, of_first(learned.weight, learned.n_samples)
    assert isinstance(answer, OfLabels)
    assert learned.said is not None
    said = answer.shares(learned.task, learned.said, weight, coverage)
    size = sizes(weight, coverage)[1][:, None]
    shares = size * np.array([prediction["distribution"] for prediction in own]) + strength * said
    return answer.of_shares(learned.task, shares / (size + strength))


def _of_explained_model(learned: Learned, coverage: Coverage, said: Predictions) -> Predictions:
    """Return what rules predict if they explain a model, with what the samples say about it."""
    samples, task = learned.samples, learned.task
    y, weight = task.numeric(samples.y[samples.counted > 0]), of_first(learned.weight, learned.n_samples)
    answer = learned.loss.answer
    own = answer.of_rules(task, y, weight, coverage)
    return [
        answer.about_samples(task, t, o) | {"of_model": t[answer.sureness], "kind": t["kind"]}
        for t, o in zip(said, own, strict=True)
    ]
