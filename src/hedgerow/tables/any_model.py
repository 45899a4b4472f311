"""What a table needs to know about a trained model that is not a tree ensemble: its columns and its classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray
from hedgerow.exceptions import UnfittedModelError, UnsupportedModelError
from hedgerow.features import Inputs
from hedgerow.tasks import Task, task_of


@dataclass(frozen=True, eq=False)
class AnyModel:
    """A trained model, as far as a table is concerned; for tree ensembles, :class:`hedgerow.Forest` knows the same.

    Attributes
    ----------
    inputs : Inputs
        The names of the columns; what is read from them is up to the model.
    classes : array or None
        The labels; None for regression.
    """

    inputs: Inputs
    classes: AnyArray | None

    @classmethod
    def of(cls, model: Any) -> AnyModel:
        """Return what is known about a fitted estimator with ``predict`` or ``predict_proba``."""
        names, n_columns = getattr(model, "feature_names_in_", None), getattr(model, "n_features_in_", None)
        if n_columns is None or not (hasattr(model, "predict") or hasattr(model, "predict_proba")):
            _check_fitted(model)
            raise UnsupportedModelError(
                f"This {type(model).__qualname__} does not say which columns it takes, or does not predict. A model to "
                "explain must be a fitted estimator like those of scikit-learn, with predict and n_features_in_."
            )
        classes = getattr(model, "classes_", None)
        if classes is None and is_classifier(model):
            raise UnsupportedModelError(f"This {type(model).__qualname__} does not have classes_.")
        columns = tuple(f"x{i}" for i in range(n_columns)) if names is None else tuple(map(str, names))
        return cls(Inputs((), columns=columns, has_names=names is not None), _array(classes))

    @property
    def task(self) -> Task:
        """What the model predicts: labels or numbers."""
        return task_of(self.classes)


def _check_fitted(model: Any) -> None:
    """Refuse an estimator that is not fitted; what is not an estimator, the caller refuses."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise UnfittedModelError(f"This {type(model).__qualname__} is not fitted. Fit it before it is saved.") from None
    except TypeError:
        return


def _array(classes: Any) -> AnyArray | None:
    return None if classes is None else np.asarray(classes)
