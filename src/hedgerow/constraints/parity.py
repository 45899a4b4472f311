"""How differently a list may treat groups of people."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.lettering import some
from hedgerow.candidates.tally import Tally, class_weights, in_memory
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import check_share, plain, thousandths
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features.frames import column_of, is_present
from hedgerow.optimize.problem import LinearRows

#: More groups than this are hardly groups of people, but a column of numbers.
_MOST_GROUPS = 20
_OF = {
    "selection": "how often {label!r} is predicted",
    "opportunity": "how often {label!r} is predicted where it is true",
    "error": "how often the list is wrong",
}
#: What stands for a missing value.
_MISSING = "missing"


@dataclass(frozen=True)
class ParityGap:
    """On the training samples, some rate differs between any two groups by at most a gap.

    Samples count with their weights. Those whose group is missing are a group of their own.

    Parameters
    ----------
    group : str, int or sequence
        The name or position of a column of X, or one value per sample: the group that it belongs to. The list may or
        may not use the column itself; :class:`Forbid` keeps it out.
    max_gap : float
        The most by which the rates of two groups may differ, from 0 to 1.
    of : "selection", "opportunity" or "error"
        The rate: how often the positive label is predicted (demographic parity), how often it is predicted for those
        who have it (equal opportunity), or how often the list is wrong.
    positive : object, optional
        The label that counts; of two labels, the second unless another is given.

    Examples
    --------
    >>> print(ParityGap("sex", 0.05, positive="granted"))
    how often 'granted' is predicted differs between the groups of sex by at most 0.05
    """

    group: Any
    max_gap: float
    of: Literal["selection", "opportunity", "error"] = "selection"
    positive: Any = None

    def __post_init__(self) -> None:
        if self.of not in _OF:
            raise InvalidParameterError(
                f"ParityGap(of=...) must be one of {', '.join(map(repr, _OF))}; got {self.of!r}."
            )
        check_share("ParityGap(max_gap)", self.max_gap)
        object.__setattr__(self, "positive", plain(self.positive))
        is_name = isinstance(self.group, (str, int, np.integer)) and not isinstance(self.group, bool)
        if not is_name:
            try:
                object.__setattr__(self, "group", tuple(np.asarray(self.group, dtype=object).ravel().tolist()))
            except (TypeError, ValueError):
                object.__setattr__(self, "group", ())
            if len(self.group) < 2:
                raise InvalidParameterError(
                    "ParityGap(group=...) must be the name or position of a column, or one value per sample."
                )

    def __repr__(self) -> str:
        group = f"<{len(self.group)} values>" if isinstance(self.group, tuple) else repr(self.group)
        positive = "" if self.positive is None else f", positive={self.positive!r}"
        return f"ParityGap({group}, {self.max_gap}, of={self.of!r}{positive})"

    def __str__(self) -> str:
        return self._words(self.positive)

    def _words(self, label: Any) -> str:
        what = _OF[self.of].format(label=label) if label is not None else _OF[self.of].replace("{label!r}", "a label")
        groups = "the given groups" if isinstance(self.group, tuple) else f"the groups of {self.group}"
        return f"{what} differs between {groups} by at most {self.max_gap:.6g}"

    @property
    def rises(self) -> bool:
        """It gives way by a larger gap."""
        return True

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return larger gaps, in thousandths."""
        return thousandths(self.max_gap, 1.0)

    def at(self, level: float) -> ParityGap:
        """Return the constraint with another gap."""
        return replace(self, max_gap=level)

    def demand(self, candidates: Candidates) -> Demand:
        """Return one row per pair of groups."""
        candidates.check_labels("ParityGap")
        positive = self._positive(candidates)
        if candidates.by_group is None:
            names, codes = self._groups(candidates)
            inside, totals = _counted(candidates, names, codes)
        else:
            names, inside, totals = self._groups_in_chunks(candidates, candidates.by_group)
        if self.of == "error":
            hit = inside.sum(axis=2) - inside[np.arange(len(candidates)), :, candidates.predicted]
            out_of = totals.sum(axis=1)
        else:
            counted = inside if self.of == "selection" else inside[:, :, [positive]]
            out_of = (totals if self.of == "selection" else totals[:, [positive]]).sum(axis=1)
            hit = np.where((candidates.predicted == positive)[:, None], counted.sum(axis=2), 0.0)
        label = candidates.task.labels[positive] if positive >= 0 else None
        if not out_of.all():
            without = [name for name, amount in zip(names, out_of, strict=True) if not amount]
            raise InvalidDataError(
                f"ParityGap(of='opportunity'): no training sample of {some(map(repr, without))} has the label "
                f"{label!r}, so that there is no rate to compare. Put small groups together, or take of='selection'."
            )
        return Demand(rows=self._rows(hit / out_of, self._words(label)))

    def _rows(self, rates: FloatArray, words: str) -> LinearRows:
        pairs = list(itertools.combinations(range(rates.shape[1]), 2))
        apart = np.stack([rates[:, a] - rates[:, b] for a, b in pairs])
        return LinearRows(apart, -self.max_gap, self.max_gap, (words,) * len(pairs))

    def _positive(self, candidates: Candidates) -> int:
        if self.positive is not None:
            return candidates.label(self.positive, "ParityGap(positive=...)")
        if self.of == "error":
            return -1
        labels = candidates.task.labels
        if len(labels) != 2:
            raise InvalidParameterError(
                f"ParityGap(of={self.of!r}) needs positive=..., one of the labels {some(map(repr, labels))}."
            )
        return 1

    def _groups(self, candidates: Candidates) -> tuple[list[Any], IntArray]:
        """Return the groups, and the position of each sample's group among them."""
        values = self._values(candidates)
        if candidates.counted is not None:
            values = values[candidates.counted]
        keys = np.array([_MISSING if not is_present(value) else value for value in values.tolist()], dtype=object)
        known = self._known(set(keys.tolist()))
        place = {key: k for k, key in enumerate(known)}
        return known, np.array([place[key] for key in keys.tolist()], dtype=np.int64)

    def _groups_in_chunks(
        self, candidates: Candidates, by_group: Callable[[int, int], dict[Any, Tally]]
    ) -> tuple[list[Any], FloatArray, FloatArray]:
        """Return the groups, and the weight of each and each label among each rule's samples, and among all."""
        if isinstance(self.group, tuple):
            raise InvalidParameterError(
                "ParityGap was given one group per sample, but the samples are read in chunks. Name a column of them "
                "instead."
            )
        found = by_group(candidates.column_named(self.group, "ParityGap"), _MOST_GROUPS)
        of = {_MISSING if key is None else key: tally for key, tally in found.items()}
        names = self._known(set(of), " or more")
        inside = np.stack([of[name].class_weights(candidates.coverage) for name in names], axis=1)
        totals = np.concatenate([of[name].class_weights(candidates.coverage.everything()) for name in names])
        return names, inside, totals

    def _known(self, keys: set[Any], or_more: str = "") -> list[Any]:
        """Return the groups in order; refuse a single one, and too many."""
        known = sorted(keys, key=lambda key: (str(type(key)), key))
        if len(known) < 2:
            raise InvalidDataError(
                f"ParityGap compares groups, but all training samples are in the same one, {some(map(repr, known))}. "
                "Take another column, or leave it out."
            )
        if len(known) > _MOST_GROUPS:
            raise InvalidDataError(
                f"ParityGap: {self.group!r} has {len(known)}{or_more} different values, more than {_MOST_GROUPS} "
                "groups. Put them into bins, as pandas.cut does, and pass one value per sample, or a column of them."
            )
        return known

    def _values(self, candidates: Candidates) -> AnyArray:
        """Return the group of each sample that was given."""
        n_rows = candidates.X.shape[0]
        if isinstance(self.group, tuple):
            if len(self.group) != n_rows:
                raise InvalidDataError(
                    f"ParityGap was given {len(self.group)} groups for {n_rows} samples. In cross-validation, whose "
                    "folds have fewer samples, name a column instead."
                )
            return np.fromiter(self.group, dtype=object, count=n_rows)
        return np.asarray(column_of(candidates.X, candidates.column_named(self.group, "ParityGap")), dtype=object)


def _counted(candidates: Candidates, names: list[Any], codes: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the weight of each group and label among each rule's samples, and among all samples."""
    labels, n_labels = candidates.task.labels, len(candidates.task.labels)
    place = {label: k for k, label in enumerate(labels)}
    y, _ = in_memory(candidates.y, candidates.weight)
    both = codes * n_labels + np.array([place[label] for label in y.tolist()], dtype=np.int64)
    kinds = np.arange(len(names) * n_labels)
    rows = both, candidates.weight
    inside = class_weights(*rows, candidates.coverage, kinds)
    totals = class_weights(*rows, candidates.coverage.everything(), kinds)
    return inside.reshape(-1, len(names), n_labels), totals.reshape(len(names), n_labels)
