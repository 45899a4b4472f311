"""The commands that test a saved list on other rows: validate and drift."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hedgerow.cli.console import note, say, stages
from hedgerow.cli.predicting import columns_for
from hedgerow.cli.saved_lists import naming, read_rules, read_table_for, samples_in
from hedgerow.cli.writing import given, output_files
from hedgerow.evidence import Counts
from hedgerow.evidence import drift as find_drift
from hedgerow.evidence import validate as find_validation
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.columns import check_columns, take_weights
from hedgerow.tables.files import check_table_name, read_table, write_table
from hedgerow.tables.text_format import TextFormat

#: The endings of pictures.
_PICTURES = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class Asked:
    """The options that both commands have."""

    target: str | None
    weight: str | None
    level: float
    output: Path | None
    plot: Path | None

    def __post_init__(self) -> None:
        if self.output is not None:
            check_table_name(self.output)
        if self.plot is not None and self.plot.suffix.lower() not in _PICTURES:
            raise InvalidParameterError(f"The name of a picture must end with {', '.join(_PICTURES)}; got {self.plot}.")


def validate(rules: Path, asked: Asked, data: Path, written: TextFormat) -> None:
    """Print what a table says about each rule."""
    assert asked.target is not None
    with output_files(given(asked.output, asked.plot), [rules, data]) as files:
        with stages(2) as stage:
            stage.start("reading")
            rule_list = read_rules(rules)
            frame = read_table_for(rule_list, data, written, asked.target).frame
            X, y, rows = samples_in(rule_list, frame, written, asked.target, for_learning=False)
            weight = None if asked.weight is None else take_weights(frame, asked.weight)[rows]
            stage.start("validating")
            found = find_validation(rule_list, X, y, weight, asked.level)
        say(f"{found}\n")
        for sentence in found.sentences()[len(found.about_all()) :]:
            say(sentence)
        _write(files, asked, found, "plot_validation")


def drift(rules: Path, asked: Asked, tables: tuple[Path, Path], counts: bool, written: TextFormat) -> None:
    """Print what has changed between two tables."""
    if counts and asked.target is not None:
        raise InvalidParameterError("With --counts, leave out --target: the counts have the targets already, or not.")
    with output_files(given(asked.output, asked.plot), [rules, *tables]) as files:
        with stages(2) as stage:
            stage.start("reading")
            rule_list = read_rules(rules)
            before, now = (_counted(rule_list, path, asked.target, counts, written) for path in tables)
            stage.start("comparing")
            found = find_drift(rule_list, before, now, level=asked.level)
        say(f"{found}\n")
        for sentence in found.sentences():
            say(sentence)
        _write(files, asked, found, "plot_drift")


def _counted(rules: RuleList, path: Path, target: str | None, counts: bool, written: TextFormat) -> Counts:
    if counts:
        try:
            return Counts.read(rules, read_table(path).frame)
        except (InvalidDataError, TypeError, ValueError) as error:
            raise InvalidDataError(f"{path}: {error}") from None
    with naming(path):
        frame = read_table_for(rules, path, written, target or "").frame
        if target is None:
            return Counts.of(rules, columns_for(rules, frame))
        check_columns(frame, [target])
        _, y, rows = samples_in(rules, frame.copy(), written, target, for_learning=False)
        # The rows without a target count as well, but not in the rates.
        known: Any = frame[target].astype(object)
        known[:] = None
        known.iloc[rows] = y
        return Counts.of(rules, columns_for(rules, frame.drop(columns=target), target), known.to_numpy())


def _write(files: Any, asked: Asked, found: Any, plot: str) -> None:
    if asked.output is not None:
        files.write(asked.output, write_table(found.to_frame(), asked.output))
        note(f"wrote {asked.output}")
    if asked.plot is not None:
        from hedgerow import plotting

        axes, picture = getattr(plotting, plot)(found), io.BytesIO()
        axes.figure.savefig(picture, format=asked.plot.suffix[1:].lower())
        files.write(asked.plot, picture.getvalue())
        note(f"wrote {asked.plot}")
