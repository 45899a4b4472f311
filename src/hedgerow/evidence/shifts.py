"""Whether the rows have changed since a list was made: what share each rule decides, and which conditions moved.

The population stability index of two distributions is Σ (c − r) ln(c / r) over their shares; with targets, rates have
one, too. As in credit scoring, it is green below 0.1, amber below 0.25, and red above. In small tables it is large by
chance, so a change is amber or red only if a test agrees that there is one; all p-values are corrected by Holm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow._support.text_table import aligned
from hedgerow.evidence.counts import Counts, texts_of
from hedgerow.evidence.statistics import (
    LEVEL,
    Group,
    check_level,
    holm,
    mean_test,
    same_distribution_test,
    share_test,
)
from hedgerow.evidence.validating import rule_list_of
from hedgerow.evidence.wording import written_p, written_test, written_value
from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.rule_list import RuleList

#: From these values of the index on, a change is amber or red.
AMBER, RED = 0.1, 0.25
#: What is added to each count, so that a share of nothing has a logarithm.
_ADDED = 0.5


@dataclass(frozen=True)
class Shift:
    """A share or a mean in both tables.

    Attributes
    ----------
    what : "rules", "share", "condition" or "rate"
        All rules together, the share of the rows that a rule decides or for which a condition holds, or the rate of a
        rule: the share of its rows that have its class, or the mean of their targets.
    name : str
        "rule 3", "no rule", or the condition.
    reference, current : float
        NaN for all rules together.
    index : float
        The population stability index. For means, the square of their distance in standard deviations: the index of two
        normal distributions.
    p : float
        The corrected p-value that nothing has changed; NaN if there is no test.
    state : "green", "amber" or "red"
    """

    what: str
    name: str
    reference: float
    current: float
    index: float
    p: float = math.nan
    state: str = "green"

    @property
    def difference(self) -> float:
        """Current less reference."""
        return self.current - self.reference


@dataclass(frozen=True)
class Drift:
    """What :func:`drift` returns; print it for a table, or see :meth:`sentences`.

    Attributes
    ----------
    overall : Shift
        The distribution of the rows over the rules.
    shares : tuple of Shift
        Per rule, those that no rule matches last.
    conditions : tuple of Shift
        Those that moved most first.
    rates : tuple of Shift
        Per rule, if both tables have targets.
    n_reference, n_current : int
        The rows of both tables.
    refused : int
        Rows of the current table that the list refuses, of those that a database counted.
    level : float
        A change counts if its p-value is below 1 - level.
    is_labels : bool
    """

    overall: Shift
    shares: tuple[Shift, ...]
    conditions: tuple[Shift, ...]
    rates: tuple[Shift, ...]
    n_reference: int
    n_current: int
    refused: int
    level: float
    is_labels: bool

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """All that was compared."""
        return (self.overall, *self.shares, *self.conditions, *self.rates)

    @property
    def moved(self) -> tuple[Shift, ...]:
        """What has changed by more than chance, be it little."""
        return tuple(one for one in self.shifts if one.p < 1 - self.level)

    @property
    def state(self) -> str:
        """The worst state of all: "green", "amber" or "red"."""
        return max((one.state for one in self.shifts), key=("green", "amber", "red").index)

    def __str__(self) -> str:
        head = ("", "", "reference", "current", "index", "p", "")
        rows = [self._cells(one) for one in self.shifts]
        return "\n".join([*aligned([head, *rows], right=frozenset((2, 3, 4, 5))), self._about_tables()])

    def _cells(self, one: Shift) -> tuple[str, ...]:
        shown = [self._written(one, value) for value in (one.reference, one.current)]
        return (one.what, one.name, *shown, f"{one.index:.3f}", written_p(one.p), one.state)

    def _written(self, one: Shift, value: float) -> str:
        return written_value(value, one.what != "rate" or self.is_labels)

    def _about_tables(self) -> str:
        refused = f", and {self.refused} that the list refuses" if self.refused else ""
        rows = f"{self.n_current} row{'s' * (self.n_current != 1)}"
        return f"{rows}{refused}, compared with {self.n_reference}: {self.state}"

    def sentences(self) -> list[str]:
        """Return what was found, in sentences: about the distribution over the rules, then about all that moved."""
        overall = self.overall
        test = "" if math.isnan(overall.p) else f", {written_test(overall.p)}"
        found = [f"The index of the rules is {overall.index:.3f} ({overall.state}{test})."]
        for one in self.moved:
            if one is overall:
                continue
            before, now = (self._written(one, value) for value in (one.reference, one.current))
            about = f"{before} before, {now} now ({written_test(one.p)}, index {one.index:.3f}, {one.state})."
            name = one.name[:1].upper() + one.name[1:]
            if one.what == "condition":
                found.append(f"“{one.name}” holds for {about}")
            elif one.what == "rate":
                found.append(f"{name} has another rate: {about}")
            else:
                found.append(f"{name} decides {about}" if one.name != "no rule" else f"No rule matches {about}")
        if len(self.moved) == 0:
            found.append("Nothing has changed by more than chance explains.")
        return found

    def to_frame(self) -> Any:
        """Return all that was compared as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame([asdict(one) for one in self.shifts])


