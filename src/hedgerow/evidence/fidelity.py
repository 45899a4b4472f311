"""How faithful rules are to their ensemble, in structure and in predictions.

Structure: how many trees have a condition or a whole path among the rules, and whether the rules rely on the features
that matter to the ensemble. Predictions: how often the rules differ from the ensemble. Agreement with ``y`` is
accuracy, not fidelity. All measures work for rule lists and for weighted rules.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, Literal

import numpy as np
from scipy.stats import kendalltau

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.text_table import aligned
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.evidence.agreement import Agreement
from hedgerow.evidence.answer_sums import Answers, AnswerSums, answers_in_chunks
from hedgerow.evidence.importances import Importances, ensemble_importances
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features import Feature
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.asking import forest_of, predictions_of
from hedgerow.readers import read_forest
from hedgerow.rules.condition import Condition
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.weighted_rules import WeightedEvaluation, WeightedRules
from hedgerow.rules.wording import format_number
from hedgerow.sources.source import Source

#: The share of the ensemble's features with which those of the rules are compared.
TOP = 0.05

Rules = RuleList | WeightedRules


@dataclass(frozen=True)
class Fidelity:
    """What ``estimator.fidelity(X)`` returns; print it for a table.

    Attributes
    ----------
    disagreement : float
        Share of samples whose label differs from the ensemble's, or mean squared difference from its values.
    trees_by_condition, trees_by_path : float or None
        Share of trees with at least one condition, or one whole root-to-leaf path, among the rules; None if the model
        has no trees that can be read.
    uncovered, overlapping : float
        Share of samples that satisfy no rule, or more than one.
    score, ensemble_score : float or None
        Accuracy or R² of the rules and of the ensemble, if ``y`` was given.
    feature_f1 : float or None
        F1 between the features of the rules and the top 5 % of the ensemble's.
    importance_correlation : float or None
        Kendall's tau between the feature importances in the rules and in the ensemble; NaN if undefined.
    r2 : float or None
        R² of the rules' values to the ensemble's; None for labels, NaN if the ensemble's are all the same.
    brier, divergence : float or None
        How far the rules' class shares are from the ensemble's: Brier score (the mean over the samples of the squared
        differences, added up over the classes) and Kullback-Leibler divergence, in nats. None for values, and if
        one of the two has no class shares.
    agreements : tuple of Agreement
        Agreement with the ensemble on all samples, per rule and per class, with intervals.
    whole : str
        With what the rules are compared: "ensemble", or "model" if they were made to explain one.
    """

    disagreement: float
    trees_by_condition: float | None
    trees_by_path: float | None
    uncovered: float
    overlapping: float
    score: float | None = None
    ensemble_score: float | None = None
    feature_f1: float | None = None
    importance_correlation: float | None = None
    r2: float | None = None
    brier: float | None = None
    divergence: float | None = None
    agreements: tuple[Agreement, ...] = ()
    whole: str = "ensemble"

    def __str__(self) -> str:
        intervals = self._intervals()
        rows: list[tuple[str, float | None]] = [
            (f"disagreement with the {self.whole}", self.disagreement),
            (f"R² to the {self.whole}", self.r2),
            (f"Brier score to the {self.whole}", self.brier),
            ("Kullback-Leibler divergence", self.divergence),
            ("trees represented by a condition", self.trees_by_condition),
            ("trees represented by a path", self.trees_by_path),
            (f"F1 with the {self.whole}'s top features", self.feature_f1),
            ("Kendall's tau of importances", self.importance_correlation),
            ("samples covered by no rule", self.uncovered),
            ("samples covered by several rules", self.overlapping),
            ("score of the rules", self.score),
            (f"score of the {self.whole}", self.ensemble_score),
        ]
        known = [(name, _written(value), intervals.get(name, "")) for name, value in rows if value is not None]
        return "\n".join(aligned(known, right=frozenset({1})))

    def _intervals(self) -> dict[str, str]:
        """Return the 95 % intervals of the disagreement and of R², as far as there are samples enough."""
        overall = next((one for one in self.agreements if one.of == "all" and one.n_samples), None)
        if overall is None or not np.isfinite(overall.high):
            return {}
        first, of_r2 = f"disagreement with the {self.whole}", f"R² to the {self.whole}"
        if self.r2 is None:
            return {first: _interval(1 - overall.high, 1 - overall.low)}
        found = {first: _interval(overall.low, overall.high)}
        if self.r2 < 1 and overall.value > 0:  # not if the ensemble's values are all the same
            as_r2 = overall.as_r2(overall.value / (1 - self.r2))
            found[of_r2] = _interval(as_r2.low, as_r2.high)
        return found


def _interval(low: float, high: float) -> str:
    return f"(95 % interval: {_written(low)} to {_written(high)})"


def _written(value: float) -> str:
    """Format a number with four decimals, unless it is too small or too large for them."""
    return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e4 or np.isnan(value) else format_number(value)


def represented_trees(rules: Rules, model: Any, by: Literal["condition", "path"] = "condition") -> float:
    """Return the share of the ensemble's trees that the rules represent.

    By condition: the rules contain at least one of the tree's conditions, side included. By path: they contain at least
    one of its root-to-leaf paths.
    """
    if by not in ("condition", "path"):
        raise InvalidParameterError(f"by must be 'condition' or 'path'; got {by!r}.")
    _check_rules(rules)
    return _represented(rules, make_pool(read_forest(model), "leaves"), by)


def feature_f1(rules: Rules, model: Any, X: Any = None, top: float = TOP) -> float:
    """Return the F1 score between the features of the rules and those that matter most to the ensemble.

    With L the features in conditions (and linear terms) of the rules and E the most important features of the
    ensemble, F1 = 2 |L ∩ E| / (|L| + |E|); 1 if both are empty. E has ⌊top · n⌋ of the ensemble's n features, but at
    least one. Ties go to the first column; features of importance 0 are never in E.

    Parameters
    ----------
    rules : RuleList or WeightedRules
    model : estimator, pipeline, booster, path, Forest, or list of them
    X : array or data frame, optional
        Samples for ensembles without importances of their own: see
        :func:`hedgerow.evidence.importances.ensemble_importances`.
    top : float
        The share of the features.
    """
    _check_rules(rules)
    if not isinstance(top, Real) or not 0 <= top <= 1:
        raise InvalidParameterError(f"top must be a share of the features, between 0 and 1; got {top!r}.")
    return _f1(rules, ensemble_importances(model, X), top)


def importance_correlation(rules: Rules, model: Any, X: Any = None) -> float:
    """Return Kendall's tau between the feature importances in the rules and in the ensemble.

    It is computed over all features of the ensemble; features that the rules do not use have importance 0 there. Ties
    are accounted for (tau-b). NaN if all features are equally important in one of the two.

    Parameters
    ----------
    rules : RuleList or WeightedRules
        See their ``feature_importances``.
    model, X :
        As in :func:`feature_f1`.
    """
    _check_rules(rules)
    return _tau(rules, ensemble_importances(model, X))


def disagreement(rules: Rules, model: Any, X: Any) -> float:
    """Return how far the predictions of the rules are from the ensemble's.

    The share of samples with different labels, or the mean squared difference of values.
    """
    _check_rules(rules)
    forest = read_forest(model)
    _check_same_task(rules, forest)
    return forest.task.disagreement(rules.predict(X), forest.predictions(X))


def ensemble_score(model: Any, X: Any, y: Any) -> float:
    """Return the accuracy or R² of an ensemble."""
    forest = read_forest(model)
    return forest.task.score(y, forest.predictions(X))


def summarize(
    rules: Rules,
    model: Any,
    X: Any,
    y: Any = None,
    forest: Forest | None = None,
    seen: Evaluation | WeightedEvaluation | None = None,
    said: tuple[AnyArray, FloatArray | None] | None = None,
    whole: str = "ensemble",
) -> Fidelity:
    """Return all measures at once, with ``y`` also the scores.

    ``forest`` is the model's, if already read; ``seen`` what the rules make of ``X``, if already evaluated; ``said``
    what the model predicts (:func:`hedgerow.pipeline.asking.predictions_of`), if already asked. A model without trees
    that can be read is compared by its predictions alone. ``whole`` is what the summary calls it.
    """
    _check_rules(rules)
    forest = forest_of(model) if forest is None else forest
    if forest is not None:
        _check_same_task(rules, forest)
    seen = rules.evaluate(X) if seen is None else seen
    expected, of_model = predictions_of(model, forest, rules.task, X) if said is None else said
    answers = AnswerSums(rules.task)
    answers.add(Answers(seen, expected, of_model))
    found = _in_all(rules, model, X, forest, answers, whole)
    if y is None:
        return found
    score = rules.task.score
    return replace(found, score=score(y, seen.predictions), ensemble_score=score(y, expected))


def summarize_in_chunks(
    rules: RuleList,
    model: Any,
    source: Source,
    forest: Forest | None = None,
    *,
    n_jobs: int | None = None,
    whole: str = "ensemble",
) -> Fidelity:
    """Return all measures for the rows of a source, which takes one pass; with targets, also the scores."""
    forest = forest_of(model) if forest is None else forest
    answers = answers_in_chunks(rules, model, forest, source, n_jobs)
    return _in_all(rules, model, None, forest, answers, whole)


def _in_all(rules: Rules, model: Any, X: Any, forest: Forest | None, answers: AnswerSums, whole: str) -> Fidelity:
    """Return all measures from what rules and model answer."""
    is_list = isinstance(rules, RuleList)
    found = Fidelity(
        disagreement=answers.disagreement,
        trees_by_condition=None,
        trees_by_path=None,
        uncovered=answers.share("uncovered"),
        overlapping=answers.share("overlapping"),
        score=answers.score("rules"),
        ensemble_score=answers.score("model"),
        r2=answers.r2,
        brier=answers.mean("brier"),
        divergence=answers.mean("divergence"),
        agreements=answers.agreements if is_list else (),
        whole=whole,
    )
    if forest is None:
        return found
    pool, importances = make_pool(forest, "leaves"), ensemble_importances(model, X, forest)
    return replace(
        found,
        trees_by_condition=_represented(rules, pool, "condition"),
        trees_by_path=_represented(rules, pool, "path"),
        feature_f1=_f1(rules, importances, TOP),
        importance_correlation=_tau(rules, importances),
    )


def _check_rules(rules: Any) -> None:
    if not isinstance(rules, Rules):
        raise InvalidParameterError(
            "rules must be a rule list or weighted rules, such as the rule_list_ or weighted_rules_ of a fitted "
            f"estimator; got {type(rules).__qualname__}."
        )


def _check_same_task(rules: Rules, forest: Forest) -> None:
    if rules.task.has_labels != forest.task.has_labels:
        kinds = ("labels", "values") if rules.task.has_labels else ("values", "labels")
        raise InvalidParameterError(
            f"The rules predict {kinds[0]} and the model {kinds[1]}; only predictions of one kind can be compared."
        )


def _f1(rules: Rules, importances: Importances, top: float) -> float:
    used, importances = set(_in_rules(rules)), _settled(importances)
    n_top = max(1, int(np.floor(top * len(importances) + 1e-9)))  # so that 0.29 of 100 is 29
    ranked = sorted(importances, key=lambda source: -importances[source])  # stable: ties go to the first column
    matter = {source for source in ranked[:n_top] if importances[source] > 0}
    return 2 * len(used & matter) / (len(used) + len(matter)) if used or matter else 1.0


def _tau(rules: Rules, importances: Importances) -> float:
    listed, importances = _settled(_in_rules(rules)), _settled(importances)
    known = [*importances, *(source for source in listed if source not in importances)]
    here, there = ([of.get(source, 0.0) for source in known] for of in (listed, importances))
    if len(set(here)) < 2 or len(set(there)) < 2:
        return float("nan")
    return float(kendalltau(here, there).statistic)


def _in_rules(rules: Rules) -> Importances:
    return {feature.source: amount for feature, amount in rules.feature_importances().items()}


def _settled(importances: Importances) -> Importances:
    """Return importances relative to the largest, rounded so that the order of summation makes no difference."""
    largest = max(importances.values(), default=0.0)
    return {source: round(amount / largest, 12) if largest > 0 else 0.0 for source, amount in importances.items()}


def _represented(rules: Rules, pool: RulePool, by: Literal["condition", "path"]) -> float:
    numbers = _numbers(pool.forest)
    if by == "condition":
        rule, branch, is_left, _ = pool.conditions
        found = np.zeros(len(rule), dtype=bool)
        for condition in {condition for listed in rules for condition in listed.conditions}:
            found |= _equal(pool, numbers, condition, branch, is_left)
        trees = pool.tree[rule[found]]
    else:
        found = np.zeros(len(pool), dtype=bool)
        for path in {listed.conditions for listed in rules}:
            found |= _has_path(pool, numbers, path)
        trees = pool.tree[found]
    return len(np.unique(trees)) / pool.forest.n_trees


def _numbers(forest: Forest) -> dict[Feature, list[int]]:
    """Return the feature numbers in the trees of each feature, whatever its name.

    A library may change the names of columns, and a forest may be trained without any.
    """
    numbers: dict[Feature, list[int]] = {}
    for number, feature in enumerate(forest.features):
        numbers.setdefault(_nameless(feature), []).append(number)
    return numbers


def _nameless(feature: Any) -> Feature:
    named = any(field.name == "name" for field in fields(feature))
    return replace(feature, name="") if named else feature


def _equal(
    pool: RulePool, numbers: dict[Feature, list[int]], condition: Condition, branch: IntArray, is_left: BoolArray
) -> BoolArray:
    """Return a boolean mask of the (branch node, side) pairs that are this condition.

    The side of missing values does not count: a condition in the paper is a split and a side.
    """
    nodes = pool.forest.nodes
    same: BoolArray = np.isin(nodes.feature[branch], numbers.get(_nameless(condition.feature), []))
    if condition.categories is not None:
        same &= nodes.category[branch] >= 0
        for i in np.flatnonzero(same):
            same[i] = pool.condition(int(branch[i]), bool(is_left[i])).categories == condition.categories
        return same
    goes_left = condition.lower == -np.inf
    threshold = condition.upper if goes_left else condition.lower
    same &= (nodes.category[branch] < 0) & (nodes.threshold[branch] == threshold) & (is_left == goes_left)
    return same


def _has_path(pool: RulePool, numbers: dict[Feature, list[int]], path: tuple[Condition, ...]) -> BoolArray:
    """Return a boolean mask of the rules in the pool that are exactly this path, condition by condition."""
    rule, branch, is_left, position = pool.conditions
    n_equal = np.zeros(len(pool), dtype=np.int64)
    for k, condition in enumerate(path):
        at = position == k
        n_equal += np.bincount(rule[at][_equal(pool, numbers, condition, branch[at], is_left[at])], minlength=len(pool))
    return (n_equal == len(path)) & (pool.n_conditions == len(path))
