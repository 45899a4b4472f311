"""A card for each rule: the samples it is the first to match, their targets, and their values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, ValueArray
from hedgerow.exporters.html.report.quality import Histogram
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Feature
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value, printable

#: A card shows at most this many features, those of its own rule first.
_MOST_FEATURES = 8
_MOST_VALUES = 4
#: The quantiles at the ends of a feature's scale, so that an outlier does not squeeze the rest.
_ENDS = (0.005, 0.995)
_QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)


@dataclass(frozen=True)
class Range:
    """Where the values of a feature lie.

    Attributes
    ----------
    name : str
    is_asked : bool
        Whether the rule has a condition on the feature.
    quantiles : tuple of float
        The minimum, the 5 %, 50 % and 95 % quantiles, and the maximum over the samples of the rule.
    scale : pair of float
        Nearly the minimum and the maximum over all samples.
    values : tuple of (str, float)
        For a categorical feature, the most frequent values and their shares; then there are no quantiles.
    missing : float
        The share of missing values.
    """

    name: str
    is_asked: bool
    quantiles: tuple[float, ...] = ()
    scale: tuple[float, float] = (0.0, 1.0)
    values: tuple[tuple[str, float], ...] = ()
    missing: float = 0.0


@dataclass(frozen=True)
class Card:
    """A rule and the samples that it is the first to match.

    Attributes
    ----------
    number : int
        The place of the rule in the list, from 1.
    n_samples : int
        Number of these samples.
    share : float
        Their share of the samples given.
    classes : tuple of float
        The share of each class among them; among the rule's training samples if there are no targets.
    targets : Histogram or None
        For regression, unless no values are to be shown.
    ranges : tuple of Range
        Empty if no values of samples are to be shown.
    """

    number: int
    n_samples: int
    share: float
    classes: tuple[float, ...]
    targets: Histogram | None
    ranges: tuple[Range, ...]


def make_cards(rule_list: RuleList, samples: Samples, show_values: bool = True) -> tuple[Card, ...]:
    """Return one card per rule; without values, it counts samples and targets only."""
    return tuple(_card(rule_list, i, samples, show_values) for i in range(len(rule_list)))


def _card(rule_list: RuleList, i: int, samples: Samples, show_values: bool) -> Card:
    y, mine = samples.y, samples.seen.fired == i
    asked = [condition.feature for condition in rule_list[i].simplified]
    used = (condition.feature for rule in rule_list for condition in rule.simplified)
    # The values of a rule with a single sample are that sample.
    shown = list(dict.fromkeys([*asked, *used]))[:_MOST_FEATURES] if show_values else []
    targets, n_samples = None, int(mine.sum())
    if not rule_list.task.has_labels and y is not None and show_values:
        targets = Histogram.of(y[mine], extent=(float(y.min()), float(y.max())))
    return Card(
        number=i + 1,
        n_samples=n_samples,
        share=n_samples / max(1, len(mine)),
        classes=_class_shares(rule_list, i, None if y is None else y[mine]),
        targets=targets,
        ranges=tuple(_range(feature, samples.seen.values[feature], mine, feature in asked) for feature in shown),
    )


def _class_shares(rule_list: RuleList, i: int, y: AnyArray | None) -> tuple[float, ...]:
    if y is None or not len(y):
        return rule_list[i].distribution or ()
    return tuple(float(np.mean(y == label)) for label in rule_list.task.labels)


def _range(feature: Feature, values: ValueArray, mine: BoolArray, is_asked: bool) -> Range:
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
    # No interpolation: a value that is shown was observed.
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
