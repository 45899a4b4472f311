"""The paper's tables from OpenML, through scikit-learn, for who has no data directory.

``openml.csv`` says which entry is which set, and how many complete rows and one-hot columns the paper counts; a set
that comes out otherwise is refused, so that no number is of other data than it seems. Downloads are kept where
scikit-learn keeps them (``SCIKIT_LEARN_DATA``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.datasets import fetch_openml

TABLE = Path(__file__).parent / "openml.csv"


def openml_sets() -> pd.DataFrame:
    """Return the paper's tabular sets: name, task, id, records, features."""
    return pd.read_csv(TABLE)


def fetch_frame(name: str) -> tuple[pd.DataFrame, Any]:
    """Return a set as it is, with its categories and missing values, and the targets."""
    entry = _entry(name)
    found = fetch_openml(data_id=int(entry["id"]), as_frame=True, parser="auto")
    X, y = found.data, found.target
    # Categories as plain values: a column for a value that no complete row has would be a column too many.
    X = X.astype({column: object for column in X.columns if isinstance(X[column].dtype, pd.CategoricalDtype)})
    known = y.notna().to_numpy()
    return X[known], y[known].astype(object).to_numpy()


def check_shape(name: str, X: pd.DataFrame) -> None:
    """Refuse a prepared set that has other numbers of rows and columns than the paper's."""
    entry = _entry(name)
    if X.shape != (entry["records"], entry["features"]):
        raise ValueError(
            f"{name} of OpenML (entry {entry['id']}) has {X.shape[0]} complete rows and {X.shape[1]} columns; in the "
            f"paper they are {entry['records']} and {entry['features']}. Correct its line in {TABLE.name}, or give a "
            "data directory with --data."
        )


def _entry(name: str) -> Any:
    table = openml_sets().set_index("name")
    if name not in table.index:
        raise ValueError(f"OpenML's table has no set {name!r}; it has {', '.join(table.index)}.")
    return table.loc[name]
