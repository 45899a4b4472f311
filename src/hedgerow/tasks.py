"""What is predicted: class labels or numbers.

Whatever differs between the two is a method of one value, the task. It is made once, from the targets that ``fit`` is
given, and passed along. To add a task, write a frozen dataclass here with the same methods, name it in ``Task`` and
``TaskKind``, and say in ``task_of`` how a forest or a list has it; then write what its rules predict
(``candidates/answers.py``), its losses (``losses.py``), and an estimator with this ``task_kind``.

A rule list needs its task to predict, but not scikit-learn, which takes a second to load: it is imported where it is
used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, RankArray
from hedgerow._support.lettering import some
from hedgerow._support.model_predictions import class_shares, numbers, shares_or_labels
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features.frames import is_present


@dataclass(frozen=True, eq=False)
class Labels:
    """Classification.

    Attributes
    ----------
    classes : array
        The labels, in the order of class shares.
    """

    classes: AnyArray
    name: ClassVar[Literal["classification"]] = "classification"
    has_labels: ClassVar[bool] = True
    score_name: ClassVar[str] = "accuracy"
    targets: ClassVar[str] = "labels"
    #: What to do with an ensemble of the other task.
    way_out: ClassVar[str] = "use RuleListRegressor, or "
    #: The methods of a model that say what is predicted, the one that says most first.
    asked_by: ClassVar[tuple[str, ...]] = ("predict_proba", "predict", "decision_function")

    @property
    def labels(self) -> list[Any]:
        """The labels as a list."""
        return self.classes.tolist()

    @staticmethod
    def forest(n_estimators: int = 100, **settings: Any) -> Any:
        """Return a random forest to be trained for this task."""
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(n_estimators, **settings)

    @staticmethod
    def tree(**settings: Any) -> Any:
        """Return a tree to be trained for this task."""
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(**settings)

    @staticmethod
    def constant() -> Any:
        """Return a model that predicts the same for every sample."""
        from sklearn.dummy import DummyClassifier

        return DummyClassifier()

    @classmethod
    def of(cls, y: Any, asked_by: str) -> tuple[Labels, AnyArray]:
        """Return the task and its targets; refuse what does not hold labels."""
        from sklearn.utils.multiclass import check_classification_targets

        y = _column(y, asked_by)
        _check_one_kind(y)
        if y.dtype == object and all(isinstance(value, (bool, np.bool_)) for value in y):
            y = y.astype(bool)  # with gaps elsewhere, pandas keeps them as objects
        if y.dtype.kind == "S" or (y.dtype == object and len(y) and isinstance(y[0], bytes)):
            raise InvalidDataError(
                f"y contains bytes, such as {y.tolist()[0]!r}. Convert them to strings: "
                "[label.decode() for label in y]."
            )
        try:
            check_classification_targets(y)
        except ValueError as error:
            if y.dtype.kind == "O":
                raise InvalidDataError(
                    f"Unknown label type: y contains {type(y[0]).__name__}, such as {str(y[0])!r}. Convert the labels "
                    "to strings or integers; for numbers, use RuleListRegressor."
                ) from error
            if y.dtype.kind != "f":
                raise
            example = y[np.mod(y, 1) != 0][:1].tolist()
            raise InvalidDataError(
                f"Unknown label type: continuous. y contains numbers that are not integers, such as {example[0]!r}; "
                "these are not classes. Use RuleListRegressor, or put them into bins first, as pandas.cut does."
            ) from error
        labels = np.asarray(y)
        return cls(np.unique(labels)), labels

    def check_learnable(self, y: AnyArray) -> None:
        """Refuse labels that are all the same."""
        found = np.unique(y).tolist()
        if len(found) < 2:
            raise InvalidDataError(
                f"y has only one class, {found[0]!r}; a classifier needs samples of at least two classes."
            )

    def among(self, other: Task, way_out: str = way_out) -> Labels:
        """Return the task with the classes of an ensemble; refuse an ensemble that does not know all labels."""
        if isinstance(other, Numbers):
            raise InvalidParameterError(f"The ensemble is a regressor; {way_out}give a classifier.")
        known = other.labels
        unknown = [label for label in self.labels if label not in known]
        if unknown:
            raise InvalidDataError(
                f"y has labels that the ensemble was not trained on: {unknown[:10]}. It knows: {known[:10]}."
            )
        return Labels(other.classes)

    def check_model(self, kind: str | None) -> None:
        """Refuse a model of the other task, if it says which one it is for."""
        if kind == Numbers.name:
            raise InvalidParameterError(
                f"The model is a regressor; {self.way_out}give a classifier. If it predicts the share of the second of "
                "two classes, pass its method predict instead."
            )

    def order_of_shares(self, given: Sequence[Any] | None) -> list[Any]:
        """Return the classes in the order in which a model has them; refuse others than those of ``y``."""
        listed = self.labels if given is None else np.asarray(given, dtype=object).tolist()
        absent = [label for label in listed if label not in self.labels]
        if absent and len(listed) == len(self.labels) + len(absent):
            are = "class" if len(absent) == 1 else "classes"
            raise InvalidDataError(
                f"y lacks {are} {some(map(repr, absent))}, which the model knows. Add rows of each class of the model: "
                "more of its training data, or rows for which it predicts them, with its predictions as their y."
            )
        if sorted(listed, key=str) != sorted(self.labels, key=str):
            raise InvalidDataError(
                f"The model was trained on other labels than y has: it knows {listed[:10]}, y has {self.labels[:10]}. "
                "Train it on the same labels, or pass y as the model writes it."
            )
        return listed

    def kind_of_numbers(self, said: Sequence[AnyArray]) -> Literal["labels", "shares"] | None:
        """Return whether the numbers that a model predicts are labels or shares; None if it makes no difference."""
        return shares_or_labels(said, self.labels)

    def read_predictions(
        self,
        said: AnyArray,
        known: Sequence[Any],
        row: Callable[[int], str],
        returns: Literal["labels", "shares"] | None = None,
    ) -> FloatArray:
        """Return what a model predicts, as shares of the classes; refuse what is neither labels nor shares.

        ``known`` are the classes in the order of the model's shares, ``row`` names a row, ``returns`` says what one
        number per row is.
        """
        return class_shares(said, self.labels, known, row, returns)

    def numeric(self, y: AnyArray) -> FloatArray:
        """Return the targets as numbers that can be averaged: rows of class shares; for a label, 1 for its class."""
        return y if y.ndim == 2 else (y[:, None] == self.classes).astype(np.float64)

    def mix(self, y: AnyArray, said: AnyArray, share: float) -> AnyArray:
        """Return targets mixed with what a model predicts, which has this share."""
        return share * said + (1 - share) * self.numeric(y)

    def hardened(self, shares: FloatArray) -> tuple[AnyArray, FloatArray | float]:
        """Return the likeliest label of each row of class shares, and its lead over the second.

        Between two classes, a label that counts by its lead says as much as the shares do. Where no row has a lead, all
        count the same.
        """
        second, first = np.sort(shares, axis=1)[:, -2:].T
        lead = first - second
        return self.classes[shares.argmax(axis=1)], lead if lead.any() else np.ones(len(lead))

    def pick(self, predictions: Sequence[Any], which: RankArray) -> AnyArray:
        """Return some of the predictions, with the dtype of the classes."""
        known = self.labels
        return self.classes[[known.index(prediction) for prediction in predictions]].take(which)

    def score(self, y: Any, predicted: AnyArray, weight: FloatArray | None = None) -> float:
        """Return the accuracy."""
        from sklearn.metrics import accuracy_score
        from sklearn.utils import column_or_1d

        if _are_labels(y, predicted):  # which scikit-learn would find out, in a millisecond
            return float(np.average(y == predicted, weights=weight))
        return float(accuracy_score(column_or_1d(y), predicted, sample_weight=weight))

    def parts_of_score(self, y: AnyArray, predictions: AnyArray, weight: FloatArray) -> FloatArray:
        """Return what each sample adds to the accuracy if this is predicted for it: a row per prediction."""
        return (y == predictions[:, None]) * (weight / weight.sum())

    def best_constant(self, y: AnyArray, weight: FloatArray) -> Any:
        """Return the label with the most weight: the best prediction that is the same for all samples."""
        labels, codes = np.unique(y, return_inverse=True)
        return labels[np.bincount(codes, weight).argmax()]

    def disagreement(self, one: AnyArray, other: AnyArray) -> float:
        """Return the share of samples with different labels."""
        return float(np.mean(one != other))

    def why_not_tested(self, train: AnyArray, test: AnyArray) -> str | None:
        """Return why a list trained on some targets cannot be tested on others, or None if it can."""
        absent = np.setdiff1d(test, train).tolist()
        if not absent:
            return None
        return (
            f"The training part has no sample of class {absent[0]!r}, which the test part has. Shuffle and stratify "
            "the folds, take fewer of them, or leave out classes with so few samples."
        )


@dataclass(frozen=True, eq=False)
class Numbers:
    """Regression."""

    classes: ClassVar[None] = None
    labels: ClassVar[tuple[Any, ...]] = ()
    name: ClassVar[Literal["regression"]] = "regression"
    has_labels: ClassVar[bool] = False
    score_name: ClassVar[str] = "R²"
    targets: ClassVar[str] = "numbers"
    way_out: ClassVar[str] = "use RuleListClassifier, or "
    asked_by: ClassVar[tuple[str, ...]] = ("predict",)

    @staticmethod
    def forest(n_estimators: int = 100, **settings: Any) -> Any:
        """Return a random forest to be trained for this task."""
        from sklearn.ensemble import RandomForestRegressor

        return RandomForestRegressor(n_estimators, **settings)

    @staticmethod
    def tree(**settings: Any) -> Any:
        """Return a tree to be trained for this task."""
        from sklearn.tree import DecisionTreeRegressor

        return DecisionTreeRegressor(**settings)

    @staticmethod
    def constant() -> Any:
        """Return a model that predicts the same for every sample."""
        from sklearn.dummy import DummyRegressor

        return DummyRegressor()

    @classmethod
    def of(cls, y: Any, asked_by: str) -> tuple[Numbers, FloatArray]:
        """Return the task and its targets; refuse what does not hold numbers."""
        y = _column(y, asked_by)
        if y.dtype.kind not in "biuf":
            try:
                y = y.astype(np.float64, casting="unsafe" if y.dtype.kind not in "Mm" else "no")
            except (TypeError, ValueError):
                raise InvalidDataError(
                    f"y must contain numbers for regression, but it contains {y.dtype.type.__name__}, such as "
                    f"{str(y[0])!r}. Convert it to numbers; for classes, use RuleListClassifier."
                ) from None
            _check_finite(y)
        return cls(), np.asarray(y, dtype=np.float64)

    def check_learnable(self, y: AnyArray) -> None:
        """Accept any numbers."""

    def among(self, other: Task, way_out: str = way_out) -> Numbers:
        """Return the task; refuse an ensemble of another one."""
        if isinstance(other, Labels):
            raise InvalidParameterError(f"The ensemble is a classifier; {way_out}give a regressor.")
        return self

    def check_model(self, kind: str | None) -> None:
        """Refuse a model of the other task, if it says which one it is for."""
        if kind == Labels.name:
            raise InvalidParameterError(
                f"The model is a classifier; {self.way_out}give a regressor. To explain the share of a class, pass a "
                "function such as lambda X: model.predict_proba(X)[:, 1]."
            )

    def order_of_shares(self, given: Sequence[Any] | None) -> list[Any]:
        """Return no classes."""
        return []

    def kind_of_numbers(self, said: Sequence[AnyArray]) -> None:
        """Return None: numbers are numbers."""
        return

    def read_predictions(
        self,
        said: AnyArray,
        known: Sequence[Any],
        row: Callable[[int], str],
        returns: Literal["labels", "shares"] | None = None,
    ) -> FloatArray:
        """Return what a model predicts, as one number per row; refuse anything else. ``row`` names a row."""
        return numbers(said, row)

    def numeric(self, y: AnyArray) -> FloatArray:
        """Return the targets as numbers that can be averaged."""
        return y

    def mix(self, y: AnyArray, said: AnyArray, share: float) -> AnyArray:
        """Return targets mixed with what a model predicts, which has this share."""
        return share * said + (1 - share) * y

    def hardened(self, values: FloatArray) -> tuple[AnyArray, FloatArray | float]:
        """Return the values, and that they count in full."""
        return values, 1.0

    def pick(self, predictions: Sequence[Any], which: RankArray) -> AnyArray:
        """Return some of the predictions."""
        return np.array(predictions, dtype=np.float64).take(which)

    def score(self, y: Any, predicted: AnyArray, weight: FloatArray | None = None) -> float:
        """Return R²."""
        from sklearn.metrics import r2_score
        from sklearn.utils import column_or_1d

        return float(r2_score(column_or_1d(y), predicted, sample_weight=weight))

    def parts_of_score(self, y: AnyArray, predictions: AnyArray, weight: FloatArray) -> FloatArray:
        """Return what each sample takes from an R² of 1 if this is predicted for it: a row per prediction."""
        spread = float(weight @ (y - np.average(y, weights=weight)) ** 2)
        parts: FloatArray = -(weight / spread if spread > 0 else 0.0 * weight) * (y - predictions[:, None]) ** 2
        return parts

    def best_constant(self, y: AnyArray, weight: FloatArray) -> Any:
        """Return the mean: the best prediction that is the same for all samples."""
        return float(np.average(y, weights=weight))

    def disagreement(self, one: AnyArray, other: AnyArray) -> float:
        """Return the mean squared difference."""
        return float(np.mean((one - other) ** 2))

    def why_not_tested(self, train: AnyArray, test: AnyArray) -> str | None:
        """Return None: numbers can always be tested."""
        return None


def _are_labels(y: Any, predicted: AnyArray) -> bool:
    """Return whether both are plain arrays of labels of one kind."""
    if not isinstance(y, np.ndarray) or y.ndim != 1 or y.shape != predicted.shape:
        return False
    return y.dtype.kind == predicted.dtype.kind and y.dtype.kind in "biuU" and len(y) > 0


Task = Labels | Numbers
#: The class of a task, which is known before its targets are.
TaskKind = type[Labels] | type[Numbers]


def task_of(classes: AnyArray | None) -> Task:
    """Return the task of something that knows its classes, or has none."""
    return Numbers() if classes is None else Labels(classes)


def _column(y: Any, asked_by: str) -> AnyArray:
    """Return the targets as one column without missing values."""
    from sklearn.utils import column_or_1d

    if y is None:
        raise InvalidDataError(
            f"{asked_by} requires y to be passed, but the target y is None. Call fit(X, y) with one target per sample."
        )
    shape = np.asarray(y).shape
    if not shape:
        column = f" If it is the name of a column, pass X[{y!r}], and X without it." if isinstance(y, str) else ""
        raise InvalidDataError(f"y is {y!r}. Pass an array with one target per sample.{column}")
    if len(shape) == 2 and shape[1] > 1:
        raise InvalidDataError(
            f"y should be a 1d array with one target per sample; got an array of shape {shape}. If it has one column "
            "per class, pass y.argmax(axis=1); for several targets, fit one list per column."
        )
    if isinstance(y, (list, tuple)):  # as an array, numbers beside strings would become strings
        _check_one_kind(np.fromiter(y, dtype=object, count=len(y)))
    own = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    if own is not None and own.kind in "biu" and not y.isna().any():
        y = y.to_numpy(dtype=own)  # which scikit-learn would convert to float64, where large integers are the same
    y = column_or_1d(y, warn=True)
    missing = np.zeros(len(y), dtype=bool)
    if y.dtype.kind in "fcmM":
        missing = np.isnan(y) if y.dtype.kind in "fc" else np.isnat(y)
    elif y.dtype == object:
        missing = np.array([not is_present(value) for value in y], dtype=bool)
    if missing.any():
        raise InvalidDataError(
            f"Input y contains NaN, None or another missing value in {missing.sum()} of {len(y)} rows, first in row "
            f"{missing.argmax()}. Drop these rows from X and y."
        )
    if y.dtype.kind in "fc":
        _check_finite(y)
    return y


def _check_finite(y: AnyArray) -> None:
    """Refuse infinite targets."""
    infinite = ~np.isfinite(y)
    if infinite.any():
        raise InvalidDataError(
            f"Input y contains infinity in {infinite.sum()} of {len(y)} rows, first in row {infinite.argmax()}. Drop "
            "these rows from X and y, or replace their targets."
        )


def _check_one_kind(y: AnyArray) -> None:
    """Refuse labels that cannot be sorted, such as strings beside numbers."""
    if y.dtype != object:
        return
    of_kind = {isinstance(value, str): value for value in y if is_present(value)}
    if len(of_kind) > 1:
        raise InvalidDataError(
            f"y contains both strings and other values, such as {of_kind[True]!r} and {of_kind[False]!r}. Convert all "
            "labels to the same type, for example with [str(label) for label in y]."
        )
