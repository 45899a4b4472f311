"""What the command predict writes; for tables that are read in chunks, predictions are written as they are made."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from hedgerow._support.progress import counted
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList
from hedgerow.sources.local import Piece, in_order, named_after
from hedgerow.sources.parquet import Parquet
from hedgerow.tables.columns import fit_columns
from hedgerow.tables.files import is_parquet, write_table
from hedgerow.tables.values import plain_frame

if TYPE_CHECKING:
    from hedgerow.evidence import PredictionIntervals, PredictionSets

#: What becomes of the predictions for a chunk.
Write = Callable[[Any], None]


@dataclass(frozen=True)
class Wanted:
    """What is said about each row.

    Attributes
    ----------
    explain : bool
        Whether to explain each prediction.
    certain : PredictionSets, PredictionIntervals or None
        What adds a set or an interval.
    """

    explain: bool = False
    certain: PredictionSets | PredictionIntervals | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        more = () if self.certain is None else self.certain.columns
        return ["prediction", "rule", *more, *(["why"] if self.explain else [])]

    def about(self, seen: Evaluation) -> Any:
        """Return the columns as a data frame."""
        import pandas as pd

        # Rules are numbered from 1, and 0 is the default.
        columns: list[Any] = [seen.predictions, np.maximum(seen.fired + 1, 0)]
        if self.certain is not None:
            columns += self.certain.in_columns(seen)
        if self.explain:
            columns.append(seen.sentences())
        return pd.DataFrame(dict(zip(self.names, columns, strict=True)))


def predict_in_chunks(
    rule_list: RuleList,
    path: Path,
    names: Callable[[list[str], list[str]], list[str]],
    output: tuple[Path, IO[bytes]] | None,
    wanted: Wanted,
    with_data: bool,
) -> None:
    """Predict each row of Parquet files.

    Parameters
    ----------
    rule_list : RuleList
    path : Path
        A file, a folder or a pattern.
    names : callable
        Takes the names of the new columns and of those that the table has; returns names that are free.
    output : pair of Path and file, or None
        Where to write; None is standard output, as CSV.
    wanted : Wanted
        What to say about each row.
    with_data : bool
        Whether to write the columns of the table as well.
    """
    from joblib import effective_n_jobs

    files = Parquet(path)
    new = names(wanted.names, files.names) if with_data else wanted.names
    columns = None if with_data else _needed(rule_list, files)
    threads = effective_n_jobs(-1)
    look = partial(_predictions, rule_list, wanted, with_data, new)
    with ExitStack() as stack:
        count = stack.enter_context(counted(files.n_rows, "rows", "predicting", False))
        write = stack.enter_context(closing(_Writer(output, files, with_data)))
        for table in in_order(look, files.pieces(columns, False, threads), threads):
            write(table)
            count(len(table))


def columns_for(rule_list: RuleList, frame: Any, target: str | None = None) -> Any:
    """Return the columns that the list takes; those that no rule uses may be missing from the table."""
    used = {condition.feature for rule in rule_list for condition in rule.conditions}
    taken = {} if target is None else {target: "the target"}
    return fit_columns(frame, rule_list.inputs, used if rule_list.fallback is None else None, taken)


def _needed(rule_list: RuleList, files: Parquet) -> list[str] | None:
    """Return the columns that rules look at, as far as the files have them; None if all are needed."""
    inputs = rule_list.inputs
    if rule_list.fallback is not None or inputs.of_series or not inputs.has_names:
        return None
    used = {condition.feature for rule in rule_list for condition in rule.conditions}
    needed = {inputs.names[i] for feature in used for i in inputs.places(feature)}
    found = [name for name in files.names if name in needed]
    # Whatever is missing is found out, and said, by looking at all columns.
    return found if len(found) == len(needed) and found else None


def _predictions(rule_list: RuleList, wanted: Wanted, with_data: bool, new: list[str], piece: Piece) -> Any:
    """Return the predictions for a chunk as a data frame."""
    import pandas as pd

    chunk = piece()
    frame = plain_frame(chunk.X)
    with named_after(chunk):
        seen = rule_list.evaluate(columns_for(rule_list, frame))
    table = wanted.about(seen).set_axis(new, axis=1)
    return pd.concat([chunk.X, table], axis=1) if with_data else table


class _Writer:
    """Writes the tables of chunks one after the other."""

    def __init__(self, output: tuple[Path, IO[bytes]] | None, files: Parquet, with_data: bool) -> None:
        self._path: Path | None = None if output is None else output[0]
        self._file: IO[bytes] | None = None if output is None else output[1]
        self._types = files.types if with_data else {}
        self._parquet: Any = None
        self._is_first = True

    def __call__(self, table: Any) -> None:
        """Write a table."""
        if self._path is not None and is_parquet(self._path):
            self._write_parquet(table)
        elif self._path is None or self._file is None:
            table.to_csv(sys.stdout, index=False, header=self._is_first, lineterminator="\n")
        else:
            self._file.write(write_table(table, self._path, header=self._is_first))
        self._is_first = False

    def _write_parquet(self, table: Any) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        if self._parquet is None:
            found = pa.Schema.from_pandas(table, preserve_index=False)
            # In the first rows a column may have no values, which would leave its type open.
            schema = pa.schema([pa.field(field.name, self._types.get(field.name, field.type)) for field in found])
            self._parquet = parquet.ParquetWriter(self._file, schema)
        self._parquet.write_table(pa.Table.from_pandas(table, self._parquet.schema, preserve_index=False))

    def close(self) -> None:
        """End what was written."""
        if self._parquet is not None:
            self._parquet.close()
