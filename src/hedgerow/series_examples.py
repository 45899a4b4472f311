"""What the rules of a list see in time series: the data behind the picture of its shapelets and intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.features.series import series_of
from hedgerow.features.shapelet_metrics import is_level, is_scaled
from hedgerow.rule import format_number, format_value
from hedgerow.rule_list import RuleList

SeriesFeature = ShapeletDistance | IntervalStatistic


@dataclass(frozen=True)
class Example:
    """A series, and what a feature finds in it.

    Attributes
    ----------
    series : float array
        The dimension that the feature looks at.
    start : int
        Where the stretch begins that matches best, or the interval.
    found : float array
        What to draw there: the shapelet, or the line that the statistic stands for.
    is_interval : bool
        Whether the stretch is the same in every series.
    spread : float
        How far the values of the interval are from that line, if the statistic is about that.
    verdict : str
        The value of the feature between the nearest thresholds: ``dist 0.31 <= 0.44``.
    """

    series: FloatArray
    start: int
    found: FloatArray
    is_interval: bool
    spread: float
    verdict: str


@dataclass(frozen=True)
class SeriesExamples:
    """A typical series of each class for each feature.

    Attributes
    ----------
    labels : tuple of str
        What is said of each feature: its name, its dimension, the rules that use it.
    groups : tuple of (str, int)
        The name of each class, and its number among the classes of the list.
    rows : tuple of tuples of Example
        A row a feature, an example a class.
    note : str
        What there was no room for.
    """

    labels: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    rows: tuple[tuple[Example, ...], ...]
    note: str

    @classmethod
    def of(
        cls,
        rule_list: RuleList,
        X: Any,
        y: Any = None,
        features: Sequence[SeriesFeature | str] | None = None,
        room: tuple[int, int] = (6, 6),
    ) -> SeriesExamples:
        """Take the series whose value is the median of its class; at most ``room`` features and classes."""
        wanted = _wanted(rule_list, features)
        shown = wanted[: room[0]]
        values = replace(rule_list.inputs, features=tuple(shown)).matrix(X)
        if not len(values):
            raise InvalidDataError("X has no series; at least one is needed.")
        groups = _groups(rule_list, X, y, len(values))
        largest = sorted(groups, key=lambda group: -len(group[2]))[: room[1]]
        drawn = [group for group in groups if any(group is one for one in largest)]
        rows = tuple(
            tuple(_example(rule_list, feature, X, _median(rows, column)) for _, _, rows in drawn)
            for feature, column in zip(shown, values.T, strict=True)
        )
        missed = [name for name, _, _ in groups if name not in {name for name, _, _ in drawn}]
        note = _note([feature.name for feature in wanted[room[0] :]], missed)
        labels = tuple(_label(rule_list, feature) for feature in shown)
        return cls(labels, tuple((name, number) for name, number, _ in drawn), rows, note)


def _wanted(rule_list: RuleList, features: Sequence[SeriesFeature | str] | None) -> list[SeriesFeature]:
    conditions = (condition for rule in rule_list for condition in rule.simplified)
    used = [c.feature for c in conditions if isinstance(c.feature, ShapeletDistance | IntervalStatistic)]
    known: dict[Any, SeriesFeature] = {feature: feature for feature in used}
    if not known:
        raise InvalidParameterError(
            "No rule of the list looks at a shapelet or an interval of a series, so there is nothing to draw over one. "
            "hedgerow.plotting.plot_tree draws any list."
        )
    if features is None:
        return list(known.values())
    known |= {feature.name: feature for feature in used}
    for feature in features:
        if feature not in known:
            name = feature if isinstance(feature, str) else feature.name
            raise InvalidParameterError(
                f"No rule of the list looks at {name}. The rules use: {', '.join(dict.fromkeys(f.name for f in used))}."
            )
    return [known[feature] for feature in features]


def _groups(rule_list: RuleList, X: Any, y: Any, n_series: int) -> list[tuple[str, int, AnyArray]]:
    """Return the name of each class, its number, and the positions of its series."""
    answers = rule_list.predict(X) if y is None else np.asarray(y)
    if answers.shape != (n_series,):
        raise InvalidDataError(f"y has the shape {answers.shape}, but X has {n_series} series; give one label each.")
    if rule_list.classes is None:
        middle = float(np.median(answers))
        word = "answer" if y is None else "y"
        halves = [
            (f"{word} {sign} {format_number(middle)}", np.flatnonzero((answers > middle) == (sign == ">")))
            for sign in ("<=", ">")
        ]
        return [(name, i, rows) for i, (name, rows) in enumerate(halves) if len(rows)]
    numbers = {label: i for i, label in enumerate(rule_list.classes.tolist())}
    return [
        (f"class {format_value(label)}", numbers.setdefault(label, len(numbers)), np.flatnonzero(answers == label))
        for label in np.unique(answers).tolist()
    ]


def _median(rows: AnyArray, values: FloatArray) -> int:
    """Return the one of some rows whose value is their median, the lower of two."""
    order = np.argsort(values[rows], kind="stable")
    return int(rows[order[(len(rows) - 1) // 2]])


def _example(rule_list: RuleList, feature: SeriesFeature, X: Any, row: int) -> Example:
    one = np.asarray(X, dtype=np.float64)[row : row + 1]
    series = series_of(one, feature.dimension)[0]
    if isinstance(feature, ShapeletDistance):
        distances, starts = feature.match(one)
        start = int(starts[0])
        found = _fitted(feature, series[start : start + len(feature.shapelet)])
        return Example(series, start, found, False, 0.0, _verdict(rule_list, feature, "dist", float(distances[0])))
    part = series[feature.start : feature.end]
    steps = np.arange(len(part)) - (len(part) - 1) / 2
    value = float(feature.compute(one)[0])
    spread = float(part.std()) if feature.statistic in ("std", "variance") else 0.0
    found = part.mean() + (value * steps if feature.statistic == "slope" else 0 * steps)
    return Example(series, feature.start, found, True, spread, _verdict(rule_list, feature, feature.statistic, value))


def _fitted(feature: ShapeletDistance, stretch: FloatArray) -> FloatArray:
    """Return the shapelet as it was compared with the stretch: moved and scaled to it where the metric ignores that."""
    shapelet = np.array(feature.shapelet)
    if not is_level(feature.metric):
        return shapelet
    size = stretch.std() / (shapelet.std() or 1.0) if is_scaled(feature.metric) else 1.0
    fitted: FloatArray = stretch.mean() + size * (shapelet - shapelet.mean())
    return fitted


def _verdict(rule_list: RuleList, feature: SeriesFeature, word: str, value: float) -> str:
    """Say between which thresholds of the rules a value lies, with as many digits as that needs."""
    ends = {end for rule in rule_list for c in rule.conditions if c.feature == feature for end in (c.lower, c.upper)}
    thresholds = sorted(end for end in ends if np.isfinite(end))
    below = [t for t in thresholds if t < value][-1:]
    above = [t for t in thresholds if t >= value][:1]
    digits = rule_list.digits
    while digits < 17 and below and format_number(value, digits) == format_number(below[0], digits):
        digits += 1
    middle = f"{word} {format_number(value, digits)}"
    lower, upper = ([format_number(t, digits) for t in side] for side in (below, above))
    if not upper:
        return f"{middle} > {lower[0]}" if lower else middle
    return " ".join([*(f"{t} <" for t in lower), middle, f"<= {upper[0]}"])


def _label(rule_list: RuleList, feature: SeriesFeature) -> str:
    users = [i for i, rule in enumerate(rule_list, start=1) if feature in {c.feature for c in rule.conditions}]
    lines = [feature.name, f"rule{'s' * (len(users) > 1)} {_some(map(str, users))}"]
    if isinstance(rule_list.inputs, SeriesInputs) and rule_list.inputs.n_dimensions > 1:
        lines.insert(1, f"dimension {feature.dimension}")
    return "\n".join(lines)


def _note(features: Sequence[str], classes: Sequence[str]) -> str:
    parts = [f"{len(features)} more of the rules' features ({_some(features)})"] if features else []
    parts += [f"{len(classes)} of the classes, the smallest ({_some(classes)})"] if classes else []
    return f"Not drawn: {' and '.join(parts)}." if parts else ""


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed if len(listed) <= 6 else [*listed[:5], "..."])
