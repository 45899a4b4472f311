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

from benchmarks.openml import check_shape, fetch_frame, openml_sets

DEFAULT_DIRECTORY = Path(__file__).parents[2] / "shared" / "data"
#: The depth and the size of the paper's forests.
DEPTHS = {"classification": 2, "regression": 3}
N_TREES = 500


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


def find_data(directory: Path | None) -> Path | None:
    """Return the data directory: the given one, else the usual one if it is there; None means OpenML."""
    if directory is None:
        return DEFAULT_DIRECTORY if (DEFAULT_DIRECTORY / "MANIFEST.csv").exists() else None
    manifest(directory)
    return directory


def paper_sets(directory: Path | None) -> list[tuple[str, str]]:
    """Return (name, task) of the paper's 36 tabular sets, the smallest first."""
    if directory is None:
        frame = openml_sets().sort_values("records")
        return list(zip(frame["name"], frame["task"], strict=True))
    frame = manifest(directory)
    frame = frame[frame["task"].isin(["classification", "regression"])]
    frame = frame[~frame["matches_paper"].str.contains("bonus")].sort_values("records")
    return list(zip(frame["name"], frame["task"], strict=True))


def size_sets(directory: Path | None, task: str) -> dict[str, int]:
    """Return the rows of each set of the suites of sizes, the smallest first: the paper's, and those of many classes.

    OpenML has the paper's only.
    """
    frame = openml_sets() if directory is None else manifest(directory)
    frame = frame[frame["task"] == task].sort_values("records")
    return dict(zip(frame["name"], frame["records"].astype(int), strict=True))


def load_frame(name: str, directory: Path | None) -> tuple[pd.DataFrame, Any]:
    """Return a set as it is, with its categories and missing values, and the targets."""
    if directory is None:
        return fetch_frame(name)
    frame = pd.read_csv(directory / "tabular" / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
    frame = frame[frame["target"].notna()]
    return frame.drop(columns="target"), frame["target"].to_numpy()


def load_complete(name: str, task: str, directory: Path | None) -> tuple[pd.DataFrame, Any]:
    """Return a set, prepared as in the paper: complete rows, categories one-hot."""
    X, y = load_frame(name, directory)
    complete = X.notna().all(axis=1).to_numpy()
    X, y = pd.get_dummies(X[complete], dtype=float).astype(float), y[complete]
    if directory is None:
        check_shape(name, X)
    return X, y.astype(str if task == "classification" else float)


def load_table(name: str, task: str, directory: Path | None, seed: int = 0) -> Table:
    """Return a set, prepared as in the paper, in a 75/25 split."""
    X, y = load_complete(name, task, directory)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.25, random_state=seed)
    if task == "regression":
        y, y_test = ((part - np.mean(y)) / np.std(y) for part in (y, y_test))
    return Table(name, task, X, y, X_test, y_test)


def paper_forest(task: str, seed: int = 0, n_trees: int = N_TREES) -> Any:
    """Return the paper's forest, not fitted: 500 trees, of depth 2 for classification and 3 for regression."""
    kind = RandomForestClassifier if task == "classification" else RandomForestRegressor
    return kind(n_trees, max_depth=DEPTHS[task], random_state=seed)


def series_sets(directory: Path | None) -> list[str]:
    """Return the names of the paper's UCR sets that have a test part, those with the least to compute first."""
    if directory is None:
        raise SystemExit(
            "The series are not on OpenML: say where they are with --data, or leave out the suite timeseries."
        )
    frame = manifest(directory)
    frame = frame[(frame["task"] == "timeseries") & frame["note"].str.startswith("train")]
    n_train = frame["note"].str.extract(r"train (\d+)", expand=False).astype(float)
    return frame["name"][(n_train * frame["raw_features"] ** 2).sort_values().index].tolist()


def load_series(name: str, directory: Path, part: str = "TRAIN") -> tuple[Any, Any]:
    """Return the training or test series of a UCR set and their labels."""
    frame = pd.read_csv(directory / "ucr" / f"{name}_{part}.tsv.gz", sep="\t", header=None)
    return frame.iloc[:, 1:].to_numpy(dtype=float), frame.iloc[:, 0].to_numpy()
