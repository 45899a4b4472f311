"""What rules predict: from their samples, the teacher's opinion of these, synthetic rows and smoothing.

Both the list that is built and the constraints, which ask before any rule is chosen, take it from here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.candidates.answers import OfLabels, Predictions
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.tally import of_first, sizes
from hedgerow.pipeline.prepare import Learned
from hedgerow.pipeline.settings import Settings
from hedgerow.smoothing import Paths


def predictions_of(
    settings: Settings, learned: Learned, pool: RulePool, coverage: Coverage, rules: IntArray
) -> Predictions:
    """Return what some rules of a pool predict from their samples, the teacher's opinion of these, and synthetic rows.

    Synthetic rows count where samples are few.
    """
    teacher, n_samples, n_rows = settings.teacher, learned.n_samples, len(learned.weight)
    own = _from_first(settings, learned, pool, coverage.of_first(n_samples), rules)
    if teacher is None:
        return own
    mine = coverage.of_first(n_samples).subset(rules)
    told = _with_opinion(learned, teacher.opinion, mine, own) if teacher.opinion > 0 else own
    if n_rows > n_samples:
        taught = _from_first(settings, learned, pool, coverage.of_first(n_rows), rules)
        told = [o if n >= teacher.alone else t for o, t, n in zip(told, taught, mine.counts, strict=True)]
    if teacher.is_explained:
        return _of_explained_model(learned, mine, told)
    return [learned.loss.answer.about_samples(learned.task, t, o) for t, o in zip(told, own, strict=True)]


def default_of(settings: Settings, learned: Learned, coverage: Coverage) -> dict[str, Any]:
    """Return what is predicted where no rule matches: what a single rule would predict."""
    n = learned.n_samples
    everything = coverage.everything().of_first(n)
    told = learned.loss.answer.of_rules(
        learned.task, of_first(learned.answered, n), of_first(learned.weight, n), everything
    )
    if settings.teacher is not None and settings.teacher.is_explained:
        told = _of_explained_model(learned, everything, told)
    return told[0]


def _from_first(
    settings: Settings, learned: Learned, pool: RulePool, coverage: Coverage, rules: IntArray
) -> Predictions:
    """Return what some rules predict from the rows of this coverage, the first ones."""
    n, smoothing = coverage.n_samples, settings.smoothing
    paths = None if smoothing is None else Paths.of(pool, coverage, rules, smoothing)
    rows = (of_first(learned.answered, n), of_first(learned.weight, n), coverage.subset(rules))
    return learned.loss.answer.of_rules(learned.task, *rows, paths)


def _with_opinion(learned: Learned, strength: float, coverage: Coverage, own: Predictions) -> Predictions:
    """Return what rules predict if the teacher's opinion of their samples counts like so many samples."""
    answer, weight = learned.loss.answer, of_first(learned.weight, learned.n_samples)
    assert isinstance(answer, OfLabels)
    assert learned.said is not None
    said = answer.shares(learned.task, learned.said, weight, coverage)
    size = sizes(weight, coverage)[1][:, None]
    shares = size * np.array([prediction["distribution"] for prediction in own]) + strength * said
    return answer.of_shares(learned.task, shares / (size + strength))


def _of_explained_model(learned: Learned, coverage: Coverage, said: Predictions) -> Predictions:
    """Return what rules predict if they explain a model, with what the samples say about it."""
    samples, task = learned.samples, learned.task
    y, weight = task.numeric(samples.y[samples.counted > 0]), of_first(learned.weight, learned.n_samples)
    answer = learned.loss.answer
    own = answer.of_rules(task, y, weight, coverage)
    return [
        answer.about_samples(task, t, o) | {"of_model": t[answer.sureness], "kind": t["kind"]}
        for t, o in zip(said, own, strict=True)
    ]
