"""The last step: from a solution to a rule list, with what each rule predicts."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.candidates.answers import Predictions, answered_rules
from hedgerow.candidates.coverage import Coverage
from hedgerow.pipeline.pose import Posed
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import Paths


def build(posed: Posed, solution: Solution) -> RuleList:
    """Return the chosen rules with their predictions, the rule with the largest coverage first."""
    learned, chosen, n = posed.learned, solution.chosen, posed.learned.n_samples
    coverage, weight = posed.problem.coverage.subset(chosen).of_first(n), learned.weight[:n]
    rules = answered_rules(posed.pool.subset(chosen), coverage, weight, _predictions(posed, chosen))
    everything = Coverage.from_matrix(np.ones((n, 1)))
    forest = posed.pool.forest
    return RuleList(
        rules=tuple(sorted(rules, key=lambda rule: -rule.share)),
        default=Rule((), **learned.loss.answer.of_rules(learned.task, learned.answered[:n], weight, everything)[0]),
        inputs=forest.inputs,
        classes=learned.task.classes,
        n_samples=n,
        solution=solution,
        fallback=forest if posed.settings.uncovered == "ensemble" else None,
    )


def _predictions(posed: Posed, chosen: IntArray) -> Predictions:
    """Return what the chosen rules predict from their samples; where these are few, from synthetic rows as well."""
    n_samples, teacher = posed.learned.n_samples, posed.settings.teacher
    own = _predictions_from_first(posed, n_samples, chosen)
    if teacher is None or n_samples == len(posed.learned.weight):
        return own
    counts = posed.problem.coverage.subset(chosen).of_first(n_samples).counts
    taught = _predictions_from_first(posed, len(posed.learned.weight), chosen)
    told = [_about_samples(t, o) for t, o in zip(taught, own, strict=True)]
    return [o if n >= teacher.alone else t for o, t, n in zip(own, told, counts, strict=True)]


def _predictions_from_first(posed: Posed, n: int, chosen: IntArray) -> Predictions:
    """Return what the chosen rules predict from the first n rows."""
    learned, smoothing, coverage = posed.learned, posed.settings.smoothing, posed.problem.coverage.of_first(n)
    paths = None if smoothing is None else Paths.of(posed.pool, coverage, chosen, smoothing)
    rows = (learned.answered[:n], learned.weight[:n], coverage.subset(chosen))
    return learned.loss.answer.of_rules(learned.task, *rows, paths)


def _about_samples(taught: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return a taught prediction with how far the samples' targets are from it; the teacher's own are closer."""
    if "spread" not in own:
        return taught
    return taught | {"spread": float(np.hypot(own["spread"], taught["prediction"] - own["prediction"]))}
