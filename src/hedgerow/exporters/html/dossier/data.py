"""The tables that a dossier is about: a hash, rows, columns, types, missing values."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.features import column_of, frame_or_array, is_frame
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import printable
from hedgerow.tables.summary import summarize

#: More columns than this are counted, not listed, unless rules use them.
MOST_COLUMNS = 40


@dataclass(frozen=True)
class ColumnFacts:
    """A column: its type in words, how many values are missing or distinct, and what it is for."""

    name: str
    type: str
    n_missing: int
    n_distinct: int
    role: str


@dataclass(frozen=True)
class DataTable:
    """A table.

    Attributes
    ----------
    name : str
        "training", "held-out" or "tested".
    file : str
        The name of the file; empty if the rows came from memory.
    digest : str
        The SHA-256 of the file, or else of the values as CSV.
    n_rows, n_columns : int
    columns : tuple of ColumnFacts
        Those that rules use first, then the others, as far as they are listed.
    """

    name: str
    file: str
    digest: str
    n_rows: int
    n_columns: int
    columns: tuple[ColumnFacts, ...]

    @property
    def n_more(self) -> int:
        """The number of columns that are not listed."""
        return self.n_columns - len(self.columns)


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, as ``sha256sum`` prints it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def describe_rows(rule_list: RuleList, name: str, X: Any, y: Any = None, target: str | None = None) -> DataTable:
    """Describe rows in memory; their hash is that of the values as CSV, with the targets as the last column."""
    X = frame_or_array(X)
    if rule_list.inputs.of_series or (not is_frame(X) and np.ndim(X) != 2):
        values = np.ascontiguousarray(np.asarray(X))
        targets = b"" if y is None else repr(np.asarray(y).tolist()).encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(values.tobytes() + targets).hexdigest()
        return DataTable(name, "", digest, len(values), int(np.prod(values.shape[1:])), ())
    frame = _as_frame(X, rule_list)
    role = target if target and target not in frame else "(target)"
    whole = frame if y is None else frame.assign(**{role: np.asarray(y)})
    text = whole.to_csv(index=False, lineterminator="\n")
    return describe_table(rule_list, name, whole, role if y is not None else None, "", _digest_of(text))


def describe_table(
    rule_list: RuleList, name: str, frame: Any, target: str | None, file: str, digest: str, drop: Collection[str] = ()
) -> DataTable:
    """Describe a table as it is in a file."""
    used = rule_list.inputs
    places = {i for rule in rule_list for c in rule.conditions for i in used.places(c.feature)}
    in_rules = {str(used.names[i]) for i in places}
    found = []
    # All columns are described, also those of a single row, from which nothing could be learned.
    for column in summarize(frame, target, drop=drop, only=list(frame)):
        role = "target" if column.role == "target" else "in rules" if column.name in in_rules else ""
        found.append(ColumnFacts(printable(column.name), column.type, column.n_missing, column.n_distinct, role))
    ranked = sorted(found, key=lambda one: ("target", "in rules", "").index(one.role))
    kept = ranked[: max(MOST_COLUMNS, sum(bool(one.role) for one in ranked))]
    return DataTable(name, printable(file), digest, len(frame), len(found), tuple(kept))


def _as_frame(X: Any, rule_list: RuleList) -> Any:
    import pandas as pd

    names = [str(n) for n in X.columns] if is_frame(X) else [str(n) for n in rule_list.inputs.names][: X.shape[1]]
    columns = [np.asarray(column_of(X, i)) for i in range(len(names))]
    return pd.DataFrame(dict(zip(names, columns, strict=True)))


def _digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
