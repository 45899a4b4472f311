"""How good a list is on some samples: scores, fidelity to the ensemble, and where it errs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, r2_score

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.evidence.fidelity import Fidelity
from hedgerow.rules.rule import format_value
from hedgerow.rules.rule_list import RuleList

#: A set of samples by its name, with its targets.
Samples = Mapping[str, tuple[Any, AnyArray | None]]

#: A confusion matrix has no more classes; the rarest are put together.
MOST_CLASSES = 12
#: The longest name, in letters, that stands above a column; a shorter one, if there are more than a few columns.
_LONGEST, _LONGEST_OF_MANY, _FEW = 12, 6, 4
_N_BINS = 25


@dataclass(frozen=True)
class Score:
    """A measure: its name, and its value of the list, of the ensemble (if known) and of the default alone."""

    name: str
    of_list: float
    of_ensemble: float | None
    of_default: float


@dataclass(frozen=True)
class Confusion:
    """How many samples of each class (row) are answered each class (column)."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def is_numbered(self) -> bool:
        """Whether names are too long to stand above the columns, so that numbers do."""
        return max(map(len, self.labels)) > (_LONGEST if len(self.labels) <= _FEW else _LONGEST_OF_MANY)


@dataclass(frozen=True)
class Histogram:
    """Counts between edges; one edge more than counts."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, values: FloatArray, n_bins: int = _N_BINS, extent: tuple[float, float] | None = None) -> Histogram:
        """Count values in bins of one width."""
        values = values[np.isfinite(values)]
        if not len(values):
            return cls((0.0, 1.0), (0,))
        least, most = (float(values.min()), float(values.max())) if extent is None else extent
        if not least < most:
            size = max(abs(least), 1.0)
            least, most = least - size / 2, most + size / 2
        counts, edges = np.histogram(np.clip(values, least, most), n_bins, (least, most))
        return cls(tuple(edges.tolist()), tuple(counts.tolist()))


@dataclass(frozen=True)
class Quality:
    """What is known of a list on one set of samples.

    Attributes
    ----------
    name : str
        "training" or "held-out".
    n_samples : int
    scores : tuple of Score
        None without ``y``.
    fidelity : tuple of (str, float)
        What :class:`hedgerow.evidence.fidelity.Fidelity` says; nothing without an estimator.
    confusion : Confusion or None
    residuals : Histogram or None
        Of the target minus the answer.
    """

    name: str
    n_samples: int
    scores: tuple[Score, ...]
    fidelity: tuple[tuple[str, float], ...]
    confusion: Confusion | None = None
    residuals: Histogram | None = None


def measure_all(rule_list: RuleList, samples: Samples, estimator: Any) -> tuple[Quality, ...]:
    """Return what is known of a list on each set of samples; nothing of one without targets and without estimator."""
    known = {name: given for name, given in samples.items() if given[1] is not None or estimator is not None}
    said = {name: rule_list.predict(X) for name, (X, y) in known.items() if y is not None}
    extent = None
    if rule_list.classes is None and said:  # one scale, so that the sets can be compared
        off = np.concatenate([known[name][1] - answers for name, answers in said.items()])
        extent = float(off.min()), float(off.max())
    return tuple(_measure(rule_list, name, *known[name], said.get(name), estimator, extent) for name in known)


def _measure(
    rule_list: RuleList,
    name: str,
    X: Any,
    y: AnyArray | None,
    said: AnyArray | None,
    estimator: Any,
    extent: tuple[float, float] | None,
) -> Quality:
    fidelity: Fidelity | None = None if estimator is None else estimator.fidelity(X, y)
    rows = () if fidelity is None else _fidelity_rows(fidelity, rule_list)
    if y is None or said is None:
        return Quality(name, X.shape[0], (), rows)
    of_ensemble = None if fidelity is None else fidelity.ensemble_score
    if rule_list.classes is None:
        residuals = Histogram.of(y - said, extent=extent)
        return Quality(name, len(y), _scores_of_numbers(rule_list, y, said, of_ensemble), rows, None, residuals)
    of_default = float(np.mean(y == rule_list.default.prediction))
    accuracy = Score("accuracy", float(accuracy_score(y, said)), of_ensemble, of_default)
    return Quality(name, len(y), (accuracy,), rows, _confusion(rule_list, y, said))


_WORDS = {
    "disagreement": ("answers other than the ensemble's", "mean squared distance from the ensemble's answers"),
    "trees_by_condition": ("trees that share a condition with the list",) * 2,
    "trees_by_path": ("trees that have a whole rule of the list",) * 2,
    "uncovered": ("samples that no rule covers",) * 2,
    "overlapping": ("samples that several rules cover",) * 2,
}


def _fidelity_rows(fidelity: Fidelity, rule_list: RuleList) -> tuple[tuple[str, float], ...]:
    """Return the measures, in words; the scores stand elsewhere."""
    of_numbers = rule_list.classes is None
    names = [field.name for field in fields(fidelity) if field.name in _WORDS]
    return tuple((_WORDS[name][of_numbers], float(getattr(fidelity, name))) for name in names)


def score_of(rule_list: RuleList, X: Any, y: AnyArray) -> float:
    """Return the accuracy or R² of a list."""
    said = rule_list.predict(X)
    return float(r2_score(y, said) if rule_list.classes is None else accuracy_score(y, said))


def _scores_of_numbers(
    rule_list: RuleList, y: FloatArray, said: FloatArray, of_ensemble: float | None
) -> tuple[Score, ...]:
    constant, variance = np.full(len(y), float(rule_list.default.prediction)), float(np.var(y))
    return (
        Score("R²", float(r2_score(y, said)), of_ensemble, float(r2_score(y, constant))),
        Score(
            "mean squared error",
            float(np.mean((y - said) ** 2)),
            # By the definition of R², so that the ensemble need not be asked again.
            None if of_ensemble is None or not variance else (1 - of_ensemble) * variance,
            float(np.mean((y - constant) ** 2)),
        ),
    )


def _confusion(rule_list: RuleList, y: AnyArray, said: AnyArray) -> Confusion:
    """Count by class; the rarest of many, and labels that the list does not know, are put together."""
    assert rule_list.classes is not None
    labels = rule_list.classes.tolist()
    code = {label: i for i, label in enumerate(labels)}
    truth = np.array([code.get(label, len(labels)) for label in y.tolist()])
    answer = np.array([code[label] for label in said.tolist()])
    often = np.argsort(-np.bincount(truth, minlength=len(labels) + 1)[: len(labels)], kind="stable")
    shown = sorted(often[:MOST_CLASSES].tolist())
    place = np.full(len(labels) + 1, len(shown))
    place[shown] = np.arange(len(shown))
    n = len(shown) + bool(len(shown) < len(labels) or (truth == len(labels)).any())
    counts = np.zeros((n, n), dtype=np.int64)
    np.add.at(counts, (place[truth], place[answer]), 1)
    names = [format_value(labels[i]) for i in shown] + ["others"] * (n - len(shown))
    return Confusion(tuple(names), tuple(tuple(row) for row in counts.tolist()))
