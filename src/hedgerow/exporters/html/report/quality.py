"""How good a list is on some samples: scores, fidelity to the ensemble, and errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.evidence.fidelity import Fidelity, summarize
from hedgerow.exporters.html.report.confusion import ByClass, Confusion, confuse, rate_classes
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.pipeline.asking import forest_of, predictions_of
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList

_N_BINS = 25
#: The ensemble is asked about at most this many rows of each set: hundreds of trees take their time.
MOST_ASKED = 50_000


@dataclass(frozen=True)
class Score:
    """A score by name: of the list, of the ensemble (if it was asked about all rows), and of the default alone."""

    name: str
    of_list: float
    of_ensemble: float | None
    of_default: float


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


@dataclass(frozen=True, eq=False)
class Compared:
    """The list beside what it explains, the ensemble or a model, on some rows: all, or a random part of many.

    Attributes
    ----------
    fidelity : Fidelity
    seen : Evaluation
        What the list makes of the rows.
    expected : array
        What the ensemble or the model predicts for them.
    """

    fidelity: Fidelity
    seen: Evaluation
    expected: AnyArray


@dataclass(frozen=True)
class Quality:
    """What is known about a list on one set of samples.

    Attributes
    ----------
    name : str
        "training", "held-out" or "tested".
    n_samples : int
    scores : tuple of Score
        Empty without ``y``.
    fidelity : tuple of (str, float)
        The measures of :class:`hedgerow.evidence.fidelity.Fidelity` in words; empty without an estimator.
    compared : Compared or None
        The list beside the ensemble; None without an estimator.
    confusion : Confusion or None
        For classification.
    by_class : ByClass or None
        For classification, precision and recall.
    residuals : Histogram or None
        Target minus prediction, for regression.
    """

    name: str
    n_samples: int
    scores: tuple[Score, ...]
    fidelity: tuple[tuple[str, float], ...]
    compared: Compared | None = None
    confusion: Confusion | None = None
    by_class: ByClass | None = None
    residuals: Histogram | None = None

    @property
    def n_compared(self) -> int:
        """The number of rows for which the ensemble was asked: all of them, or some drawn at random."""
        return 0 if self.compared is None else self.compared.seen.n_samples


def measure_all(rule_list: RuleList, samples: Sequence[Samples], estimator: Any) -> tuple[Quality, ...]:
    """Return the quality of a list on each set of samples that has targets, or on all if there is an estimator."""
    known = [one for one in samples if one.y is not None or estimator is not None]
    off = [one.y - one.seen.predictions for one in known if one.y is not None and not rule_list.task.has_labels]
    # One scale, so that the sets can be compared.
    extent = (float(min(part.min() for part in off)), float(max(part.max() for part in off))) if off else None
    return tuple(_measure(rule_list, one, estimator, extent) for one in known)


def _measure(rule_list: RuleList, samples: Samples, estimator: Any, extent: tuple[float, float] | None) -> Quality:
    name, n_samples, y, task = samples.name, samples.seen.n_samples, samples.y, rule_list.task
    quality, of_ensemble = Quality(name, n_samples, (), ()), None
    if estimator is not None:
        compared = _compare(rule_list, samples, estimator)
        fidelity = compared.fidelity
        of_ensemble = fidelity.ensemble_score if compared.seen.n_samples == n_samples else None
        rows = _fidelity_rows(fidelity, rule_list, "model" if explains(estimator) else "ensemble")
        quality = replace(quality, fidelity=rows, compared=compared)
    if y is None:
        return quality
    predictions = samples.seen.predictions
    default = task.pick([rule_list.default.prediction], np.zeros(n_samples, dtype=np.int64))
    score = Score(task.score_name, task.score(y, predictions), of_ensemble, task.score(y, default))
    if task.has_labels:
        confusion, by_class = confuse(rule_list, y, predictions), rate_classes(rule_list, y, predictions)
        return replace(quality, scores=(score,), confusion=confusion, by_class=by_class)
    # From the definition of R², so that the ensemble need not predict again.
    of_ensemble = None if of_ensemble is None or not np.var(y) else (1 - of_ensemble) * float(np.var(y))
    errors = [float(np.mean((y - one) ** 2)) for one in (predictions, default)]
    error = Score("mean squared error", errors[0], of_ensemble, errors[1])
    return replace(quality, scores=(score, error), residuals=Histogram.of(y - predictions, extent=extent))


def explains(estimator: Any) -> bool:
    """Return whether the list of an estimator was made to explain a model (``faithful``)."""
    return estimator is not None and bool(estimator.is_explanation)


def _compare(rule_list: RuleList, samples: Samples, estimator: Any) -> Compared:
    """Compare the list with what it explains, on a random part of many rows."""
    seen, y = samples.seen, samples.y
    if seen.n_samples > MOST_ASKED:
        rows = np.sort(np.random.default_rng(0).choice(seen.n_samples, MOST_ASKED, replace=False))
        seen, y = rule_list.evaluate(_safe_indexing(seen.X, rows)), None if y is None else y[rows]
    model, forest = estimator.explained
    forest = forest_of(model) if forest is None else forest
    said = predictions_of(model, forest, rule_list.task, seen.X)
    fidelity = summarize(rule_list, model, seen.X, y, forest, seen, said)
    return Compared(fidelity, seen, said[0])


#: For classification and for regression.
_WORDS = {
    "disagreement": (
        "predictions that differ from the {}'s",
        "mean squared distance from the {}'s predictions",
    ),
    "trees_by_condition": ("trees that share a condition with the list",) * 2,
    "trees_by_path": ("trees that contain a whole rule of the list",) * 2,
    "uncovered": ("rows that no rule covers",) * 2,
    "overlapping": ("rows that several rules cover",) * 2,
}


def _fidelity_rows(fidelity: Fidelity, rule_list: RuleList, whole: str) -> tuple[tuple[str, float], ...]:
    """Return the measures with their descriptions; the scores are shown elsewhere."""
    i = not rule_list.task.has_labels
    known = {words[i].format(whole): getattr(fidelity, name) for name, words in _WORDS.items()}
    return tuple((words, float(value)) for words, value in known.items() if value is not None)
