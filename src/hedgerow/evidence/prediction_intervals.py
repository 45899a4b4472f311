"""Intervals that contain the true number as often as they say.

:mod:`hedgerow.evidence.calibrating` calibrates them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.checks import is_number
from hedgerow._support.lettering import some
from hedgerow._support.text_table import aligned
from hedgerow.evidence import calibration
from hedgerow.evidence.calibration import N_SEEDS, Limit, groups_of, limit_of, n_missed, n_needed
from hedgerow.evidence.statistics import check_level
from hedgerow.evidence.wording import written_value
from hedgerow.exceptions import InvalidDataError
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList

_KIND = "prediction_intervals"
#: Ends and numbers that differ by less, relatively, are the same.
_NEAR = 1e-12
#: Errors that differ by less, relative to their targets, are the same: y - prediction is rounded.
_SAME = 1e-13


@dataclass(frozen=True, eq=False)
class PredictionIntervals:
    """What :func:`conformal` returns for numbers; print it for a table, or see :meth:`sentences`.

    An interval reaches from the prediction plus a low error to the prediction plus a high one, such that few of the
    calibration rows had an error below or above; half of these each, but for an odd one, which is above.

    Attributes
    ----------
    rule_list : RuleList
    errors : tuple of array
        Target minus prediction for the calibration rows of each rule, in order; at last for those that no rule matches.
    level : float
        How often the interval contains the true number, at least.
    by_rule : bool
        Whether that holds for each rule with many rows, or for all rows together.
    random_state : int or None
        What decides, row by row, whether an interval includes its end, where several calibration rows have this error.
        None: it does, and the interval is the same for all rows of a rule.
    draws : tuple of array
        The draws of the calibration rows, in the order of ``errors``; None if nothing is drawn.
    """

    #: What is written about each row.
    columns: ClassVar[tuple[str, ...]] = ("low", "high")

    rule_list: RuleList
    errors: tuple[FloatArray, ...]
    level: float
    by_rule: bool = True
    random_state: int | None = 0
    draws: tuple[FloatArray, ...] | None = None

    @property
    def n_rows(self) -> int:
        """The number of calibration rows."""
        return sum(map(len, self.errors))

    def predict_interval(self, X: Any) -> FloatArray:
        """Return the lower and the upper end of the interval of each row, of shape (n_samples, 2)."""
        return self.of(self.rule_list.evaluate(X))

    def of(self, seen: Evaluation) -> FloatArray:
        """Return what :meth:`predict_interval` does, about rows that were looked at already."""
        predictions = np.asarray(seen.predictions, dtype=np.float64)[:, None]
        if self._drawn is None or self.random_state is None:
            return np.asarray(predictions + self.reach[seen.fired])
        u = calibration.draws(seen.values, self.rule_list, seen.n_samples, self.random_state)
        groups, ends = self.groups[seen.fired], np.empty((seen.n_samples, 2))
        for group in np.unique(groups).tolist():
            rows = groups == group
            ends[rows] = self._ends(group, u[rows], predictions[rows, 0])
        return ends

    def in_columns(self, seen: Evaluation) -> list[Any]:
        """Return the lower ends and the upper ones."""
        return [*self.of(seen).T]

    def contains(self, X: Any, y: Any) -> BoolArray:
        """Return whether the interval of each row contains its target."""
        ends, y = self.predict_interval(X), _targets(y)
        if y.shape != (len(ends),):
            raise InvalidDataError(f"X has {len(ends)} rows, but y has shape {y.shape}.")
        # What is added to a prediction and subtracted again may differ in the last digit.
        low, high = ends[:, 0], ends[:, 1]
        return np.asarray((low - _near(low) <= y) & (y <= high + _near(high)))

    @cached_property
    def groups(self) -> IntArray:
        """The group in which each rule is calibrated, and at last that of the rows that no rule matches."""
        return groups_of(self.rule_list, self.n_rows, self.by_rule, n_needed(2, self.level))

    @cached_property
    def reach(self) -> FloatArray:
        """How far the interval of each rule reaches below and above its prediction, of shape (n_rules + 1, 2)."""
        ends = np.array([(-below.score, above.score) for below, above in self._limits])
        return np.asarray(ends[self.groups])

    def _members(self, group: int) -> list[int]:
        members = np.flatnonzero(self.groups == group).tolist()
        return members if any(i < len(self.rule_list) for i in members) else list(range(len(self.errors)))

    @property
    def _drawn(self) -> tuple[FloatArray, ...] | None:
        return None if self.random_state is None else self.draws

    @cached_property
    def _limits(self) -> list[tuple[Limit, Limit]]:
        """How far errors reach below, with their sign turned, and above, by group."""
        found = []
        for group in range(int(self.groups.max()) + 1):
            members = self._members(group)
            errors = np.concatenate([self.errors[i] for i in members])
            u = None if self._drawn is None else np.concatenate([self._drawn[i] for i in members])
            missed = n_missed(len(errors), self.level)
            missed = missed if missed > 1 else 0  # one row says nothing about the other end
            below = _end(-errors, None if u is None else 1 - u, missed // 2)
            found.append((below, _end(errors, u, missed - missed // 2)))
        return found

    def _ends(self, group: int, u: FloatArray, predictions: FloatArray) -> FloatArray:
        """Return the ends for rows of a group, given their draws."""
        below, above = self._limits[group]
        low, high = predictions - below.score, predictions + above.score
        # An end that does not belong to the interval is moved by more than contains() overlooks.
        return np.column_stack([low + 2 * _near(low) * (1 - u > below.draw), high - 2 * _near(high) * (u > above.draw)])

    # What is said about it

    def __str__(self) -> str:
        head = ("rule", "rows", "prediction", f"{100 * self.level:g} % of rows", "width", "calibrated")
        rows = [self._cells(i) for i in self._shown]
        return "\n".join([*aligned([head, *rows], right=frozenset((0, 1, 2, 4))), self._about()])

    @property
    def _shown(self) -> list[int]:
        return [*range(len(self.rule_list)), *([-1] if len(self.errors[-1]) else [])]

    def _cells(self, i: int) -> tuple[str, ...]:
        rule = self.rule_list.default if i < 0 else self.rule_list[i]
        low, high = self.reach[i].tolist()
        asks = i < 0 and self.rule_list.fallback is not None
        place, add = ("as the ensemble says", 0.0) if asks else (written_value(rule.prediction, False), rule.prediction)
        name = str(i + 1) if i >= 0 else "none"
        group = self._members(int(self.groups[i]))
        how = (
            "by itself" if group == [i] else "with all rules" if len(group) == len(self.errors) else "with small rules"
        )
        ends = f"{written_value(low + add, False)} to {written_value(high + add, False)}"
        return name, str(len(self.errors[i])), place, ends, written_value(high - low, False), how

    def sentences(self) -> list[str]:
        """Return what was found, in sentences: about all rows, then about each rule."""
        return [self._about(), *(self._sentence(i) for i in range(len(self.rule_list)))]

    def _about(self) -> str:
        small = " that is calibrated by itself, and of all others together" if 0 in self.groups[:-1] else ""
        whose = f"of the new rows of each rule{small}" if self.groups.max() > 0 else "of new rows"
        return (
            f"Intervals contain the true number of at least {100 * self.level:g} % {whose}, if these are drawn as the "
            f"{self.n_rows} calibration rows were."
        )

    def _sentence(self, i: int) -> str:
        _, n, prediction, ends, _, how = self._cells(i)
        return f"Rule {i + 1} predicts {prediction}, and the true number is from {ends} ({n} rows, calibrated {how})."

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame, one row per rule; ends are relative to the prediction."""
        import pandas as pd

        names = ("rule", "rows", "below", "above", "group")
        sizes = [len(self.errors[i]) for i in self._shown]
        rows = [(i + 1, n, *self.reach[i], self.groups[i]) for i, n in zip(self._shown, sizes, strict=True)]
        return pd.DataFrame(rows, columns=list(names))

    def to_json(self) -> str:
        """Return the intervals as JSON, with the list; :meth:`from_json` reads it."""
        errors = [one.tolist() for one in self.errors]
        members: dict[str, Any] = {"level": self.level, "by_rule": self.by_rule, "random_state": self.random_state}
        members |= {"errors": errors, "draws": None if self._drawn is None else [u.tolist() for u in self._drawn]}
        return calibration.written(_KIND, self.rule_list, members)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        rules, document = calibration.read(_KIND, text, ("level", "by_rule", "random_state", "errors", "draws"))
        seed = document.get("random_state")
        errors = tuple(np.array([e.finite() for e in one], dtype=float) for one in document["errors"])
        if rules.task.has_labels or len(errors) != len(rules) + 1 or not sum(map(len, errors)):
            raise document["errors"].error(f"{len(rules) + 1} lists of errors, as the list has rules")
        drawn = None
        if seed is not None:
            drawn = tuple(np.array([u.finite(0, 1) for u in one], dtype=float) for one in document["draws"])
            if [len(one) for one in drawn] != [len(one) for one in errors]:
                raise document["draws"].error("lists of draws, one for each error")
        return cls(
            rules,
            errors,
            check_level(document["level"].finite()),
            document["by_rule"].truth(),
            None if seed is None else seed.whole(0, N_SEEDS),
            drawn,
        )


