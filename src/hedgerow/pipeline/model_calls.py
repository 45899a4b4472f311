"""How a model is called: by which method, under which names of its classes, and what comes back as an array."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from sklearn.base import is_classifier, is_regressor

from hedgerow._support.arrays import AnyArray
from hedgerow._support.lettering import with_article
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features.frames import column_names, is_frame
from hedgerow.forests.forest import Forest
from hedgerow.tasks import Labels, Numbers, Task
from hedgerow.teachers import Oracle


@dataclass(frozen=True, eq=False)
class Call:
    """The function of a model to call, and what it returns.

    Attributes
    ----------
    predict : callable
    known : list
        The classes, as ``y`` has them, in the order of the shares that are returned.
    renamed : mapping
        What the model calls a class, and what ``y`` does, where these differ.
    returns : "labels", "shares" or None
        What one number per row is, if that is known.
    """

    predict: Callable[[Any], Any]
    known: list[Any]
    renamed: Mapping[Any, Any] = field(default_factory=dict)
    returns: Literal["labels", "shares"] | None = None

    @classmethod
    def of(cls, model: Any, task: Task, oracle: Oracle) -> Call:
        """Return how to call a model for a task; refuse a model of the other task, or of other classes."""
        task.check_model(_kind_of(model))
        own = _classes_of(model)
        ways = ("answer",) if isinstance(model, Forest) else task.asked_by
        way = next((way for way in ways if hasattr(model, way)), None)
        if way is None and not callable(model):
            name = with_article(type(model).__qualname__)
            raise InvalidParameterError(
                f"{name[0].upper()}{name[1:]} cannot be asked. Pass an estimator with predict or predict_proba, or "
                "a function of a table that returns one prediction, or one row of class shares, per row."
            )
        known = task.order_of_shares(classes_named(own, oracle.classes))
        predict = model if way is None else getattr(model, way)
        if way == "decision_function":
            return cls(lambda X: _labels_of_scores(known, predict(X)), known, returns="labels")
        of_estimator: Literal["labels"] | None = "labels" if own is not None and way == "predict" else None
        return cls(predict, known, _renamed(own, oracle.classes, task), oracle.returns or of_estimator)

    def read(self, said: Any) -> AnyArray | None:
        """Return what the model returned as an array, labels as ``y`` has them; None if it is nothing of the kind."""
        array = as_array(said, self.known)
        if array is None or not self.renamed or array.ndim == 0 or array.size != len(array):
            return array
        if array.dtype.kind == "f" and self.returns != "labels":  # which may be shares
            return array
        return np.asarray([self.renamed.get(one, one) for one in array.ravel().tolist()])


def as_array(said: Any, known: Sequence[Any]) -> AnyArray | None:
    """Return what a model returned as an array; None if it is nothing of the kind.

    The columns of a data frame may be named after the classes, in any order.
    """
    if said is None or isinstance(said, (str, dict)):
        return None
    if is_frame(said):
        names = column_names(said) or []
        wanted = [str(label) for label in known]
        if len(names) > 1 and sorted(names) == sorted(wanted):
            return np.asarray(said)[:, [names.index(name) for name in wanted]]
    for step in ("detach", "cpu"):  # a tensor of torch may need these before it is an array
        said = getattr(said, step)() if hasattr(said, step) else said
    return np.asarray(list(said) if isinstance(said, Iterator) else said)


def _classes_of(model: Any) -> list[Any] | None:
    """Return the labels that a model knows, in its order; None if it does not say."""
    classes = getattr(model, "classes" if isinstance(model, Forest) else "classes_", None)
    return None if classes is None else np.asarray(classes, dtype=object).tolist()


def classes_named(own: list[Any] | None, given: Sequence[Any] | None) -> list[Any] | None:
    """Return the classes of a model in its order, under the names that are given; refuse names that contradict it."""
    if given is None:
        return own
    names = np.asarray(given, dtype=object).tolist()
    numbered = own is not None and own == list(range(len(names))) and sorted(names, key=str) != sorted(own, key=str)
    if own is None or own == names or numbered:
        return names
    raise InvalidParameterError(
        f"Oracle(classes={names}) contradicts the model, whose classes are {own}, in this order. Leave classes out: "
        "it is for functions, and names the classes of a model that knows only 0, 1, ..."
    )


def _renamed(own: list[Any] | None, given: Sequence[Any] | None, task: Task) -> dict[Any, Any]:
    """Return what a model calls the classes and what ``y`` does, if these differ.

    A function may return the number of a class, if ``y`` has no such labels.
    """
    if given is None or own == list(given):
        return {}
    numbers: list[Any] = list(range(len(given))) if own is None else own
    return {} if own is None and set(numbers) & set(task.labels) else dict(zip(numbers, given, strict=True))


def _kind_of(model: Any) -> str | None:
    """Return "classification" or "regression" if a model says that it is for one of them."""
    if isinstance(model, Forest):
        return model.task.name
    if not hasattr(model, "__sklearn_tags__"):
        return None
    return Labels.name if is_classifier(model) else Numbers.name if is_regressor(model) else None


def _labels_of_scores(labels: list[Any], scores: Any) -> AnyArray:
    """Return the labels that a decision function stands for: those of the highest score, or of the sign."""
    scores = np.asarray(scores)
    which = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    return np.asarray(labels)[which]
