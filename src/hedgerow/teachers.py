"""A strong model that teaches the list, also between the samples.

A list must part the training samples. One that is mixed of several trees leaves gaps between its rules, where a new
sample gets the default, and with few samples chance has much to say in the choice of rules. So a model that errs less
than any short list is fitted first. The list then learns from the samples, with a mix of their targets and the model's
out-of-bag answers, and from made-up rows: samples with some columns taken from another, with the model's answers. What
is shown about a rule (how many samples, which share, how far their targets spread) is of the samples alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.candidates.answers import as_shares
from hedgerow.candidates.ensembles import clone_ensemble, fit_clone
from hedgerow.candidates.out_of_bag import mend, out_of_bag
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, UnfittedModelError, UnsupportedModelError
from hedgerow.features import cells, column_of
from hedgerow.forests.forest import Forest
from hedgerow.readers import read_forest


@dataclass(frozen=True)
class Teacher:
    """Who teaches a list of rules, and how.

    Parameters
    ----------
    model : estimator, pipeline, booster, path or Forest
        A fitted model is used as it is; an unfitted one is cloned and fitted; one in a ``FrozenEstimator`` is never
        fitted again. Any regressor, or classifier with ``predict_proba``, will do: it need not be of trees. Only of a
        model that is fitted here out-of-bag answers are taken (``oob_score=True``): of another it is not known whether
        they are of the same samples.
    share : float
        The share of the model's answers in the samples' targets by which rules are chosen. What a rule answers comes
        from ``y``, unless the share is 1.
    copies, most : int
        So many made-up rows a sample, and so many at most.
    swap : float
        The chance of each column of a made-up row to come from another sample. Columns of zeros and ones, side
        by side, just one of which is one in every sample (a category, one column each), go together.
    weight : float
        The weight of a made-up row; that of the sample it is made of is 1.
    enough : int
        With more samples than this the weight falls in proportion: there the samples say most themselves.
    alone : int
        A rule that covers at least so many samples answers by them alone. In a smaller one the made-up rows that it
        covers have a say, too.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> from hedgerow import RuleListRegressor
    >>> from hedgerow.teachers import Teacher
    >>> X, y = load_diabetes(return_X_y=True)
    >>> teacher = Teacher(RandomForestRegressor(30, min_samples_leaf=3, random_state=0), copies=2)
    >>> trees = RandomForestRegressor(5, max_leaf_nodes=8, random_state=0)
    >>> rules = RuleListRegressor(trees, max_rules=4, teacher=teacher, random_state=0).fit(X, y)
    >>> sum(rule.coverage for rule in rules.rule_list_) == len(X)
    True
    """

    model: Any
    share: float = 0.25
    copies: int = 50
    most: int = 5000
    swap: float = 0.3
    weight: float = 0.1
    enough: int = 1000
    alone: int = 10

    def __post_init__(self) -> None:
        between = "a number between 0 and 1"
        for name, kind, least, most, possible in (
            ("share", Real, 0, 1, between),
            ("swap", Real, 0, 1, between),
            ("weight", Real, np.nextafter(0, 1), np.finfo(float).max, "a finite number above 0"),
            ("copies", Integral, 0, np.inf, "a whole number of at least 0"),
            ("most", Integral, 0, np.inf, "a whole number of at least 0"),
            ("enough", Integral, 1, np.inf, "a whole number of at least 1"),
            ("alone", Integral, 0, np.inf, "a whole number of at least 0"),
        ):
            value = getattr(self, name)
            if not isinstance(value, kind) or isinstance(value, bool) or not least <= float(value) <= most:
                raise InvalidParameterError(f"{name} of a Teacher must be {possible}; got {value!r}.")

    def __sklearn_clone__(self) -> Teacher:
        return replace(self, model=clone_ensemble(self.model))

    @property
    def makes_rows(self) -> bool:
        """Whether there are made-up rows."""
        return self.copies > 0 and self.most > 0


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a list learns from: samples and, after them, made-up rows.

    Attributes
    ----------
    X : table
        All rows.
    y : array
        What an ensemble is fitted to: values, or labels.
    fit_weight : float array or None
        With these weights.
    targets, answered : arrays
        What the rules are chosen by, and what they answer by: values, labels, or rows of class shares.
    weight : float array
        Of all rows in both.
    n_samples : int
        How many of the rows are samples.
    model : the fitted teacher, or None
    """

    X: Any
    y: AnyArray
    fit_weight: FloatArray | None
    targets: AnyArray
    answered: AnyArray
    weight: FloatArray
    n_samples: int
    model: Any = None

    def with_classes(self, old: AnyArray | None, new: AnyArray | None) -> Lesson:
        """Return the same with class shares in the order of other classes, among which are all old ones."""
        if old is None or new is None or self.targets.ndim < 2 or np.array_equal(old, new):
            return self
        among: FloatArray = (old[:, None] == new).astype(np.float64)
        return replace(self, targets=self.targets @ among, answered=self.answered @ among)


