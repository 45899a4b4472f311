"""Rows of Parquet files, as ``pandas.read_parquet`` would return them, a batch at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hedgerow._support.checks import check_integer
from hedgerow.exceptions import InvalidDataError
from hedgerow.sources.layout import Layout, rows_place, targets, weights
from hedgerow.sources.local import LocalSource, Piece
from hedgerow.sources.parquet_files import ParquetFile, check_columns, check_roles, common_types, find, without_index
from hedgerow.sources.source import BATCH_ROWS, Chunk


class Parquet(LocalSource):
    """Rows of Parquet files. It needs pyarrow and pandas: ``pip install 'hedgerow[parquet]'``.

    All files are looked at when it is made: they must have the same columns, of types that can be compared.

    Parameters
    ----------
    path : str, Path or list of these
        A file; a folder, which stands for all files below it that end in .parquet, in sorted order; a pattern such as
        ``"rows/part-*.parquet"``; or a list of these. Each file is read once, however often it is named. Files and
        folders whose names begin with a dot or an underscore are left out unless they are named. Columns that are only
        in the names of folders, such as ``year=2024/``, are not read.
    target : str, optional
        The column of targets. Predictions need none.
    weight : str, optional
        The column of sample weights.
    columns : sequence of str, optional
        The feature columns; by default, all but the target and the weight.
    batch_rows : int
        The number of rows that are read at a time.
    """

    has_targets: bool
    has_weights: bool

    def __init__(
        self,
        path: str | Path | Sequence[str | Path],
        target: str | None = None,
        weight: str | None = None,
        columns: Sequence[str] | None = None,
        *,
        batch_rows: int = BATCH_ROWS,
    ) -> None:
        try:
            import pandas  # noqa: F401
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise ImportError("Parquet files need pyarrow and pandas: pip install 'hedgerow[parquet]'.") from None
        check_integer("batch_rows", batch_rows)
        check_roles(target, weight, columns)
        self.path, self.target, self.weight, self.batch_rows = path, target, weight, batch_rows
        self.files = [ParquetFile.of(file) for file in find(path)]
        first = self.files[0]
        own = [name for name in (target, weight) if name is not None]
        given = first.schema.names if columns is None else list(columns)
        hidden = {*own} | (first.index if columns is None else set())
        self.names: list[str] = [name for name in given if name not in hidden]
        check_columns(self.files, [*self.names, *own], only=columns is None)
        if not self.names:
            raise InvalidDataError(f"{self} has no feature columns.")
        self.types = common_types(self.files, [*self.names, *own])
        self.n_features: int = len(self.names)
        self.n_rows: int = sum(file.n_rows for file in self.files)
        self.has_targets, self.has_weights = target is not None, weight is not None
        self.gaps = frozenset().union(*(file.gaps for file in self.files))
        self._categories: dict[str, Any] = {}

    def __str__(self) -> str:
        several = isinstance(self.path, (list, tuple))
        return f"Parquet({f'{len(self.files)} files' if several else repr(str(self.path))})"

    def check_columns(self, columns: Sequence[str | int] | None) -> None:
        """Refuse columns that the files do not have."""
        Layout(tuple(self.names), len(self.names)).positions(columns, self)

    def pieces(self, columns: Sequence[str | int] | None, targets: bool, threads: int) -> Iterator[Piece]:
        """Yield functions that return the chunks."""
        wanted = set(self.names if columns is None else columns)
        features = [name for name in self.names if name in wanted]
        own = [name for name in (self.target, self.weight) if name is not None and targets]
        to_read = [*features, *own]
        self._read_categories(to_read)
        first = 0
        for file, name in zip(self.files, self._file_names(), strict=True):
            start = 0
            for table in file.tables(to_read, self.batch_rows, threads):
                place = f"{name}, {rows_place(start, start + table.num_rows)}"
                yield partial(self._chunk, table, features, targets, place, first + start)
                start += table.num_rows
            first += start

    def place_of(self, row: int) -> str:
        """Return where a row is, for messages; rows are counted from 0."""
        for file, name in zip(self.files, self._file_names(), strict=True):
            if row < file.n_rows:
                return f"{name}, {rows_place(row, row + 1)}"
            row -= file.n_rows
        raise IndexError(row)

    def _file_names(self) -> list[str]:
        """Return the names of the files, below the folder that all are in."""
        places = [file.path.absolute() for file in self.files]
        root = os.path.commonpath([place.parent for place in places])
        return [os.path.relpath(place, root) for place in places]

    def _chunk(self, table: Any, features: list[str], with_targets: bool, place: str, start: int) -> Chunk:
        frame = self._frame(table, place)
        y = targets(frame[self.target]) if with_targets and self.target is not None else None
        weight = weights(frame[self.weight], place) if with_targets and self.weight is not None else None
        return Chunk(frame.iloc[:, : len(features)], y, weight, place, features, start)

    def _frame(self, table: Any, place: str) -> Any:
        """Return an Arrow table as the same rows of the data frame of all files."""
        import pandas as pd
        import pyarrow as pa

        names = table.column_names
        # What pandas wrote about its types holds for all files, as it does if they are read at once.
        metadata = without_index(self.files[0].schema.metadata)
        common = pa.schema([(name, self.types[name]) for name in names], metadata=metadata)
        try:
            table = table.cast(common) if table.schema.types != common.types else table
        except pa.ArrowException as error:
            said = str(error).strip().splitlines()[0].rstrip(".")
            raise InvalidDataError(f"{place}: {said}. Write all files with the same types.") from error
        frame = table.replace_schema_metadata(common.metadata).to_pandas(use_threads=False)
        frame.columns = pd.Index(names)  # pandas may know them as numbers
        changed = {}
        for position, name in enumerate(names):
            column = frame.iloc[:, position]
            if name in self._categories:
                changed[position] = column.cat.set_categories(self._categories[name])
            elif name in self.gaps and column.dtype.kind in "iub" and not hasattr(column.dtype, "na_value"):
                changed[position] = column.astype(object if column.dtype.kind == "b" else "float64")
        if not changed:
            return frame
        columns = [changed.get(position, frame.iloc[:, position]) for position in range(len(names))]
        return pd.concat(columns, axis=1)

    def _read_categories(self, columns: Sequence[str]) -> None:
        """Read the categories of all rows, which each batch must have: models may look at their numbers."""
        import pyarrow as pa

        todo = [name for name in columns if pa.types.is_dictionary(self.types[name]) and name not in self._categories]
        if not todo:
            return
        found: dict[str, dict[Any, None]] = {name: {} for name in todo}
        last: dict[str, Any] = {}
        for file in self.files:
            with file.reading(todo) as reader:
                for batch in reader.iter_batches(batch_size=self.batch_rows, columns=todo):
                    for name in todo:
                        values = batch.column(batch.schema.get_field_index(name))
                        if pa.types.is_null(values.type):
                            continue
                        if name not in last or not values.dictionary.equals(last[name]):
                            found[name].update(dict.fromkeys(values.dictionary.to_pylist()))
                            last[name] = values.dictionary
        for name, categories in found.items():
            array = pa.array(list(categories), self.types[name].value_type)
            self._categories[name] = array.to_pandas().array
