"""The models that are explained: each with its library's own defaults, on one thread.

Labels are coded 0, 1, ..., and tables are arrays, because not every library takes other labels and every column name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import is_installed
from benchmarks.datasets import Table, load_table


@dataclass(frozen=True)
class Kind:
    """A kind of model.

    Attributes
    ----------
    make : callable
        From whether targets are labels, and a seed, to a model that is not fitted.
    package : str, optional
        What ``pip`` has to install for it, beyond scikit-learn.
    has_trees : bool
        Whether its rules can be read.
    """

    make: Callable[[bool, int], Any]
    package: str | None = None
    has_trees: bool = True

    @property
    def installed(self) -> bool:
        """Whether its package is there."""
        return self.package is None or is_installed(self.package)


def _random_forest(labels: bool, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    return (RandomForestClassifier if labels else RandomForestRegressor)(random_state=seed)


def _xgboost(labels: bool, seed: int) -> Any:
    from xgboost import XGBClassifier, XGBRegressor

    return (XGBClassifier if labels else XGBRegressor)(n_jobs=1, random_state=seed)


def _lightgbm(labels: bool, seed: int) -> Any:
    from lightgbm import LGBMClassifier, LGBMRegressor

    return (LGBMClassifier if labels else LGBMRegressor)(n_jobs=1, random_state=seed, verbose=-1)


def _catboost(labels: bool, seed: int) -> Any:
    from catboost import CatBoostClassifier, CatBoostRegressor

    quiet = {"thread_count": 1, "verbose": 0, "allow_writing_files": False}
    return (CatBoostClassifier if labels else CatBoostRegressor)(random_state=seed, **quiet)


def _hist_boosting(labels: bool, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    return (HistGradientBoostingClassifier if labels else HistGradientBoostingRegressor)(random_state=seed)


def _network(labels: bool, seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    return _scaled((MLPClassifier if labels else MLPRegressor)(random_state=seed))


def _svm(labels: bool, seed: int) -> Any:
    from sklearn.svm import SVC, SVR

    return _scaled(SVC(random_state=seed) if labels else SVR())


def _scaled(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


KINDS: dict[str, Kind] = {
    "random_forest": Kind(_random_forest),
    "xgboost": Kind(_xgboost, "xgboost"),
    "lightgbm": Kind(_lightgbm, "lightgbm"),
    "catboost": Kind(_catboost, "catboost"),
    "hist_boosting": Kind(_hist_boosting),
    "mlp": Kind(_network, has_trees=False),
    "svm": Kind(_svm, has_trees=False),
}
#: Ensembles of trees, and what is explained by its predictions alone.
ENSEMBLES = tuple(name for name, kind in KINDS.items() if kind.has_trees)
OTHERS = tuple(name for name in KINDS if name not in ENSEMBLES)


@lru_cache(maxsize=1)
def coded_table(name: str, task: str, data: Path | None, seed: int) -> Table:
    """Return a set in its 75/25 split, as arrays; labels are numbered, those that training rows lack are -1."""
    table = load_table(name, task, data, seed)
    arrays = {"X": table.X.to_numpy(dtype=np.float64), "X_test": table.X_test.to_numpy(dtype=np.float64)}
    if task == "classification":
        labels, codes = np.unique(table.y, return_inverse=True)
        found = {label: code for code, label in enumerate(labels)}
        arrays |= {"y": codes, "y_test": np.array([found.get(label, -1) for label in table.y_test])}
    return replace(table, **arrays)


def n_classes(table: Table) -> int:
    """Return how many classes the training rows of a coded table have; 0 for numbers."""
    return int(table.y.max()) + 1 if table.task == "classification" else 0


def predicted(model: Any, X: Any) -> Any:
    """Return labels or values, one per row: some libraries return a column."""
    return np.asarray(model.predict(X)).ravel()
