"""How good a list is on some samples: scores, fidelity to the ensemble, and errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.evidence.fidelity import Fidelity, summarize
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value

#: A confusion matrix shows at most this many classes; the rarest are grouped.
MOST_CLASSES = 12
#: The longest name, in letters, that stands above a column, with a few columns and with more.
_LONGEST, _LONGEST_OF_MANY, _FEW = 12, 6, 4
_N_BINS = 25


@dataclass(frozen=True)
class Score:
    """A score by name: of the list, of the ensemble (if known), and of the default alone."""

    name: str
    of_list: float
    of_ensemble: float | None
    of_default: float


@dataclass(frozen=True)
class Confusion:
    """The number of samples of each true class (row) and predicted class (column)."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def is_numbered(self) -> bool:
        """Whether the columns have numbers because the names are too long to stand above them."""
        return max(map(len, self.labels)) > (_LONGEST if len(self.labels) <= _FEW else _LONGEST_OF_MANY)


@dataclass(frozen=True)
class Histogram:
    """Counts between edges, of which there is one more than counts."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, values: FloatArray, n_bins: int = _N_BINS, extent: tuple[float, float] | None = None) -> Histogram:
        """Count values in bins of equal width."""
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
    """What is known about a list on one set of samples.

    Attributes
    ----------
    name : str
        "training" or "held-out".
    n_samples : int
    scores : tuple of Score
        Empty without ``y``.
    fidelity : tuple of (str, float)
        The measures of :class:`hedgerow.evidence.fidelity.Fidelity` in words; empty without an estimator.
    confusion : Confusion or None
        For classification.
    residuals : Histogram or None
        Target minus prediction, for regression.
    """

    name: str
    n_samples: int
    scores: tuple[Score, ...]
    fidelity: tuple[tuple[str, float], ...]
    confusion: Confusion | None = None
    residuals: Histogram | None = None


def measure_all(rule_list: RuleList, samples: Sequence[Samples], estimator: Any) -> tuple[Quality, ...]:
    """Return the quality of a list on each set of samples that has targets, or on all if there is an estimator."""
    known = [one for one in samples if one.y is not None or estimator is not None]
    off = [one.y - one.seen.predictions for one in known if one.y is not None and not rule_list.task.has_labels]
    # One scale, so that the sets can be compared.
    extent = (float(min(part.min() for part in off)), float(max(part.max() for part in off))) if off else None
    return tuple(_measure(rule_list, one, estimator, extent) for one in known)


def _measure(rule_list: RuleList, samples: Samples, estimator: Any, extent: tuple[float, float] | None) -> Quality:
    name, n_samples, y, task = samples.name, samples.seen.n_samples, samples.y, rule_list.task
    fidelity = None
    if estimator is not None:
        fidelity = summarize(rule_list, estimator.ensemble_, samples.seen.X, y, estimator.forest_, samples.seen)
    rows = () if fidelity is None else _fidelity_rows(fidelity, rule_list)
    if y is None:
        return Quality(name, n_samples, (), rows)
    predictions, of_ensemble = samples.seen.predictions, None if fidelity is None else fidelity.ensemble_score
    default = task.pick([rule_list.default.prediction], np.zeros(n_samples, dtype=np.int64))
    score = Score(task.score_name, task.score(y, predictions), of_ensemble, task.score(y, default))
    if task.has_labels:
        return Quality(name, n_samples, (score,), rows, _confusion(rule_list, y, predictions))
    # From the definition of R², so that the ensemble need not predict again.
    of_ensemble = None if of_ensemble is None or not np.var(y) else (1 - of_ensemble) * float(np.var(y))
    errors = [float(np.mean((y - one) ** 2)) for one in (predictions, default)]
    error = Score("mean squared error", errors[0], of_ensemble, errors[1])
    return Quality(name, n_samples, (score, error), rows, None, Histogram.of(y - predictions, extent=extent))


#: For classification and for regression.
_WORDS = {
    "disagreement": (
        "predictions that differ from the ensemble's",
        "mean squared distance from the ensemble's predictions",
    ),
    "trees_by_condition": ("trees that share a condition with the list",) * 2,
    "trees_by_path": ("trees that contain a whole rule of the list",) * 2,
    "uncovered": ("samples that no rule covers",) * 2,
    "overlapping": ("samples that several rules cover",) * 2,
}


def _fidelity_rows(fidelity: Fidelity, rule_list: RuleList) -> tuple[tuple[str, float], ...]:
    """Return the measures with their descriptions; the scores are shown elsewhere."""
    i = not rule_list.task.has_labels
    return tuple((words[i], float(getattr(fidelity, name))) for name, words in _WORDS.items())


def _confusion(rule_list: RuleList, y: AnyArray, predictions: AnyArray) -> Confusion:
    """Count by class; the rarest of many classes, and labels that the list does not know, are grouped."""
    labels = rule_list.task.labels
    code = {label: i for i, label in enumerate(labels)}
    truth = np.array([code.get(label, len(labels)) for label in y.tolist()])
    predicted = np.array([code[label] for label in predictions.tolist()])
    often = np.argsort(-np.bincount(truth, minlength=len(labels) + 1)[: len(labels)], kind="stable")
    shown = sorted(often[:MOST_CLASSES].tolist())
    place = np.full(len(labels) + 1, len(shown))
    place[shown] = np.arange(len(shown))
    n = len(shown) + bool(len(shown) < len(labels) or (truth == len(labels)).any())
    counts = np.zeros((n, n), dtype=np.int64)
    np.add.at(counts, (place[truth], place[predicted]), 1)
    names = [format_value(labels[i]) for i in shown] + ["others"] * (n - len(shown))
    return Confusion(tuple(names), tuple(tuple(row) for row in counts.tolist()))