def teach(
    teacher: Teacher, X: Any, y: AnyArray, weight: FloatArray | None, classes: AnyArray | None, random: Any
) -> Lesson:
    """Fit the teacher, ask it, and return what the list learns.

    Parameters
    ----------
    teacher : Teacher
    X, y, weight :
        The samples; without a weight all count the same.
    classes : array or None
        All labels; None for regression.
    random : RandomState
        For the made-up rows.
    """
    model, forest, fitted_here = _ready(teacher.model, X, y, weight, classes is not None)
    ask = _questions(model if forest is None else forest, classes)
    truth = y if classes is None else as_shares(y, classes)
    targets = truth
    if teacher.share > 0:
        said = mend(out_of_bag(model, len(y)) if fitted_here else None, ask(X))
        targets = teacher.share * said + (1 - teacher.share) * truth
    answered = targets if teacher.share == 1 else truth
    grown_on = targets if classes is None else y
    counted = np.ones(len(y)) if weight is None else weight
    lesson = Lesson(X, grown_on, weight, targets, answered, counted, len(y), model)
    return _with_rows(lesson, teacher, ask, classes, random) if teacher.makes_rows else lesson


def _with_rows(
    lesson: Lesson, teacher: Teacher, ask: Callable[[Any], AnyArray], classes: AnyArray | None, random: Any
) -> Lesson:
    """Return the lesson with made-up rows after its samples."""
    used = np.flatnonzero(lesson.weight > 0)
    origin, kept = _origins(teacher, lesson.X, used, random)
    answers = ask(cells(lesson.X, origin))
    weight = lesson.weight[kept] * teacher.weight * min(1.0, teacher.enough / len(used))
    labels, sure = answers, 1.0
    if classes is not None:
        # An ensemble takes labels. Between two classes a likelier one that counts by its lead says as much as shares.
        second, first = np.sort(answers, axis=1)[:, -2:].T
        labels, sure = classes[answers.argmax(axis=1)], first - second
    samples = np.repeat(np.arange(lesson.n_samples)[:, None], origin.shape[1], axis=1)
    return replace(
        lesson,
        X=cells(lesson.X, np.concatenate([samples, origin])),
        y=np.concatenate([lesson.y, labels]),
        fit_weight=np.concatenate([lesson.weight, weight * sure]),
        targets=np.concatenate([lesson.targets, answers]),
        answered=np.concatenate([lesson.answered, answers]),
        weight=np.concatenate([lesson.weight, weight]),
    )


def _ready(
    model: Any, X: Any, y: AnyArray, weight: FloatArray | None, of_labels: bool
) -> tuple[Any, Forest | None, bool]:
    """Return the model, fitted here if it is not yet; if it was, its neutral form; and whether it is fitted here."""
    if isinstance(model, type):
        raise InvalidParameterError(f"The teacher's model is the class {model.__name__}; pass an instance of it.")
    try:
        return model, read_forest(model), False
    except UnfittedModelError:
        fitted = False
    except UnsupportedModelError:  # of trees or not, a teacher need only answer
        fitted = _is_fitted(model)
    if fitted:
        return model, None, False
    if isinstance(model, FrozenEstimator):
        raise UnfittedModelError("The teacher's model is in a FrozenEstimator, but not fitted. Fit it first.")
    _check_task(model, of_labels)
    try:
        return fit_clone(model, X, y, weight), None, True
    except ValueError as error:
        raise InvalidDataError(
            f"The teacher, a {type(model).__qualname__}, cannot learn from these samples: {error} "
            "Give one that can: teacher=Teacher(model)."
        ) from error


