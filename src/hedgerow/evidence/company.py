"""The score of a rule list in honest company: beside the simplest rivals, and beside the ensemble.

A score says little alone. :func:`keep_company` tests the list on held-out samples together with the majority class (or
the mean), a single decision tree with as many leaves as the list has rules, and the ensemble that the rules come from.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import column_or_1d

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.asking import forest_of, predictions_of
from hedgerow.readers import read_forest
from hedgerow.tasks import Task

#: A tree of a few leaves learns nothing more from more rows than this.
_MOST_ROWS = 200_000
#: Above this number of categories, a column is given to the tree as codes, not as a column of zeros and ones for each.
_MOST_CATEGORIES = 64
#: How many standard errors a difference must exceed to count as more than noise.
_BEYOND_NOISE = 2.0


@dataclass(frozen=True)
class Company:
    """The scores of a rule list and of its rivals on the same held-out samples.

    Attributes
    ----------
    score_name : str
        "accuracy" or "R²"; R² is NaN for fewer than two samples.
    n_rows : int
        Number of held-out samples.
    of_list, of_ensemble, of_tree, of_majority : float
        The scores of the list, of the ensemble that its rules come from (if it had a teacher, of the teacher), of a
        decision tree (CART) with as many leaves as the list has rules, and of the majority class of the training
        samples, or the mean of their targets.
    n_rules, tree_leaves : int
        The sizes of the list and of the tree, which may have fewer leaves.
    n_right : int or None
        How many of the held-out samples the list predicts correctly; None for a regression.
    error_to_tree, error_to_majority : float
        The standard error of the difference between the scores of the list and of the tree, or of the majority, on the
        same samples.
    uncovered, overlapping : float
        Share of the held-out samples that satisfy no rule, or more than one.
    explains : bool
        Whether the list explains a model (``faithful``), which is then the ensemble, with trees or without.
    """

    score_name: str
    n_rows: int
    of_list: float
    of_ensemble: float
    of_tree: float
    of_majority: float
    n_rules: int
    tree_leaves: int
    n_right: int | None
    error_to_tree: float
    error_to_majority: float
    uncovered: float
    overlapping: float
    explains: bool = False

    @property
    def loses_to_tree(self) -> bool:
        """Whether the tree is better by more than noise: two standard errors of the difference."""
        return self.of_tree - self.of_list > _BEYOND_NOISE * self.error_to_tree

    @property
    def beats_majority(self) -> bool:
        """Whether the list is better than the majority class or the mean."""
        return self.of_list > self.of_majority

    @property
    def rows(self) -> list[tuple[str, float]]:
        """Each competitor's name and score, the list first."""
        constant = "the majority class" if self.n_right is not None else "the mean"
        return [
            (f"this list of {_counted(self.n_rules, 'rule')}", self.of_list),
            (f"a decision tree of {_counted(self.tree_leaves, 'leaf', 'leaves')}", self.of_tree),
            ("the model" if self.explains else "the whole ensemble", self.of_ensemble),
            (f"{constant} alone", self.of_majority),
        ]


def keep_company(
    estimator: Any, X: Any, y: Any, X_test: Any, y_test: Any, weight: Any = None, weight_test: Any = None
) -> Company:
    """Score a fitted estimator's list on held-out samples, beside its rivals.

    Parameters
    ----------
    estimator : RuleListClassifier or RuleListRegressor
        Fitted to ``X`` and ``y``.
    X, y, weight :
        The training samples, from which the tree and the majority are learned as well. The tree sees the features of
        the ensemble: one column of zeros and ones for each category. Of more than 200,000 samples, it learns from that
        many, drawn at random.
    X_test, y_test, weight_test :
        The held-out samples.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import train_test_split
    >>> from hedgerow import RuleListClassifier
    >>> X, X_test, y, y_test = train_test_split(*load_wine(return_X_y=True), random_state=0)
    >>> rules = RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y)
    >>> company = keep_company(rules, X, y, X_test, y_test)
    >>> company.of_list > company.of_majority
    True
    """
    rules, forest = estimator.rule_list_, estimator.forest_
    task, y, y_test = rules.task, column_or_1d(y), column_or_1d(y_test)
    seen = rules.evaluate(X_test)
    tree = fit_tree(task, len(rules), tree_inputs(forest, X), y, weight)
    constant = task.constant().fit(np.zeros((len(y), 1)), y, sample_weight=weight)
    predicted = {
        "list": seen.predictions,
        "ensemble": _of_the_ensemble(estimator, X_test),
        "tree": tree.predict(tree_inputs(forest, X_test)),
        "majority": constant.predict(np.zeros((len(y_test), 1))),
    }
    errors = {name: _errors(task, y_test, found) for name, found in predicted.items()}
    n_matching = seen.matches.sum(axis=1)
    return Company(
        score_name=task.score_name,
        n_rows=len(y_test),
        **{f"of_{name}": _score(task, y_test, found, weight_test) for name, found in predicted.items()},
        n_rules=len(rules),
        tree_leaves=int(tree.get_n_leaves()) if hasattr(tree, "get_n_leaves") else 1,
        n_right=int(np.sum(errors["list"] == 0)) if task.has_labels else None,
        error_to_tree=_standard_error(task, y_test, errors["list"] - errors["tree"], weight_test),
        error_to_majority=_standard_error(task, y_test, errors["list"] - errors["majority"], weight_test),
        uncovered=float(np.mean(n_matching == 0)),
        overlapping=float(np.mean(n_matching > 1)),
        explains=estimator.is_explanation,
    )