def drift(
    rule_list: Any,
    reference: Any,
    current: Any,
    *,
    y_reference: Any = None,
    y_current: Any = None,
    level: float = LEVEL,
) -> Drift:
    """Compare the rows that a list decides now with those of a reference.

    Parameters
    ----------
    rule_list : RuleList, or a fitted estimator that has one
    reference, current : array, data frame or Counts
        Rows, or what was counted of them (:class:`hedgerow.evidence.Counts`), such as in a database. A reference of
        None stands for the training rows, of which the list knows how many each rule covers.
    y_reference, y_current : array, optional
        Targets of the rows; those that are not known yet may be missing. With both, rates are compared as well.
    level : float
        1 - level is the level of the tests, for all of them together.

    Returns
    -------
    Drift

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hedgerow import RuleListClassifier
    >>> from hedgerow.evidence import drift
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y).rule_list_
    >>> drift(rules, X[:300], X[300:]).state
    'amber'
    >>> large = X[X["mean area"] > 600]
    >>> drift(rules, X, large).state
    'red'
    """
    rules, level = rule_list_of(rule_list), check_level(level)
    if current is None:
        raise InvalidParameterError("current is None. Pass the rows to be compared with the reference.")
    before, now = _counted(rules, reference, y_reference), _counted(rules, current, y_current)
    _check_targets(before, now, y_reference, y_current)
    n = len(rules)
    overall = Shift("rules", "all rules", math.nan, math.nan, stability_index(before.fired, now.fired))
    overall = replace(overall, p=same_distribution_test(before.fired, now.fired))
    names = [*(f"rule {i + 1}" for i in range(n)), "no rule"]
    filled = [i for i in range(n + 1) if i < n or before.fired[i] or now.fired[i]]
    shares = [_of_share("share", names[i], int(before.fired[i]), int(now.fired[i]), before, now) for i in filled]
    conditions = list(_of_conditions(rules, before, now))
    rates = list(_of_rates(rules, names, filled, before, now)) if before.has_targets and now.has_targets else []
    p = holm([one.p for one in (overall, *shares, *conditions, *rates)]).tolist()
    judged = iter([_judged(one, k, level) for one, k in zip((overall, *shares, *conditions, *rates), p, strict=True)])
    first = next(judged)
    parts = [tuple(next(judged) for _ in part) for part in (shares, conditions, rates)]
    by_index = tuple(sorted(parts[1], key=lambda one: -one.index))
    refused = now.refused
    return Drift(first, parts[0], by_index, parts[2], before.n_rows, now.n_rows, refused, level, rules.task.has_labels)


def stability_index(reference: Sequence[float] | AnyArray, current: Sequence[float] | AnyArray) -> float:
    """Return the population stability index of two distributions, from their counts.

    >>> round(stability_index([500, 500], [600, 400]), 3)
    0.04
    """
    counts = np.array([reference, current], dtype=np.float64)
    counts = counts[:, counts.sum(axis=0) > 0] + _ADDED
    shares = counts / counts.sum(axis=1, keepdims=True)
    return float(((shares[1] - shares[0]) * np.log(shares[1] / shares[0])).sum())


def _counted(rules: RuleList, rows: Any, y: Any) -> Counts:
    if isinstance(rows, Counts):
        if y is not None:
            raise InvalidParameterError("Counts hold their targets already; leave out those that go with them.")
        if len(rows.fired) != len(rules) + 1:
            raise InvalidParameterError(f"The counts are of {len(rows.fired) - 1} rules, the list has {len(rules)}.")
        return rows
    if rows is None:
        if y is not None:
            raise InvalidParameterError(
                "y_reference is given, but reference is None. Pass the rows that it belongs to, or leave out "
                "y_reference.",
                parameter="y_reference",
            )
        return Counts.of_training(rules)
    return Counts.of(rules, rows, y)


def _check_targets(before: Counts, now: Counts, y_reference: Any, y_current: Any) -> None:
    """Refuse targets of one table that have none of the other to be compared with."""
    alone = [("y_reference", "current"), ("y_current", "reference")]
    for (given, other), y, across in zip(alone, (y_reference, y_current), (now, before), strict=True):
        if y is not None and not across.has_targets:
            raise InvalidParameterError(
                f"{given} alone says nothing: rates are compared between targets of both tables. Pass {other} and "
                f"y_{other}, or leave out {given}.",
                parameter=given,
            )


def _of_share(what: str, name: str, n_before: int, n_now: int, before: Counts, now: Counts) -> Shift:
    """Return the share of all rows that a rule decides, or for which a condition holds."""
    pairs = ((n_before, before.n_rows), (n_now, now.n_rows))
    groups = [Group(float(n), count / n if n else math.nan) for count, n in pairs]
    table = [(count, n - count) for count, n in pairs]
    return Shift(what, name, groups[0].mean, groups[1].mean, stability_index(*table), share_test(*groups))


def _of_conditions(rules: RuleList, before: Counts, now: Counts) -> Iterator[Shift]:
    if before.held is None or now.held is None:
        return
    for k, text in texts_of(rules, (before.held, now.held)).items():
        yield _of_share("condition", text, int(before.held[k]), int(now.held[k]), before, now)


def _of_rates(
    rules: RuleList, names: Sequence[str], filled: Sequence[int], before: Counts, now: Counts
) -> Iterator[Shift]:
    for i in filled:
        old, new = before.rate(rules, i), now.rate(rules, i)
        if rules.task.has_labels:
            hits = [(one.n * one.mean, one.n * (1 - one.mean)) if one.n else (0.0, 0.0) for one in (old, new)]
            index = stability_index(*hits) if old.n and new.n else 0.0
            yield Shift("rate", names[i], old.mean, new.mean, index, share_test(old, new))
        else:
            spread = old.spread if old.spread > 0 else math.nan
            index = ((new.mean - old.mean) / spread) ** 2
            yield Shift("rate", names[i], old.mean, new.mean, 0.0 if math.isnan(index) else index, mean_test(old, new))


def _judged(one: Shift, p: float, level: float) -> Shift:
    state = "green" if one.index < AMBER or not p < 1 - level else "amber" if one.index < RED else "red"
    return replace(one, p=p, state=state)
