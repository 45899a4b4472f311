"""What a list learns from: the samples or, with a teacher, what the teacher makes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.lettering import with_article
from hedgerow.candidates.ensembles import fit_clone
from hedgerow.candidates.out_of_bag import mend, out_of_bag
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, UnfittedModelError, UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.asking import Questions, forest_of
from hedgerow.pipeline.samples import Heard, Samples
from hedgerow.pipeline.synthetic_rows import draw_rows
from hedgerow.readers import read_forest
from hedgerow.tasks import Task
from hedgerow.teachers import Oracle, Teacher, unwrapped


@dataclass(frozen=True, eq=False)
class Lesson:
    """Samples and, after them, synthetic rows.

    Attributes
    ----------
    X : table
        All rows.
    y : array
        What an ensemble is fitted to: values, or labels.
    fit_weight : float array or None
        The weights for that.
    targets, answered : arrays
        The targets by which rules are chosen, and those from which rules predict: values, labels, or rows of class
        shares.
    weight : float array
        The weight of each row in both.
    n_samples : int
        How many of the rows are samples.
    model : the fitted teacher, or None
    said : array or None
        What the teacher predicts for the samples, out-of-bag where it can; None if it was not asked.
    asked : pair of int
        About how many rows the teacher was asked, and in how many calls.
    returns : "labels", "shares" or None
        What one number per row of the teacher is, of two classes; None if it makes no difference.
    """

    X: Any
    y: AnyArray
    fit_weight: FloatArray | None
    targets: AnyArray
    answered: AnyArray
    weight: FloatArray
    n_samples: int
    model: Any = None
    said: AnyArray | None = None
    asked: tuple[int, int] = (0, 0)
    returns: Literal["labels", "shares"] | None = None

    @classmethod
    def of(cls, samples: Samples) -> Lesson:
        """Return the samples as they are."""
        return cls(samples.X, samples.y, samples.weight, samples.y, samples.y, samples.counted, len(samples.y))

    def with_classes(self, old: Task, new: Task) -> Lesson:
        """Return the same with class shares in the order of another task's classes, which include all old ones."""
        if self.targets.ndim < 2 or np.array_equal(np.asarray(old.classes), np.asarray(new.classes)):
            return self
        among = (np.asarray(old.classes)[:, None] == np.asarray(new.classes)).astype(np.float64)
        said = None if self.said is None else self.said @ among
        return replace(self, targets=self.targets @ among, answered=self.answered @ among, said=said)


def teach(teacher: Teacher, samples: Samples, random: Any, verbose: bool = False) -> Lesson:
    """Fit the teacher, ask it, and return what the list learns.

    ``random`` is a RandomState, for the synthetic rows; with ``verbose``, a bar shows the progress of many questions.
    """
    y, task = samples.y, samples.task
    if teacher.opinion > 0 and not task.has_labels:
        raise InvalidParameterError("Teacher(opinion=...) is for labels; for numbers, leave it at 0.")
    model, forest, fitted_here = _ready(teacher.model, samples)
    oracle, heard = (teacher.model if isinstance(teacher.model, Oracle) else None), samples.heard
    if oracle is None:
        _check_task(model, forest, task)
    elif heard is not None:
        oracle = _with_the_rest(oracle, heard, task)
    ask = Questions(model if forest is None else forest, task, oracle, verbose, is_steady=heard is not None)
    truth = task.numeric(y)
    targets: AnyArray = truth
    said: AnyArray | None = None
    if teacher.share > 0 or teacher.opinion > 0:
        predicted = ask(samples.X) if oracle is None or heard is None else heard.said
        said = mend(out_of_bag(model, len(y)) if fitted_here else None, predicted)
        targets = task.mix(y, said, teacher.share)
    answered = targets if teacher.share == 1 else truth
    grown_on, fit_weight = (y if task.has_labels else targets), samples.weight
    if task.has_labels and teacher.share == 1:
        grown_on, fit_weight = _hardened(task, targets, samples)
    lesson = Lesson(samples.X, grown_on, fit_weight, targets, answered, samples.counted, len(y), model, said)
    n_left = ask.n_left if oracle is None or heard is None else heard.n_left
    if n_left is not None:
        teacher = replace(teacher, most=min(teacher.most, max(0, n_left)))
    if teacher.makes_rows:
        lesson = _with_rows(lesson, teacher, ask, task, random)
    return replace(lesson, asked=(ask.n_rows, ask.n_calls), returns=ask.returns)


def hear(teacher: Teacher, samples: Samples, verbose: bool = False) -> Heard:
    """Ask the Oracle that teaches about all samples, before any fit to them."""
    oracle, forest = teacher.model, forest_of(teacher.model)
    ask = Questions(oracle.model if forest is None else forest, samples.task, oracle, verbose)
    said = ask(samples.X)
    return Heard(said, ask.n_left, ask.returns, (ask.n_rows, ask.n_calls))


