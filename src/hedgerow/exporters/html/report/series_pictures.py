"""What the rules of a list see in time series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow._support.arrays import AnyArray
from hedgerow.features import IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.rules.rule import printable
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.series_examples import SeriesExamples

_MOST_CLASSES = 6


@dataclass(frozen=True)
class SeriesPictures:
    """The shapelets of a list by name; and, if there are samples, each feature on a typical series of each class.

    ``counting`` says how dimensions and steps are counted, if rules name some.
    """

    counting: str
    shapelets: tuple[tuple[str, tuple[float, ...]], ...]
    examples: SeriesExamples | None


def make_pictures(rule_list: RuleList, X: Any, y: AnyArray | None) -> SeriesPictures | None:
    """Return what to draw, or None if the list is not about series."""
    if not isinstance(rule_list.inputs, SeriesInputs):
        return None
    used = dict.fromkeys(condition.feature for rule in rule_list for condition in rule.simplified)
    if not any(isinstance(feature, ShapeletDistance | IntervalStatistic) for feature in used):
        return None
    shapelets = tuple((printable(f.name), f.shapelet) for f in used if isinstance(f, ShapeletDistance))
    counting = _counting(rule_list.inputs, any(isinstance(feature, IntervalStatistic) for feature in used))
    if X is None or not len(X):
        return SeriesPictures(counting, shapelets, None)
    return SeriesPictures(counting, shapelets, SeriesExamples.of(rule_list, X, y, room=(None, _MOST_CLASSES)))


def _counting(inputs: SeriesInputs, has_intervals: bool) -> str:
    named = ["Dimensions"] * (inputs.n_dimensions > 1) + ["steps"] * has_intervals
    if not named:
        return ""
    end = "; the step after the colon is the first that is not in the interval" if has_intervals else ""
    return f"{' and '.join(named).capitalize()} of a series are counted from 0{end}."