def merged(errors: FloatArray, targets: FloatArray) -> FloatArray:
    """Return the errors, with one value for those that differ only because they are rounded.

    >>> len(np.unique(merged(np.array([3 - 1.1, 4 - 2.1, 2.0]), np.array([3.0, 4.0, 3.1]))))
    2
    """
    order = np.argsort(errors, kind="stable")
    ranked, size = errors[order], 1 + np.abs(targets[order])
    is_new = np.diff(ranked, prepend=-math.inf) > _SAME * size
    found = np.empty_like(ranked)
    found[order] = ranked[is_new][np.cumsum(is_new) - 1]
    return found


def _end(errors: FloatArray, u: FloatArray | None, missed: int) -> Limit:
    """Return where an interval ends; the error of a single row belongs to it, because few new rows will have it."""
    limit = limit_of(errors, np.ones(len(errors)) if u is None else u, missed)
    is_tie = np.count_nonzero(errors == limit.score) > 1
    return limit if is_tie else Limit(limit.score, 1.0)


def _targets(y: Any) -> FloatArray:
    try:
        return np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        wrong = [value for value in np.asarray(y, dtype=object).ravel().tolist() if not is_number(value)]
        raise InvalidDataError(
            f"The intervals are for numbers, but y contains {some(map(repr, wrong))}. Pass the true numbers as y."
        ) from None


def _near(ends: FloatArray) -> FloatArray:
    return np.where(np.isfinite(ends), _NEAR * (1 + np.abs(ends)), 0.0)
