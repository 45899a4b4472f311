"""What the rules of a list find in time series: the data behind the plot of its shapelets and intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, ValueArray
from hedgerow._support.lettering import shorten
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import SeriesFeature
from hedgerow.features.series import Sketch, series_of
from hedgerow.rules.condition import Condition
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number, format_value

#: The name of a class, its number, and the positions of its series.
_Group = tuple[str, int, AnyArray]
#: Which features to draw; None for all.
_Asked = Sequence[SeriesFeature | str] | SeriesFeature | str | None


@dataclass(frozen=True, kw_only=True)
class Example(Sketch):
    """A series, and what a feature finds in it.

    Attributes
    ----------
    series : float array
        The dimension that the feature uses.
    verdict : str
        The value of the feature between the nearest thresholds, both as the list compares and writes them:
        ``dist 0.31 <= 0.44``.
    """

    series: FloatArray
    verdict: str


@dataclass(frozen=True)
class SeriesExamples:
    """A typical series of each class for each feature.

    Attributes
    ----------
    labels : tuple of str
        The name of each feature, its dimension, and the rules that use it.
    groups : tuple of (str, int)
        The name of each class, and its number among the classes of the list.
    rows : tuple of tuples of Example
        One row per feature, one example per class.
    note : str
        What is left out for lack of room.
    """

    labels: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    rows: tuple[tuple[Example, ...], ...]
    note: str

    @classmethod
    def of(
        cls,
        rule_list: RuleList,
        seen: Evaluation,
        y: Any = None,
        features: _Asked = None,
        room: tuple[int | None, int] = (6, 6),
    ) -> SeriesExamples:
        """Find the series with the median value of each class, for at most ``room`` features (None: all) and classes.

        If there are more classes, those predicted by rules with these features come first, in the order of the rules,
        then the largest.
        """
        wanted = _wanted(rule_list, features)
        n_shown = len(wanted) if room[0] is None else room[0]
        shown = wanted[:n_shown]
        if not seen.n_samples:
            raise InvalidDataError("X has no series; at least one is needed.")
        groups = _groups(rule_list, seen, y)
        chosen = _chosen(rule_list, shown, groups, room[1])
        drawn = [group for group in groups if group[1] in chosen]
        rows = tuple(
            tuple(_example(rule_list, feature, seen, _median(rows, seen.values[feature])) for _, _, rows in drawn)
            for feature in shown
        )
        missed = [shorten(name, 40) for name, number, _ in groups if number not in chosen]
        note = _note([feature.name for feature in wanted[n_shown:]], missed)
        labels = tuple(_label(rule_list, feature) for feature in shown)
        return cls(labels, tuple((name, number) for name, number, _ in drawn), rows, note)


def _wanted(rule_list: RuleList, features: _Asked) -> list[SeriesFeature]:
    conditions = (condition for rule in rule_list for condition in rule.simplified)
    used = [c.feature for c in conditions if isinstance(c.feature, SeriesFeature)]
    known: dict[Any, SeriesFeature] = {feature: feature for feature in used}
    if not known:
        raise InvalidParameterError(
            "No rule of the list uses a shapelet or an interval of a series, so there is nothing to draw. "
            "hedgerow.plotting.plot_tree draws any list."
        )
    if features is None:
        return list(known.values())
    possible = f"The rules use: {', '.join(dict.fromkeys(feature.name for feature in used))}."
    known |= {feature.name: feature for feature in used}
    named = [features] if isinstance(features, str | SeriesFeature) else list(features)
    if not named:
        raise InvalidParameterError(f"features is empty; leave it out to draw all. {possible}")
    for feature in named:
        if feature not in known:
            raise InvalidParameterError(f"No rule of the list uses {getattr(feature, 'name', feature)}. {possible}")
    return [known[feature] for feature in named]


def _groups(rule_list: RuleList, seen: Evaluation, y: Any) -> list[_Group]:
    """Return the name of each class, its number, and the positions of its series; for regression, of the two halves."""
    targets = seen.predictions if y is None else np.asarray(y)
    if targets.shape != (seen.n_samples,):
        raise InvalidDataError(
            f"y has shape {targets.shape}, but X has {seen.n_samples} series; give one label per series."
        )
    if not rule_list.task.has_labels:
        return _halves("prediction" if y is None else "y", targets)
    labels = rule_list.task.labels
    numbers = {label: i for i, label in enumerate(labels)}
    unknown = [repr(label) for label in dict.fromkeys(targets.tolist()) if label not in numbers]
    if unknown:
        raise InvalidDataError(
            f"y has labels that are not classes of the list: {_some(unknown)}. The classes are: "
            f"{_some(map(repr, labels))}. Drop such series, or leave y out to group by the list's predictions."
        )
    found = np.array([numbers[label] for label in targets.tolist()])
    return [(f"class {format_value(labels[i])}", i, np.flatnonzero(found == i)) for i in np.unique(found).tolist()]


def _halves(word: str, targets: AnyArray) -> list[_Group]:
    """Divide values at their median."""
    try:
        values = targets.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidDataError(f"The list predicts numbers, so y must be numeric; got {targets.dtype}.") from error
    lost = np.count_nonzero(~np.isfinite(values))
    if lost:
        raise InvalidDataError(f"y is NaN or infinite for {lost} of {len(values)} series; drop these.")
    middle = float(np.median(values))
    sides = (("<=", values <= middle), (">", values > middle))
    halves = [(f"{word} {sign} {format_number(middle)}", np.flatnonzero(side)) for sign, side in sides]
    return [(name, i, rows) for i, (name, rows) in enumerate(halves) if len(rows)]


def _chosen(rule_list: RuleList, shown: list[SeriesFeature], groups: list[_Group], most: int) -> set[int]:
    """Return the numbers of the classes to draw."""
    turns: dict[int, int] = {}
    if rule_list.task.has_labels:
        labels = rule_list.task.labels
        for i, rule in enumerate(rule_list):
            if any(condition.feature in shown for condition in rule.simplified):
                turns.setdefault(labels.index(rule.prediction), i)
    order = sorted(groups, key=lambda group: (turns.get(group[1], len(rule_list)), -len(group[2])))
    return {number for _, number, _ in order[:most]}


def _median(rows: AnyArray, values: ValueArray) -> int:
    """Return the row whose value is the median, the lower one if there are two."""
    order = np.argsort(values[rows], kind="stable")
    return int(rows[order[(len(rows) - 1) // 2]])


def _example(rule_list: RuleList, feature: SeriesFeature, seen: Evaluation, row: int) -> Example:
    one = np.asarray(seen.X, dtype=np.float64)[row : row + 1]
    series = series_of(one, feature.dimension)[0]
    # As the list compares it: computed from X in the precision of X, and rounded to that of the list.
    value = float(seen.values[feature][row])
    verdict = _verdict(rule_list, feature, value)
    return Example(**vars(feature.sketch(series, value)), series=series, verdict=verdict)


def _verdict(rule_list: RuleList, feature: SeriesFeature, value: float) -> str:
    """Write a value between the nearest thresholds of the rules, with enough digits for what is written to be true."""
    conditions = [c for rule in rule_list for c in rule.simplified if c.feature == feature]
    thresholds = {end for c in conditions for end in (c.lower, c.upper) if np.isfinite(end)}
    lower = max((t for t in thresholds if t < value), default=-np.inf)
    upper = min((t for t in thresholds if t >= value), default=np.inf)
    condition = Condition(feature, lower, upper)
    written = condition.written(rule_list.digits)
    written_values = [format_number(value, digits) for digits in range(rule_list.digits, 18)]
    shown = next((text for text in written_values if written.hold(float(text))), written_values[-1])
    return replace(condition, feature=feature.with_name(f"{feature.word} {shown}")).describe(rule_list.digits)


def _label(rule_list: RuleList, feature: SeriesFeature) -> str:
    users = [i for i, rule in enumerate(rule_list, start=1) if feature in {c.feature for c in rule.conditions}]
    lines = [feature.name, f"rule{'s' * (len(users) > 1)} {_some(map(str, users))}"]
    if len(rule_list.inputs.names) > 1:
        lines.insert(1, f"dimension {feature.dimension}")
    return "\n".join(lines)


def _note(features: Sequence[str], classes: Sequence[str]) -> str:
    parts = [f"{len(features)} more features ({_some(features)})"] if features else []
    parts += [f"{len(classes)} more classes ({_some(classes)})"] if classes else []
    return f"Not drawn: {' and '.join(parts)}." if parts else ""


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed if len(listed) <= 6 else [*listed[:5], "..."])
