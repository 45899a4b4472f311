"""A warning about a list that says little: it hardly agrees with what it explains, or is no better than a single rule.

What a list predicts for its training samples is known once it is chosen, since each of them matches one rule. So the
check costs little, and a model that was asked about the samples is not asked again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.candidates.answers import Majority, Mean
from hedgerow.candidates.margins import Gaps
from hedgerow.candidates.tally import Tally, is_constant
from hedgerow.exceptions import PoorListWarning, warn
from hedgerow.pipeline.build import predicted_for_samples, score_of_sums
from hedgerow.pipeline.fold import Extracted
from hedgerow.pipeline.pose import Posed
from hedgerow.pipeline.settings import Settings
from hedgerow.rules.wording import format_value
from hedgerow.tasks import Labels, Numbers, Task

#: The least share of the way from a single rule to its model that a list should go, which is as faithful as can be.
_LEAST = 0.4
#: The same where other settings may explain an ensemble better, as with those of the published method.
_LEAST_OF_OTHERS = {Labels: 0.65, Numbers: 0.5}
#: Up to this share, a list is no better than a single rule.
_NOTHING = 0.02
#: Labels that agree this often are good enough, unless those of a single rule do as well.
_OFTEN = 0.9
#: A list is compared with an ensemble on at most so many samples.
_MOST_SAMPLES = 500
#: A list of fewer samples is not judged.
_FEWEST_SAMPLES = 50


@dataclass(frozen=True)
class Standing:
    """How well a list predicts something on its training samples.

    Attributes
    ----------
    of : str
        What is predicted: "the model", "the ensemble" or "y".
    score_name : str
    score : float
        The list's accuracy or R².
    constant, constant_score :
        The best prediction that is the same for all samples, and its score.
    """

    of: str
    score_name: str
    score: float
    constant: object
    constant_score: float

    @property
    def share(self) -> float:
        """How far the list goes from a single rule, which is 0, to being right everywhere, which is 1."""
        missing = 1 - self.constant_score
        return (self.score - self.constant_score) / missing if missing > 0 else 1.0

    def is_poor(self, least: float) -> bool:
        """Return whether the list goes less than this share of the way."""
        return self.share < _NOTHING or (self.share < least and self.score < _OFTEN)

    def __str__(self) -> str:
        if self.of == "y":
            start = "The list predicts y poorly: on the training samples"
        else:
            start = f"The list explains {self.of} poorly: measured against its predictions for the training samples"
        return (
            f"{start}, the list has {self.score_name} {self.score:.2f}, and always predicting "
            f"{format_value(self.constant)} has {self.constant_score:.2f}."
        )


def warn_if_poor(extracted: Extracted) -> None:
    """Warn if a list explains its model or ensemble poorly, or is no better than a single rule, and say what helps."""
    poor = poor_standing(extracted)
    if poor is not None:
        n_classes = len(extracted.posed.learned.task.labels)
        warn(f"{poor} {_way_out(extracted.posed.settings, n_classes)}".rstrip(), PoorListWarning)


def poor_standing(extracted: Extracted) -> Standing | None:
    """Return in what the list is poor, or None if it is not.

    A list that explains a model is compared with that model. Any other must be better than a single rule for ``y`` and,
    without a teacher, explain its ensemble; but it need not follow an ensemble where it predicts ``y`` well by itself.
    Of rows that are read in chunks, only the sums are known: there, a list must be better than a single rule for ``y``.
    """
    posed, learned, settings = extracted.posed, extracted.posed.learned, extracted.posed.settings
    n, task, teacher = learned.n_samples, learned.task, settings.teacher
    # Costs and quantiles ask for other predictions than the most frequent label or the mean.
    if settings.max_rules == 1 or n < _FEWEST_SAMPLES or not isinstance(learned.loss.answer, (Majority, Mean)):
        return None
    if isinstance(learned.weight, Tally) or isinstance(learned.values, Gaps):
        return _standing_of_sums(extracted)
    predicted = predicted_for_samples(posed, extracted.solution, extracted.rule_list)
    weight = learned.weight[:n]
    if teacher is not None and teacher.is_explained and learned.said is not None:
        of_model = _standing(task, "the model", task.hardened(learned.said)[0], predicted, weight)
        # With λ > 0, the list is not as faithful as it could be.
        least = _LEAST if settings.stability_weight == 0 else _LEAST_OF_OTHERS[settings.task_kind]
        return of_model if of_model.is_poor(least) else None
    of_y = _standing(task, "y", learned.samples.y[learned.samples.counted > 0], predicted, weight)
    if teacher is None and of_y.is_poor(_LEAST_OF_OTHERS[settings.task_kind]):
        some = slice(0, n, -(-n // _MOST_SAMPLES))
        said = _said_by_ensemble(posed, some)
        of_ensemble = _standing(task, "the ensemble", said, predicted[some], weight[some])
        if of_ensemble.is_poor(_LEAST_OF_OTHERS[settings.task_kind]):
            return of_ensemble
    return of_y if settings.ensemble_share < 1 and of_y.share < _NOTHING else None


def _said_by_ensemble(posed: Posed, some: slice) -> AnyArray:
    """Return what the ensemble predicts for some of the rows; where possible, from the ends that they reach."""
    forest, values, pool = posed.learned.forest, posed.learned.values, posed.pool
    assert not isinstance(values, Gaps)
    is_whole = pool.forest is forest and not forest.members
    leaves = pool.leaves(posed.coverage.ends.ranks[some]) if is_whole else None
    if leaves is not None:
        return forest.predictions_of_leaves(leaves)
    return forest.predictions_of(values[some])


def _standing_of_sums(extracted: Extracted) -> Standing | None:
    """Return in what a list for rows in chunks is poor: these are not at hand, to ask the ensemble about some of them.

    What is left is whether the list predicts ``y`` better than a single rule.
    """
    posed, learned = extracted.posed, extracted.posed.learned
    assert learned.y is not None
    everything = posed.coverage.everything()
    if learned.task.has_labels:
        (found,) = learned.y.class_weights(everything)
        constant, always = learned.task.labels[found.argmax()], float(found.max() / found.sum())
    else:
        constant, always = float(learned.y.moments(everything)[0][0]), float(is_constant(learned.y))
    score = score_of_sums(posed, extracted.solution, extracted.rule_list)
    of_y = Standing("y", learned.task.score_name, score, constant, always)
    return of_y if of_y.share < _NOTHING else None


def _standing(task: Task, of: str, expected: AnyArray, predicted: AnyArray, weight: FloatArray) -> Standing:
    constant = task.best_constant(expected, weight)
    is_constant = bool((expected == expected[0]).all())  # so that rounding does not matter
    always = 1.0 if is_constant else task.score(expected, np.full_like(expected, constant), weight)
    return Standing(of, task.score_name, task.score(expected, predicted, weight), constant, always)


def _way_out(settings: Settings, n_classes: int) -> str:
    """Return what helps."""
    budget = settings.max_rules
    if budget is not None and budget < n_classes:
        return f"{budget} rules predict at most {budget} of the {n_classes} classes; raise max_rules."
    ways = [] if settings.teacher is not None else ["use faithful(model) or accurate(max_rules=...)"]
    if closer := _closer_settings(settings):
        ways.append(f"set {' and '.join(closer)}")
    if budget is not None:
        ways.append(f"raise max_rules above {budget}")
    return f"To improve it, {', or '.join(ways)}." if ways else ""


def _closer_settings(settings: Settings) -> list[str]:
    """Return the settings with which a list would be closer to its ensemble."""
    found = [] if settings.candidates == "nodes" else ["candidates='nodes'"]
    return found if settings.stability_weight == 0 else [*found, "stability_weight=0"]
