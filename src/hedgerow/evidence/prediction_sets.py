"""Sets of classes that contain the true one as often as they say.

:mod:`hedgerow.evidence.calibrating` calibrates them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.json_field import Field
from hedgerow._support.text_table import aligned
from hedgerow.evidence import calibration
from hedgerow.evidence.calibration import N_SEEDS, Limit, groups_of, limit_of, n_missed, n_needed
from hedgerow.evidence.statistics import Estimate, check_level, wilson
from hedgerow.evidence.wording import written_share
from hedgerow.exceptions import InvalidDataError
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value

_KIND = "prediction_sets"
#: The score of the class that is predicted if sets are never empty: it comes before all others.
_FIRST = -1.0


@dataclass(frozen=True, eq=False)
class PredictionSets:
    """What :func:`conformal` returns for classes; print it for a table, or see :meth:`sentences`.

    A class is the less likely in a row, the smaller the share that the list states for it. A set leaves out the
    classes that are less likely than the true class was in all but few of the calibration rows.

    Attributes
    ----------
    rule_list : RuleList
    counts : array of int, of shape (n_rules + 1, n_classes + 1)
        The calibration rows of each rule, by class; the last row is for those that no rule matches, the last column for
        labels that the list does not know.
    level : float
        How often the set contains the true class, at least.
    by_rule : bool
        Whether that holds for each rule, or for all rows together.
    empty : bool
        Whether a set may be empty. Otherwise it always contains the class that is predicted.
    random_state : int or None
        What decides, row by row, whether a set contains a class that would otherwise make it too often right. None:
        then it does, and all rows of a rule have the same set.
    others : array
        For a list that asks an ensemble where no rule matches, the scores of the true classes of such rows, in the
        order of the classes.
    draws : array
        The draws of the calibration rows, in the order of ``counts``; None if nothing is drawn.
    """

    #: What is written about each row.
    columns: ClassVar[tuple[str, ...]] = ("set",)

    rule_list: RuleList
    counts: IntArray
    level: float
    by_rule: bool = False
    empty: bool = False
    random_state: int | None = 0
    others: FloatArray | None = None
    draws: FloatArray | None = None

    @property
    def n_rows(self) -> int:
        """The number of calibration rows."""
        return int(self.counts.sum())

    def predict_set(self, X: Any) -> BoolArray:
        """Return whether the set of each row contains each class, of shape (n_samples, n_classes).

        The classes have the order of ``rule_list.classes``.
        """
        return self.of(self.rule_list.evaluate(X))

    def of(self, seen: Evaluation) -> BoolArray:
        """Return what :meth:`predict_set` does, about rows that were looked at already."""
        rules = self.rule_list
        u = np.zeros(seen.n_samples)
        if self._drawn is not None and self.random_state is not None:
            u = calibration.draws(seen.values, rules, seen.n_samples, self.random_state)
        scores = self._scores[seen.fired]
        if rules.fallback is not None and (rest := np.flatnonzero(seen.fired < 0)).size:
            scores[rest] = class_scores(seen.shares[rest], seen.predictions[rest], rules.task.labels, self.empty)
        return self._are_in(scores, self._groups[seen.fired], u)

    def in_columns(self, seen: Evaluation) -> list[Any]:
        """Return the set of each row as the names of its classes, separated by vertical bars."""
        masks = self.of(seen)
        kinds, which = np.unique(masks, axis=0, return_inverse=True)
        names = [format_value(label) for label in self.rule_list.task.labels]
        said = [" | ".join(name for name, is_in in zip(names, kind, strict=True) if is_in) for kind in kinds.tolist()]
        return [[said[k] for k in which.ravel().tolist()]]

    def contains(self, X: Any, y: Any) -> BoolArray:
        """Return whether the set of each row contains its label; no set contains one that the list does not know."""
        places = {label: k for k, label in enumerate(self.rule_list.task.labels)}
        codes = np.array([places.get(label, len(places)) for label in np.asarray(y).tolist()], dtype=np.int64)
        masks = self.predict_set(X)
        if len(codes) != len(masks):
            raise InvalidDataError(f"X has {len(masks)} rows, but y has {len(codes)}.")
        found: BoolArray = np.column_stack([masks, np.zeros(len(masks), bool)])[np.arange(len(masks)), codes]
        return found

    # What follows from the calibration rows

    @cached_property
    def _groups(self) -> IntArray:
        return groups_of(self.rule_list, self.n_rows, self.by_rule, n_needed(1, self.level))

    @cached_property
    def _scores(self) -> FloatArray:
        """How unlikely each class is for the rows of each rule, and of none."""
        ends = (*self.rule_list, self.rule_list.default)
        labels = self.rule_list.task.labels
        said = [r.distribution or [float(label == r.prediction) for label in labels] for r in ends]
        return class_scores(np.array(said), np.array([r.prediction for r in ends]), labels, self.empty)

    @property
    def _drawn(self) -> FloatArray | None:
        return None if self.random_state is None else self.draws

    @cached_property
    def _own(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """The rule of each calibration row, the score of its true class, and its draw, in the order of the counts."""
        cells = np.repeat(np.arange(self.counts.size), self.counts.ravel())
        rule = cells // self.counts.shape[1]
        unknown = np.full((len(self._scores), 1), np.inf)
        scores = np.column_stack([self._scores, unknown]).ravel()[cells]
        if self.others is not None:
            scores[rule == len(self.rule_list)] = self.others
        return rule, scores, np.zeros(len(cells)) if self._drawn is None else self._drawn

    @cached_property
    def _limits(self) -> list[Limit]:
        """Up to which score and draw a class is in the set, by group."""
        rule, scores, u = self._own
        found = []
        for group in range(int(self._groups.max()) + 1):
            members = self._groups == group
            if not group and not members[:-1].any():
                members = np.ones_like(members)  # all rows stand in for those that no rule matches
            rows = members[rule]
            found.append(limit_of(scores[rows], u[rows], n_missed(int(rows.sum()), self.level)))
        return found

    def _are_in(self, scores: FloatArray, groups: IntArray, u: FloatArray) -> BoolArray:
        """Return which classes are in the sets of rows, given their scores, and the groups and draws of the rows."""
        found = scores == _FIRST
        for group, limit in enumerate(self._limits):
            rows = groups == group
            found[rows] |= limit.admits(scores[rows], u[rows, None])
        return found

    @cached_property
    def _chances(self) -> FloatArray:
        """The share of the calibration rows of each rule that have each class in their set."""
        rule, _, u = self._own
        found = np.empty_like(self._scores)
        for i, group in enumerate(self._groups):
            own = u[rule == i]
            if not len(own):  # as if draws were even
                own = (np.arange(1000) + 0.5) / 1000 if self._drawn is not None else np.zeros(1)
            scores = np.broadcast_to(self._scores[i], (len(own), len(self._scores[i])))
            found[i] = self._are_in(scores, np.full(len(own), group), own).mean(axis=0)
        return found

    def covered(self, i: int) -> Estimate:
        """Return how often the sets of a rule contain the true class of its calibration rows; -1 for no rule."""
        rule, scores, u = self._own
        rows = rule == (i if i >= 0 else len(self.rule_list))
        if not rows.any():
            return Estimate(math.nan, math.nan, math.nan)
        are_in = self._are_in(scores[rows, None], self._groups[rule[rows]], u[rows])[:, 0] & np.isfinite(scores[rows])
        share = float(are_in.mean())
        return Estimate(share, *wilson(share, float(rows.sum()), 0.95))

    def describe(self, i: int) -> str:
        """Write the set of a rule, the most likely class first; -1 for no rule."""
        if i == -1 and self.others is not None:
            return "as the ensemble answers"
        order = np.argsort(self._scores[i], kind="stable").tolist()
        names = [format_value(label) for label in self.rule_list.task.labels]
        said = []
        for k in order:
            chance = float(self._chances[i, k])
            if chance > 0:
                said.append(names[k] if chance == 1 else f"{names[k]} in {written_share(chance)}")
        return ", ".join(said) or "none"

    # What is said about it

    def __str__(self) -> str:
        head = ("rule", "rows", "set", "true class in it", "95 %")
        rows = [self._cells(i) for i in self._shown]
        return "\n".join([*aligned([head, *rows], right=frozenset((0, 1, 3, 4))), self._about()])

    @property
    def _shown(self) -> list[int]:
        return [*range(len(self.rule_list)), *([-1] if self.counts[-1].sum() else [])]

    def _cells(self, i: int) -> tuple[str, ...]:
        one = self.covered(i)
        interval = "–" if math.isnan(one.value) else f"{written_share(one.low)} to {written_share(one.high)}"
        n = int(self.counts[i].sum())
        return (str(i + 1) if i >= 0 else "none", str(n), self.describe(i), written_share(one.value), interval)

    def sentences(self) -> list[str]:
        """Return what was found, in sentences: about all rows, then about each rule."""
        return [self._about(), *(f"Rule {i + 1}: {self._sentence(i)}" for i in range(len(self.rule_list)))]

    def _about(self) -> str:
        level = f"{100 * self.level:g} %"
        whose = "of the new rows of each group of rules" if self._is_split else "of new rows"
        said = f"Sets contain the true class of at least {level} {whose}, if these are drawn as the {self.n_rows} "
        said += "calibration rows were."
        if self._limits[0].score == _FIRST and not self._is_split:
            right = float(np.mean(self._own[1] == _FIRST))
            said += (
                f" The prediction alone is right for {written_share(right)} of these, so each set is one class, and "
                f"more than {level} are covered."
            )
        return said

    @property
    def _is_split(self) -> bool:
        return bool(self._groups.max() > 0)

    def _sentence(self, i: int) -> str:
        one, n = self.covered(i), int(self.counts[i].sum())
        if not n:
            return f"{self.describe(i)}; none of the calibration rows is its own."
        return f"{self.describe(i)}; the true class is in it for {written_share(one.value)} of {n} rows."

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame: a row per rule, with the chance of each class to be in its set."""
        import pandas as pd

        names = [format_value(label) for label in self.rule_list.task.labels]
        records = []
        for i in self._shown:
            one = self.covered(i)
            record = {"rule": i + 1, "rows": int(self.counts[i].sum()), "covered": one.value}
            record |= {"covered_low": one.low, "covered_high": one.high}
            records.append(record | {f"chance of {n}": c for n, c in zip(names, self._chances[i], strict=True)})
        return pd.DataFrame(records)

    def to_json(self) -> str:
        """Return the sets as JSON, with the list; :meth:`from_json` reads it."""
        members = {"level": self.level, "by_rule": self.by_rule, "empty": self.empty, "random_state": self.random_state}
        others = None if self.others is None else self._written_others
        members |= {"draws": None if self._drawn is None else self._drawn.tolist()}
        return calibration.written(_KIND, self.rule_list, members | {"counts": self.counts.tolist(), "others": others})

    @property
    def _written_others(self) -> list[float | str]:
        return [one if math.isfinite(one) else "inf" for one in np.asarray(self.others).tolist()]

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        names = ("level", "by_rule", "empty", "random_state", "counts", "others", "draws")
        rules, document = calibration.read(_KIND, text, names)
        seed, others = document.get("random_state"), document["others"]
        counts = np.array([[cell.whole(0) for cell in row] for row in document["counts"]], dtype=np.int64)
        shape = (len(rules) + 1, len(rules.task.labels) + 1)
        if not rules.task.has_labels or counts.shape != shape or not counts.any():
            raise document["counts"].error(f"{shape[0]} lists of {shape[1]} counts of rows, as the list has rules")
        return cls(
            rules,
            counts,
            check_level(document["level"].finite()),
            document["by_rule"].truth(),
            document["empty"].truth(),
            None if seed is None else seed.whole(0, N_SEEDS),
            _numbers(others, int(counts[-1].sum())) if rules.fallback is not None else None,
            None if seed is None else _numbers(document["draws"], int(counts.sum())),
        )


def _numbers(field: Field, n: int) -> FloatArray:
    """Return so many numbers of a document."""
    found = np.array([one.number() for one in field], dtype=np.float64)
    if len(found) != n:
        raise field.error(f"a list of {n} numbers, one per calibration row")
    return found


def class_scores(shares: FloatArray, predicted: AnyArray, labels: Sequence[Any], empty: bool) -> FloatArray:
    """Return how unlikely each class is, given the shares of the classes and the predictions."""
    scores = 1 - np.asarray(shares, dtype=np.float64)
    if not empty:
        places = {label: k for k, label in enumerate(labels)}
        firsts = [places[label] for label in np.asarray(predicted).tolist()]
        scores[np.arange(len(scores)), firsts] = _FIRST
    return scores
