"""Rounded thresholds for a list and the samples that it was learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from hedgerow._support.arrays import IntArray, ValueArray
from hedgerow.candidates.margins import Gaps
from hedgerow.constraints import Drop, Forbid, Pin, Require, check_constraints, words_of
from hedgerow.features import Feature
from hedgerow.pipeline.experts import read_rules
from hedgerow.pipeline.prepare import Learned
from hedgerow.pipeline.settings import Settings
from hedgerow.rules.in_chunks import look
from hedgerow.rules.rounding import Gap, GapOf, gap_in, rounded_rules
from hedgerow.rules.rule_list import RuleList
from hedgerow.sources.source import Source


def with_round_thresholds(rule_list: RuleList, learned: Learned, settings: Settings) -> RuleList:
    """Return the list with rounded thresholds, also in the words for its constraints; no sample changes its rule.

    The numbers of an expert's rules stay as they were written.
    """
    gap_of = _gaps(learned.forest.features, learned.values, learned.n_samples)
    given = gap_of, rule_list.inputs.dtype, read_rules(settings.extra_rules, learned.forest.inputs)
    rules = rounded_rules(rule_list.rules, *given)
    shown = {frozenset(old.simplified): new for old, new in zip(rule_list.rules, rules, strict=True)}

    def as_shown(constraint: Any) -> Any:
        rule = getattr(constraint, "rule", None)
        if not isinstance(constraint, (Pin, Drop, Forbid, Require)) or rule is None:
            return constraint
        return replace(constraint, rule=shown.get(frozenset(rule.simplified)) or rounded_rules([rule], *given)[0])

    constraints = tuple(words_of(as_shown(one)) for one in check_constraints(settings.constraints))
    return _in_doubles(replace(rule_list, rules=rules, constraints=constraints), learned.samples.X)


def _in_doubles(rule_list: RuleList, X: Any) -> RuleList:
    """Return the list comparing doubles, if that makes no difference to these samples, or the list itself.

    In an exported program, ``x <= 40`` of single precision is a comparison with the largest double that rounds to 40.
    """
    if rule_list.inputs.dtype is np.float64:
        return rule_list
    precise = rule_list.in_doubles()
    return precise if np.array_equal(_fired(precise, X), _fired(rule_list, X)) else rule_list


def _fired(rule_list: RuleList, X: Any) -> IntArray:
    if isinstance(X, Source):
        return look(rule_list, X, "fired")
    return rule_list.apply(X)


def _gaps(features: Sequence[Feature], values: ValueArray | Gaps, n_samples: int) -> GapOf:
    """Return what looks up the gap around a threshold of a forest in the values of its samples."""
    place: dict[Feature, int] = {}
    for k, feature in enumerate(features):
        place.setdefault(feature, k)

    @cache
    def gap_of(feature: Feature, threshold: float) -> Gap:
        if isinstance(values, Gaps):
            return values.around(place[feature], threshold)
        return gap_in(values[:n_samples, place[feature]], threshold)

    return gap_of
