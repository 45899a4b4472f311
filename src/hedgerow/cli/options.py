"""Options that several commands share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hedgerow import __version__
from hedgerow.cli.console import say
from hedgerow.exporters.sql.dialects import DIALECTS

DEFAULT_DIALECT = "postgres"

#: The tasks of :mod:`hedgerow.tasks`, by name.
TaskName = Literal["classification", "regression"]
#: The formats of the command export.
Form = Literal["text", "json", "sql", "python", "latex", "dot"]

#: The heading of options that say how a text file is written.
_TEXT_FILES = "Text files"

#: A quoted name, or an unquoted one.
_NAME = r'"(?:[^"]|"")+"|[^".][^.]*'


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
        raise typer.BadParameter("it must be one character, such as ';' or tab, but not a newline or a quote.")
    return character


def _mark(text: str | None) -> str | None:
    named = {"comma": ",", "point": ".", "dot": ".", "blank": " ", "space": " ", "apostrophe": "'"}
    return text if text is None else named.get(text, text)


def _not_zero(value: int) -> int:
    if value == 0:
        raise typer.BadParameter("it must be a number of processors, or -1 for all of them.")
    return value


def table_names(text: str) -> list[str]:
    """Return the parts of a table's name: ``[[catalog, ]schema, ]table``.

    A part in double quotes may contain dots; a quote inside is doubled.
    """
    if not re.fullmatch(rf"(?:{_NAME})(?:\.(?:{_NAME})){{0,2}}", text):
        raise typer.BadParameter(
            "it must be the name of a table, schema.table or catalog.schema.table; put a name that contains a dot in "
            "double quotes."
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
    """Return an option for a file to write."""
    given = ("--output", *names) if names else ()
    return typer.Option(*given, metavar="FILE", help=help, rich_help_panel="Files to write")


def forest_option(help: str, default: str, **others: Any) -> Any:
    """Return an option of the random forest that is trained if no model is given."""
    return typer.Option(
        metavar="N",
        help=help,
        show_default=default,
        rich_help_panel="Forest",
        **others,
    )


Published = Annotated[
    bool,
    typer.Option(
        "--published",
        help="Use the settings of the published method: leaves of shallow trees, and stability is half of the "
        "objective. By default, those that give the most accurate list.",
    ),
]
#: The heading of options that say what the list must satisfy.
_CONDITIONS = "Conditions"

Forbid = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="A column that no rule may use, though the forest does; may be given several times.",
        rich_help_panel=_CONDITIONS,
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="A column that some rule must use; may be given several times.",
        rich_help_panel=_CONDITIONS,
    ),
]
Monotone = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN:SIGN",
        help="A column with which predictions only rise (income:+) or only fall (debt:-), for all rows, also new ones; "
        "may be given several times. Of two classes, this is about the probability of the second.",
        rich_help_panel=_CONDITIONS,
    ),
]
MaxFeatures = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="The maximum number of columns that the rules use.", rich_help_panel=_CONDITIONS
    ),
]
MinRecall = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL=SHARE",
        help="The least share of the training rows of a class for which it is predicted, such as yes=0.8; may be given "
        "several times.",
        rich_help_panel=_CONDITIONS,
    ),
]
RoundThresholds = Annotated[
    bool,
    typer.Option(
        "--round-thresholds",
        help="Write 40 instead of 41.37 wherever no training row changes sides.",
        rich_help_panel=_CONDITIONS,
    ),
]
Explain = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Explain the model: learn what it predicts, not the target, and show where the list differs from it. "
        "The model need not consist of trees.",
    ),
]


def _stream(help: str) -> Any:
    """Return the option that has Parquet read in chunks or into memory."""
    return typer.Option("--stream/--no-stream", show_default="above 20 million values, rows times columns", help=help)


Stream = Annotated[
    bool | None,
    _stream(
        "Read Parquet in chunks instead of into memory. The forest is trained on some of the rows, and the list is "
        "chosen on all of them. Folders and patterns are always read in chunks."
    ),
]
StreamRows = Annotated[
    bool | None,
    _stream("Read Parquet in chunks instead of into memory. Folders and patterns are always read in chunks."),
]
Classes = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="What the table calls the classes of the model, in the model's order, separated by commas: if the model "
        "knows 0, 1 and 2, for example Adelie,Chinstrap,Gentoo.",
    ),
]
Rules = Annotated[Path, typer.Argument(metavar="RULES", help="A rule list written by extract --json.")]
LargeData = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="A table: .csv, .tsv, .txt (also .gz, .bz2, .xz) or .parquet; or Parquet files: a folder, or a pattern in "
        "quotes.",
    ),
]
Data = Annotated[
    Path, typer.Argument(metavar="DATA", help="A table: .csv, .tsv, .txt (also .gz, .bz2, .xz) or .parquet.")
]
Level = Annotated[
    float,
    typer.Option(metavar="SHARE", help="The level of intervals; 1 - level is that of all tests together."),
]
Target = Annotated[str, typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict.")]
Separator = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER",
        callback=_one_character,
        show_default="detected",
        help="The character between fields, such as ';' or tab.",
        rich_help_panel=_TEXT_FILES,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        show_default="detected",
        help="The encoding of a text file, such as cp1252.",
        rich_help_panel=_TEXT_FILES,
    ),
]
Decimal = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER",
        callback=_mark,
        show_default="detected",
        help="The decimal mark, such as ',' or comma.",
        rich_help_panel=_TEXT_FILES,
    ),
]
Thousands = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER",
        callback=_mark,
        show_default="detected",
        help="The character between groups of three digits, such as '.' or blank.",
        rich_help_panel=_TEXT_FILES,
    ),
]
Na = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="What stands for a missing value, in all columns; may be given several times.",
        rich_help_panel=_TEXT_FILES,
    ),
]
Debug = Annotated[
    bool,
    typer.Option("--debug", callback=_set_debug, is_eager=True, help="Show where in the program an error comes from."),
]
Version = Annotated[
    bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
]
Dialect = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=_known_dialect,
        autocompletion=lambda: list(DIALECTS),
        show_default=DEFAULT_DIALECT,
        help=f"The SQL dialect: {', '.join(DIALECTS)}.",
    ),
]
TableName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=_known_table,
        help="Write a SELECT over this table (or schema.table); by default, only the CASE expression.",
    ),
]
Seed = Annotated[
    int, typer.Option(min=0, max=2**32 - 1, metavar="N", help="The random seed of the forest and of the held-out rows.")
]
Jobs = Annotated[int, typer.Option(metavar="N", callback=_not_zero, help="The number of processors; -1 for all.")]
TimeLimit = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        callback=_positive,
        help="Time for the search; when it is up, the best list found so far is kept, with its gap.",
    ),
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the report.")]
Purpose = Annotated[
    str | None, typer.Option(metavar="TEXT", help="What the list is for, and what not, as the dossier states it.")
]
NoSamples = Annotated[
    bool, typer.Option("--no-samples", help="Write a report that contains no rows of the table, nor values from them.")
]
