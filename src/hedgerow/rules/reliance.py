"""How much the predictions of a list rely on each feature.

The reliance on a feature is by how much the score drops on average if its values are shuffled among the samples: each
sample gets the value of another one, drawn at random, and keeps its other values. Nothing is drawn here. A list only
asks which conditions a value satisfies, so values that satisfy the same conditions are looked at together, and the mean
over all pairs of samples is exact. It is what the permutation importance of scikit-learn approaches with more and more
repetitions, and the model reliance of Fisher, Rudin and Dominici (2019), as a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.equal_rows import first_equal_rows
from hedgerow.features import Feature
from hedgerow.rules.rule_list import RuleList

#: A smaller drop is a rounding error.
_ROUNDING = 1e-12


def reliances(
    rule_list: RuleList, values_of: Callable[[Feature], AnyArray], y: AnyArray, weight: FloatArray
) -> dict[Feature, float]:
    """Return by how much the score drops for each feature that a rule looks at; a column counts as one feature.

    Where no rule matches, the default is predicted, even if the list would ask its ensemble there.

    Parameters
    ----------
    rule_list : RuleList
    values_of : callable
        Returns the values of a feature, one per sample.
    y : array
        What should be predicted.
    weight : float array
        How much each sample counts.
    """
    said = [rule.prediction for rule in (*rule_list, rule_list.default)]
    parts = rule_list.task.parts_of_score(y, rule_list.task.pick(said, np.arange(len(said))), weight)
    samples = np.arange(len(y))

    def score(matches: BoolArray) -> float:
        return float(parts[_first(matches), samples].sum())

    found = {}
    for features in _by_source(rule_list).values():
        mine, others = _matches(rule_list, values_of, features, len(y))
        shuffled = sum(share * score(others & pattern[:, None]) for pattern, share in _patterns(mine, weight))
        drop = score(mine & others) - shuffled
        found[features[0]] = drop if abs(drop) > _ROUNDING else 0.0
    return found


def _by_source(rule_list: RuleList) -> dict[Hashable, list[Feature]]:
    """Return the features that rules look at, those of the same column together."""
    found: dict[Hashable, list[Feature]] = {}
    for rule in rule_list:
        for condition in rule.simplified:
            known = found.setdefault(condition.feature.source, [])
            if condition.feature not in known:
                known.append(condition.feature)
    return found


def _matches(
    rule_list: RuleList, values_of: Callable[[Feature], AnyArray], features: list[Feature], n_samples: int
) -> tuple[BoolArray, BoolArray]:
    """Return which samples satisfy each rule's conditions on some features, and which those on all others."""
    mine, others = np.ones((2, len(rule_list), n_samples), dtype=bool)
    for i, rule in enumerate(rule_list):
        for condition in rule.simplified:
            of = mine if condition.feature in features else others
            of[i] &= condition.holds(values_of(condition.feature))
    return mine, others


def _patterns(matches: BoolArray, weight: FloatArray) -> Iterator[tuple[BoolArray, float]]:
    """Yield which rules the values of samples allow, with the share of these samples."""
    asking = ~matches.all(axis=1)
    first = first_equal_rows(matches[asking].T)
    weights = np.bincount(first, weight)
    for sample in np.flatnonzero(weights):
        yield matches[:, sample], float(weights[sample] / weight.sum())


def _first(matches: BoolArray) -> IntArray:
    """Return the first rule that each sample satisfies; one more than the last if none does."""
    return np.where(matches.any(axis=0), matches.argmax(axis=0), len(matches))
