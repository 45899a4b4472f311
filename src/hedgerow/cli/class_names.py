"""What a model calls its classes, and what the table calls them.

Files of XGBoost know classes by number only: 0, 1, 2. ``--classes`` says what the table calls these.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, UnsupportedModelError
from hedgerow.readers import read_forest

#: How an integer is written that comes out as it goes in.
_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}")


def names_in(text: str) -> list[Any]:
    """Return names that are separated by commas; a name with a comma is in double quotes. Integers become such.

    >>> names_in('no,"yes, but"'), names_in("1,2")
    (['no', 'yes, but'], [1, 2])
    """
    names = [name.strip() for row in csv.reader([text], skipinitialspace=True) for name in row]
    return [int(name) for name in names] if all(map(_INTEGER.fullmatch, names)) else names


def named(model: Any, names: Sequence[Any]) -> Any:
    """Return a model that predicts these names in place of its own classes, in their order."""
    try:
        forest = read_forest(model)
    except UnsupportedModelError:
        forest = None
    known = getattr(model, "classes_", None) if forest is None else forest.classes
    if known is None:
        raise InvalidParameterError("--classes is for a model that predicts classes; this one predicts numbers.")
    if len(names) != len(known) or len(set(names)) < len(names):
        raise InvalidParameterError(
            f"--classes must give each class of the model a name of its own, {len(known)} in all, in the order "
            f"{some(np.asarray(known).tolist())}; got {some(names)}."
        )
    if forest is not None:
        return replace(forest, classes=np.array(names))
    return NamedClasses(model, np.array(names))


class NamedClasses(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted classifier without trees whose classes have other names.

    Parameters
    ----------
    model : estimator
    names : array
        One name for each of its ``classes_``.
    """

    def __init__(self, model: Any, names: AnyArray) -> None:
        self.model = model
        self.names = names

    def __getattr__(self, name: str) -> Any:
        if name not in ("n_features_in_", "feature_names_in_"):
            raise AttributeError(name)
        return getattr(self.model, name)

    @property
    def classes_(self) -> AnyArray:
        """The names."""
        return self.names

    def predict(self, X: Any) -> AnyArray:
        """Return the name of what the model predicts for each row."""
        places = {label: i for i, label in enumerate(np.asarray(self.model.classes_).tolist())}
        return self.names[[places[label] for label in np.asarray(self.model.predict(X)).ravel().tolist()]]

    @available_if(lambda self: hasattr(self.model, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the model's class shares, whose order is that of the names."""
        return np.asarray(self.model.predict_proba(X))


def check_labels(known: AnyArray | None, y: AnyArray, target: str) -> None:
    """Refuse labels that the model does not know, and say how to name its classes."""
    if known is None:
        return
    labels, classes = np.unique(y).tolist(), known.tolist()
    if all(label in classes for label in labels):
        return
    said = f"The model predicts the classes {some(classes)}, but the target {target!r} has {some(labels)}."
    if len(labels) != len(classes):
        raise InvalidDataError(f"{said} Name the model's classes, in this order, with --classes NAME,NAME,...")
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(labels)
    raise InvalidDataError(f"{said} If these are the same, in this order, add --classes {shlex.quote(row.getvalue())}")
