"""The shapelets and intervals of a list, on typical time series."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Inputs, SeriesFeature
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.series_examples import SeriesExamples
from hedgerow.rules.wording import printable

_MOST_CLASSES = 6


@dataclass(frozen=True)
class SeriesPictures:
    """The shapelets of a list by name and, if there are samples, each feature on a typical series of each class.

    ``counting`` says how dimensions and steps are counted, if rules mention any.
    """

    counting: str
    shapelets: tuple[tuple[str, tuple[float, ...]], ...]
    examples: SeriesExamples | None


def make_pictures(rule_list: RuleList, samples: Samples | None) -> SeriesPictures | None:
    """Return what to draw, or None if the list is not about series."""
    if not rule_list.inputs.of_series:
        return None
    conditions = (condition for rule in rule_list for condition in rule.simplified)
    used = dict.fromkeys(c.feature for c in conditions if isinstance(c.feature, SeriesFeature))
    if not used:
        return None
    shapelets = tuple((printable(feature.name), feature.curve) for feature in used if feature.curve)
    has_intervals = any(feature.names_steps for feature in used)
    examples = None
    if samples is not None:
        examples = SeriesExamples.of(rule_list, samples.seen, samples.y, room=(None, _MOST_CLASSES))
    return SeriesPictures(_counting(rule_list.inputs, has_intervals), shapelets, examples)


def _counting(inputs: Inputs, has_intervals: bool) -> str:
    named = ["Dimensions"] * (len(inputs.names) > 1) + ["steps"] * has_intervals
    if not named:
        return ""
    end = "; the step after the colon is not part of the interval" if has_intervals else ""
    return f"{' and '.join(named).capitalize()} of a series are counted from 0{end}."