@dataclass(frozen=True)
class Surrogate:
    """A decision tree (CART) that explains the same model as a list: grown on the model's predictions for its samples.

    Attributes
    ----------
    n_leaves : int
        As many as the list has rules, or fewer.
    agreement : float
        The share of rows for which it predicts what the model predicts, or R² to the model.
    """

    n_leaves: int
    agreement: float


def grow_surrogate(estimator: Any, X: Any, X_test: Any) -> Surrogate:
    """Return a surrogate tree of as many leaves as the list has rules, grown on ``X`` and compared on ``X_test``.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.svm import SVC
    >>> from hedgerow import RuleListClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> rules = RuleListClassifier.faithful(SVC().fit(X, y), max_rules=4, random_state=0).fit(X, y)
    >>> grow_surrogate(rules, X, X).n_leaves
    4
    """
    rules, forest = estimator.rule_list_, estimator.forest_
    model, known = estimator.explained
    known = forest_of(model) if known is None else known
    said, of_test = (predictions_of(model, known, rules.task, rows)[0] for rows in (X, X_test))
    tree = fit_tree(rules.task, len(rules), tree_inputs(forest, X), said)
    agreement = _score(rules.task, of_test, tree.predict(tree_inputs(forest, X_test)), None)
    return Surrogate(int(tree.get_n_leaves()) if hasattr(tree, "get_n_leaves") else 1, agreement)


def _of_the_ensemble(estimator: Any, X: Any) -> AnyArray:
    """Return what the explained model predicts, or the teacher or, without one, the ensemble."""
    model, forest = estimator.explained
    if forest is None:
        return predictions_of(model, forest_of(model), estimator.rule_list_.task, X)[0]
    teacher: Any = getattr(estimator, "teacher_", None)
    if hasattr(teacher, "predict") and not isinstance(teacher, Forest):  # whose own method gives raw shares
        table = estimator.ensemble_.table(X) if isinstance(estimator.ensemble_, FeatureForest) else X
        return np.asarray(teacher.predict(table))
    return (forest if teacher is None else read_forest(teacher)).predictions(X)


def fit_tree(task: Task, n_leaves: int, inputs: AnyArray, y: AnyArray, weight: Any = None) -> Any:
    """Return a decision tree with at most this many leaves, fitted to :func:`tree_inputs`; of one leaf, a constant."""
    if len(y) > _MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).choice(len(y), _MOST_ROWS, replace=False))
        inputs, y, weight = inputs[rows], y[rows], None if weight is None else np.asarray(weight)[rows]
    tree = task.constant() if n_leaves == 1 else task.tree(max_leaf_nodes=n_leaves, random_state=0)
    return tree.fit(inputs, y, sample_weight=weight)


def tree_inputs(forest: Forest, X: Any) -> AnyArray:
    """Return the features of an ensemble as numbers that a decision tree of scikit-learn can compare."""
    values = forest.inputs.matrix(X)
    widths = [f.n_codes if 2 < f.n_codes <= _MOST_CATEGORIES else 1 for f in forest.features]
    inputs = np.empty((len(values), sum(widths)), dtype=np.float32)
    place, largest = 0, np.finfo(np.float32).max
    for column, width in zip(values.T, widths, strict=True):
        for code in range(width):
            # Infinity, which some libraries accept, becomes the largest number.
            inputs[:, place] = column == code if width > 1 else np.clip(column, -largest, largest)
            place += 1
    return inputs


def _score(task: Task, y: AnyArray, predicted: AnyArray, weight: FloatArray | None) -> float:
    with warnings.catch_warnings():  # R² of a single sample is NaN
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return task.score(y, predicted, weight)


def _errors(task: Task, y: AnyArray, predicted: AnyArray) -> FloatArray:
    """Return each sample's share in the loss: 1 for a wrong label, or the squared error of a number."""
    return np.asarray(y != predicted, dtype=np.float64) if task.has_labels else (y - predicted) ** 2


def _standard_error(task: Task, y: AnyArray, differences: FloatArray, weight: FloatArray | None) -> float:
    """Return the standard error of a difference of scores, from the differences of the errors of each sample."""
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    share = weight / weight.sum()
    spread = float(np.sqrt(np.sum(share**2 * (differences - share @ differences) ** 2)))
    if task.has_labels:
        return spread
    variance = float(share @ (y - share @ y) ** 2)
    return spread / variance if variance > 0 else float("nan")


def _counted(number: int, one: str, more: str | None = None) -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"
