"""The last step: from a solution to a rule list, with what each rule predicts."""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import AnyArray, IntArray
from hedgerow.candidates.answers import answered_rules
from hedgerow.candidates.tally import of_first, sizes
from hedgerow.constraints import check_constraints, words_of
from hedgerow.pipeline.pose import Posed
from hedgerow.pipeline.predictions import default_of, predictions_of
from hedgerow.pipeline.rounding import with_round_thresholds
from hedgerow.pipeline.samples import Streamed
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution


def build(posed: Posed, solution: Solution) -> RuleList:
    """Return the chosen rules with their predictions, the rule with the largest coverage first."""
    learned, chosen, n = posed.learned, in_order(posed, solution), posed.learned.n_samples
    coverage, weight = posed.coverage.subset(chosen).of_first(n), of_first(learned.weight, n)
    predictions = predictions_of(posed.settings, learned, posed.pool, posed.coverage, chosen)
    rules = answered_rules(posed.pool.subset(chosen), coverage, weight, predictions)
    forest, default = learned.forest, default_of(posed.settings, learned, posed.coverage)
    if posed.default is not None:
        default = posed.default(solution.chosen, default)
    constraints = tuple(map(words_of, check_constraints(posed.settings.constraints)))
    rule_list = RuleList(
        rules=rules,
        default=Rule((), **default),
        inputs=forest.inputs,
        classes=learned.task.classes,
        n_samples=n,
        solution=solution,
        fallback=forest if posed.settings.uncovered == "ensemble" else None,
        constraints=constraints,
        edits=posed.edits,
    )
    return with_round_thresholds(rule_list, learned, posed.settings) if posed.settings.round_thresholds else rule_list


def predicted_for_samples(posed: Posed, solution: Solution, rule_list: RuleList) -> AnyArray:
    """Return what the list predicts for the training samples, each of which matches exactly one rule."""
    coverage = posed.coverage.subset(in_order(posed, solution)).of_first(posed.learned.n_samples)
    which = np.empty(coverage.n_samples, dtype=np.intp)
    for j in range(coverage.n_rules):
        which[coverage.members(j)] = j
    return posed.learned.task.pick([rule.prediction for rule in rule_list], which)


def training_score(posed: Posed, solution: Solution, rule_list: RuleList) -> float:
    """Return the score on the training samples."""
    samples = posed.learned.samples
    if isinstance(samples, Streamed):
        return score_of_sums(posed, solution, rule_list)
    counts = samples.counted > 0
    predicted = predicted_for_samples(posed, solution, rule_list)
    return posed.learned.task.score(samples.y[counts], predicted, samples.counted[counts])


def score_of_sums(posed: Posed, solution: Solution, rule_list: RuleList) -> float:
    """Return the score on training samples that are read in chunks: what is right or missed adds up over rules."""
    learned, coverage = posed.learned, posed.coverage.subset(in_order(posed, solution))
    sums, predictions = learned.y, [rule.prediction for rule in rule_list]
    assert sums is not None
    if learned.task.has_labels:
        found, labels = sums.class_weights(coverage), learned.task.labels
        right = found[np.arange(len(found)), [labels.index(prediction) for prediction in predictions]]
        return float(right.sum() / found.sum())
    weight, squared = sums.deviations(coverage)
    mean, _ = sums.moments(coverage)
    missed = float(squared.sum() + weight @ (mean - np.array(predictions)) ** 2)
    whole = float(sums.deviations(coverage.everything())[1][0])
    return 1 - missed / whole if whole > 0 else float(missed == 0)  # as scikit-learn has it for constants


def in_order(posed: Posed, solution: Solution) -> IntArray:
    """Return the chosen rules, the one with the most weight of samples first; of equals, in the order of the pool."""
    chosen, n = solution.chosen, posed.learned.n_samples
    _, size = sizes(of_first(posed.learned.weight, n), posed.coverage.subset(chosen).of_first(n))
    return chosen[np.argsort(-size, kind="stable")]
