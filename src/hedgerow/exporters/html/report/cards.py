"""What is known of each rule: the samples it answers, their targets, and where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow.exporters.html.report.quality import Histogram
from hedgerow.features import Feature
from hedgerow.rules.rule import format_value, printable
from hedgerow.rules.rule_list import RuleList

#: So many features are shown beside a rule, its own first.
_MOST_FEATURES = 8
_MOST_VALUES = 4
#: The ends of the scale that a feature is drawn on, so that one far value does not squeeze all others.
_ENDS = (0.005, 0.995)
_QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)


@dataclass(frozen=True)
class Range:
    """Where the values of a feature lie.

    Attributes
    ----------
    name : str
    is_asked : bool
        Whether the rule has a condition on it.
    quantiles : tuple of float
        The least value, the quantiles 5 %, 50 % and 95 %, and the largest, of the samples that the rule answers.
    scale : pair of float
        Nearly the least and the largest value of all samples.
    values : tuple of (str, float)
        Of a feature with categories, the most frequent ones and their shares; then there are no quantiles.
    missing : float
        The share without a value.
    """

    name: str
    is_asked: bool
    quantiles: tuple[float, ...] = ()
    scale: tuple[float, float] = (0.0, 1.0)
    values: tuple[tuple[str, float], ...] = ()
    missing: float = 0.0


@dataclass(frozen=True)
class Card:
    """A rule and the samples that it is the first to cover.

    Attributes
    ----------
    number : int
    n_samples : int
        How many of the given samples it answers.
    share : float
        Their share of those given.
    classes : tuple of float
        The share of each class; by the targets if they are given, else as the rule was trained.
    targets : Histogram or None
        Of the targets, for numbers.
    ranges : tuple of Range
    """

    number: int
    n_samples: int
    share: float
    classes: tuple[float, ...]
    targets: Histogram | None
    ranges: tuple[Range, ...]


def make_cards(rule_list: RuleList, X: Any, y: AnyArray | None) -> tuple[Card, ...]:
    """Return a card for each rule, by these samples."""
    fired = rule_list.apply(X)
    used = list({condition.feature: None for rule in rule_list for condition in rule.simplified})
    values = rule_list.inputs.values(X, used)
    return tuple(_card(rule_list, i, fired == i, values, y) for i in range(len(rule_list)))


def _card(rule_list: RuleList, i: int, mine: BoolArray, values: dict[Feature, FloatArray], y: AnyArray | None) -> Card:
    asked = [condition.feature for condition in rule_list[i].simplified]
    shown = [*asked, *(feature for feature in values if feature not in asked)][:_MOST_FEATURES]
    targets, n_samples = None, int(mine.sum())
    if rule_list.classes is None and y is not None:
        targets = Histogram.of(y[mine], extent=(float(y.min()), float(y.max())))
    return Card(
        number=i + 1,
        n_samples=n_samples,
        share=n_samples / max(1, len(mine)),
        classes=_class_shares(rule_list, i, None if y is None else y[mine]),
        targets=targets,
        ranges=tuple(_range(feature, values[feature], mine, feature in asked) for feature in shown),
    )


def _class_shares(rule_list: RuleList, i: int, y: AnyArray | None) -> tuple[float, ...]:
    if rule_list.classes is None:
        return ()
    if y is None or not len(y):
        return rule_list[i].distribution or ()
    return tuple(float(np.mean(y == label)) for label in rule_list.classes)


def _range(feature: Feature, values: FloatArray, mine: BoolArray, is_asked: bool) -> Range:
    all_known = values[~np.isnan(values)]
    here = values[mine]
    known = here[~np.isnan(here)].astype(np.float64)
    missing = 1 - len(known) / len(here) if len(here) else 0.0
    name = printable(feature.name)
    if feature.levels is not None:
        return Range(name, is_asked, values=_frequent(feature, known), missing=missing)
    if not len(known):
        return Range(name, is_asked, missing=missing)
    scale = np.quantile(all_known.astype(np.float64), _ENDS)
    # Not between two values: what is written was seen.
    quantiles = np.quantile(known, _QUANTILES, method="nearest")
    return Range(name, is_asked, tuple(quantiles.tolist()), (float(scale[0]), float(scale[1])), missing=missing)


def _frequent(feature: Feature, codes: FloatArray) -> tuple[tuple[str, float], ...]:
    counts = np.bincount(codes.astype(np.int64), minlength=feature.n_codes)
    names = [*(format_value(value) for value in feature.levels or ()), "other"]
    order = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code]]
    shares = [(names[code], float(counts[code] / len(codes))) for code in order]
    if len(shares) > _MOST_VALUES + 1:
        rest = shares[_MOST_VALUES:]
        shares = [*shares[:_MOST_VALUES], (f"{len(rest)} more", sum(share for _, share in rest))]
    return tuple(shares)
