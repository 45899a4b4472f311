"""What commands write: files that appear all or none, and SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow._support.whole_file import WholeFiles
from hedgerow.cli.options import DEFAULT_DIALECT, table_names
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.sql.dates import check_format
from hedgerow.exporters.sql.dialects import DIALECTS
from hedgerow.tables.files import is_parquet

if TYPE_CHECKING:
    from hedgerow.rules.rule_list import RuleList


@contextmanager
def output_files(paths: Iterable[Path], sources: Iterable[Path]) -> Iterator[WholeFiles]:
    """Prepare the files that a command writes, before the long work starts.

    Parameters
    ----------
    paths : iterable of Path
        The files to write, each different.
    sources : iterable of Path
        Files that the command reads, which must not be replaced; or a folder or a pattern of Parquet files, which
        would read them the next time.

    Raises
    ------
    InvalidParameterError
        On entering, if one of the files cannot be written.
    """
    paths, sources = list(paths), list(sources)
    places = [path.resolve() for path in paths]
    for path, place in zip(paths, places, strict=True):
        is_read = any(_reads(source, place) for source in sources)
        if is_read or places.count(place) > 1:
            why = "is read by this command" if is_read else "is named for two outputs"
            raise InvalidParameterError(f"{path} {why}. Write to another file.")
    with ExitStack() as stack:
        try:
            files = stack.enter_context(WholeFiles(paths))
        except OSError as error:
            raise InvalidParameterError(
                f"Cannot write {error.filename}: {error.strerror}. Write to another file."
            ) from None
        yield files


def _reads(source: Path, place: Path) -> bool:
    """Return whether a file is one of those that a path, a folder or a pattern stands for, or would be."""
    whole = source.resolve()
    if source.is_dir():
        return is_parquet(place) and place.is_relative_to(whole)
    return place == whole or (not source.exists() and place.match(str(whole)))


def given(*paths: Path | None) -> list[Path]:
    """Return the paths that are not None."""
    return [path for path in paths if path is not None]


def ended(text: str) -> str:
    """Return the text with a newline at the end."""
    return text if text.endswith("\n") else text + "\n"


def sql_text(
    rule_list: RuleList, dialect: str | None, table: str | None, counts: bool = False, target: str | None = None
) -> str:
    """Return a list as SQL, by default in the default dialect and without a table; or the query that counts rows."""
    names = None if table is None else table_names(table)
    return ended(rule_list.to_sql(dialect or DEFAULT_DIALECT, table=names, counts=counts, target=target))


def check_names_for_sql(names: Iterable[str], dialect: str | None, way_out: str) -> None:
    """Refuse column names that the database does not tell apart; ``way_out`` is an alternative to renaming one."""
    database = dialect or DEFAULT_DIALECT
    twins = DIALECTS[database].twins(names)
    if twins is not None:
        raise InvalidDataError(
            f"The columns {twins[0]!r} and {twins[1]!r} are the same in {database}, which ignores upper and lower "
            f"case. Rename one of them in the table, or {way_out}."
        )


def check_dates_for_sql(frame: Any) -> None:
    """Refuse a table with columns of dates that are written in a way that SQL cannot read."""
    from hedgerow.tables.dates import dates_in

    for name in frame:
        found = dates_in(frame[name])
        if found is not None:
            check_format(found.format, str(name))
