"""Thresholds that are easier to read, and that no training sample tells from the ones they replace.

A threshold may lie anywhere between the next values below and above it in the training data. All thresholds of a list
that lie in the same gap become one number, so that rules that met before still meet, and none are ever swapped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import ValueArray
from hedgerow._support.rounding import n_digits
from hedgerow.features import Feature
from hedgerow.rules.condition import LARGEST, Condition
from hedgerow.rules.rule import Rule
from hedgerow.rules.wording import format_bound, is_next_to_zero

#: The training values next to a threshold: the highest that is not above it, and the lowest that is; or infinity.
Gap = tuple[float, float]
#: The gap around a threshold of a feature.
GapOf = Callable[[Feature, float], Gap]


def rounded_rules(
    rules: Collection[Rule], gap_of: GapOf, dtype: Any, written: Collection[Rule] = ()
) -> tuple[Rule, ...]:
    """Return the rules with rounded thresholds, the same for all rules.

    ``dtype`` is the precision in which values are compared, and the gaps are known. The thresholds of the rules that
    are ``written`` by someone stay as they are.
    """
    moved = _moved(rules, lambda feature, t: _of_doubles(gap_of(feature, t), dtype), frozenset(_thresholds(written)))

    def rounded(condition: Condition) -> Condition:
        lower, upper = (moved.get((condition.feature, t), t) for t in (condition.lower, condition.upper))
        return replace(condition, lower=lower, upper=upper)

    return tuple(replace(rule, conditions=tuple(map(rounded, rule.conditions))) for rule in rules)


def gap_in(values: ValueArray, threshold: float) -> Gap:
    """Return the gap around a threshold in the values of some samples."""
    known = values[np.isfinite(values)].astype(np.float64)
    is_above = known > threshold
    return float(known[~is_above].max(initial=-np.inf)), float(known[is_above].min(initial=np.inf))


def _of_doubles(gap: Gap, dtype: Any) -> Gap:
    """Return the part of a gap that is below all doubles which become its upper end in a lower precision."""
    low, high = gap
    if dtype is np.float64 or math.isinf(high):
        return gap
    return low, float(np.nextafter(dtype(high), dtype(-np.inf))) / 2 + high / 2


def _moved(
    rules: Collection[Rule], gap_of: GapOf, written: frozenset[tuple[Feature, float]]
) -> dict[tuple[Feature, float], float]:
    """Return the number for each threshold: a round one or, if one in the same gap is written, that one."""
    gaps: dict[tuple[Feature, Gap], set[float]] = {}
    for feature, threshold in _thresholds(rules):
        gaps.setdefault((feature, gap_of(feature, threshold)), set()).add(threshold)
    return {
        (feature, threshold): number
        for (feature, gap), thresholds in gaps.items()
        for kept in [{threshold for threshold in thresholds if (feature, threshold) in written}]
        if len(kept) < 2  # of several that are written, none moves, and none that may lie between them
        for number in [min(kept) if kept else _number(feature, gap, thresholds)]
        for threshold in thresholds
    }


def _thresholds(rules: Collection[Rule]) -> Iterator[tuple[Feature, float]]:
    """Yield the thresholds of all rules, but those that only separate missing values, or zero."""
    for rule in rules:
        for condition in rule.conditions:
            for threshold in (condition.lower, condition.upper):
                if abs(threshold) < LARGEST and not is_next_to_zero(abs(threshold)):
                    yield condition.feature, threshold


def _number(feature: Feature, gap: Gap, thresholds: set[float]) -> float:
    """Return the number for all thresholds in a gap."""
    lowest, highest = min(thresholds), max(thresholds)
    near = lowest / 2 + highest / 2 if lowest < highest else lowest
    low, high = gap
    if math.isinf(low) and math.isinf(high):
        return near
    # Beyond all samples, it may move as far as it may the other way.
    low = near - (high - near) if math.isinf(low) else low
    high = near + (near - low) if math.isinf(high) else high
    if not low <= near < high:  # next to a number of lower precision
        return near
    number = feature.roundest(low, high, near)
    # "x < 3" is as round as "x <= 3": a number just below a round one stays as it is.
    text, excluded = format_bound(near)
    if excluded and float(np.nextafter(np.float32(near), np.float32(np.inf))) == float(text):
        return near if n_digits(float(text)) <= n_digits(number) else number
    return number
