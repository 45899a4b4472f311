"""The commands on a saved rule list: predict, export, report."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from hedgerow._support.lettering import some
from hedgerow.cli.console import note, stages
from hedgerow.cli.predicting import Wanted, columns_for, predict_in_chunks
from hedgerow.cli.saved_lists import naming, read_rules, read_table_for, samples_in
from hedgerow.cli.writing import check_names_for_sql, ended, given, output_files, sql_text
from hedgerow.evidence.calibration import LEVEL
from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.files import check_table_name, is_read_in_chunks, write_table
from hedgerow.tables.text_format import TextFormat


@dataclass(frozen=True)
class Calibration:
    """The table that sets or intervals are calibrated on, its column of true values, and the level."""

    data: Path | None = None
    target: str | None = None
    level: float = LEVEL

    def __post_init__(self) -> None:
        if (self.data is None) != (self.target is None):
            raise InvalidParameterError("--calibrate needs --target, the column of true values, and --target needs it.")

    def of(self, rule_list: RuleList, written: TextFormat) -> Any:
        """Return the sets or intervals; None if there is no table."""
        if self.data is None or self.target is None:
            return None
        from hedgerow.evidence import conformal

        with naming(self.data):
            frame = read_table_for(rule_list, self.data, written, self.target).frame
            X, y, _ = samples_in(rule_list, frame, written, self.target, for_learning=False)
        return conformal(rule_list, X, y, self.level)


def predict(
    rules: Path,
    data: Path,
    output: Path | None,
    written: TextFormat,
    explain: bool,
    with_data: bool,
    stream: bool | None,
    calibration: Calibration,
) -> None:
    """Predict each row of a table."""
    import pandas as pd

    if output is not None:
        check_table_name(output)
    with output_files(given(output), [rules, data, *given(calibration.data)]) as files:
        with stages(2) as stage:
            stage.start("reading")
            rule_list = read_rules(rules)
            wanted = Wanted(explain, calibration.of(rule_list, written))
            if is_read_in_chunks(data, stream):
                stage.start("predicting")
                place = None if output is None else (output, files.opened(output))
                predict_in_chunks(rule_list, data, _free_names, place, wanted, with_data)
                return
            with naming(data):
                read = read_table_for(rule_list, data, written)
                frame = read.as_written()
                X = columns_for(rule_list, read.frame)
            stage.start("predicting")
            table = wanted.about(rule_list.evaluate(X))
        if with_data:
            table = pd.concat([frame, table.set_axis(_free_names(list(table), list(frame)), axis=1)], axis=1)
        if output is not None:
            files.write(output, write_table(table, output))
        else:
            table.to_csv(sys.stdout, index=False, lineterminator="\n")


def export(
    rules: Path,
    form: str,
    output: Path | None,
    dialect: str | None,
    table: str | None,
    counts: bool = False,
    target: str | None = None,
) -> None:
    """Write a list in another form."""
    if form != "sql" and (dialect is not None or table is not None or counts):
        raise InvalidParameterError("--dialect, --table and --counts need --to sql.")
    if counts and table is None:
        raise InvalidParameterError("--counts needs --table: the rows of a table are counted.")
    if target is not None and not counts:
        raise InvalidParameterError("--target needs --counts.")
    with output_files(given(output), [rules]) as files:
        rule_list = read_rules(rules)
        if form == "sql":
            names = {condition.feature.name for rule in rule_list for condition in rule.conditions}
            check_names_for_sql(sorted(names), dialect, "learn the list without one of them")
            text = sql_text(rule_list, dialect, table, counts, target)
        elif form == "json":
            text = ended(rule_list.to_json(indent=2))
        else:
            text = ended(getattr(rule_list, f"to_{form}")())
        if output is not None:
            files.write(output, text)
        else:
            sys.stdout.write(text)


def report(
    rules: Path,
    data: Path,
    target: str,
    output: Path,
    title: str | None,
    written: TextFormat,
    show_samples: bool = True,
) -> None:
    """Write a page about a list and its quality on a table."""
    with output_files([output], [rules, data]) as files, stages(2) as stage:
        stage.start("reading")
        rule_list = read_rules(rules)
        frame = read_table_for(rule_list, data, written, target).frame
        X, labels, _ = samples_in(rule_list, frame, written, target)
        stage.start("writing")
        # The table may be the one that the list was learned from, so its rows are not called held-out.
        tested = {"X_test": X, "y_test": labels, "test_name": data.name}
        page = rule_list.to_html(title=title, target=target, show_samples=show_samples, **tested)
        files.write(output, page)
    note(f"wrote {output}")


def _free_names(names: list[str], taken: list[str]) -> list[str]:
    """Return names for new columns: if the table has one of them, all with the first number that makes them new."""
    mine = [name for name in names if name in taken]
    if not mine:
        return names
    free = next(made for k in count(2) if not set(made := [f"{name}_{k}" for name in names]) & set(taken))
    note(f"the table has {some(map(repr, mine))} already; the new columns are {some(map(repr, free))}")
    return free