def _with_the_rest(oracle: Oracle, heard: Heard, task: Task) -> Oracle:
    """Return an Oracle that is asked about the synthetic rows alone."""
    if task.has_labels and heard.said.shape[1] != len(task.labels):
        raise InvalidDataError(
            f"The model knows {heard.said.shape[1]} classes, but this part of the samples has {len(task.labels)} of "
            "them. Shuffle and stratify the folds, take fewer of them, or leave out classes with so few samples."
        )
    return replace(oracle, limit=None if heard.n_left is None else max(1, heard.n_left), returns=heard.returns)


def _hardened(task: Task, shares: FloatArray, samples: Samples) -> tuple[AnyArray, FloatArray]:
    """Return the labels that a teacher is for, and how much each counts; each class stays the label of some sample."""
    labels, sure = task.hardened(shares)
    for k, label in enumerate(task.labels):
        if not (labels == label).any():
            own = np.flatnonzero(samples.y == label)
            labels[own[np.argmax(shares[own, k])]] = label
    return labels, samples.counted * sure


def _with_rows(lesson: Lesson, teacher: Teacher, ask: Questions, task: Task, random: Any) -> Lesson:
    """Return the lesson with synthetic rows after its samples."""
    used = np.flatnonzero(lesson.weight > 0)
    if teacher.rows == "scatter" and not task.has_labels:
        raise InvalidParameterError("Teacher(rows='scatter') is for labels; for numbers, take rows='swap'.")
    X, kept, copied = draw_rows(teacher, lesson.X, lesson.y, used, random)
    answers = ask(X[lesson.n_samples :], synthetic=True)
    if teacher.unseen and lesson.said is not None:
        answers[copied >= 0] = lesson.said[copied[copied >= 0]]
    weight = lesson.weight[kept] * teacher.weight * min(1.0, teacher.enough / len(used))
    y, sure = task.hardened(answers)
    return replace(
        lesson,
        X=X,
        y=np.concatenate([lesson.y, y]),
        fit_weight=np.concatenate([lesson.weight if lesson.fit_weight is None else lesson.fit_weight, weight * sure]),
        targets=np.concatenate([lesson.targets, answers]),
        answered=np.concatenate([lesson.answered, answers]),
        weight=np.concatenate([lesson.weight, weight]),
    )


def _ready(model: Any, samples: Samples) -> tuple[Any, Forest | None, bool]:
    """Return the model, fitted here if need be; its neutral form if it came fitted; and whether it is fitted here."""
    if isinstance(model, Oracle):
        return model.model, forest_of(model), False
    if isinstance(model, type):
        raise InvalidParameterError(f"The teacher's model is the class {model.__name__}; pass an instance of it.")
    try:
        return model, read_forest(model), False
    except UnfittedModelError:
        pass
    except UnsupportedModelError:  # whether it has trees or not, a teacher need only predict
        if _is_fitted(model):
            return model, None, False
    if isinstance(model, FrozenEstimator):
        raise UnfittedModelError("The teacher's model is in a FrozenEstimator, but not fitted. Fit it first.")
    _check_task(model, None, samples.task)
    try:
        return fit_clone(model, samples.X, samples.y, samples.weight), None, True
    except ValueError as error:
        raise InvalidDataError(
            f"The list learns from {with_article(type(model).__qualname__)}, too, which cannot be fitted to these "
            f"samples: {error} Change them, or choose the model: teacher=hedgerow.teachers.Teacher(model)."
        ) from error


def _is_fitted(model: Any) -> bool:
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    except TypeError:
        raise InvalidParameterError(
            f"The teacher's model must be an estimator like those of scikit-learn, or a tree ensemble; got {model!r}."
        ) from None
    return True


def _check_task(model: Any, forest: Forest | None, task: Task) -> None:
    """Refuse a classifier where numbers are learned, and a model without class shares where labels are."""
    is_classifier = hasattr(model, "predict_proba") if forest is None else forest.task.has_labels
    if is_classifier != task.has_labels:
        wanted = "a classifier with predict_proba" if task.has_labels else "a regressor"
        other = "has no predict_proba" if forest is None else "is a regressor"
        found = "is a classifier" if is_classifier else other
        raise InvalidParameterError(
            f"This list learns {'labels' if task.has_labels else 'numbers'} from a model, but this "
            f"{type(unwrapped(model)).__qualname__} {found}. Give {wanted}, or use "
            f"{'RuleListRegressor' if task.has_labels else 'RuleListClassifier'}."
        )
