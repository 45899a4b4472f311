"""Data for the instances, and the problem that an estimator poses, without solving it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_regression,
)

from benchmarks.datasets import find_data, load_table, size_sets
from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.optimize.problem import PartitionProblem

CLASSIFICATION, REGRESSION = "classification", "regression"
#: The sets of scikit-learn itself.
EMBEDDED = {
    "sk-breast-cancer": (CLASSIFICATION, load_breast_cancer),
    "sk-wine": (CLASSIFICATION, load_wine),
    "sk-iris": (CLASSIFICATION, load_iris),
    "sk-digits": (CLASSIFICATION, load_digits),
    "sk-diabetes": (REGRESSION, load_diabetes),
}
_CLUSTERED: dict[str, Any] = {"n_redundant": 0, "n_clusters_per_class": 8, "class_sep": 0.7}
#: Drawn sets: (rows, columns, columns that matter, share of labels that are drawn anew or noise of the numbers). The
#: first two are like sonar, of 208 rows and 60 columns; in the second, few rules are hard to find.
DRAWN: dict[str, tuple[str, tuple[int, int, int, float]]] = {
    "sonar-like": (CLASSIFICATION, (208, 60, 8, 0.1)),
    "clustered-classes": (CLASSIFICATION, (208, 60, 20, 0.01)),
    "noisy-classes": (CLASSIFICATION, (800, 12, 6, 0.3)),
    "noisy-numbers": (REGRESSION, (1000, 10, 6, 80.0)),
}


class Captured(BaseException):
    """Takes a problem out of an estimator, which must not handle it as an error."""

    def __init__(self, problem: PartitionProblem) -> None:
        self.problem = problem
        super().__init__()


@dataclass(frozen=True)
class Capture:
    """A solver that solves nothing, but hands out the problem."""

    def solve(self, problem: PartitionProblem, time_limit: float | None = None) -> NoReturn:
        """Raise the problem."""
        raise Captured(problem)


def posed(estimator: Any, X: Any, y: Any) -> PartitionProblem:
    """Return the problem that an estimator would solve."""
    try:
        estimator.set_params(solver=Capture()).fit(X, y)
    except Captured as captured:
        return captured.problem
    raise AssertionError("The estimator has solved no problem.")


def rule_list(task: str) -> Any:
    """Return the class of the estimator for a task."""
    return RuleListClassifier if task == CLASSIFICATION else RuleListRegressor


def there(*sets: str) -> list[str]:
    """Return those of the sets that are there: the embedded and drawn ones always, others with the benchmark data."""
    known = set(EMBEDDED) | set(DRAWN)
    data = find_data(None)
    if data is not None:
        known |= {name for task in (CLASSIFICATION, REGRESSION) for name in size_sets(data, task)}
    return [name for name in sets if name in known]


def rows_of(name: str, seed: int = 0) -> tuple[Any, Any, str]:
    """Return the training rows of a set, their targets and the task; embedded and drawn sets are taken whole."""
    if name in EMBEDDED:
        task, read = EMBEDDED[name]
        return (*read(return_X_y=True), task)
    if name in DRAWN:
        return _drawn(name, seed)
    data = find_data(None)
    task = next((task for task in (CLASSIFICATION, REGRESSION) if data and name in size_sets(data, task)), None)
    if task is None:
        raise ValueError(f"There is no set {name!r}, or the benchmark data are not there.")
    table = load_table(name, task, data, seed)
    return table.X.to_numpy(), table.y, task


def _drawn(name: str, seed: int) -> tuple[Any, Any, str]:
    task, (n_rows, n_columns, n_informative, noise) = DRAWN[name]
    sizes: dict[str, Any] = {"n_features": n_columns, "n_informative": n_informative, "random_state": seed}
    if task == CLASSIFICATION:
        more = _CLUSTERED if name == "clustered-classes" else {}
        X, y = make_classification(n_rows, flip_y=noise, **sizes, **more)
    else:
        X, y = make_regression(n_rows, noise=noise, **sizes)
        y = (y - np.mean(y)) / np.std(y)
    return X, y, task
