"""A data directory of small sets that need no download: those of scikit-learn, and synthetic ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_friedman1, make_friedman2

#: Rows of a table, training and test series, and the length of a series.
N_ROWS, N_TRAIN, N_TEST, LENGTH = 300, 40, 60, 60


def write_quick_data(directory: Path) -> None:
    """Write three sets for each suite and their MANIFEST.csv; one has three classes, one has categories."""
    (directory / "tabular").mkdir(parents=True, exist_ok=True)
    (directory / "ucr").mkdir(exist_ok=True)
    rows = []
    for name, task, frame in _tables():
        frame = frame.sample(min(N_ROWS, len(frame)), random_state=0)
        frame.to_csv(directory / "tabular" / f"{name}.csv.gz", index=False)
        rows.append({"name": name, "task": task, "records": len(frame), "matches_paper": "no: a part, or synthetic"})
    for name, make in {"bumps": _bump, "waves": _wave, "steps": _step}.items():
        for part, n_series in (("TRAIN", N_TRAIN), ("TEST", N_TEST)):
            series = _series(make, n_series)
            series.to_csv(directory / "ucr" / f"{name}_{part}.tsv.gz", sep="\t", header=False, index=False)
        note = f"train {N_TRAIN}, test {N_TEST}, length {LENGTH}"
        rows.append({"name": name, "task": "timeseries", "raw_features": LENGTH, "matches_paper": "no", "note": note})
    pd.DataFrame(rows).to_csv(directory / "MANIFEST.csv", index=False)


def _tables() -> Iterator[tuple[str, str, pd.DataFrame]]:
    yield "breast_cancer", "classification", load_breast_cancer(as_frame=True).frame
    yield "wine", "classification", load_wine(as_frame=True).frame
    iris = load_iris(as_frame=True).frame
    iris["target"] = np.where(iris["target"] == 1, "versicolor", "other")
    yield "versicolor", "classification", iris
    diabetes = load_diabetes(as_frame=True, scaled=False).frame
    diabetes["sex"] = np.where(diabetes["sex"] == 1, "first", "second")
    yield "progression", "regression", diabetes
    for name, make in (("friedman1", make_friedman1), ("friedman2", make_friedman2)):
        X, y = make(N_ROWS, noise=0.1, random_state=0)
        yield name, "regression", pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]).assign(target=y)


def _series(make: Any, n_series: int) -> pd.DataFrame:
    """Return labels, then values, of series of two classes with noise."""
    random = np.random.default_rng(n_series)
    labels = np.arange(n_series) % 2 + 1
    shapes = [make(label, random) for label in labels]
    values = np.array(shapes) + random.normal(scale=0.3, size=(n_series, LENGTH))
    return pd.DataFrame(np.column_stack([labels, values]))


def _bump(label: int, random: np.random.Generator) -> Any:
    middle, width = random.uniform(15, 45), 2 if label == 1 else 8
    return 2 * np.exp(-(((np.arange(LENGTH) - middle) / width) ** 2))


def _wave(label: int, random: np.random.Generator) -> Any:
    return np.sin(np.arange(LENGTH) * (0.3 if label == 1 else 0.5) + random.uniform(0, 6))


def _step(label: int, random: np.random.Generator) -> Any:
    rises = np.arange(LENGTH) > random.uniform(15, 45)
    return 2.0 * (rises if label == 1 else ~rises)
