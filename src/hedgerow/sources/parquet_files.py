"""Parquet files: which ones, whether their columns fit each other, and their rows in tables of the same size."""

from __future__ import annotations

import glob
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError, InvalidParameterError


@dataclass(frozen=True, eq=False)
class ParquetFile:
    """What is known about a file without reading its rows.

    Attributes
    ----------
    path : Path
        The file.
    n_rows : int
        The number of its rows.
    schema : pyarrow.Schema
        Its columns.
    gaps : frozenset of str
        The columns of which the file says that some values are missing.
    """

    path: Path
    n_rows: int
    schema: Any
    gaps: frozenset[str]

    @classmethod
    def of(cls, path: Path) -> ParquetFile:
        """Look at the end of a file, which says what is in it."""
        with opened(path) as file:
            metadata, schema = file.metadata, file.schema_arrow
            twice = [name for name, count in Counter(schema.names).items() if count > 1]
            if twice:
                raise InvalidDataError(f"{path} has several columns called {twice[0]!r}. Rename them.")
            leaves = {file.schema.column(j).path: j for j in range(len(file.schema))}
            groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
            # Only of these does pandas change the type where values are missing.
            whole = [field.name for field in schema if _changes_with_gaps(field.type) and field.name in leaves]
            gaps = frozenset(name for name in whole if any(_has_gaps(group.column(leaves[name])) for group in groups))
            return cls(path, metadata.num_rows, schema, gaps)

    @property
    def index(self) -> set[str]:
        """The columns that are the index of the data frame which was written."""
        described = (self.schema.pandas_metadata or {}).get("index_columns", [])
        return {name for name in described if isinstance(name, str)}

    @contextmanager
    def reading(self, columns: Sequence[str]) -> Iterator[Any]:
        """Open the file; refuse one whose columns are not those that it had when it was looked at."""
        with opened(self.path) as file:
            now = file.schema_arrow
            for name in columns:
                was = self.schema.field(name).type
                if name not in now.names:
                    change = f"it has no column {name!r} any more"
                elif now.field(name).type != was:
                    change = f"the column {name!r} was of type {was}, and is of type {now.field(name).type}"
                else:
                    continue
                raise InvalidDataError(
                    f"{self.path} changes while it is read: {change}. Every pass must read the same rows."
                )
            yield file

    def tables(self, columns: list[str], size: int, threads: int) -> Iterator[Any]:
        """Yield some columns as Arrow tables of so many rows, except the last, wherever row groups end."""
        import pyarrow as pa

        waiting: list[Any] = []
        n_waiting = 0
        with self.reading(columns) as file:
            for batch in file.iter_batches(batch_size=size, columns=columns, use_threads=threads > 1):
                waiting.append(batch)
                n_waiting += batch.num_rows
                if n_waiting >= size:
                    table = pa.Table.from_batches(waiting)
                    yield table.slice(0, size).select(columns)  # a name may also select those that begin with it
                    waiting = table.slice(size).to_batches()
                    n_waiting -= size
            if n_waiting:
                yield pa.Table.from_batches(waiting).select(columns)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open a file; errors while it is open name it."""
    import pyarrow
    from pyarrow import parquet

    try:
        # Through a buffer, so that a row group need not fit in memory.
        with parquet.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False) as file:
            yield file
    except (FileNotFoundError, PermissionError) as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else "permission denied"
        raise InvalidDataError(f"Cannot read {path}: {why}.") from error
    except (pyarrow.ArrowException, OSError) as error:
        said = str(error).strip().splitlines()[0].rstrip(".")
        raise InvalidDataError(
            f"Cannot read {path}: {said}. Is it a whole Parquet file? One that was cut short must be written again."
        ) from error


def find(path: Any) -> list[Path]:
    """Return the files that a path, a folder, a pattern or a list of these stands for, each of them once.

    Hidden and temporary files, whose names or folders below begin with a dot or an underscore, are left out unless they
    are named, as :func:`pandas.read_parquet` does.
    """
    # Not resolved: links to the same content may well be files of their own.
    once: dict[str, Path] = {}
    for file in _found(path):
        once.setdefault(os.path.abspath(file), file)
    return list(once.values())


def _found(path: Any) -> list[Path]:
    if isinstance(path, (list, tuple)):
        if not path:
            raise InvalidParameterError("The list of Parquet files is empty. Name at least one.", parameter="path")
        return [file for one in path for file in _found(one)]
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidParameterError(
            f"path must be a file, a folder, a pattern or a list of these; got {path!r}.", parameter="path"
        )
    place = Path(path)
    if place.is_dir():
        files = sorted(file for file in place.rglob("*.parquet") if file.is_file() and not _is_hidden(file, place))
        if not files:
            raise InvalidDataError(f"The folder {place} has no file that ends in .parquet.")
        return files
    if place.exists():
        return [place]
    if not glob.has_magic(str(path)):
        raise InvalidDataError(
            f"There is no file or folder {path}. For files that are not on this machine, use "
            "dask.dataframe.read_parquet, and pass the data frame."
        )
    matching = _matching(place)
    if not matching:
        raise InvalidDataError(f"No file matches {path}.")
    return [file for one in matching for file in ([one] if one.is_file() else _found(one))]


def _matching(pattern: Path) -> list[Path]:
    """Return the files and folders that match a pattern."""
    fixed = [*takewhile(lambda part: not glob.has_magic(part), pattern.parts)]
    asks_for_hidden = any(part[0] in "._" for part in pattern.parts[len(fixed) :])
    found = sorted(Path(one) for one in glob.glob(str(pattern), recursive=True))
    return [one for one in found if asks_for_hidden or not _is_hidden(one, Path(*fixed))]


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part[0] in "._" for part in file.relative_to(folder).parts)


def common_types(files: Sequence[ParquetFile], columns: Sequence[str]) -> dict[str, Any]:
    """Return the type of each column that can hold its values in all files; refuse files that do not fit."""
    first = files[0]
    types = {name: first.schema.field(name).type for name in columns}
    for file in files[1:]:
        for name in columns:
            here = file.schema.field(name).type
            common = types[name] if here == types[name] else _common(types[name], here)
            if common is None:
                raise InvalidDataError(
                    f"{file.path}: the column {name!r} is of type {here}, but of type {types[name]} in the files "
                    f"before, such as {first.path}. Write them with the same type."
                )
            types[name] = common
    return types


def check_roles(target: str | None, weight: str | None, columns: Sequence[str] | None) -> None:
    """Refuse columns that are named for two things."""
    if target is not None and target == weight:
        raise InvalidParameterError(
            f"{target!r} is named as target and as weight. Name two columns.", parameter="weight"
        )
    if isinstance(columns, str):
        raise InvalidParameterError(f"columns must be a list of names, such as [{columns!r}].", parameter="columns")
    twice = [name for name, count in Counter(columns or ()).items() if count > 1]
    if twice:
        raise InvalidParameterError(f"columns has {twice[0]!r} several times. Name it once.", parameter="columns")


def check_columns(files: Sequence[ParquetFile], columns: Sequence[str], only: bool) -> None:
    """Refuse files that lack a column; and, if these are to be the only ones, files with others."""
    for file in files:
        names = set(file.schema.names)
        lacking = [name for name in columns if name not in names]
        if lacking:
            where = "" if file is files[0] else f", which {files[0].path} has"
            raise InvalidDataError(
                f"{file.path} has no column {lacking[0]!r}{where}. It has: {some(map(repr, file.schema.names), 8)}."
            )
        more = sorted(names - {*columns} - file.index - files[0].index)  # which holds for all files, as in pandas
        if only and more:
            raise InvalidDataError(
                f"{file.path} has the column {more[0]!r}, which {files[0].path} lacks. Name the columns to read with "
                "columns=[...]."
            )


def without_index(metadata: dict[bytes, bytes] | None) -> dict[bytes, bytes] | None:
    """Return what pandas wrote about its types, with the index as columns like the others."""
    if not metadata or b"pandas" not in metadata:
        return metadata
    return {**metadata, b"pandas": json.dumps({**json.loads(metadata[b"pandas"]), "index_columns": []}).encode()}


def _common(one: Any, other: Any) -> Any | None:
    """Return a type for the values of two types, None if they cannot be compared."""
    import pyarrow as pa

    if pa.types.is_dictionary(one) and pa.types.is_dictionary(other):
        values = _common(one.value_type, other.value_type)
        return None if values is None else pa.dictionary(pa.int32(), values, one.ordered and other.ordered)
    plain = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in (one, other)]
    if pa.types.is_null(one) or pa.types.is_null(other):
        return other if pa.types.is_null(one) else one
    try:
        schemas = [pa.schema([("", kind)]) for kind in plain]
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except pa.ArrowException:
        return None


def _changes_with_gaps(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_boolean(kind))


def _has_gaps(column: Any) -> bool:
    statistics = column.statistics
    return statistics is not None and statistics.has_null_count and statistics.null_count > 0
