"""One row explained: its values, and the rules one after the other until one matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Feature
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.telling import told, value_text
from hedgerow.rules.wording import format_value, printable

#: A row is chosen among this many, from the start.
_FIRST = 1000


@dataclass(frozen=True)
class Step:
    """A rule that is tried: its number, and conditions with whether each holds and the row's own value.

    If the rule does not match, only the first condition that fails.
    """

    number: int
    matches: bool
    conditions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ExplainedRow:
    """A row, what is predicted for it, and why.

    Attributes
    ----------
    of : str
        The rows that it comes from: "training", "held-out" or "tested".
    values : tuple of (str, str)
        The columns that the rules use, and the values of the row.
    steps : tuple of Step
        The rules in order, up to the one that matches.
    rule : int
        The position of the rule that matches.
    truth : str or None
        The target of the row, if it is known.
    is_right : bool or None
        For classes, whether the prediction is the truth.
    """

    of: str
    values: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    rule: int
    truth: str | None
    is_right: bool | None


def explain_row(rule_list: RuleList, samples: Samples) -> ExplainedRow | None:
    """Explain one row; None if no rule has conditions, or if none of the first rows is covered."""
    row = _chosen(rule_list, samples)
    if row is None:
        return None
    fired = int(samples.seen.fired[row])
    used = list(dict.fromkeys(c.feature for rule in rule_list for c in rule.simplified))
    values = {feature: samples.seen.values[feature][row] for feature in used}
    truth = None if samples.y is None else samples.y[row : row + 1].tolist()[0]
    is_right = None
    if truth is not None and rule_list.task.has_labels:
        is_right = bool(truth == rule_list[fired].prediction)
    shown = [(printable(feature.name), value_text(feature, value)) for feature, value in values.items()]
    return ExplainedRow(
        of=samples.name,
        values=tuple(dict.fromkeys(shown)),
        steps=tuple(_step(rule_list, i, values, i == fired) for i in range(fired + 1)),
        rule=fired,
        truth=None if truth is None else format_value(truth),
        is_right=is_right,
    )


def _chosen(rule_list: RuleList, samples: Samples) -> int | None:
    """Return an instructive row: a later rule that matches, so that there is something to skip, but not too late."""
    fired: IntArray = samples.seen.fired[:_FIRST]
    # The second rule shows best how a list is read; the first one, if it has conditions, is the next best.
    wanted = [i for i in (1, 2, 0, *range(3, len(rule_list))) if i < len(rule_list) and rule_list[i].simplified]
    for i in wanted:
        rows = np.flatnonzero(fired == i)
        if not len(rows):
            continue
        if samples.y is not None and rule_list.task.has_labels:
            right = rows[samples.y[rows] == rule_list[i].prediction]
            rows = right if len(right) else rows
        return int(rows[0])
    return None


def _step(rule_list: RuleList, i: int, values: dict[Feature, Any], matches: bool) -> Step:
    shown = [c for c in rule_list[i].simplified if matches or not c.holds(np.array([values[c.feature]]))[0]]
    texts = [told(condition, values[condition.feature], rule_list.digits) for condition in shown]
    return Step(i + 1, matches, tuple(texts if matches else texts[:1]))
