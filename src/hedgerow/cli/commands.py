"""The commands: their arguments and options, and the functions they call.

A command imports what it calls inside, so that its help is there at once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from hedgerow.cli import options
from hedgerow.cli.flags import PlainCommand, PlainGroup
from hedgerow.cli.options import Debug, TaskName, file_option, forest_option

Command = TypeVar("Command", bound=Callable[..., None])

app = typer.Typer(cls=PlainGroup, rich_markup_mode="rich", pretty_exceptions_enable=False)


def _command(name: str, *examples: str) -> Callable[[Command], Command]:
    """Return a decorator that turns a function into a command, with examples at the end of its help."""
    shown = "\n\n".join(["[bold]Examples[/bold]", *(f"  [cyan]{example}[/cyan]" for example in examples)])
    return app.command(name, cls=PlainCommand, epilog=shown)


@app.callback(epilog="Start with: [cyan]hedgerow demo[/cyan], or [cyan]hedgerow extract --help[/cyan]")
def hedgerow(version: options.Version = False, debug: Debug = False) -> None:
    """Short, provably optimal rule lists from trained tree ensembles."""


@_command("demo", "hedgerow demo", "hedgerow demo --max-rules 5")
def demo(
    max_rules: Annotated[int, typer.Option(min=1, metavar="N", help="The maximum number of rules.")] = 3,
    published: options.Published = False,
    debug: Debug = False,
) -> None:
    """Train a forest on a data set that ships with scikit-learn, and print its best rule list."""
    from hedgerow.cli.demonstration import demonstrate

    demonstrate(max_rules, published)


@_command(
    "extract",
    "hedgerow extract adult.csv --target income",
    "hedgerow extract adult.csv --target income --report adult.html --sql adult.sql --json adult.json",
    "hedgerow extract adult.parquet --target income --model forest.skops --max-rules 5",
    "hedgerow extract adult.csv --target income --model xgboost.json --explain",
    "hedgerow extract adult.csv --target income --monotone age:+ --forbid sex --round-thresholds",
    "hedgerow extract 'sales/2026-*.parquet' --target returned",
)
def extract(
    data: options.LargeData,
    target: options.Target,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A trained ensemble: a skops file, XGBoost .json or .ubj, LightGBM .txt, CatBoost .cbm or .json, a "
            "hedgerow forest .json. By default, a random forest is trained.",
        ),
    ] = None,
    max_rules: Annotated[int, typer.Option(min=1, metavar="N", help="The maximum number of rules.")] = 8,
    explain: options.Explain = False,
    classes: options.Classes = None,
    published: options.Published = False,
    stream: options.Stream = None,
    task: Annotated[TaskName | None, typer.Option(show_default="inferred from the target", help="The task.")] = None,
    test_size: Annotated[
        float, typer.Option(min=0.0, max=0.9, metavar="SHARE", help="The share of the rows held out for testing.")
    ] = 0.25,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="A column to ignore; may be given several times.")
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="A column to use even if it looks like a row number or does not seem to help; may be given several "
            "times.",
        ),
    ] = None,
    forbid: options.Forbid = None,
    require: options.Require = None,
    monotone: options.Monotone = None,
    max_features: options.MaxFeatures = None,
    min_recall: options.MinRecall = None,
    round_thresholds: options.RoundThresholds = False,
    dates: Annotated[
        bool, typer.Option("--dates", help="Use dates: their year, month, weekday, and the days since the first.")
    ] = False,
    weight: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column of sample weights.")] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    na: options.Na = None,
    report: Annotated[Path | None, file_option("A page that explains the list, to open in a browser.")] = None,
    title: options.Title = None,
    no_samples: options.NoSamples = False,
    dossier: Annotated[Path | None, file_option("A page for those who sign the list off, to be printed.")] = None,
    purpose: options.Purpose = None,
    stability: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            show_default="none",
            help="With --dossier, learn the list again on N resamples; each takes as long as the list.",
        ),
    ] = None,
    sql: Annotated[Path | None, file_option("The list as SQL.")] = None,
    json: Annotated[Path | None, file_option("The list as JSON, which the other commands read.")] = None,
    certificate: Annotated[
        Path | None,
        file_option(
            "The rows that the list was learned from, as CSV, by which hedgerow check proves the list in --json again."
        ),
    ] = None,
    dialect: options.Dialect = None,
    table: options.TableName = None,
    trees: Annotated[
        int | None, forest_option("The number of trees.", "as many as help; with --published, 500", min=1)
    ] = None,
    depth: Annotated[
        int | None, forest_option("The maximum depth of the trees.", "no limit; with --published, 3", min=1)
    ] = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = -1,
    time_limit: options.TimeLimit = 60.0,
    trust_pickle: Annotated[
        bool,
        typer.Option(
            "--trust-pickle",
            help="Load a model from a pickle. This runs whatever code is in the file, with all your permissions; "
            "use it only if you trust the source of the file.",
        ),
    ] = False,
    debug: Debug = False,
) -> None:
    """Learn a rule list from a table, print it, and test it on held-out rows.

    Numbers, strings and missing values are all fine; the rules refer to the table's own columns.
    """
    from hedgerow.cli import extracting
    from hedgerow.cli.class_names import names_in
    from hedgerow.cli.conditions import Conditions
    from hedgerow.cli.learning import Learning
    from hedgerow.tables.samples import Source
    from hedgerow.tables.text_format import TextFormat

    written = TextFormat(separator, encoding, decimal, thousands, tuple(na or ()))
    names = None if classes is None else names_in(classes)
    asked = (forbid or (), require or (), monotone or (), max_features, min_recall or (), round_thresholds)
    conditions = Conditions(*asked)
    settings = {"max_rules": max_rules, "random_state": seed, "n_jobs": jobs, "time_limit": time_limit}
    extracting.extract(
        Source(
            data,
            target,
            weight,
            drop or (),
            [*(keep or ()), *conditions.columns],
            task,
            test_size,
            seed,
            written,
            dates,
            conditions.forbid,
        ),
        Learning(settings | conditions.settings, model, trust_pickle, published, trees, depth, explain, names, stream),
        extracting.Outputs(
            report, sql, json, dialect, table, title, not no_samples, certificate, dossier, purpose, stability
        ),
    )


@_command(
    "predict",
    "hedgerow predict rules.json new.csv",
    "hedgerow predict rules.json new.csv --explain --output predictions.csv",
    "hedgerow predict rules.json 'sales/2026-*.parquet' --output predictions.parquet",
    "hedgerow predict rules.json new.csv --calibrate known.csv --target income --level 0.95",
)
def predict(
    rules: options.Rules,
    data: options.LargeData,
    output: Annotated[
        Path | None, file_option("Write to this file (.csv, .tsv, .parquet) instead of standard output.", "-o")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Explain each prediction in a sentence.")] = False,
    with_data: Annotated[bool, typer.Option("--with-data", help="Write the columns of the table as well.")] = False,
    calibrate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table with true values that the list was not learned from. Each prediction then gets a set of "
            "classes, or the ends of an interval.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COLUMN", help="With --calibrate, its column of true values."),
    ] = None,
    level: Annotated[
        float, typer.Option(metavar="SHARE", help="With --calibrate, how often sets or intervals are right.")
    ] = 0.9,
    stream: options.StreamRows = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    na: options.Na = None,
    debug: Debug = False,
) -> None:
    """Predict each row of a table: the prediction, and the number of the rule that makes it."""
    from hedgerow.cli import applying
    from hedgerow.tables.text_format import TextFormat

    written = TextFormat(separator, encoding, decimal, thousands, tuple(na or ()))
    calibration = applying.Calibration(calibrate, target, level)
    applying.predict(rules, data, output, written, explain, with_data, stream, calibration)


@_command(
    "export",
    "hedgerow export rules.json --to sql --dialect duckdb --table people",
    "hedgerow export rules.json --to python --output rules.py",
    "hedgerow export rules.json --to sql --counts --table people --output counts.sql",
)
def export(
    rules: options.Rules,
    to: Annotated[options.Form, typer.Option("--to", help="The format.")],
    output: Annotated[Path | None, file_option("Write to this file instead of standard output.", "-o")] = None,
    dialect: options.Dialect = None,
    table: options.TableName = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="With --table, the query that counts what hedgerow drift compares.")
    ] = False,
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="With --counts, the column of true values.")
    ] = None,
    debug: Debug = False,
) -> None:
    """Write a rule list in another format."""
    from hedgerow.cli import applying

    applying.export(rules, to, output, dialect, table, counts, target)


@_command("report", "hedgerow report rules.json new.csv --target income --output new.html")
def report(
    rules: options.Rules,
    data: options.Data,
    target: options.Target,
    output: Annotated[Path, file_option("The page, to open in a browser.", "-o")],
    title: options.Title = None,
    no_samples: options.NoSamples = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    na: options.Na = None,
    debug: Debug = False,
) -> None:
    """Write a page that explains a rule list and shows its quality on a table."""
    from hedgerow.cli import applying
    from hedgerow.tables.text_format import TextFormat

    written = TextFormat(separator, encoding, decimal, thousands, tuple(na or ()))
    applying.report(rules, data, target, output, title, written, not no_samples)


@_command(
    "validate",
    "hedgerow validate rules.json new.csv --target income",
    "hedgerow validate rules.json new.csv --target income --output rules.csv --plot rules.png",
)
def validate(
    rules: options.Rules,
    data: options.Data,
    target: options.Target,
    weight: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column of weights.")] = None,
    level: options.Level = 0.95,
    output: Annotated[Path | None, file_option("The table of rules (.csv, .tsv, .parquet).", "-o")] = None,
    plot: Annotated[Path | None, file_option("A picture of training beside new rows (.png, .svg, .pdf).")] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    na: options.Na = None,
    debug: Debug = False,
) -> None:
    """Test each rule on rows that the list was not learned from: its coverage and rate, with intervals and tests."""
    from hedgerow.cli import checking
    from hedgerow.tables.text_format import TextFormat

    written = TextFormat(separator, encoding, decimal, thousands, tuple(na or ()))
    checking.validate(rules, checking.Asked(target, weight, level, output, plot), data, written)


@_command(
    "reasons",
    "hedgerow reasons rules.json applicants.csv --row 3 --reference known.csv",
    "hedgerow reasons rules.json applicants.csv --row 3 --change income:+ --change debt:- --answer yes",
    "hedgerow reasons rules.json applicants.csv --reference known.csv --output changes.csv",
)
def reasons(
    rules: options.Rules,
    data: options.Data,
    row: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="The number of a row, from 1; may be given several times. By default, all."),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table from which the spread of each column is taken, the unit of its changes. By default DATA, if "
            "it has at least 50 rows; otherwise the thresholds are counted that a change crosses.",
        ),
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="A column that may change, with :+ if it may only rise, :- if it may only fall; may be given several "
            "times. By default, all columns may.",
        ),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(metavar="CLASS", help="The prediction wanted: a class, or higher or lower. By default, all."),
    ] = None,
    output: Annotated[Path | None, file_option("The table of changes (.csv, .tsv, .parquet).", "-o")] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    na: options.Na = None,
    debug: Debug = False,
) -> None:
    """Say why rows get their prediction, why not another one, and the smallest changes that lead to it."""
    from hedgerow.cli import giving_reasons
    from hedgerow.tables.text_format import TextFormat

    written = TextFormat(separator, encoding, decimal, thousands, tuple(na or ()))
    question = giving_reasons.Question(row or (), change or (), answer)
    giving_reasons.reasons(rules, data, reference, output, question, written)


@_command(
    "dossier",
    "hedgerow dossier rules.json --data known.csv --test new.csv --target income --output dossier.html",
    "hedgerow dossier rules.json --purpose 'Which claims are read first' --output dossier.html",
)
def dossier(
    rules: options.Rules,
    output: Annotated[Path, file_option("The page, to open in a browser and to print.", "-o")],
    data: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The table that the list was learned from, without other rows.")
    ] = None,
    test: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table of rows that the list was not learned from.")
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column of true values in both tables.")
    ] = None,
    weight: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of weights in --data, for the check of the proof.")
    ] = None,
    purpose: options.Purpose = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the page.")] = None,
    date: Annotated[
        str | None, typer.Option(metavar="DATE", show_default="none", help="A date to show, such as 2026-03-31.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check/--no-check", help="Prove a list that has a certificate again from its rows.")
    ] = True,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    na: options.Na = None,
    debug: Debug = False,
) -> None:
    """Write a dossier for those who sign a list off: data, settings, proof, validation, limits, changes.

    Without tables, it says what it lacks. The same files make the same dossier, byte by byte.
    """
    from hedgerow.cli import dossiers
    from hedgerow.tables.text_format import TextFormat

    written = TextFormat(separator, encoding, decimal, thousands, tuple(na or ()))
    dossiers.dossier(rules, dossiers.Asked(data, test, target, weight, title, purpose, date, check), output, written)


@_command("check", "hedgerow check rules.json training.csv --target income")
def check(
    rules: Annotated[Path, typer.Argument(metavar="RULES", help="A rule list as JSON, with a certificate.")],
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The rows that it was learned from, as CSV.")],
    target: options.Target,
    weight: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column of weights.")] = None,
    debug: Debug = False,
) -> None:
    """Prove a rule list again from its JSON and its training rows, without trusting what computed it.

    The same file runs as a script of its own, without hedgerow: it is hedgerow/evidence/checker.py.
    """
    from hedgerow.cli import proving

    proving.check(rules, data, target, weight)


@_command(
    "drift",
    "hedgerow drift rules.json old.csv new.csv",
    "hedgerow drift rules.json old.csv new.csv --target income --plot drift.png",
    "hedgerow drift rules.json old_counts.csv new_counts.csv --counts",
)
def drift(
    rules: options.Rules,
    reference: Annotated[Path, typer.Argument(metavar="REFERENCE", help="The table to compare with.")],
    current: Annotated[Path, typer.Argument(metavar="CURRENT", help="The table of now.")],
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column of true values, if there is one.")
    ] = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="The tables are answers to the query of hedgerow export --counts.")
    ] = False,
    level: options.Level = 0.95,
    output: Annotated[Path | None, file_option("The table of changes (.csv, .tsv, .parquet).", "-o")] = None,
    plot: Annotated[Path | None, file_option("A picture of both tables (.png, .svg, .pdf).")] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    na: options.Na = None,
    debug: Debug = False,
) -> None:
    """Compare the rows that a list decides now with those of a reference: which rules and conditions have moved."""
    from hedgerow.cli import checking
    from hedgerow.tables.text_format import TextFormat

    written = TextFormat(separator, encoding, decimal, thousands, tuple(na or ()))
    checking.drift(rules, checking.Asked(target, None, level, output, plot), (reference, current), counts, written)


@_command("doctor", "hedgerow doctor", "hedgerow doctor --imports", "hedgerow doctor --json")
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")] = False,
    imports: Annotated[
        bool, typer.Option("--imports", help="Also try to import each optional library, which takes longer.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Say whether hedgerow works here: versions, optional parts and how to install them, and a self-test.

    The self-test learns a list, compares its proof with an exhaustive search, and has it proven again by the
    stand-alone checker. The exit code is 1 if something is broken.
    """
    from hedgerow.cli.doctor import diagnose

    raise typer.Exit(diagnose(as_json, imports))
