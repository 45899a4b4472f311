"""The benchmark data: a directory of compressed tables, described in its MANIFEST.csv.

Tables are prepared as in the paper: rows with missing values are dropped,
categories become one column each, regression targets are standardised.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import train_test_split

DEFAULT_DIRECTORY = Path(__file__).parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Table:
    """A data set split into a training and a test part."""

    name: str
    task: str
    X: Any
    y: Any
    X_test: Any
    y_test: Any


def manifest(directory: Path) -> pd.DataFrame:
    """Return the description of all data sets of the directory."""
    path = directory / "MANIFEST.csv"
    if not path.exists():
        raise SystemExit(f"There is no {path}. Say where the data are with --data.")
    return pd.read_csv(path)


def paper_sets(directory: Path) -> list[tuple[str, str]]:
    """Return (name, task) of the paper's 36 tabular sets, the smallest first."""
    frame = manifest(directory)
    frame = frame[frame["task"].isin(["classification", "regression"])]
    frame = frame[~frame["matches_paper"].str.contains("bonus")].sort_values("records")
    return list(zip(frame["name"], frame["task"], strict=True))


def load_frame(name: str, directory: Path) -> tuple[pd.DataFrame, Any]:
    """Return a set as it is, with its categories and missing values, and the targets."""
    frame = pd.read_csv(directory / "tabular" / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
    frame = frame[frame["target"].notna()]
    return frame.drop(columns="target"), frame["target"].to_numpy()


def load_table(name: str, task: str, directory: Path, seed: int = 0) -> Table:
    """Return a set, prepared as in the paper, in a 75/25 split."""
    X, y = load_frame(name, directory)
    complete = X.notna().all(axis=1)
    X, y = pd.get_dummies(X[complete], dtype=float).astype(float), y[complete]
    if task == "classification":
        y = y.astype(str)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.25, random_state=seed)
    if task == "regression":
        y, y_test = ((part.astype(float) - np.mean(y)) / np.std(y) for part in (y, y_test))
    return Table(name, task, X, y, X_test, y_test)


def paper_forest(task: str, seed: int = 0) -> Any:
    """Return the paper's forest, not fitted: 500 trees, of depth 2 for classification and 3 for regression."""
    if task == "classification":
        return RandomForestClassifier(500, max_depth=2, random_state=seed)
    return RandomForestRegressor(500, max_depth=3, random_state=seed)


def load_series(name: str, directory: Path, part: str = "TRAIN") -> tuple[Any, Any]:
    """Return the training or test series of a UCR set and their labels."""
    frame = pd.read_csv(directory / "ucr" / f"{name}_{part}.tsv.gz", sep="\t", header=None)
    return frame.iloc[:, 1:].to_numpy(dtype=float), frame.iloc[:, 0].to_numpy()
