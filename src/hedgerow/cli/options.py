"""Options that several commands share."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from hedgerow import __version__
from hedgerow.cli.console import say
from hedgerow.exporters.sql.dialects import DIALECTS
from hedgerow.tables.columns import Task

DEFAULT_DIALECT = "postgres"

#: A name in quotes, or one without that begins with none.
_NAME = r'"(?:[^"]|"")+"|[^".][^.]*'


class TaskName(StrEnum):
    """What is learned."""

    classification = "classification"
    regression = "regression"


def task_of(name: TaskName | None) -> Task | None:
    """Return the task as the library calls it."""
    return None if name is None else "classification" if name is TaskName.classification else "regression"


class Form(StrEnum):
    """What a rule list can be written as."""

    text = "text"
    json = "json"
    sql = "sql"
    python = "python"
    latex = "latex"
    dot = "dot"


def _set_debug(context: typer.Context, value: bool) -> bool:
    if value:
        context.find_root().obj.debug = True
    return value


def _show_version(value: bool) -> None:
    if value:
        say(f"hedgerow {__version__}")
        raise typer.Exit


def _one_character(text: str | None) -> str | None:
    if text is None:
        return None
    named = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
    character = named.get(text, text)
    if len(character) != 1 or character in '\n\r\0"':
        raise typer.BadParameter("it must be one character, such as ';' or tab; no end of a line and no quote.")
    return character


def _not_zero(value: int) -> int:
    if value == 0:
        raise typer.BadParameter("it must be a number of processors, or -1 for all.")
    return value


def table_names(text: str) -> list[str]:
    """Return the names that dots part: of the table, before it of its schema, before that of its catalog.

    A name in double quotes may hold dots; a quote within is written twice.
    """
    if not re.fullmatch(rf"(?:{_NAME})(?:\.(?:{_NAME})){{0,2}}", text):
        raise typer.BadParameter(
            "it must be the name of a table, or schema.table, or catalog.schema.table; a name with a dot in it stands "
            "in double quotes."
        )
    return [part[1:-1].replace('""', '"') if part[0] == '"' else part for part in re.findall(_NAME, text)]


def _known_table(text: str | None) -> str | None:
    if text is not None:
        table_names(text)
    return text


def _positive(value: float) -> float:
    if not value > 0:
        raise typer.BadParameter("it must be a positive number of seconds.")
    return value


def _known_dialect(name: str | None) -> str | None:
    if name is not None and name not in DIALECTS:
        raise typer.BadParameter(f"it must be one of {', '.join(DIALECTS)}.")
    return name


def file_option(help: str, *names: str) -> Any:
    """Return an option that names a file to write."""
    given = ("--output", *names) if names else ()
    return typer.Option(*given, metavar="FILE", help=help, rich_help_panel="Files to write")


def forest_option(help: str, default: str, **others: Any) -> Any:
    """Return an option of the random forest that is trained where no model is given."""
    return typer.Option(
        metavar="N",
        help=help,
        show_default=f"{default}; with --accurate the preset's",
        rich_help_panel="Forest",
        **others,
    )


Rules = Annotated[Path, typer.Argument(metavar="RULES", help="A rule list that extract --json wrote.")]
Data = Annotated[Path, typer.Argument(metavar="DATA", help="A table: .csv, .tsv (also .gz, .bz2, .xz) or .parquet.")]
Target = Annotated[str, typer.Option("--target", "-t", metavar="COLUMN", help="The column that is predicted.")]
Separator = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER",
        callback=_one_character,
        show_default="what the name of the file says",
        help="What stands between two fields, such as ';' or tab.",
    ),
]
Debug = Annotated[
    bool,
    typer.Option("--debug", callback=_set_debug, is_eager=True, help="Show where in the program an error comes from."),
]
Version = Annotated[
    bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
]
Dialect = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=_known_dialect,
        autocompletion=lambda: list(DIALECTS),
        show_default=DEFAULT_DIALECT,
        help=f"The database that the SQL is for: {', '.join(DIALECTS)}.",
    ),
]
TableName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=_known_table,
        help="Make a SELECT of this table, or schema.table, in SQL; otherwise only the CASE expression.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(min=0, max=2**32 - 1, metavar="N", help="For the forest and for the rows that are held out."),
]
Jobs = Annotated[int, typer.Option(metavar="N", callback=_not_zero, help="How many processors are used; -1 for all.")]
TimeLimit = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        callback=_positive,
        help="For the search; the best list so far is kept, with its gap.",
    ),
]