def _is_fitted(model: Any) -> bool:
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    except TypeError:
        raise InvalidParameterError(
            f"The teacher's model must be an estimator as those of scikit-learn, or a tree ensemble; got {model!r}."
        ) from None
    return True


def _questions(model: Any, classes: AnyArray | None) -> Callable[[Any], AnyArray]:
    """Return a function of rows: what the model says of them, values or shares of these classes."""
    is_forest = isinstance(model, Forest)
    _check_task(model, classes is not None)
    if classes is None:
        return lambda X: np.asarray(model.answer(X) if is_forest else model.predict(X), dtype=np.float64).ravel()
    known = np.asarray(model.classes if is_forest else model.classes_)
    if sorted(known.tolist(), key=str) != sorted(classes.tolist(), key=str):
        raise InvalidDataError(
            f"The teacher was trained on other labels than y has: it knows {known.tolist()[:10]}, y has "
            f"{classes.tolist()[:10]}. Let it be fitted here, or train it on the same labels."
        )
    place = [known.tolist().index(label) for label in classes.tolist()]
    return lambda X: np.asarray(model.answer(X) if is_forest else model.predict_proba(X))[:, place]


def _check_task(model: Any, of_labels: bool) -> None:
    """Refuse a classifier where values are learned, and a model without class shares where labels are."""
    is_classifier = model.classes is not None if isinstance(model, Forest) else hasattr(model, "predict_proba")
    if is_classifier != of_labels:
        wanted = "a classifier with predict_proba" if of_labels else "a regression"
        found = "a classifier" if is_classifier else "none"
        raise InvalidParameterError(
            f"The teacher's model must be {wanted} here, but this {type(model).__qualname__} is {found}."
        )


def _origins(teacher: Teacher, X: Any, used: IntArray, random: Any) -> tuple[IntArray, IntArray]:
    """Draw made-up rows: the sample that each cell comes from, and for each row the one it is made of."""
    n_rows = min(teacher.copies * len(used), teacher.most)
    kept, other = (used[random.randint(len(used), size=n_rows)] for _ in range(2))
    group = _whole_categories(X, used)
    swapped = random.random_sample((n_rows, group.max() + 1)) < teacher.swap
    return np.where(swapped[:, group], other[:, None], kept[:, None]), kept


def _whole_categories(X: Any, used: IntArray) -> IntArray:
    """Number the columns so that those of one category, one column a value, have the same number.

    They are found by what they are: columns of zeros and ones, side by side, with just one one in every sample. If that
    is by chance, the made-up rows only keep something that is true of all samples.
    """
    flags = [_flags(column_of(X, j), used) for j in range(X.shape[1])] if len(X.shape) > 1 else [None]
    group = np.arange(len(flags))
    # So many ones, and for other columns too many for any category.
    ones = np.cumsum([0] + [len(used) + 1 if flag is None else int(flag.sum()) for flag in flags])
    start = 0
    while start < len(flags):
        end = int(np.searchsorted(ones, ones[start] + len(used)))
        if end <= len(flags) and ones[end] - ones[start] == len(used) and _is_one_each(flags[start:end]):
            group[start:end] = start
            start = end
        else:
            start += 1
    return np.unique(group, return_inverse=True)[1]


def _flags(column: Any, used: IntArray) -> BoolArray | None:
    """Return a column of zeros and ones as booleans, and None for any other."""
    values = np.asarray(column)
    if values.dtype.kind not in "biuf":
        return None
    values = values[used]
    is_one: BoolArray = values == 1
    return is_one if np.all(is_one | (values == 0)) else None


def _is_one_each(flags: list[Any]) -> bool:
    """Whether just one of the columns is true in each row."""
    return bool(np.all(np.sum(flags, axis=0) == 1))
